package report

import (
	"cmp"
	"crypto/sha256"
	_ "embed" // the style and the script of the page
	"encoding/base64"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mapatom/mapatom/internal/checker/witness"
	"github.com/mapatom/mapatom/internal/pages"
)

var (
	//go:embed page.css
	pageStyle string
	//go:embed page.js
	pageScript string
	//go:embed page.html
	pageText string
)

var page = template.Must(template.New("page").Parse(pageText))

// WriteHTML writes a page for a browser: the findings by package, each with its
// source, a picture of the interleaving, and what to do. It needs nothing else:
// no network, no other file.
func (r *Report) WriteHTML(w io.Writer) error {
	script := witness.Script + pageScript
	hash := sha256.Sum256([]byte(script))
	return page.Execute(w, pageData{
		Title:      "mapatom: " + witness.Count(len(r.Findings), "finding"),
		Version:    r.Version,
		Style:      template.CSS(witness.Style + pageStyle),
		Script:     template.JS(script),
		Hash:       base64.StdEncoding.EncodeToString(hash[:]),
		Categories: r.categories(),
		Packages:   r.packages(),
		Incomplete: !r.Complete,
	})
}

// pageData is what the template of the page shows.
type pageData struct {
	Title, Version, Hash string
	Style                template.CSS
	Script               template.JS
	Categories           []string
	Packages             []pagePackage
	Incomplete           bool
}

type pagePackage struct {
	Path     string
	Findings []pageFinding
}

type pageFinding struct {
	*Finding
	Claim    string // the message without the category
	ID       string
	Path     string
	At       string
	Excerpts []excerpt
	Picture  template.HTML
	Remedy   string
	Changes  []change
	Help     pages.Page
	Run      *pageRun
}

// pageRun is a run of the real code.
type pageRun struct {
	*Confirmation
	Picture template.HTML
}

// change is a suggested fix: the lines before and after.
type change struct {
	Message     string
	Old, Change []string
}

