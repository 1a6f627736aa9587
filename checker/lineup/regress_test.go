package lineup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseCase(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"Add(200) | TryTake()", "Add(200) | TryTake()"},
		{"Add(200) | TryTake() @ A2  B A", "Add(200) | TryTake() @ A2 B A"},
		{`Add(" @ ") | TryTake()`, `Add(" @ ") | TryTake()`},
		{`Add(" @ ") | TryTake() @ A B`, `Add(" @ ") | TryTake() @ A B`},
	} {
		c, err := parseCase(test.text)
		require.NoError(t, err, test.text)
		require.Equal(t, test.want, c.String())
	}
	for _, text := range []string{"", " @ A", "Add(200) @ ???", "Add(200"} {
		_, err := parseCase(text)
		require.Error(t, err, text)
	}
}

// TestKept writes failures, reads them back, and says what is wrong with a file
// that has been written to.
func TestKept(t *testing.T) {
	t.Chdir(t.TempDir())
	none, err := kept("TestQueue/a b:c")
	require.NoError(t, err)
	require.Empty(t, none)
	c, err := parseCase("Add(200) | TryTake() @ A2 B A")
	require.NoError(t, err)
	file, err := keep("TestQueue/a b:c", c, "Queue is not linearizable\n\n  A  B\n")
	require.NoError(t, err)
	again, err := keep("TestQueue/a b:c", c, "the same once more")
	require.NoError(t, err)
	require.Equal(t, file, again)
	all, err := kept("TestQueue/a b:c")
	require.NoError(t, err)
	require.Equal(t, []testCase{c}, all)

	for text, want := range map[string]string{
		"":                                `:1: found "", want "mapatom lineup 1"`,
		"mapatom lineup 2\nAdd(1)\n":      `:1: found "mapatom lineup 2", want "mapatom lineup 1"`,
		"mapatom lineup 1\n# nothing\n":   ":3: found no test",
		"mapatom lineup 1\n\n\nAdd(1 |":   ":4: test",
		"mapatom lineup 1\nAdd(1) @ A-\n": ":2: ",
	} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		_, err := kept("TestQueue/a b:c")
		require.ErrorContains(t, err, file+want)
	}
	files, err := filepath.Glob(filepath.Join(filepath.Dir(file), ".*"))
	require.NoError(t, err)
	require.Empty(t, files)
}

func FuzzParseKept(f *testing.F) {
	f.Add("mapatom lineup 1\nAdd(200) | TryTake() @ A2 B A\n\n# report\n")
	f.Add("mapatom lineup 1\n\nAdd(\" @ \")")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parseKept(text)
		if err != nil {
			require.True(t, strings.HasPrefix(err.Error(), ":"), err)
			return
		}
		again, err := parseCase(c.String())
		require.NoError(t, err, c.String())
		require.Equal(t, c.String(), again.String())
	})
}
