package findings

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/version"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/report"
)

// outputFormat is how findings are printed.
type outputFormat string

// Those that the flags and printAs name.
const (
	formatText outputFormat = "text"
	formatJSON outputFormat = "json"
	formatVet  outputFormat = "vet"
)

// format is one that -format can have.
type format struct {
	name  outputFormat
	write func(*report.Report, io.Writer) error
}

// formats are all, in the order of the help. What a report does not write, printAs prints.
var formats = []format{
	{formatText, nil},
	{"line", (*report.Report).WriteLines},
	{formatJSON, (*report.Report).WriteJSON},
	{formatVet, nil},
	{"sarif", (*report.Report).WriteSARIF},
	{"github", (*report.Report).WriteGitHub},
	{"checkstyle", (*report.Report).WriteCheckstyle},
	{"codeclimate", (*report.Report).WriteCodeClimate},
}

func formatNames() []string {
	var names []string
	for _, f := range formats {
		names = append(names, string(f.name))
	}
	return names
}

// String is the format's name.
func (f *outputFormat) String() string { return string(*f) }

// Set parses a flag; it implements pflag.Value.
func (f *outputFormat) Set(s string) error {
	if names := formatNames(); !slices.Contains(names, s) {
		return fmt.Errorf("%q is not one of %s", s, strings.Join(names, ", "))
	}
	*f = outputFormat(s)
	return nil
}

// Type names the flag's type in help texts.
func (f *outputFormat) Type() string { return "format" }

// newReport makes a report of the findings, in the same order.
func (a *reporting) newReport(findings []finding) *report.Report {
	r := &report.Report{
		Version: version.Module(), Root: a.reportRoot(), Complete: a.Status == cli.Clean,
		Sources: map[string]string{},
	}
	for i := range findings {
		r.Findings = append(r.Findings, findings[i].report())
	}
	report.SetFingerprints(r.Findings)
	for i := range r.Findings {
		f := &r.Findings[i]
		readSource(r.Sources, f.Place.File)
		for _, op := range f.Operations {
			readSource(r.Sources, op.Place.File)
		}
		for _, p := range f.Places {
			readSource(r.Sources, p.File)
		}
		for _, fix := range f.Fixes {
			for _, e := range fix.Edits {
				readSource(r.Sources, e.Place.File)
			}
		}
	}
	return r
}

// readSource adds the text of a file. A file that cannot be read is shown less
// of.
func readSource(sources map[string]string, file string) {
	if _, ok := sources[file]; ok {
		return
	}
	if text, err := os.ReadFile(file); err == nil {
		sources[file] = string(text)
	}
}

// reportRoot is what paths in reports for programs are relative to: the working
// directory, but in a workflow of GitHub the checkout, since that is what GitHub
// takes them for.
func (a *reporting) reportRoot() string {
	if w := os.Getenv("GITHUB_WORKSPACE"); w != "" {
		if rel, err := filepath.Rel(w, a.Dir); err == nil && filepath.IsLocal(rel) {
			return w
		}
	}
	return a.Dir
}

// report is the finding without the syntax that it came from.
func (f *finding) report() report.Finding {
	out := report.Finding{
		Package: f.act.Package.PkgPath, Function: f.function(), Category: f.diag.Category,
		Message: f.diag.Message, Place: place(f.act.Package.Fset, f.diag.Pos, f.diag.End),
	}
	for _, rel := range f.diag.Related {
		out.Related = append(out.Related, report.Note{Place: place(f.act.Package.Fset, rel.Pos, rel.End), Message: rel.Message})
	}
	for _, fix := range f.diag.SuggestedFixes {
		out.Fixes = append(out.Fixes, reportFix(f.act.Package.Fset, &fix))
	}
	out.Confirmation = f.confirmation
	if f.extension != nil {
		f.describe(&out)
	}
	return out
}

