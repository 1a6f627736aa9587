package driver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

// Options say how packages are analysed.
type Options struct {
	// Dir and BuildFlags are those with which the packages were listed.
	Dir        string
	BuildFlags []string
	// Identity is all that decides what the Analyzer says of a package beside
	// the package: the program, its flags, its configuration.
	Identity string
	// Store keeps answers. If it is nil, nothing is kept.
	Store *Store
	// Expect is told how many packages are going to be analysed, and Done when
	// one of them is done. Both can be nil.
	Expect func(packages int)
	Done   func()
}

// Analyze runs the Analyzer on packages that were loaded as load.Sources, and those
// parts of it that have Facts on what they import. What keeps a package from being analysed is added to
// its errors. The actions of the graph are in the order of the packages; they have
// a FileSet each, and no syntax.
func Analyze(ctx context.Context, a *analysis.Analyzer, pkgs []*packages.Package, opts Options) (*checker.Graph, error) {
	if err := analysis.Validate([]*analysis.Analyzer{a}); err != nil {
		return nil, err
	}
	env, err := readEnvironment(ctx, opts.Dir)
	if err != nil {
		return nil, err
	}
	r := &run{
		ctx: ctx, opts: opts, env: env, analyzer: a, facts: factAnalyzer(a),
		units: map[string]*unit{}, of: map[*types.Package]*unit{}, fset: token.NewFileSet(),
	}
	if r.facts != nil {
		register(r.facts.FactTypes)
	}
	var roots []*unit
	for _, p := range pkgs {
		roots = append(roots, r.unit(p))
	}
	r.sign()
	if err := r.answer(roots); err != nil {
		return nil, err
	}
	if opts.Store != nil {
		opts.Store.trim()
	}
	g := &checker.Graph{}
	for _, u := range roots {
		g.Roots = append(g.Roots, u.action)
	}
	return g, nil
}

// run is one call of Analyze.
type run struct {
	ctx      context.Context
	opts     Options
	env      *environment
	analyzer *analysis.Analyzer
	// facts is the part of the Analyzer that imported packages need; nil if no
	// part has Facts.
	facts *analysis.Analyzer
	units map[string]*unit // by package ID
	order []*unit          // imported ones first
	// of finds the package of an object that was type-checked from source.
	of      map[*types.Package]*unit
	fset    *token.FileSet
	library *library
}

// unit is a package, and how far it is.
type unit struct {
	pkg      *packages.Package
	imports  []*unit // without those of the standard library, in order of path
	standard bool
	key      key

	// wanted says that the package was asked for, and is not in the store.
	wanted bool
	// types is filled by load.
	types *types.Package
	// broken says that the package, or one that it imports, has errors.
	broken bool
	facts  *factSet
	action *checker.Action
	// loaded is closed when types and facts are complete.
	loaded chan struct{}
}

// factAnalyzer is the part of an Analyzer that has Facts.
func factAnalyzer(a *analysis.Analyzer) *analysis.Analyzer {
	if len(a.FactTypes) > 0 {
		return a
	}
	for _, required := range a.Requires {
		if f := factAnalyzer(required); f != nil {
			return f
		}
	}
	return nil
}

// unit is the unit of a package; those of what it imports come before it.
func (r *run) unit(p *packages.Package) *unit {
	if u, ok := r.units[p.ID]; ok {
		return u
	}
	u := &unit{pkg: p, loaded: make(chan struct{})}
	r.units[p.ID] = u
	u.standard = r.env.isStandard(p)
	for _, imported := range p.Imports {
		if v := r.unit(imported); !v.standard {
			u.imports = append(u.imports, v)
		}
	}
	slices.SortFunc(u.imports, func(x, y *unit) int { return cmp.Compare(x.pkg.ID, y.pkg.ID) })
	u.imports = slices.Compact(u.imports)
	r.order = append(r.order, u)
	return u
}

