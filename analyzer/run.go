package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/catalog"
	"github.com/mapatom/mapatom/analyzer/directive"
	"github.com/mapatom/mapatom/reduce"
)

// lowered is a package with the register programs of its functions. One that
// touches no cell has none.
type lowered struct {
	pkg   *ssa.Package
	ps    *programs
	guide *guidance // nil in the standard library
}

// lowerPackage lowers one package and exports its facts.
func lowerPackage(pass *analysis.Pass, cat *catalog.Catalog) (any, error) {
	// The standard library is in the tables; as a dependency of everything
	// it would be the larger part of the work.
	if isStandard(pass.Pkg) {
		return &lowered{}, nil
	}
	g := guide(pass, cat)
	if !touches(pass, g.cat) {
		return &lowered{guide: g}, nil
	}
	pkg, funcs, err := buildSSA(pass)
	if err != nil {
		return nil, err
	}
	ps := lowerAll(pass, g.cat, funcs)
	ps.exportFacts()
	return &lowered{pkg, ps, g}, nil
}

// run analyses one package: find, decide, and only then report.
func run(pass *analysis.Pass, low *lowered, s *settings) *Result {
	result := &Result{}
	if low.guide == nil {
		return result
	}
	c := &checked{pass: pass, opts: s.Options, ps: low.ps, pkg: low.pkg, guide: low.guide}
	if c.ps != nil {
		c.takeApart()
		result.Extensions = c.extensions()
		c.silence(result.Extensions)
	}
	c.found = result.Extensions
	for _, f := range c.infos {
		result.Programs = append(result.Programs, f.prog)
	}
	for _, x := range result.Extensions {
		if c.wantsReport(x) {
			x.Fixes = c.fixes(x)
			pass.Report(diagnostic(x))
		}
	}
	result.Extensions = append(result.Extensions, c.claims()...)
	c.reportProblems()
	return result
}

// wantsReport reports whether an extension becomes a diagnostic.
func (c *checked) wantsReport(x *Extension) bool {
	return x.Verdict == absint.Violation && x.Ignored == "" &&
		(x.Reported || c.opts.Report == ReportAll && c.reportable(x.fn))
}

// checked is one package being checked.
type checked struct {
	pass  *analysis.Pass
	opts  Options
	ps    *programs
	pkg   *ssa.Package
	guide *guidance
	infos []*funcInfo
	// outer are those functions that can be entered from outside of the
	// ones that inline them: together they are all that the package does.
	outer []*funcInfo
	judge *judge
	// contracts and confinement are made when they are asked for.
	contracts   *contracts
	confinement *confinement
	// bound are the operations of helpers that are judged in their callers.
	bound map[reduce.Pos]bool
	// found are the extensions; within, if it is not nil, says which
	// operations one must have to be looked at.
	found  []*Extension
	within func(Operation) bool
}

// takeApart lowers the functions, finds their extensions, and makes of them
// what the package does to its maps.
func (c *checked) takeApart() {
	roots := map[string]bool{}
	found := newGets(c.ps)
	for _, fn := range c.ps.roots() {
		if !c.ps.touches(fn) {
			continue
		}
		p := c.ps.inlined(fn)
		if p == nil {
			continue
		}
		f := newFuncInfo(funcDocName(fn), p)
		f.fn, f.starts, f.getters = fn, c.ps.findStarts(fn), found
		if len(f.find.accesses) == 0 {
			continue
		}
		for cell := range p.Cells {
			if r := f.root(cell); r != "" {
				roots[r] = true
			}
		}
		c.infos = append(c.infos, f)
		if !c.absorbed(fn) && !isSetup(fn) {
			c.outer = append(c.outer, f)
		}
	}
	w := &worlds{steps: map[string][]*worldStep{}, births: map[string][]birth{}, users: fieldUsers(c.ps.funcs), unique: uniqueFields(c.ps.funcs)}
	w.open = findOpen(c.pkg, c.ps, roots)
	w.solo = c.findSolo()
	c.setOwned()
	for _, f := range c.outer {
		w.addSteps(f)
	}
	c.bound = c.findBound()
	c.judge = &judge{
		opts: c.opts, worlds: w,
		source: &source{pass: c.pass, res: c.ps.res},
		entry:  findEntryLocks(c.outer),
	}
}

// absorbed reports whether a function is only ever entered through others of
// the package that inline it.
func (c *checked) absorbed(fn *ssa.Function) bool {
	return !c.ps.exported(fn) && !c.ps.escapes(fn) && !c.ps.started(fn) && len(c.ps.callers(fn)) > 0
}

