package analyzer

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/directive"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
	"github.com/mapatom/mapatom/internal/pages"
)

// Categories of findings that are not about an interleaving.
const (
	// Directive is a comment for mapatom that does not do what its author
	// thinks.
	Directive absint.Category = "directive"
	// NotVerified is a function that must be atomic and could not be shown
	// to be.
	NotVerified absint.Category = "not-verified"
)

// tableFact is a table of the operations and pure functions that the directives
// of a package declare, in the syntax of package catalog.
type tableFact struct{ Text string }

// AFact makes tableFact a Fact.
func (*tableFact) AFact() {}

// String says what it is.
func (f *tableFact) String() string { return "table of operations" }

// guidance is what the comments of a package say, and what is known with it of
// this package and those that it imports.
type guidance struct {
	set      *directive.Set
	cat      *catalog.Catalog
	problems []directive.Problem
}

// guide reads the directives of a package, and exports what they declare.
func guide(pass *analysis.Pass, cat *catalog.Catalog) *guidance {
	g := &guidance{set: directive.Parse(pass.Fset, pass.Files), cat: withTables(pass, cat)}
	own := g.declared(pass)
	if len(own) == 0 {
		return g
	}
	table, err := catalog.ParseLines("directives", own)
	if err != nil { // each line was parsed before
		panic(fmt.Sprintf("directives of %s: %v", pass.Pkg.Path(), err))
	}
	g.cat = g.cat.Merge(table)
	var text strings.Builder
	for _, l := range own {
		text.WriteString(l.Text + "\n")
	}
	pass.ExportPackageFact(&tableFact{text.String()})
	return g
}

// withTables adds the tables of the packages that this one imports, directly or
// not.
func withTables(pass *analysis.Pass, cat *catalog.Catalog) *catalog.Catalog {
	tables := map[string]string{}
	var paths []string
	for _, f := range pass.AllPackageFacts() {
		if table, ok := f.Fact.(*tableFact); ok && f.Package != pass.Pkg {
			tables[f.Package.Path()] = table.Text
			paths = append(paths, f.Package.Path())
		}
	}
	slices.Sort(paths)
	for _, path := range paths {
		if table, err := catalog.Parse(path, strings.NewReader(tables[path])); err == nil {
			cat = cat.Merge(table)
		}
	}
	return cat
}

// declared are the lines of the table that the directives make; those that make
// no sense are problems.
func (g *guidance) declared(pass *analysis.Pass) []catalog.Line {
	var pure, base []*directive.Directive
	for _, d := range g.set.Of(directive.Pure) {
		if d.Func != nil {
			pure = append(pure, d)
		}
	}
	for _, d := range g.set.Of(directive.Base) {
		if d.Func != nil && d.Func.Recv != nil {
			base = append(base, d)
		}
	}
	pkg := catalog.Line{Text: "package " + catalog.ImportPath(pass.Pkg)}
	var lines []catalog.Line
	for _, d := range pure {
		if err := checkPure(pass, d.Func); err != nil {
			g.problem(d, err)
			continue
		}
		lines = append(lines, catalog.Line{Text: "pure " + strings.TrimPrefix(receiver(pass, d.Func)+"."+d.Func.Name.Name, ".")})
	}
	last := ""
	slices.SortStableFunc(base, func(a, b *directive.Directive) int {
		return strings.Compare(receiver(pass, a.Func), receiver(pass, b.Func))
	})
	for _, d := range base {
		typ := receiver(pass, d.Func)
		typeLine := catalog.Line{Text: "type " + typ + " map"}
		op := catalog.Line{Text: d.Func.Name.Name + operationOf(d.Operation)}
		if err := verifyOperation(pass.Pkg, pkg, typeLine, op); err != nil {
			g.problem(d, err)
			continue
		}
		if typ != last {
			lines = append(lines, typeLine)
			last = typ
		}
		lines = append(lines, op)
	}
	if len(lines) == 0 {
		return nil
	}
	return append([]catalog.Line{pkg}, lines...)
}

func (g *guidance) problem(d *directive.Directive, err error) {
	g.problems = append(g.problems, directive.Problem{Pos: d.Pos, End: d.End, Message: fmt.Sprintf("//mapatom:%s: %v", d.Kind, err)})
}

// operationOf is what follows a method's name in a table: a method of sync.Map
// stands for its own line.
func operationOf(text string) string {
	if line, ok := catalog.ShapeOperation(text); ok {
		return line
	}
	return text
}

// verifyOperation checks one line against the method that it is about.
func verifyOperation(pkg *types.Package, lines ...catalog.Line) error {
	op := lines[len(lines)-1].Text
	if !strings.HasPrefix(strings.TrimLeft(op, "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"), "(") {
		return errors.New("expected the name of a method of sync.Map, or (PARAMETERS) (RESULTS) = KIND")
	}
	table, err := catalog.ParseLines("directive", lines)
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "directive:0: "))
	}
	return errors.Join(table.Verify(pkg)...)
}

// checkPure reports why a function cannot be declared pure.
func checkPure(pass *analysis.Pass, decl *ast.FuncDecl) error {
	fn, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func)
	if !ok {
		return nil
	}
	if fn.Signature().Results().Len() == 0 {
		return errors.New("a function without results is not called for its value")
	}
	for p := range fn.Signature().Params().Variables() {
		if _, ok := p.Type().Underlying().(*types.Signature); ok {
			return errors.New("what a function does that calls another one is up to its callers")
		}
	}
	return nil
}

// receiver is the name of the type that a method belongs to; empty for a
// function.
func receiver(pass *analysis.Pass, decl *ast.FuncDecl) string {
	fn, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func)
	if !ok || fn.Signature().Recv() == nil {
		return ""
	}
	if obj := ssaprog.Named(fn.Signature().Recv().Type()); obj != nil {
		return obj.Name()
	}
	return ""
}

// problems reports the comments that are wrong. It comes last, since it
// says which were of no use.
func (r *reporter) problems() {
	for _, p := range slices.Concat(r.guide.set.Problems(), r.guide.problems) {
		path := r.pass.Fset.Position(p.Pos).Filename
		if ssaprog.GeneratedFile(r.pass, p.Pos) || r.opts.Config.Excluded(path, "", string(Directive)) {
			continue
		}
		r.pass.Report(analysis.Diagnostic{
			Pos: p.Pos, End: p.End, Category: string(Directive),
			Message: fmt.Sprintf("%s (%s)", p.Message, pages.Label(string(Directive))), URL: pageURL(Directive),
		})
	}
}

// pageURL is the page that explains a category.
func pageURL(c absint.Category) string {
	p, _ := pages.Category(string(c))
	return p.URL
}
