package workplace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNew: the folder has the same name each time, is empty, and is gone afterwards.
func TestNew(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var dirs []string
	for range 2 {
		t.Run("run", func(t *testing.T) {
			dir := New(t, "a")
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			assert.Empty(t, left)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o666))
			dirs = append(dirs, dir)
		})
	}
	require.Len(t, dirs, 2)
	assert.Equal(t, dirs[0], dirs[1])
	assert.NoDirExists(t, dirs[0])
	assert.NotEqual(t, dirs[0], New(t, "b"))
}