// isSetup reports whether fn runs before there is any concurrency, or only
// in a test.
func isSetup(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if fn.Signature.Recv() != nil {
		return false
	}
	return fn.Name() == "init" || strings.HasPrefix(fn.Name(), "init#") || isTest(fn)
}

func isTest(fn *ssa.Function) bool {
	if !strings.HasSuffix(fn.Prog.Fset.Position(fn.Pos()).Filename, "_test.go") {
		return false
	}
	for _, prefix := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
		if strings.HasPrefix(fn.Name(), prefix) {
			return true
		}
	}
	return false
}

// wanted reports whether the group is to be looked at.
func (c *checked) wanted(f *funcInfo, g component) bool {
	return c.within == nil || slices.ContainsFunc(f.positions(g.accesses), func(pos reduce.Pos) bool {
		return c.within(c.ps.res.opName(pos))
	})
}

func positionsKey(ps []reduce.Pos) string {
	texts := make([]string, len(ps))
	for i, p := range ps {
		texts[i] = string(p)
	}
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), " ")
}

// reported decides whether a violation is a diagnostic by default.
func (c *checked) reported(x *Extension, f *funcInfo, g component) bool {
	if x.Verdict != absint.Violation || !c.reportable(x.fn) {
		return false
	}
	switch x.Category {
	case absint.DuplicateWork:
		return false
	case absint.DuplicateInstance:
		return c.storesMutable(x, f, g)
	case absint.InconsistentRead:
		// Two looks at a number or a flag that others change are how such
		// a thing is watched; two looks at an entry of a map are not.
		return x.Region.Cells[0].Kind == reduce.Map || changesCell(x.Region)
	}
	return true
}

// changesCell reports whether the region has an operation that writes.
func changesCell(p *reduce.Program) bool {
	return slices.ContainsFunc(reduce.Accesses(p), func(a *reduce.Access) bool { return a.Writes })
}

// storesMutable reports whether some value that the extension stores has
// state that its users change, and users get to see.
func (c *checked) storesMutable(x *Extension, f *funcInfo, g component) bool {
	for _, op := range x.Operations {
		t := c.judge.source.stored(op)
		if t == nil || !c.ps.res.mutableValue(t) {
			continue
		}
		p, isPointer := types.Unalias(t).Underlying().(*types.Pointer)
		if !isPointer || c.ps.res.mutableValue(p.Elem()) || f.handsOut(g) {
			return true
		}
	}
	return false
}

// reportable reports whether findings in the function are wanted at all.
func (c *checked) reportable(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if isTest(fn) {
		return c.opts.Tests
	}
	if fn.Signature.Recv() == nil && (fn.Name() == "init" || strings.HasPrefix(fn.Name(), "init#")) {
		return false
	}
	return !c.generated(fn)
}

func (c *checked) generated(fn *ssa.Function) bool {
	return generatedFile(c.pass, fn.Pos())
}

func generatedFile(pass *analysis.Pass, pos token.Pos) bool {
	for _, f := range pass.Files {
		if f.FileStart <= pos && pos < f.FileEnd {
			return isGenerated(f)
		}
	}
	return false
}

// isGenerated reports whether a program wrote the file that the user has. What
// cgo makes of a file begins by saying that cgo generated it; the comments of
// the user's file follow.
func isGenerated(f *ast.File) bool {
	own := *f
	if len(own.Comments) > 0 && own.Comments[0].List[0].Text == "// Code generated by cmd/cgo; DO NOT EDIT." {
		own.Comments = own.Comments[1:]
	}
	return ast.IsGenerated(&own)
}

// source finds the operations of the source.
type source struct {
	pass *analysis.Pass
	res  *resolver
}

// order compares two positions, of one file or of two.
func (s *source) order(a, b token.Pos) int { return directive.ComparePos(s.pass.Fset, a, b) }

func (s *source) operation(pos reduce.Pos) Operation {
	op := s.res.opName(pos)
	op.text = pos
	if op.Name == "" {
		op.Name = "a call"
	}
	return op
}

// stored is the type of the value that an operation stores; nil if none.
func (s *source) stored(op Operation) types.Type {
	o, _ := s.res.operationAt(op.text)
	return o.stored
}

// lines counts the lines from the first operation to the last.
func (s *source) lines(ops []Operation) int {
	first, last := s.pass.Fset.Position(ops[0].Pos), s.pass.Fset.Position(ops[len(ops)-1].End)
	if first.Filename != last.Filename {
		return 0
	}
	return last.Line - first.Line + 1
}
