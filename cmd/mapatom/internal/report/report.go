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
	// Start, Steps, Orders and Legend tell the interleaving: what the cells
	// hold, what happens, and why no order explains it.
	Start  string
	Steps  []Step
	Orders []string
	Legend string
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

// Step is what one of two goroutines does.
type Step struct {
	// Other says that the other goroutine does it, Breaking that it acts on
	// what is no longer so.
	Other, Breaking bool
	// Place is in the source, or that of the operation before which the other
	// goroutine comes in.
	Place Place
	// Op is what is done, and Note what comes of it: "Load", "finds absent".
	Op, Note string
}

// text is the step in words.
func (s *Step) text() string {
	if s.Other && s.Note != "" {
		return s.Op + ", " + s.Note
	}
	return strings.TrimSpace(s.Op + " " + s.Note)
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

// story is the interleaving in lines, for where columns do not line up.
func (f *Finding) story() []string {
	if len(f.Steps) == 0 {
		return nil
	}
	lines := []string{f.Start}
	for _, s := range f.Steps {
		who := "your call: "
		if s.Other {
			who = "the other goroutine: "
		}
		lines = append(lines, "- "+who+s.text())
	}
	lines = append(lines, "As one atomic step, the call would come either")
	for _, o := range f.Orders {
		lines = append(lines, "- "+o)
	}
	if f.Legend != "" {
		lines = append(lines, "("+f.Legend+")")
	}
	return lines
}
