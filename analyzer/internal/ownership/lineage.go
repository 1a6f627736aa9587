package ownership

import (
	"slices"

	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Lineage finds what values were reached from in one program.
type Lineage struct {
	Prog *register.Program
	N    *register.Numbering
	// chain sees the steps from one value to the next; owned says which
	// memory alone leads to what it points to.
	chain   *rootNames
	owned   map[string]bool
	getters *Gets
}

func (f *Function) Lineage() *Lineage {
	return &Lineage{Prog: f.Prog, N: f.N, chain: f.names(), owned: f.owned, getters: f.getters}
}

// Ancestor is a value that something was reached from, and how.
type Ancestor struct{ Term, Path string }

// Ancestors lists what op was reached from, nearest first, op itself
// included: through fields of fields, and at the very end through a pointer
// to it. Beyond another pointer there may be several owners, with a lock each.
func (l *Lineage) Ancestors(op register.Operand) []Ancestor { return l.Reached(op, false) }

// Reached is ancestors, for the cell also through elements of containers, and
// through pointers that are known to be in one place only.
//
// An element counts for the cell, which is some element in all functions alike.
// The lock of an element is that of one among many: of which one, two functions
// need not agree.
func (l *Lineage) Reached(op register.Operand, elements bool) []Ancestor {
	return l.reachedBy(op, "", elements, 0)
}

// reachedBy is reached for what leads to something by the steps of path.
func (l *Lineage) reachedBy(op register.Operand, path string, elements bool, depth int) []Ancestor {
	var out []Ancestor
	for range 12 {
		op = l.N.Source(op)
		out = append(out, Ancestor{l.N.Term(op), path})
		step, from, pointer, ok := l.chain.step(op)
		switch {
		case !ok && elements:
			def, result := definition(l.Prog, op)
			w, arg, got := l.getters.got(def, result)
			if !got || slices.ContainsFunc(w.memory, func(r string) bool { return !l.owned[r] }) {
				return append(out, l.chosen(op, path, depth+1)...)
			}
			path, op = w.steps+path, arg
			continue
		case !ok, step == extension.ElemStep && !elements, pointer && !elements && l.getters.repointed(step):
			return out
		case pointer && path != "" && !(elements && l.owned[l.chain.of(op, 0)]):
			return out
		}
		path = step + ">" + path
		op = from
	}
	return out
}
