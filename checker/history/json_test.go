package history

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestCanonical(t *testing.T) {
	for text, want := range map[string]Value{
		" 7 ":                           "7",
		"-0":                            "0",
		"1.50":                          "1.50", // numbers keep their text
		"1E5":                           "1E5",
		"[ 1 , [ ] ,{} ]":               "[1,[],{}]",
		`{"b":1, "a":{"d":null,"c":2}}`: `{"a":{"c":2,"d":null},"b":1}`,
		`"\u0041\/\n\u00e9"`:            `"A/\né"`,
		`"\ud83d\ude00"`:                `"😀"`,
		`"\u0007"`:                      `"\u0007"`,
		`"\""`:                          `"\""`,
	} {
		got, err := canonical([]byte(text))
		require.Nil(t, err, text)
		assert.Equal(t, want, got, text)
	}
}

func TestNotCanonical(t *testing.T) {
	for text, want := range map[string]string{
		"":               "the end of the line, want a JSON value",
		"nil":            `"nil", want a JSON value`,
		"07":             `the number "07", want a number as JSON has them`,
		"-":              `the number "-", want a number as JSON has them`,
		"1.":             `the number "1.", want a number as JSON has them`,
		"1e":             `the number "1e", want a number as JSON has them`,
		"+1":             `"+1", want a JSON value`,
		"NaN":            `"NaN", want a JSON value`,
		"1 2":            `"2", want nothing after the value`,
		"[1,]":           `"]", want a JSON value`,
		"[1 2]":          `"2]", want "]" or ","`,
		`{"a" 1}`:        `"1}", want ":" after the name "a"`,
		`{a:1}`:          `"a:1}", want a name in quotes`,
		`{"a":1,"a":2}`:  `the name "a" twice in one object, want each name once`,
		`"\x"`:           `a backslash with something after it that is no escape, want an escape such as \n or \u00e9`,
		`"\ud83d"`:       `a backslash with something after it that is no escape, want an escape such as \n or \u00e9`,
		`"\ud83d\u0041"`: `a backslash with something after it that is no escape, want an escape such as \n or \u00e9`,
		`"\u12"`:         `a backslash with something after it that is no escape, want an escape such as \n or \u00e9`,
		"\"a\nb\"":       `byte 10 in a string, want an escape such as \u0000`,
		"\"\xff\"":       `bytes that are not UTF-8 in a string, want text`,
		`"abc`:           `a string that does not end, want a closing quote`,
		`"abc\n`:         `a string that does not end, want a closing quote`,
	} {
		_, err := canonical([]byte(text))
		require.NotNil(t, err, text)
		assert.Equal(t, want, err.Error(), text)
	}
}

// TestCanonicalAgrees holds canonical against encoding/json: both accept the
// same texts, up to what is said in the comments of canonical, and what
// canonical gives means the same and is its own canonical form.
func TestCanonicalAgrees(t *testing.T) {
	parts := rapid.SampledFrom([]string{"[", "]", "{", "}", ",", ":", `"a"`, `"b"`, "1", "-2.5e3", "null", "true", " "})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(parts, 0, 12).Draw(t, "parts"), "")
		var want any
		stdErr := json.Unmarshal([]byte(text), &want)
		got, err := canonical([]byte(text))
		if err != nil {
			require.True(t, stdErr != nil || strings.Contains(err.Found, "twice"), "%s: %s", text, err)
			return
		}
		require.NoError(t, stdErr, text)
		var again any
		require.NoError(t, json.Unmarshal([]byte(got), &again))
		require.Equal(t, want, again)
		twice, err := canonical([]byte(got))
		require.Nil(t, err)
		require.Equal(t, got, twice)
	})
}

// TestBare writes values as bare words and reads them back.
func TestBare(t *testing.T) {
	for v, want := range map[Value]string{
		"7": "7", `"abc"`: "abc", `"7"`: `"7"`, `"a b"`: `"a b"`, `""`: `""`, `"nil"`: `"nil"`, `"true"`: `"true"`, "true": "true",
		`"-1"`: `"-1"`, `"007"`: `"007"`, `"+7"`: `"+7"`, `"\"x"`: `"\"x"`, `[1]`: `[1]`, `"[1]"`: `"[1]"`, `"[1"`: "[1",
	} {
		assert.Equal(t, want, bare(v, isPlainWord))
		assert.Equal(t, v, lenient([]byte(want)))
	}
}
