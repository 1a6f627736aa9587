// Package report writes findings in the formats that other tools read: SARIF for
// code scanning, annotations of GitHub, Checkstyle, Code Climate, lines for
// editors, and a page for a browser. It knows nothing of the analysis: a Report
// is plain data that the driver fills in, and each format is one file.
//
// The same Report gives the same bytes. Findings are told apart by fingerprints
// that do not contain lines, so that a baseline stays valid when code moves.
package report

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/absint"
)

// A Report is the findings of one run.
type Report struct {
	// Version is mapatom's.
	Version string
	// Root is the directory that paths are relative to.
	Root string
	// Complete says that all packages could be analysed.
	Complete bool
	// Findings are in order of position.
	Findings []Finding
	// Sources have the text of the files, by path. A file that is missing has
	// no lines to show.
	Sources map[string]string
}

// A Finding is one diagnostic.
type Finding struct {
	Package string
	// Function is the name as go doc prints it; empty outside of functions.
	Function string
	Place    Place
	Category string
	Message  string
	Related  []Note
	Fixes    []Fix
	// Operations are those of the step that is not atomic; empty where the
	// finding is not about one.
	Operations []Operation
	// Cell is the map and the key as the source writes them.
	Cell        string
	Environment string
	// Confidence is high, medium or low, and Evidence what there is for the finding;
	// empty where the finding is not about a step.
	Confidence string
	Evidence   []Evidence
	// Repair is what would help, as the message says it; it can be empty.
	Repair string
	// Story tells the interleaving, nil if there is none. Places are those of its
	// moves: in the source, and where it is not known what code the other goroutine
	// runs, of the operation before which it comes in.
	Story  *absint.Story
	Places []Place
	// Fingerprint names the finding; SetFingerprints makes it.
	Fingerprint string
	// Confirmation is what running the real code gave; nil if it was not run.
	Confirmation *Confirmation
}

// Place is a range in a file. Lines and columns count from 1, columns in bytes,
// and the end is behind the last byte. An end of line 0 is not known, and neither
// is a column of 0: a program that generates code tells the compiler the lines
// that it comes from, and seldom more.
type Place struct {
	File                             string // absolute
	Line, Column, EndLine, EndColumn int
}

// at is the position in the file: "12:3", or "12" if that is all.
func (p Place) at() string {
	if p.Column == 0 {
		return strconv.Itoa(p.Line)
	}
	return strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
}

// Note says something about another place.
type Note struct {
	Place   Place
	Message string
}

// Operation is a call in the source.
type Operation struct {
	Name  string
	Place Place
}

// Fix is a change that repairs the finding.
type Fix struct {
	Message string
	Edits   []Edit
}

// Edit replaces what is at a place.
type Edit struct {
	Place Place
	Text  string
}

// path is how a file is written: relative to the root where it is inside, with
// slashes.
func (r *Report) path(file string) string {
	rel, err := filepath.Rel(r.Root, file)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(rel)
}

// line is the text of a line; empty if it is not known.
func (r *Report) line(file string, line int) string {
	text, ok := r.Sources[file]
	for ; ok && line > 1; line-- {
		_, text, ok = strings.Cut(text, "\n")
	}
	text, _, _ = strings.Cut(text, "\n")
	return strings.TrimSuffix(text, "\r")
}

// text is the message with what running the code gave, and the interleaving, for
// where columns do not line up.
func (f *Finding) text() string {
	lines := []string{f.Message}
	if f.Confirmation != nil {
		lines = append(lines, f.Confirmation.String())
	}
	if why := f.Why(); why != "" {
		lines = append(lines, why)
	}
	return strings.Join(append(lines, f.story()...), "\n")
}

// line is the message, with what running the code gave in brackets.
func (f *Finding) line() string {
	if f.Confirmation == nil {
		return f.Message
	}
	return f.Message + " (" + f.Confirmation.String() + ")"
}

// story is the interleaving in lines, for where columns do not line up.
func (f *Finding) story() []string {
	if f.Story == nil {
		return nil
	}
	lines := []string{f.Story.Start}
	for i := range f.Story.Moves {
		who, m := "your call: ", &f.Story.Moves[i]
		if m.Other {
			who = "the other goroutine: "
		}
		lines = append(lines, "- "+who+m.String())
	}
	sentence, reasons := f.Story.Orderly()
	lines = append(lines, sentence)
	for _, o := range reasons {
		lines = append(lines, "- "+o.String())
	}
	if legend := f.Story.Legend(); legend != "" {
		lines = append(lines, "("+legend+")")
	}
	return lines
}
