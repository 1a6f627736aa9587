package golangci

import (
	"fmt"
	"go/token"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer"
)

// withOneIssue has each finding say all in its message: golangci-lint makes of every
// related position an issue of its own, which counts, and which nobody can exclude
// together with the finding. What they would say, and the interleaving, is in one line
// behind the message:
//
//	… (MA1001 lost-update) [53: Load finds absent | other goroutine: stores v1 | 57: Store(v2) overwrites v1]
func withOneIssue(a *analysis.Analyzer) *analysis.Analyzer {
	run := a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		var found []analysis.Diagnostic
		inner := *pass
		inner.Report = func(d analysis.Diagnostic) { found = append(found, d) }
		res, err := run(&inner)
		r, ok := res.(*analyzer.Result)
		if err != nil || !ok {
			return res, err
		}
		for _, d := range found {
			pass.Report(oneIssue(pass.Fset, r.About(&d), d))
		}
		return res, nil
	}
	return a
}

// oneIssue is the diagnostic with its related positions and the interleaving, if there is
// one, in its message.
func oneIssue(fset *token.FileSet, x *analyzer.Extension, d analysis.Diagnostic) analysis.Diagnostic {
	is := issue{fset: fset, file: fset.Position(d.Pos).Filename}
	var story *absint.Story
	if x != nil {
		story = x.Story(fset)
	}
	if story != nil {
		is.moves(x, story)
	}
	for _, rel := range d.Related {
		// An operation that is a move has its place already.
		if at := is.at(rel.Pos); !is.told[at] {
			is.add(at + ": " + rel.Message)
		}
	}
	d.Related = nil
	if len(is.parts) > 0 {
		d.Message += " [" + strings.Join(is.parts, " | ") + "]"
	}
	return d
}

// issue is the part of a message in brackets.
type issue struct {
	fset  *token.FileSet
	file  string // of the finding
	parts []string
	told  map[string]bool // places that a move has
}

func (is *issue) add(part string) { is.parts = append(is.parts, part) }

// moves adds what happens, in order, without how the call ends: that is what the message
// is about.
func (is *issue) moves(x *analyzer.Extension, story *absint.Story) {
	is.told = map[string]bool{}
	for i := range story.Moves {
		m := &story.Moves[i]
		op, ok := x.OperationAt(is.fset, m.Pos)
		switch {
		case m.Other:
			is.add("other goroutine: " + m.String())
		case ok:
			at := is.at(op.Pos)
			is.told[at] = true
			is.add(at + ": " + m.String())
		}
	}
}

// at is a line, with the name of its file where that is not the finding's.
func (is *issue) at(pos token.Pos) string {
	p := is.fset.Position(pos)
	if p.Filename != is.file {
		return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
	}
	return fmt.Sprint(p.Line)
}
