package analyzer

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/catalog"
	"github.com/mapatom/mapatom/reduce"
)

// inlineDepth bounds how deep calls are followed.
const inlineDepth = 4

// programs are the register programs of a package's functions. They are made
// when they are asked for, and once.
type programs struct {
	pass *analysis.Pass
	res  *resolver
	refs *references
	lib  *reduce.Library
	// funcs are all functions of the source, in its order.
	funcs []*ssa.Function

	failed map[*ssa.Function]bool
	done   map[*ssa.Function]*reduce.Program
	// variants are the programs that Inline gets, by key: see place.
	variants map[string]*reduce.Program
	wrappers map[string]bool
	// visible are the types that shown finds.
	visible map[*types.TypeName]bool
	// errs say which functions could not be lowered, and why.
	errs []error
}

// lowerAll prepares the programs of a package. A function that cannot be
// lowered is left out, with the reason in errs.
func lowerAll(pass *analysis.Pass, cat *catalog.Catalog, funcs []*ssa.Function) *programs {
	res := newResolver(pass, cat, funcs)
	return &programs{
		pass: pass, funcs: funcs, res: res,
		refs:     findReferences(funcs),
		lib:      reduce.NewLibrary(res),
		failed:   map[*ssa.Function]bool{},
		done:     map[*ssa.Function]*reduce.Program{},
		variants: map[string]*reduce.Program{},
		wrappers: map[string]bool{},
	}
}

func (ps *programs) fail(err error) { ps.errs = append(ps.errs, err) }

// lower is the program of fn in function form, with its calls; nil if it has
// none.
func (ps *programs) lower(fn *ssa.Function) *reduce.Program {
	if ps.failed[fn] {
		return nil
	}
	p, err := protect(fn, func() (*reduce.Program, error) { return ps.lib.Lower(fn) })
	if err != nil {
		ps.failed[fn] = true
		ps.fail(err)
		return nil
	}
	return p
}

// protect turns a panic into an error: one function that is not understood
// must not hide what the others do.
func protect(fn *ssa.Function, f func() (*reduce.Program, error)) (p *reduce.Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, fmt.Errorf("internal error in %s: %v", fn, r)
		}
	}()
	return f()
}

// inlined is the program of fn with its calls inlined; nil if it has none.
// Operations of other packages' functions, and of wrappers, have the position
// of the call.
func (ps *programs) inlined(fn *ssa.Function) *reduce.Program {
	if p, ok := ps.done[fn]; ok {
		return p
	}
	ps.done[fn] = nil
	p := ps.lower(fn)
	if p == nil {
		return nil
	}
	out, err := protect(fn, func() (*reduce.Program, error) {
		q := reduce.Inline(ps.place(p), ps.lookup, inlineDepth)
		q.Name = funcDocName(fn)
		ps.rename(q)
		return q, reduce.Check(q)
	})
	if err != nil {
		ps.fail(err)
		return nil
	}
	ps.done[fn] = out
	return out
}

// touches reports whether fn touches a cell or wraps a lock, by itself or
// through what it calls.
func (ps *programs) touches(fn *ssa.Function) bool { return ps.res.touching[fn] }

// program is the program for the key of a call, with calls still in it.
func (ps *programs) program(key string) *reduce.Program {
	if imp, ok := ps.res.imports[key]; ok {
		return ps.imported(key, imp)
	}
	if fn := ps.res.callees[key]; fn != nil {
		return ps.lower(fn)
	}
	p, err := protect(nil, func() (*reduce.Program, error) { return ps.lib.Lookup(key), nil })
	if err != nil {
		ps.fail(err)
	}
	return p
}

// imported reads another package's program. Its first parameters, the zero
// values of type parameters, become the literals that the call has for them.
func (ps *programs) imported(key string, imp imported) *reduce.Program {
	if imp.program != nil {
		return imp.program
	}
	progs, err := reduce.Parse(key, []byte(imp.text))
	if err != nil || len(progs) != 1 || len(progs[0].Params) < len(imp.zeros) || len(progs[0].Blocks) == 0 {
		ps.fail(fmt.Errorf("fact of %s: not a program: %v", key, err))
		return nil
	}
	p := progs[0]
	var zeros []reduce.Instr
	for i, zero := range imp.zeros {
		zeros = append(zeros, reduce.Instr{Op: reduce.Copy, Dst: p.Params[i : i+1 : i+1], Args: []reduce.Operand{reduce.Lit(zero)}})
	}
	p.Params = p.Params[len(imp.zeros):]
	p.Blocks[0].Instrs = append(zeros, p.Blocks[0].Instrs...)
	p.Stored = map[string]bool{}
	return p
}

// roots are the functions to look for extensions in: all of the source but
// those literals whose every call is in plain sight, and inlined there.
func (ps *programs) roots() []*ssa.Function {
	var roots []*ssa.Function
	for _, fn := range ps.funcs {
		if fn.Parent() == nil || !ps.inPlainSight(fn) {
			roots = append(roots, fn)
		}
	}
	return roots
}
