package ssaprog

import (
	"fmt"
	"go/types"

	"github.com/mapatom/mapatom/internal/analyzer/catalog"
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/mapatom/mapatom/reduce"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// inlineDepth bounds how deep calls are followed.
const inlineDepth = 4

// maxInlined bounds the instructions that inlining adds to a program.
const maxInlined = 2000

// Programs are the register programs of a package's functions. They are made
// when they are asked for, and once.
type Programs struct {
	Pass *analysis.Pass
	Pkg  *ssa.Package
	Res  *Resolver
	Refs *references
	lib  *reduce.Library
	// Funcs are all functions of the source, in its order.
	Funcs []*ssa.Function
	// Named are the full names of the functions that bodies name which are left out.
	Named map[string]bool

	// most is how many instructions may be inlined in a function: see Fit.
	most int

	// failed says why a function has no program.
	failed map[*ssa.Function]error
	done   map[*ssa.Function]*register.Program
	// variants are the programs that Inline gets, by key: see place.
	variants map[string]*register.Program
	wrappers map[string]bool
	// visible are the types that shown finds.
	visible map[*types.TypeName]bool
	// errs say which functions could not be lowered, and why.
	errs []error
}

// Lower prepares the programs of a package. A function that cannot be
// lowered is left out, with the reason in errs.
func Lower(pass *analysis.Pass, cat *catalog.Catalog, pkg *ssa.Package, funcs []*ssa.Function) *Programs {
	res := newResolver(pass, cat, funcs)
	return &Programs{
		Pass: pass, Pkg: pkg, Funcs: funcs, Res: res,
		Refs:     findReferences(funcs),
		lib:      reduce.NewLibrary(res),
		failed:   map[*ssa.Function]error{},
		done:     map[*ssa.Function]*register.Program{},
		variants: map[string]*register.Program{},
		wrappers: map[string]bool{}, most: maxInlined,
	}
}

func (ps *Programs) fail(err error) { ps.errs = append(ps.errs, err) }

// lower is the program of fn in function form, with its calls; nil if it has
// none.
func (ps *Programs) lower(fn *ssa.Function) *register.Program {
	if ps.failed[fn] != nil {
		return nil
	}
	p, err := protect(fn, func() (*register.Program, error) { return ps.lib.Lower(fn) })
	if err != nil {
		ps.failed[fn] = err
		ps.fail(err)
		return nil
	}
	return p
}

// Failure is why a function has no program; nil if that is not an error.
func (ps *Programs) Failure(fn *ssa.Function) error { return ps.failed[fn] }

// Protect turns a panic into an error: one function that is not understood must not
// hide what the others do.
func Protect(fn *ssa.Function, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error in %s: %v", fn, r)
		}
	}()
	return f()
}