// categories are those that occur, in alphabetical order.
func (r *Report) categories() []string {
	var out []string
	for _, f := range r.Findings {
		out = append(out, f.Category)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// packages groups the findings, in order of the paths.
func (r *Report) packages() []pagePackage {
	byPath := map[string][]pageFinding{}
	var paths []string
	for i := range r.Findings {
		f := &r.Findings[i]
		if byPath[f.Package] == nil {
			paths = append(paths, f.Package)
		}
		byPath[f.Package] = append(byPath[f.Package], r.pageFinding(f))
	}
	slices.Sort(paths)
	var out []pagePackage
	for _, path := range paths {
		out = append(out, pagePackage{path, byPath[path]})
	}
	return out
}

func (r *Report) pageFinding(f *Finding) pageFinding {
	out := pageFinding{Finding: f, Claim: f.claim(), ID: "f" + f.Fingerprint, Path: r.path(f.Place.File), At: f.Place.at(), Excerpts: r.excerpts(f), Remedy: f.remedy()}
	out.Help, _ = pages.Category(f.Category)
	if f.Story != nil {
		lanes := witness.StoryLanes(f.Function, f.Story, func(move int) (code, where string) {
			p := f.Places[move]
			return r.line(p.File, p.Line), r.path(p.File) + ":" + strconv.Itoa(p.Line)
		})
		out.Picture = template.HTML(lanes.Section("p" + f.Fingerprint))
	}
	for _, fix := range f.Fixes {
		out.Changes = append(out.Changes, r.change(&fix))
	}
	if c := f.Confirmation; c != nil {
		out.Run = &pageRun{Confirmation: c}
		if c.Picture != nil {
			p := *c.Picture
			p.Title, p.Verdict, p.Reason = "", "", "" // which stand above it
			out.Run.Picture = template.HTML(p.Section("c"+f.Fingerprint, 4))
		}
	}
	return out
}

// claim is the message without the category at its end.
func (f *Finding) claim() string {
	return strings.TrimSuffix(f.Message, " ("+pages.Label(f.Category)+")")
}

// remedy is what would help, as a sentence.
func (f *Finding) remedy() string {
	r, size := utf8.DecodeRuneInString(f.Repair)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(r)) + f.Repair[size:] + "."
}

// change shows a fix as whole lines. Edits that touch one line make one line.
func (r *Report) change(fix *Fix) change {
	c := change{Message: fix.Message}
	if len(fix.Edits) == 0 {
		return c
	}
	edits := slices.Clone(fix.Edits)
	slices.SortStableFunc(edits, func(a, b Edit) int {
		return cmp.Or(strings.Compare(a.Place.File, b.Place.File), a.Place.Line-b.Place.Line, a.Place.Column-b.Place.Column)
	})
	file, first, final := edits[0].Place.File, edits[0].Place.Line, 0
	for _, e := range edits {
		final = max(final, e.Place.EndLine, e.Place.Line)
	}
	var text strings.Builder
	line, column := first, 1
	for _, e := range edits {
		if e.Place.File != file { // shown by its message only
			continue
		}
		text.WriteString(r.between(file, line, column, e.Place.Line, e.Place.Column) + e.Text)
		line, column = max(e.Place.EndLine, e.Place.Line), max(e.Place.EndColumn, 1)
	}
	text.WriteString(r.between(file, line, column, final, len(r.line(file, final))+1))
	for n := first; n <= final; n++ {
		c.Old = append(c.Old, r.line(file, n))
	}
	c.Change = strings.Split(text.String(), "\n")
	return c
}

// between is the text of a file from one position to another.
func (r *Report) between(file string, line, column, endLine, endColumn int) string {
	var out strings.Builder
	for ; line < endLine; line, column = line+1, 1 {
		out.WriteString(cut(r.line(file, line), column, -1) + "\n")
	}
	out.WriteString(cut(r.line(file, line), column, endColumn))
	return out.String()
}

// cut is the part of a line between two columns; an end of -1 is that of the line.
func cut(text string, from, to int) string {
	if to < 0 || to > len(text)+1 {
		to = len(text) + 1
	}
	if from > to {
		return ""
	}
	return text[from-1 : to-1]
}

// excerpt is a part of a file.
type excerpt struct {
	Path  string
	Lines []excerptLine
}

type excerptLine struct {
	Number string // empty where lines are left out
	Parts  []part
}

// part is a piece of a line: code, or an operation.
type part struct {
	Text             string
	Marked, Breaking bool
}

// around is how many lines of context an operation gets.
const around = 3

// excerpts are the lines around the operations, file by file. Lines between
// operations that are far apart are left out.
func (r *Report) excerpts(f *Finding) []excerpt {
	places := []Place{f.Place}
	for _, op := range f.Operations {
		places = append(places, op.Place)
	}
	var files []string
	wanted := map[string]map[int]bool{}
	for _, p := range places {
		if wanted[p.File] == nil {
			wanted[p.File] = map[int]bool{}
			files = append(files, p.File)
		}
		for n := max(1, p.Line-around); n <= max(p.Line, p.EndLine)+around; n++ {
			wanted[p.File][n] = true
		}
	}
	var out []excerpt
	for _, file := range files {
		if _, ok := r.Sources[file]; ok {
			out = append(out, r.excerpt(f, file, wanted[file]))
		}
	}
	return out
}

func (r *Report) excerpt(f *Finding, file string, wanted map[int]bool) excerpt {
	e := excerpt{Path: r.path(file)}
	last := strings.Count(r.Sources[file], "\n")
	var numbers []int
	for n := range wanted {
		if n <= last {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	for i, n := range numbers {
		if i > 0 && n > numbers[i-1]+1 {
			e.Lines = append(e.Lines, excerptLine{Parts: []part{{Text: "…"}}})
		}
		e.Lines = append(e.Lines, excerptLine{strconv.Itoa(n), r.parts(f, file, n)})
	}
	return e
}

// parts cuts a line where operations begin and end. Of operations within each
// other the outer one is marked.
func (r *Report) parts(f *Finding, file string, n int) []part {
	text := r.line(file, n)
	marks := make([]int, len(text)) // per byte: 1 marked, 2 breaking
	mark := func(p Place, as int) {
		if p.File != file || n < p.Line || n > max(p.Line, p.EndLine) {
			return
		}
		from, to := 1, len(text)+1
		if n == p.Line {
			from = max(1, p.Column)
		}
		if n == p.EndLine && p.EndColumn > 0 {
			to = p.EndColumn
		}
		for i := from - 1; i < min(to-1, len(text)); i++ {
			marks[i] = as
		}
	}
	for _, op := range f.Operations {
		mark(op.Place, 1)
	}
	mark(f.Place, 2)
	var out []part
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && marks[j] == marks[i] {
			j++
		}
		out = append(out, part{text[i:j], marks[i] > 0, marks[i] == 2})
		i = j
	}
	return out
}
