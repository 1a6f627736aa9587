package check

import (
	"slices"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/evidence"
	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/judge"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Whole is the function as one extension.
func (c *Package) Whole(f *rivals.Function) evidence.Weighed {
	return evidence.New(c.Ps, c.Judge, c.opts.Weigh, c.set).Weigh(c.whole(f))
}

func (c *Package) whole(f *rivals.Function) *judge.Finding {
	g := extension.Group{Prog: f.Prog, Accesses: f.Find.Accesses}
	for _, a := range g.Accesses {
		if !slices.Contains(g.Cells, a.Cell) {
			g.Cells = append(g.Cells, a.Cell)
		}
	}
	slices.Sort(g.Cells)
	switch reason := c.severalSteps(f, g); {
	case reason != "":
		return &judge.Finding{In: f, Group: g, Reason: reason}
	case len(g.Cells) > absint.MaxCells: // what is to be one step is not looked at in parts
		return &judge.Finding{In: f, Group: g, Reason: absint.TooManyCells(len(g.Cells))}
	case len(g.Accesses) == 1:
		return &judge.Finding{In: f, Group: g, Verdict: absint.Verified}
	}
	return c.Judge.Decide(f, g)
}

// severalSteps says why a function cannot be one step; empty if it can. An entry of
// which the key changes with each turn of a loop is another cell each time, and
// a program has a fixed number of them.
func (c *Package) severalSteps(f *rivals.Function, g extension.Group) string {
	var whole []string
	for _, call := range ssaprog.CallsIn(f.Fn) {
		op, ok := c.Ps.Res.Cat.Lookup(call)
		if !ok || op.Kind != catalog.Whole {
			continue
		}
		if op.Whole != catalog.Clear && op.Whole != catalog.Range {
			return op.Name + " looks at the whole map"
		}
		whole = append(whole, op.Name)
	}
	if len(whole) > 1 || len(whole) == 1 && whole[0] != "Range" && len(g.Accesses) > 1 {
		return whole[0] + " is about the whole map"
	}
	if len(whole) > 0 && len(register.Counted(f.Prog)) > 0 { // a Range that only counts
		return "a loop goes through several entries"
	}
	for _, cell := range g.Cells {
		if k := f.N.Source(f.Prog.Cells[cell].Key); k.Local != register.None && definedInLoop(f, k) {
			return "a loop goes through several entries"
		}
	}
	return ""
}

// definedInLoop reports whether the value is computed anew in each turn of a
// loop.
func definedInLoop(f *rivals.Function, op register.Operand) bool {
	for b, blk := range f.Prog.Blocks {
		for i := range blk.Instrs {
			if slices.Contains(blk.Instrs[i].Dst, op.Local) && f.Find.Reach(b, b) {
				return true
			}
		}
	}
	return false
}
