package extension

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Function is the program of a function, with the accesses that belong together.
type Function struct {
	Fn   *ssa.Function
	Name string
	Prog *register.Program
	N    *register.Numbering
	Find *finder
	// Groups are its extensions, lone its other accesses.
	Groups []Group
	Lone   []*register.Access
	// Kept says that it is one of Keeps, End where it removes the entry, and Leased that it has
	// put that there only where there was nothing. Later says that it has somebody do that, who
	// holds none of the locks that its callers hold.
	Kept   bool
	End    register.Pos
	Leased bool
	Later  bool
	// Swept says that it acts on several keys, of which the program has any one.
	Swept bool
	// Wide are those on several cells.
	Wide []Group
	// Sections are critical sections on several cells.
	Sections []Group
}

// TakeApart finds the extensions of a function in its program.
func TakeApart(fn *ssa.Function, name string, p *register.Program) *Function {
	n := register.Number(p)
	f := &Function{Fn: fn, Name: name, Prog: p, N: n, Find: newFinder(p, n)}
	f.Groups, f.Lone = f.Find.components()
	f.Wide, f.Sections = f.Find.wide(), f.Find.sections()
	f.Find.Forget()
	return f
}

// Positions are those of the base operations of some accesses.
func (f *Function) Positions(accesses []*register.Access) []register.Pos {
	var out []register.Pos
	for _, a := range accesses {
		for _, op := range a.Ops {
			out = append(out, f.Pos(op))
		}
	}
	return out
}

func (f *Function) Pos(r register.Ref) register.Pos {
	return f.Find.pos(r)
}

// Before reports whether one place can come before another one.
func (f *Function) Before(a, b register.Ref) bool {
	return f.Find.Precedes(&register.Access{Start: a}, &register.Access{Start: b})
}

// Outermost is the declared function that a literal is in, at any depth.
func (f *Function) Outermost() *ssa.Function {
	fn := f.Fn
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

// Parameter is the parameter or captured variable of the function that a local of its
// program is, perhaps by copies; nil if it is none. Those of the function come last
// among the program's.
func (f *Function) Parameter(l register.Local) ssa.Value {
	op := f.N.Source(register.L(l))
	i := slices.Index(f.Prog.Params, op.Local)
	first := len(f.Prog.Params) - len(f.Fn.Params)
	switch {
	case op.IsLit() || i < 0:
		return nil
	case i >= first:
		return f.Fn.Params[i-first]
	}
	for _, fv := range f.Fn.FreeVars {
		if f.Prog.Names[op.Local] == fv.Name() {
			return fv
		}
	}
	return nil
}
