package check

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/directive"
	"github.com/mapatom/mapatom/analyzer/internal/evidence"
	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/judge"
	"github.com/mapatom/mapatom/analyzer/internal/ownership"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
	"github.com/mapatom/mapatom/internal/analyzer/config"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/mapatom/mapatom/reduce"
)

// Options say what others may do, and what becomes of what is found.
type Options struct {
	Env   config.EnvMode
	Weigh evidence.Options
	// Budget is what deciding the package may cost in sum; 0 is the default.
	Budget int
	// Sole says that nobody else looks at the syntax of the package.
	Sole bool
}

// Package is one package being checked.
type Package struct {
	Ps        *ssaprog.Programs
	opts      Options
	Functions []*rivals.Function
	// keeps are the functions that remove entries of their own, each once more as
	// extension.Keeps has it. They are nothing that the package does.
	keeps  []*rivals.Function
	failed []failure
	// taken are the functions that have operations, and refused are those that some
	// function calls and could not inline.
	taken   []*rivals.Function
	refused map[*ssa.Function]bool
	// outer are those functions that can be entered from outside of the
	// ones that inline them: together they are all that the package does.
	outer []*rivals.Function
	Judge *judge.Judge
	// set are the directives of the package; nil if they are not looked at.
	set *directive.Set
	// bound are the operations of helpers that are judged in their callers.
	bound map[register.Pos]bool
	// kinds are those that functions were found to be of, see kind.
	kinds map[*rivals.Function]string
	// gets are what functions get objects from, and deep the functions with calls followed further, see deeper.
	gets *ownership.Gets
	deep map[*rivals.Function]*rivals.Function
	// Within, if it is not nil, says which operations an extension must have to
	// be looked at.
	Within func(ssaprog.Operation) bool
}

// New lowers the functions of a package, finds their extensions, and makes of
// them what the package does to its maps.
func New(ps *ssaprog.Programs, opts Options, set *directive.Set) *Package {
	marked := markedNames(set)
	return newPackage(ps, opts, set, func(fn *ssa.Function) bool { return !opts.leavesOut(fn) || marked[outermost(fn).Name()] })
}

// Build builds the SSA form of a package, and prepares its programs. The bodies of those
// functions that are not looked at are left out: in many packages they are the larger part.
func Build(pass *analysis.Pass, cat *catalog.Catalog, opts Options, set *directive.Set) (*ssaprog.Programs, error) {
	return build(pass, cat, opts, markedNames(set))
}

func build(pass *analysis.Pass, cat *catalog.Catalog, opts Options, marked map[string]bool) (*ssaprog.Programs, error) {
	left := func(decl *ast.FuncDecl) bool {
		return !opts.Weigh.InTests() && ssaprog.DeclaresTest(pass.Fset, decl) && !marked[decl.Name.Name]
	}
	pkg, funcs, named, err := ssaprog.BuildSSAWithout(pass, left)
	if err != nil {
		return nil, err
	}
	if opts.Sole {
		ssaprog.Drop(pass, left)
	}
	ps := ssaprog.Lower(pass, cat, pkg, funcs)
	ps.Named = named
	return ps, nil
}

// markedNames are the names of the functions that are said to be atomic.
func markedNames(set *directive.Set) map[string]bool {
	marked := map[string]bool{}
	if set != nil {
		for _, d := range set.Of(directive.Atomic) {
			if d.Func != nil {
				marked[d.Func.Name.Name] = true
			}
		}
	}
	return marked
}

// leavesOut reports whether a function is not looked at: it is run by go test alone, which
// makes it no part of what the package does, and nothing in it would be shown. Such functions
// contain half of a program, and there are many of them.
func (o Options) leavesOut(fn *ssa.Function) bool {
	return ssaprog.IsTest(outermost(fn)) && !o.Weigh.InTests()
}

// newPackage is New with the functions that are wanted, and no others.
func newPackage(ps *ssaprog.Programs, opts Options, set *directive.Set, wanted func(*ssa.Function) bool) *Package {
	c := &Package{Ps: ps, opts: opts, set: set, refused: map[*ssa.Function]bool{}, kinds: map[*rivals.Function]string{}}
	c.gets, c.deep = ownership.NewGets(c.Ps), map[*rivals.Function]*rivals.Function{}
	roots := slices.DeleteFunc(c.Ps.Roots(), func(fn *ssa.Function) bool { return !c.Ps.Touches(fn) || !wanted(fn) })
	c.Ps.Fit(roots, judge.Room(opts.Budget))
	for _, fn := range roots {
		if err := ssaprog.Protect(fn, func() error { return c.take(fn) }); err != nil {
			c.failed = append(c.failed, failure{fn, err})
		}
	}
	for _, info := range c.taken {
		if !c.absorbed(info.Fn) && !ssaprog.IsSetup(info.Fn) {
			info.On, info.Foreign = c.entered(info.Fn)
			c.outer = append(c.outer, info)
		}
	}
	c.Ps.Forget()
	rivals.Enrol(c.Functions, c.outer)
	size := 0
	for _, f := range c.Functions {
		size += f.Prog.Size()
	}
	c.Judge = judge.New(ps, opts.Env, rivals.NewWorld(ps, c.Functions, c.outer, c.keeps), opts.Budget, size)
	c.bound = c.findBound()
	return c
}

