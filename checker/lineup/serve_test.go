package lineup_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/lineup"
)

// TestReplies has the code under test print among the replies, with no newline
// before them.
func TestReplies(t *testing.T) {
	in := "hello\x1e" + `{"number":2,"begin":{"threads":[[{"method":"Inc"}]]}}` + "\n\nworld\n\x1e" + `{"number":2,"done":true}`
	var other strings.Builder
	var all []lineup.Reply
	require.NoError(t, lineup.Replies(strings.NewReader(in), &other, func(r lineup.Reply) error {
		all = append(all, r)
		return nil
	}))
	require.Equal(t, "hello\nworld\n", other.String())
	require.Len(t, all, 2)
	require.Equal(t, "Inc()", all[0].Begin.String())
	require.True(t, all[1].Done)

	err := lineup.Replies(strings.NewReader("\x1enot a reply\n"), io.Discard, nil)
	require.ErrorContains(t, err, `found "not a reply\n", want a reply of the test process`)
	stop := errors.New("enough")
	require.ErrorIs(t, lineup.Replies(strings.NewReader("\x1e{}\n"), io.Discard, func(lineup.Reply) error { return stop }), stop)
}

func FuzzReplies(f *testing.F) {
	f.Add("a\x1e{\"number\":1}\nb")
	f.Add("\x1e\n\x1e")
	f.Fuzz(func(t *testing.T, in string) {
		var other strings.Builder
		n := 0
		err := lineup.Replies(strings.NewReader(in), &other, func(lineup.Reply) error { n++; return nil })
		require.LessOrEqual(t, other.Len(), len(in))
		if err == nil {
			require.Equal(t, n > 0, strings.ContainsRune(in, '\x1e'))
		}
	})
}
