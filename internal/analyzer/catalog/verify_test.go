package catalog

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestVerify(t *testing.T) {
	c, err := Parse("t.txt", strings.NewReader(`
package sync
type Map map
	Load(key) (old, had) = load                 # right
	Store(key) = delete                         # arity
	Delete(key) (old) = delete                  # arity
	LoadAndDelete(key) (had, old) = delete      # bool for a value
	CompareAndDelete(key, old) (err) = cad      # error for a bool
	LoadOrInsert(key, value) (old, had) = insert
	Range(func(key) (more)) = range             # arity of the func
type Pool map
	Put(key) = delete
	Get() (_) = plain
pure NewCond Mutex.Lock Mutex.Unlocked Once.*
package sync/atomic
functions atomic
	AddInt32(cell, delta) (new) = update add
	AddInt64(delta, cell) (new) = update add    # cell is the first
`))
	require.NoError(t, err)
	check := func(path string) string {
		pkg, err := stdImporter().Import(path)
		require.NoError(t, err)
		var lines []string
		for _, err := range c.Verify(pkg) {
			lines = append(lines, err.Error())
		}
		return strings.Join(lines, "\n")
	}
	assert.Equal(t, strings.TrimSpace(`
sync.Map.CompareAndDelete: result 0: the table's role does not fit type bool
sync.Map.Delete: has 0 results, the table says 1
sync.Map.LoadAndDelete: result 0: the table's role does not fit type any
sync.Map.LoadOrInsert: package sync has no such function
sync.Map.Range: parameter 0: the table's func has another shape than func(key any, value any) bool
sync.Map.Store: has 2 parameters, the table says 1
sync: no function matches Mutex.Unlocked`), check("sync"))
	assert.Equal(t, "atomic.AddInt64: parameter 0: the table's role does not fit type *int64", check("sync/atomic"))
	assert.Empty(t, check("strings"))
}
