package sched_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mapatom/mapatom/checker/sched"
)

func TestScheduleRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sched.Schedule(rapid.SliceOf(rapid.IntRange(sched.Clock, 800)).Draw(t, "schedule"))
		if s == nil {
			s = sched.Schedule{}
		}
		parsed, err := sched.Parse(s.String())
		require.NoError(t, err)
		require.Equal(t, s, parsed)
	})
}

func TestScheduleText(t *testing.T) {
	assert.Equal(t, "A3 B2 ~ A", sched.Schedule{0, 0, 0, 1, 1, sched.Clock, 0}.String())
	assert.Equal(t, "-", sched.Schedule{}.String())
	for i, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 701: "ZZ", 702: "AAA", sched.Clock: "~"} {
		assert.Equal(t, want, sched.ThreadName(i))
	}
}

func TestParseSchedule(t *testing.T) {
	for text, want := range map[string]string{
		"":                  "found nothing, want runs like \"A3 B2 A\"",
		"A3 b2":             `run 2: found "b2", want a thread`,
		"A0":                `found "A0", want a count from 1 to`,
		"A99999999999":      "want a count from 1 to",
		"3":                 "want a thread",
		"ABCD":              "want a thread",
		"A1000000 B1000000": "more than",
	} {
		_, err := sched.Parse(text)
		assert.ErrorContains(t, err, want, text)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"A3 B2 ~ A", "-", "AA7", "a", "A0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := sched.Parse(text)
		if err != nil {
			return
		}
		again, err := sched.Parse(s.String())
		require.NoError(t, err)
		require.Equal(t, s, again)
		require.LessOrEqual(t, len(strings.Fields(s.String())), len(s)+1)
	})
}
