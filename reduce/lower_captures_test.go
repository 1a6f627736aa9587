package reduce

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/ssa"
)

// TestCapturesInACircle: whether a closure is only called, and seen, does not depend on
// which of two that call each other was asked about first.
func TestCapturesInACircle(t *testing.T) {
	lp := buildLower(t, `package p

var sink func(int)

func Leaks() {
	var a, b func(int)
	a = func(n int) { if n > 0 { b(n - 1) } }
	b = func(n int) { if n > 0 { a(n - 1) } }
	sink = b
	a(7)
}

func Keeps() {
	var a, b func(int)
	a = func(n int) { if n > 0 { b(n - 1) } }
	b = func(n int) { if n > 0 { a(n - 1) } }
	b(7)
}
`)
	for name, want := range map[string]bool{"Leaks": false, "Keeps": true} {
		var made []*ssa.MakeClosure
		for _, b := range lp.function(t, name).Blocks {
			for _, instr := range b.Instrs {
				if mc, ok := instr.(*ssa.MakeClosure); ok {
					made = append(made, mc)
				}
			}
		}
		require.Len(t, made, 2)
		for first := range made {
			c := newCaptures(toyResolver{lp.ssa.Pkg})
			assert.Equal(t, want, c.isSeen(made[first]), "%s: closure %d, asked first", name, first)
			assert.Equal(t, want, c.isSeen(made[1-first]), "%s: closure %d, asked second", name, 1-first)
		}
	}
}
