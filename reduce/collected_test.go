package reduce

import (
	"testing"

	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/ssa"
)

const collectedSource = `package collected

import "sync"

func Sweep(m map[string]int) {
	var old []string
	for k, v := range m {
		if v > 0 {
			old = append(old, k)
		}
	}
	for _, k := range old {
		delete(m, k)
	}
}

func Index(m map[string]int) {
	old := make([]string, 0, len(m))
	for k := range m {
		old = append(old, k)
	}
	for i := 0; i < len(old); i++ {
		delete(m, old[i])
	}
}

func Values(m map[string]int) []int {
	var all []int
	for _, v := range m {
		all = append(all, v)
	}
	for i := range all {
		all[i]++
	}
	return all
}

func AllOf(m map[string]int) {
	for _, k := range Returned(m) {
		delete(m, k)
	}
}

func Deferred(m map[string]int, mu sync.Locker) []string {
	mu.Lock()
	defer mu.Unlock()
	if len(m) == 0 {
		return nil
	}
	old := []string{}
	for k := range m {
		old = append(old, k)
	}
	return old
}

func OldOf(m map[string]int, mu sync.Locker) int {
	old := Deferred(m, mu)
	for _, k := range old {
		delete(m, k)
	}
	return len(old)
}

func Either(m map[string]int, first []string) []string {
	all := first
	for k := range m {
		all = append(all, k)
	}
	return all
}

func EitherOf(m map[string]int, first []string) {
	for _, k := range Either(m, first) {
		delete(m, k)
	}
}

func Returned(m map[string]int) []string {
	var all []string
	for k := range m {
		all = append(all, k)
	}
	return all
}
`

// TestFindCollected: what is appended is the key of a loop over a map, and another loop
// goes through it.
func TestFindCollected(t *testing.T) {
	lp := buildLower(t, collectedSource)
	for name, want := range map[string]int{"Sweep": 1, "Index": 1, "Values": 0, "Returned": 0, "AllOf": 1, "OldOf": 1, "EitherOf": 0} {
		assert.Len(t, FindCollected(lp.ssa.Func(name), itself), want, name)
	}
}

// TestLowerCollected: the program of a sweep that finds one entry has no loop.
func TestLowerCollected(t *testing.T) {
	lp := buildLower(t, collectedSource)
	for _, name := range []string{"Sweep", "Index", "AllOf", "OldOf"} {
		c := FindCollected(lp.ssa.Func(name), itself)
		require.Len(t, c, 1, name)
		p, err := NewLibrary(toyResolver{}).LowerCollected(c[0])
		require.NoError(t, err)
		require.NoError(t, register.Check(p))
		order := register.ReversePostorder(p)
		at := map[int]int{}
		for i, b := range order {
			at[b] = i
		}
		for _, b := range order {
			for _, to := range p.Blocks[b].Term.To {
				assert.Greater(t, at[to], at[b], "%s goes back:\n%s", name, p)
			}
		}
	}
}

func itself(fn *ssa.Function) *ssa.Function { return fn }
