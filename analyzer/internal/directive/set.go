package directive

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// A Set is the directives of a package.
type Set struct {
	fset *token.FileSet
	all  []*Directive
	// wrong are the comments that make no sense.
	wrong []Problem
}

// scope is the lines that a directive is about.
type scope struct {
	file     string
	from, to int
	column   int
}

// Parse reads the comments of a package's files. It costs little where there are
// no directives.
func Parse(fset *token.FileSet, files []*ast.File) *Set {
	s := &Set{fset: fset}
	for _, f := range files {
		first := len(s.all)
		for _, group := range f.Comments {
			s.group(group)
		}
		if found := s.all[first:]; len(found) > 0 {
			s.attach(f, found)
		}
	}
	return s
}

// group reads the comments of a group, which all stand for its lines.
func (s *Set) group(group *ast.CommentGroup) {
	for _, c := range group.List {
		if !strings.Contains(c.Text, "mapatom") && !strings.Contains(c.Text, "nolint") {
			continue
		}
		d, err := parseComment(c.Text)
		if err != nil {
			s.wrong = append(s.wrong, Problem{c.Pos(), c.End(), err.Error()})
			continue
		}
		if d == nil {
			continue
		}
		from, to := s.fset.Position(group.Pos()), s.fset.Position(group.End())
		d.Pos, d.End = c.Pos(), c.End()
		d.scope = scope{file: from.Filename, from: from.Line, to: to.Line, column: from.Column}
		s.all = append(s.all, d)
	}
}

// attach finds the functions that directives are about, and the code that those
// which stand alone above it cover. The latter goes by lines and columns, since
// golangci-lint does so.
func (s *Set) attach(f *ast.File, found []*Directive) {
	for _, decl := range f.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Doc == nil {
			continue
		}
		for _, d := range found {
			if fn.Doc.Pos() <= d.Pos && d.Pos < fn.Doc.End() {
				d.Func = fn
			}
		}
	}
	ends := make([]int, len(found)) // of the code below
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		at := s.fset.Position(n.Pos())
		for i, d := range found {
			if at.Line == d.scope.to+1 && at.Column == d.scope.column {
				ends[i] = max(ends[i], s.fset.Position(n.End()).Line)
			}
		}
		return true
	})
	for i, d := range found {
		d.scope.to = max(d.scope.to, ends[i])
	}
}

// Of are the directives of a kind, in order of position.
func (s *Set) Of(k Kind) []*Directive {
	var out []*Directive
	for _, d := range s.all {
		if d.Kind == k {
			out = append(out, d)
		}
	}
	return out
}

// Ignores returns the directive that leaves out a finding of the category at a
// position, or nil. That one is of use.
func (s *Set) Ignores(pos token.Pos, category string) *Directive {
	at := s.fset.Position(pos)
	for _, d := range s.all {
		if d.covers(at, category) {
			d.used = true
			return d
		}
	}
	return nil
}

func (d *Directive) covers(at token.Position, category string) bool {
	if at.Filename != d.scope.file || at.Line < d.scope.from || at.Line > d.scope.to {
		return false
	}
	return d.Kind == NoLint || d.Kind == Ignore && slices.Contains(d.Categories, category)
}

// Problems are the comments that make no sense, and the directives that are
// misplaced or were of no use to anybody who asked Ignores, in order of position.
func (s *Set) Problems() []Problem {
	out := slices.Clone(s.wrong)
	for _, d := range s.all {
		if msg := d.problem(); msg != "" {
			out = append(out, Problem{d.Pos, d.End, msg})
		}
	}
	slices.SortStableFunc(out, func(a, b Problem) int { return ComparePos(s.fset, a.Pos, b.Pos) })
	return out
}

// ComparePos orders positions by file name and offset. A token.Pos alone depends on
// the order in which the files of a package happened to be read.
func ComparePos(fset *token.FileSet, a, b token.Pos) int {
	p, q := fset.PositionFor(a, false), fset.PositionFor(b, false)
	return cmp.Or(cmp.Compare(p.Filename, q.Filename), cmp.Compare(p.Offset, q.Offset))
}

func (d *Directive) problem() string {
	switch {
	case d.Kind == Ignore && !d.used:
		return fmt.Sprintf("%signore %s is not needed: there is no such finding", prefix, strings.Join(d.Categories, ","))
	case d.Kind == Base && (d.Func == nil || d.Func.Recv == nil):
		return fmt.Sprintf("%s%s belongs in the comment of a method", prefix, d.Kind)
	case d.Kind != Ignore && d.Kind != NoLint && d.Func == nil:
		return fmt.Sprintf("%s%s belongs in the comment of a function", prefix, d.Kind)
	}
	return ""
}
