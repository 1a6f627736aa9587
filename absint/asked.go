package absint

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// What a function gave is of no consequence any more once nobody has it, and nobody can
// ask for it again:
//
//	if hdr.flags&syn != 0 { … }
//	…
//	if hdr.flags&fin != 0 { … }
//
// At the second question nothing is left of the first. To forget an answer too early is
// to think more ways possible than there are.

// functions are instructions that ask a function, by its name.
type functions map[string][]*register.Instr

func (fs functions) add(b *register.Block) {
	for i := range b.Instrs {
		if in := &b.Instrs[i]; in.Op == register.Pure {
			fs[in.Name] = append(fs[in.Name], in)
		}
	}
}

// ask reports whether one of them can ask for a term.
func (fs functions) ask(t *terms, x term) bool {
	n := t.of(x)
	return slices.ContainsFunc(fs[n.name], func(in *register.Instr) bool {
		if len(in.Args) != len(n.args) {
			return false
		}
		for i, o := range in.Args {
			if o.IsLit() && n.args[i] != t.lit(o.Lit) {
				return false
			}
		}
		return true
	})
}

// askedFrom are the functions that can be asked from a block on.
func (w *ways) askedFrom(block int) functions {
	if fs := w.later[block]; fs != nil {
		return fs
	}
	fs, seen, work := functions{}, make([]bool, len(w.prog.Blocks)), []int{block}
	for seen[block] = true; len(work) > 0; {
		b := w.prog.Blocks[work[0]]
		work = work[1:]
		fs.add(b)
		for _, to := range b.Term.To {
			if !seen[to] {
				seen[to] = true
				work = append(work, to)
			}
		}
	}
	w.later[block] = fs
	return fs
}

// asked reports whether what a run knows of a term may be of consequence: if it is what a
// function gave that nobody asks again, the run, or the call if it knows what the function
// was given, has to have it.
func (w *walk) asked(x term, alive map[term]bool, block int) bool {
	n := w.e.terms.of(x)
	if n.kind != appTerm || register.Interpreted[n.name] && n.name != "and" || alive[x] || w.way.askedFrom(block).ask(w.e.terms, x) {
		return true
	}
	return w.e.waysOf(w.e.problem.Region).askedFrom(0).ask(w.e.terms, x)
}