// take adds a function, if it has operations.
func (c *Package) take(fn *ssa.Function) error {
	p := c.Ps.Inlined(fn)
	if p == nil {
		return c.Ps.Failure(fn)
	}
	for _, callee := range c.Ps.Refused(p) {
		c.refused[callee] = true
	}
	f := extension.TakeApart(fn, ssaprog.FuncDocName(fn), p)
	if len(f.Find.Accesses) == 0 {
		return nil
	}
	info := rivals.New(ownership.New(f, c.gets), c.Ps.FindStarts(fn))
	c.Functions = append(c.Functions, info)
	c.keep(fn, f, false)
	later, err := c.Ps.Later(fn)
	if err != nil {
		return err
	}
	if later != nil {
		c.keep(fn, extension.TakeApart(fn, f.Name, later), true)
	}
	swept, err := c.Ps.Swept(fn)
	if err != nil {
		return err
	}
	for _, p := range swept {
		if k := extension.Sweep(fn, f, p); k != nil {
			c.keeps = append(c.keeps, rivals.New(ownership.New(k, c.gets), c.Ps.FindStarts(fn)))
		}
	}
	for _, k := range extension.Chosen(fn, f) {
		info.Chosen = append(info.Chosen, rivals.New(ownership.New(k, c.gets), c.Ps.FindStarts(fn)))
	}
	c.keeps = append(c.keeps, info.Chosen...)
	if p, fields := info.Renewal(); p != nil {
		info.Renews = rivals.WithRenewal(ownership.New(extension.TakeApart(fn, f.Name, p), c.gets), c.Ps.FindStarts(fn), fields)
	}
	c.taken = append(c.taken, info)
	return nil
}

// deeper is a function with calls followed further; nil if it cannot be made. It is nothing that the package does besides.
func (c *Package) deeper(f *rivals.Function) *rivals.Function {
	d, known := c.deep[f]
	if !known {
		if p := c.Ps.Deeper(f.Fn); p != nil {
			d = rivals.New(ownership.New(extension.TakeApart(f.Fn, f.Name, p), c.gets), c.Ps.FindStarts(f.Fn))
			d.On, d.Foreign = f.On, f.Foreign
		}
		c.deep[f] = d
	}
	return d
}

// keep adds the removals of entries that a function means to be its own, and does itself or has
// somebody do later.
func (c *Package) keep(fn *ssa.Function, f *extension.Function, later bool) {
	for _, k := range extension.Keeps(fn, f) {
		k.Later = later
		c.keeps = append(c.keeps, rivals.New(ownership.New(k, c.gets), c.Ps.FindStarts(fn)))
	}
}

// failure is a function with operations that could not be taken apart.
type failure struct {
	fn  *ssa.Function
	err error
}

// unknown is what is said of such a function.
func (f failure) unknown() evidence.Weighed {
	in := &extension.Function{Fn: f.fn, Name: ssaprog.FuncDocName(f.fn)}
	x := &judge.Finding{In: rivals.New(ownership.New(in, nil), nil), Pos: f.fn.Pos(), End: f.fn.Pos(), Reason: f.err.Error()}
	return evidence.Weighed{Finding: x}
}

// absorbed reports whether a function is only ever entered through others of
// the package that inline it.
func (c *Package) absorbed(fn *ssa.Function) bool {
	return c.onlyInlined(fn) && !c.Ps.Exported(fn) && (len(c.Ps.Callers(fn)) > 0 || c.Ps.Tested(fn))
}

// onlyInlined reports whether all of the package that enters a function inlines it.
func (c *Package) onlyInlined(fn *ssa.Function) bool {
	on, known := c.entered(fn)
	return known && len(on) == 0
}

// entered are the fields of which the package gives a function the address where it does not inline it,
// and whether it is known that these are all it enters it on:
//
//	func (s *Service) Drop(k string) { s.old.Delete(k) } // one complete section, which nobody inlines
//
// So Delete is called on Service.old, and on no other field whose address nobody keeps. A pointer that
// is loaded from somewhere is none of those.
func (c *Package) entered(fn *ssa.Function) (on []string, known bool) {
	for _, call := range c.Ps.Callers(fn) {
		if c.Ps.Touches(call.Parent()) {
			continue // it inlines it
		}
		for _, arg := range call.Common().Args {
			switch a := arg.(type) {
			case *ssa.FieldAddr:
				on = append(on, reduce.MemoryName(a))
			default:
				if !elsewhere(a) {
					return nil, false
				}
			}
		}
		if len(on) == 0 {
			return nil, false // it is entered, and not on a field
		}
	}
	return on, !c.Ps.Escapes(fn) && !c.Ps.Started(fn) && !c.refused[fn]
}

// elsewhere reports whether an argument is no address of a field, unless somebody keeps that one.
func elsewhere(arg ssa.Value) bool {
	switch arg.(type) {
	case *ssa.UnOp, *ssa.Global, *ssa.Const:
		return true
	}
	switch arg.Type().Underlying().(type) {
	case *types.Pointer, *types.Map:
		return false
	}
	return true
}

// wanted reports whether the group is to be looked at.
func (c *Package) wanted(f *rivals.Function, g extension.Group) bool {
	return c.Within == nil || slices.ContainsFunc(f.Positions(g.Accesses), func(pos register.Pos) bool {
		return c.Within(c.Ps.Res.OpName(pos))
	})
}

func positionsKey(ps []register.Pos) string {
	texts := make([]string, len(ps))
	for i, p := range ps {
		texts[i] = p.String()
	}
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), " ")
}
