package analyzer

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/catalog"
	"github.com/mapatom/mapatom/analyzer/directive"
	"github.com/mapatom/mapatom/reduce"
)

// A function marked //mapatom:atomic is one extension, with all that it does to
// any cell. What depends on what is not asked: its author says that all of it
// belongs together.

// claims checks the functions that are marked, and reports those that are not
// verified. It returns the violations that it reports.
func (c *checked) claims() (wrong []*Extension) {
	for _, d := range c.guide.set.Of(directive.Atomic) {
		if d.Func == nil {
			continue
		}
		obj := c.pass.TypesInfo.Defs[d.Func.Name]
		i := slices.IndexFunc(c.infos, func(f *funcInfo) bool { return obj != nil && f.fn.Object() == obj })
		if i < 0 {
			c.guide.problem(d, fmt.Errorf("%s uses no map or atomic that mapatom knows", d.Func.Name.Name))
			continue
		}
		if x := c.whole(c.infos[i]); c.claim(d, x) {
			x.Reported = true
			wrong = append(wrong, x)
		}
	}
	return wrong
}

// claim reports a function that is not verified, unless that is known or nobody
// wants to. It reports whether it is a violation that was reported.
func (c *checked) claim(d *directive.Directive, x *Extension) bool {
	mark := analysis.RelatedInformation{Pos: d.Pos, End: d.End, Message: "the function is marked as atomic here"}
	switch {
	case x.Verdict == absint.Violation && x.Ignored == "" && !c.isReported(x):
		diag := diagnostic(x)
		diag.Related = append(diag.Related, mark)
		c.pass.Report(diag)
		return true
	case x.Verdict == absint.Unknown:
		name := d.Func.Name
		if c.guide.set.Ignores(name.Pos(), string(NotVerified)) != nil {
			return false
		}
		c.pass.Report(analysis.Diagnostic{
			Pos: name.Pos(), End: name.End(), Category: string(NotVerified), URL: pageURL(NotVerified),
			Message: fmt.Sprintf("%s is marked as atomic and could not be verified: %s (%s)", name.Name, x.Reason, NotVerified),
			Related: []analysis.RelatedInformation{mark},
		})
	}
	return false
}

// isReported reports whether there is a finding of that category at the same
// operation already.
func (c *checked) isReported(x *Extension) bool {
	return slices.ContainsFunc(c.found, func(y *Extension) bool {
		return y.Pos == x.Pos && y.Category == x.Category && c.wantsReport(y)
	})
}

// whole is the function as one extension.
func (c *checked) whole(f *funcInfo) *Extension {
	g := component{prog: f.prog, accesses: f.find.accesses}
	for _, a := range g.accesses {
		if !slices.Contains(g.cells, a.Cell) {
			g.cells = append(g.cells, a.Cell)
		}
	}
	slices.Sort(g.cells)
	x := &Extension{}
	switch reason := c.severalSteps(f, g); {
	case reason != "":
		x.Reason = reason
	case len(g.accesses) == 1:
		x.Verdict = absint.Verified
	case len(g.cells) == 1:
		x = c.judge.extension(f, g)
	default:
		x = c.judge.several(f, g)
	}
	x.Package, x.Function, x.fn = c.pass.Pkg.Path(), f.name, f.fn
	c.silence([]*Extension{x})
	return x
}

// severalSteps says why a function cannot be one step; empty if it can. An entry of
// which the key changes with each turn of a loop is another cell each time, and
// a program has a fixed number of them.
func (c *checked) severalSteps(f *funcInfo, g component) string {
	for _, call := range callsIn(f.fn) {
		op, ok := c.ps.res.cat.Lookup(call)
		if ok && op.Kind == catalog.Whole && op.Whole != catalog.Clear && op.Whole != catalog.Range {
			return op.Name + " looks at the whole map"
		}
	}
	for _, cell := range g.cells {
		if k := f.n.Source(f.prog.Cells[cell].Key); !k.IsLit() && f.definedInLoop(k) {
			return "a loop goes through several entries"
		}
	}
	return ""
}

// callsIn are the functions that fn calls by their names.
func callsIn(fn *ssa.Function) []*types.Func {
	var out []*types.Func
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok {
				if t := targetOf(call); t.obj != nil {
					out = append(out, t.obj)
				}
			}
		}
	}
	return out
}

// definedInLoop reports whether the value is computed anew in each turn of a
// loop.
func (f *funcInfo) definedInLoop(op reduce.Operand) bool {
	for b, blk := range f.prog.Blocks {
		for i := range blk.Instrs {
			if slices.Contains(blk.Instrs[i].Dst, op.Local) && f.find.reach[b][b] {
				return true
			}
		}
	}
	return false
}