// answer gives all roots their actions, from the store or anew.
func (r *run) answer(roots []*unit) error {
	var missing []*unit
	for _, u := range roots {
		u.action = &checker.Action{Analyzer: r.analyzer, Package: u.pkg, IsRoot: true}
		u.pkg.Fset = token.NewFileSet()
		if !u.standard && !r.recall(u) && !u.wanted {
			u.wanted = true
			missing = append(missing, u)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if r.opts.Expect != nil {
		r.opts.Expect(len(missing))
	}
	return r.analyzeAll(missing)
}

// analyzeAll analyses packages after all that they import.
func (r *run) analyzeAll(missing []*unit) error {
	needed := r.closure(missing)
	for _, u := range needed {
		u.types = types.NewPackage(u.pkg.PkgPath, u.pkg.Name)
		r.of[u.types] = u
	}
	var err error
	if r.library, err = r.openLibrary(needed); err != nil {
		return err
	}
	gate := newGate()
	var wait sync.WaitGroup
	for _, u := range needed {
		wait.Add(1)
		go func() {
			defer wait.Done()
			defer close(u.loaded)
			for _, v := range u.imports {
				<-v.loaded
			}
			if gate.enter(r.ctx) {
				defer gate.leave()
				r.process(u)
			}
		}()
	}
	done := make(chan struct{})
	go func() {
		wait.Wait()
		close(done)
	}()
	select {
	case <-done:
		return r.ctx.Err()
	case <-r.ctx.Done(): // what is being analysed is left alone
		return r.ctx.Err()
	}
}

// closure is what the packages need, imported ones first.
func (r *run) closure(roots []*unit) []*unit {
	needed := map[*unit]bool{}
	var visit func(u *unit)
	visit = func(u *unit) {
		if needed[u] {
			return
		}
		needed[u] = true
		for _, v := range u.imports {
			visit(v)
		}
	}
	for _, u := range roots {
		visit(u)
	}
	return slices.DeleteFunc(slices.Clone(r.order), func(u *unit) bool { return !needed[u] })
}

// process loads one package, and analyses as much of it as is not known.
func (r *run) process(u *unit) {
	defer func() {
		if p := recover(); p != nil {
			u.broken = true
			u.fail(fmt.Errorf("internal error: %v", p))
		}
	}()
	known := r.recallFacts(u)
	l := r.load(u, known && !u.wanted /* without bodies */)
	if u.facts == nil {
		u.facts = noFacts
	}
	if u.wanted && r.opts.Done != nil {
		defer r.opts.Done()
	}
	switch {
	case u.broken:
		u.fail(errBroken)
	case u.wanted:
		r.analyze(u, l)
	case !known && r.facts != nil:
		r.learn(u, l)
	}
}

// errBroken is why a package with errors has no answer.
var errBroken = errors.New("analysis skipped due to errors in package")

func (u *unit) fail(err error) {
	if u.action != nil {
		u.action.Err = err
	}
}

// learn finds out the Facts of an imported package.
func (r *run) learn(u *unit, l *loaded) {
	p := newPass(r, u, l)
	if _, err := p.run(r.facts); err != nil {
		// Without its Facts the package is what it is without a body.
		return
	}
	u.facts = p.own.finish()
	r.keepFacts(u)
}

// analyze finds out all of a package that was asked for.
func (r *run) analyze(u *unit, l *loaded) {
	p := newPass(r, u, l)
	result, err := p.run(r.analyzer)
	u.facts = p.own.finish()
	if err != nil {
		u.fail(err)
		return
	}
	text, err := encodeAnswer(r.fset, l, p.found, result)
	if err == nil {
		err = r.show(u, text)
	}
	if err != nil {
		u.fail(fmt.Errorf("internal error: keep the answer: %w", err))
		return
	}
	r.keep(u, text)
}

// show decodes an answer into the unit's action.
func (r *run) show(u *unit, text []byte) error {
	result := reflect.Zero(reflect.TypeFor[any]())
	if t := r.analyzer.ResultType; t != nil {
		result = reflect.New(t.Elem())
	}
	fset, found, err := decodeAnswer(text, result)
	if err != nil {
		return err
	}
	u.pkg.Fset, u.action.Diagnostics = fset, found
	if r.analyzer.ResultType != nil {
		u.action.Result = result.Interface()
	}
	return nil
}