// describe adds what is known of the step that is not atomic.
func (f *finding) describe(out *report.Finding) {
	fset, x := f.act.Package.Fset, f.extension
	out.Cell, out.Environment, out.Repair = x.Map, x.Environment.String(), x.Repair
	if x.Key != "" {
		out.Cell += "[" + x.Key + "]"
	}
	for _, op := range x.Operations {
		out.Operations = append(out.Operations, report.Operation{Name: op.Name, Place: place(fset, op.Pos, op.End)})
	}
	out.Confidence = x.Confidence.String()
	for _, ev := range x.Evidence {
		e := report.Evidence{Assumption: ev.Assumption, Answer: ev.Answer, Says: ev.Says, Rule: ev.Rule}
		if ev.Pos.IsValid() {
			e.Place = place(fset, ev.Pos, token.NoPos)
		}
		out.Evidence = append(out.Evidence, e)
	}
	if x.Witness == nil {
		return
	}
	out.Story = x.Story(fset)
	out.Places = make([]report.Place, len(out.Story.Moves))
	here := out.Place
	for i, m := range slices.Backward(out.Story.Moves) {
		if op, ok := x.OperationAt(fset, m.Pos); ok {
			here = place(fset, op.Pos, op.End)
		}
		out.Places[i] = here
		if at := m.At; m.Other && !at.IsZero() {
			out.Places[i] = report.Place{File: at.File, Line: at.Line, Column: at.Column}
		}
	}
}

// function is the name of the function that the finding is in.
func (f *finding) function() string {
	if f.extension != nil {
		return f.extension.Function
	}
	tok := f.act.Package.Fset.File(f.diag.Pos)
	if tok == nil {
		return ""
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, tok.Name(), nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || fset.File(file.FileStart).Size() != tok.Size() {
		return "" // it has changed since
	}
	pos := fset.File(file.FileStart).Pos(tok.Offset(f.diag.Pos))
	for _, decl := range file.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && within(fn, pos) {
			return declName(fn)
		}
	}
	return ""
}

// within reports whether pos is in the function or in its comment.
func within(fn *ast.FuncDecl, pos token.Pos) bool {
	from := fn.Pos()
	if fn.Doc != nil {
		from = fn.Doc.Pos()
	}
	return from <= pos && pos < fn.End()
}

// declName is the function's name as go doc prints it.
func declName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	t, pointer := ast.Unparen(fn.Recv.List[0].Type), false
	if star, ok := t.(*ast.StarExpr); ok {
		t, pointer = star.X, true
	}
	switch generic := t.(type) {
	case *ast.IndexExpr:
		t = generic.X
	case *ast.IndexListExpr:
		t = generic.X
	}
	name, ok := t.(*ast.Ident)
	switch {
	case !ok:
		return fn.Name.Name
	case pointer:
		return "(*" + name.Name + ")." + fn.Name.Name
	}
	return name.Name + "." + fn.Name.Name
}

// reportFix has the places of the files that are compiled, whatever they say that
// they were generated from: those are edited.
func reportFix(fset *token.FileSet, fix *analysis.SuggestedFix) report.Fix {
	out := report.Fix{Message: fix.Message}
	for _, e := range fix.TextEdits {
		end := e.End
		if !end.IsValid() {
			end = e.Pos
		}
		from, to := fset.PositionFor(e.Pos, false), fset.PositionFor(end, false)
		out.Edits = append(out.Edits, report.Edit{Place: between(from, to), Text: string(e.NewText)})
	}
	return out
}

func place(fset *token.FileSet, pos, end token.Pos) report.Place {
	from, to := fset.Position(pos), token.Position{}
	if end.IsValid() {
		to = fset.Position(end)
	}
	return between(from, to)
}

func between(from, to token.Position) report.Place {
	p := report.Place{File: from.Filename, Line: from.Line, Column: from.Column}
	if to.Filename == from.Filename && to.Line >= from.Line {
		p.EndLine, p.EndColumn = to.Line, to.Column
	}
	return p
}

// restrict leaves only these findings in the graph.
func restrict(graph *checker.Graph, findings []finding) {
	for _, act := range graph.Roots {
		var kept []analysis.Diagnostic
		for _, d := range act.Diagnostics {
			if slices.ContainsFunc(findings, func(f finding) bool {
				return f.posn == act.Package.Fset.Position(d.Pos) && f.diag.Category == d.Category && f.diag.Message == d.Message
			}) {
				kept = append(kept, d)
			}
		}
		act.Diagnostics = kept
	}
}