func protect(fn *ssa.Function, f func() (*register.Program, error)) (p *register.Program, err error) {
	err = Protect(fn, func() (err error) {
		p, err = f()
		return err
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Inlined is the program of fn with its calls inlined; nil if it has none.
// Operations of other packages' functions, and of wrappers, have the position
// of the call.
func (ps *Programs) Inlined(fn *ssa.Function) *register.Program {
	if p, ok := ps.done[fn]; ok {
		return p
	}
	ps.done[fn] = nil
	p := ps.lower(fn)
	if p == nil {
		return nil
	}
	out, err := ps.inlined(fn, p)
	if err != nil {
		ps.failed[fn] = err
		ps.fail(err)
		return nil
	}
	ps.done[fn] = out
	return out
}

// inlined is a program of fn with its calls inlined.
func (ps *Programs) inlined(fn *ssa.Function, p *register.Program) (*register.Program, error) {
	return ps.inlinedTo(fn, p, inlineDepth)
}

// inlinedTo is inlined with calls followed so deep.
func (ps *Programs) inlinedTo(fn *ssa.Function, p *register.Program, depth int) (*register.Program, error) {
	return protect(fn, func() (*register.Program, error) {
		q := reduce.Inline(ps.place(p), ps.lookup, depth, ps.most)
		reduce.InSection(q, ps.Res.guarded.inSection(fn))
		q.Name = FuncDocName(fn)
		ps.rename(q)
		return q, register.Check(q)
	})
}

// moreDepth is how many calls more are followed where those that are not are in the way.
const moreDepth = 4

// Deeper is Inlined with calls followed further; nil if it cannot be made.
func (ps *Programs) Deeper(fn *ssa.Function) *register.Program {
	p := ps.lower(fn)
	if p == nil {
		return nil
	}
	p, err := ps.inlinedTo(fn, p, inlineDepth+moreDepth)
	if err != nil {
		return nil // it is undecided as it was
	}
	return p
}

// Later is Inlined for a function that starts others which touch a cell, as if these
// ran when it is done; nil if it starts none.
func (ps *Programs) Later(fn *ssa.Function) (*register.Program, error) {
	if !ps.startsTouching(fn) {
		return nil, nil
	}
	p, err := protect(fn, func() (*register.Program, error) { return ps.lib.LowerLater(fn, ps.runsLater) })
	if err != nil {
		return nil, err
	}
	return ps.inlined(fn, p)
}

// Swept are programs as Inlined gives, one for each sweep of a function that collects
// keys and acts on them: in which it finds one.
func (ps *Programs) Swept(fn *ssa.Function) ([]*register.Program, error) {
	var out []*register.Program
	for _, c := range reduce.FindCollected(fn, ps.Res.Local) {
		p, err := protect(fn, func() (*register.Program, error) { return ps.lib.LowerCollected(c) })
		if err != nil {
			return nil, err
		}
		if p, err = ps.inlined(fn, p); err != nil {
			return nil, err
		}
		if p, err = protect(fn, func() (*register.Program, error) { return p, known(p) }); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// known has the program of a sweep act on the key that it has found, which a function that collects hands on in the place of a slice.
func known(p *register.Program) error {
	if !register.KnowNotNil(p) {
		return nil
	}
	register.Tidy(p)
	register.Finish(p, register.MergeCells)
	return register.Check(p)
}

// startsTouching reports whether a function has one run later that touches a cell.
func (ps *Programs) startsTouching(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			f := ps.runsLater(instr)
			switch start := instr.(type) {
			case *ssa.Go:
				f = start.Call.Value
			case *ssa.Call:
				if beside := calls.StartedBeside(start); beside != nil {
					f = beside
				}
			}
			if f != nil && ps.Touches(ps.Res.Local(functionOf(f))) {
				return true
			}
		}
	}
	return false
}

// runsLater is the function that an instruction has somebody run later: what a timer gets,
// or a literal that is handed out.
func (ps *Programs) runsLater(instr ssa.Instruction) ssa.Value {
	switch instr := instr.(type) {
	case ssa.CallInstruction:
		return ps.Res.timed(instr)
	case *ssa.MakeClosure:
		if ps.handsOut(instr) {
			return instr
		}
	}
	return nil
}

// functionOf is the function that a value is, or that a closure or a method value is
// made of; nil if that is not known.
func functionOf(f ssa.Value) *ssa.Function {
	switch f := f.(type) {
	case *ssa.Function:
		return f
	case *ssa.MakeClosure:
		fn, _ := f.Fn.(*ssa.Function)
		if callee, _ := calls.Bound(f); callee != nil {
			return callee
		}
		return fn
	}
	return nil
}

// Forget drops what only serves to inline functions, once those that there are have been.
// It can be found again.
func (ps *Programs) Forget() {
	ps.variants, ps.lib = map[string]*register.Program{}, reduce.NewLibrary(ps.Res)
}

// Touches reports whether fn touches a cell or wraps a lock, by itself or
// through what it calls.
func (ps *Programs) Touches(fn *ssa.Function) bool { return ps.Res.touching[fn] }

// program is the program for the key of a call, with calls still in it.
func (ps *Programs) program(key string) *register.Program {
	if imp, ok := ps.Res.imports[key]; ok {
		return ps.imported(key, imp)
	}
	if fn := ps.Res.callees[key]; fn != nil {
		return ps.lower(fn)
	}
	p, err := protect(nil, func() (*register.Program, error) { return ps.lib.Lookup(key), nil })
	if err != nil {
		ps.fail(err)
	}
	return p
}

// imported reads another package's program. Its first parameters, the zero
// values of type parameters, become the literals that the call has for them.
func (ps *Programs) imported(key string, imp imported) *register.Program {
	if imp.program != nil {
		return imp.program
	}
	progs, err := register.Parse(key, []byte(imp.text))
	if err != nil || len(progs) != 1 || len(progs[0].Params) < len(imp.zeros) || len(progs[0].Blocks) == 0 {
		ps.fail(fmt.Errorf("fact of %s: not a program: %v", key, err))
		return nil
	}
	p := progs[0]
	var zeros []register.Instr
	for i, zero := range imp.zeros {
		zeros = append(zeros, register.Instr{Op: register.Copy, Dst: p.Params[i : i+1 : i+1], Args: []register.Operand{register.Lit(zero)}})
	}
	p.Params = p.Params[len(imp.zeros):]
	p.Blocks[0].Instrs = append(zeros, p.Blocks[0].Instrs...)
	p.Stored = map[string]bool{}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			blk.Instrs[i].Foreign = true
		}
	}
	return p
}

// Roots are the functions to look for extensions in: all of the source but
// those literals whose every call is in plain sight, and inlined there.
func (ps *Programs) Roots() []*ssa.Function {
	var roots []*ssa.Function
	for _, fn := range ps.Funcs {
		if fn.Parent() == nil || !ps.InPlainSight(fn) {
			roots = append(roots, fn)
		}
	}
	return roots
}
