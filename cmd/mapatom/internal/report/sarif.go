package report

import (
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/report/sarif"
	"github.com/mapatom/mapatom/internal/pages"
)

// sourceRoot stands for the folder that paths are relative to. Where that is is not
// written: the same findings are the same log on every machine, and who reads it has a
// checkout of its own.
const sourceRoot = "%SRCROOT%"

// lineHashKey names GitHub's own fingerprint. A log that lacks it is given one when it is
// uploaded, but only by GitHub's action, and only where the sources are at hand.
const lineHashKey = "primaryLocationLineHash"

// WriteSARIF writes a log of SARIF 2.1.0. The categories are its rules, with
// their pages as help (once: who can show Markdown does not show the text); the interleaving is a code flow of two threads, in the
// order of executionOrder.
func (r *Report) WriteSARIF(w io.Writer) error {
	s := &sarifLog{report: r, rules: pages.Categories(), hashes: map[string][]string{}}
	run := sarif.Run{
		Tool:        sarif.Tool{Driver: s.driver()},
		Invocations: []sarif.Invocation{{ExecutionSuccessful: r.Complete}},
		OriginalURIBaseIDs: map[string]sarif.ArtifactLocation{
			sourceRoot: {Description: sarif.Text("The folder that mapatom was run in; in a workflow of GitHub, the checkout.")},
		},
		ColumnKind: "utf16CodeUnits",
		Results:    []sarif.Result{}, // none is an answer as well
	}
	for i := range r.Findings {
		run.Results = append(run.Results, s.result(&r.Findings[i]))
	}
	return sarif.Write(w, run)
}

// sarifLog is one log being written.
type sarifLog struct {
	report *Report
	rules  []string
	hashes map[string][]string // of lines, by file
}

func (s *sarifLog) driver() sarif.Driver {
	d := sarif.Driver{Name: "mapatom", Version: s.report.Version, InformationURI: "https://github.com/mapatom/mapatom"}
	for _, name := range s.rules {
		page, _ := pages.Category(name)
		d.Rules = append(d.Rules, sarif.Rule{
			ID: page.ID, Name: camelCase(name),
			ShortDescription: sarif.Text(page.Summary), FullDescription: sarif.Text(page.Summary),
			HelpURI: page.URL, Help: &sarif.Message{Text: page.Summary + " See " + page.URL, Markdown: page.Text},
			DefaultConfiguration: &sarif.Configuration{Level: level(name)},
			Properties: sarif.Properties{
				"tags": []string{"concurrency", "correctness"}, "precision": "high", "problem.severity": level(name),
			},
		})
	}
	return d
}

// level says how bad a category is. Nothing is an error by itself: whether two
// goroutines get there is for people to judge.
func level(category string) string {
	if category == "duplicate-work" {
		return "note"
	}
	return "warning"
}

// level is that of the category, unless the code was run: what it has shown is an
// error, and what it could not be brought to show a note, as what something speaks
// against is.
func (f *Finding) level() string {
	switch c := f.Confirmation; {
	case c == nil:
	case c.Confirmed():
		return "error"
	case c.Thorough:
		return "note"
	}
	if f.Confidence == "low" {
		return "note"
	}
	return level(f.Category)
}

// camelCase is a rule's name as viewers have them: LostUpdate.
func camelCase(name string) string {
	var out strings.Builder
	for word := range strings.SplitSeq(name, "-") {
		out.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return out.String()
}

func (s *sarifLog) result(f *Finding) sarif.Result {
	primary := s.place(f.Place, "")
	primary.LogicalLocations = logical(f)
	res := sarif.Result{
		RuleID: pages.ID(f.Category), RuleIndex: slices.Index(s.rules, f.Category),
		Level: f.level(), Message: sarif.Message{Text: f.text()}, Locations: []sarif.Location{primary},
		PartialFingerprints: map[string]string{FingerprintKey: f.Fingerprint},
	}
	if hash := s.lineHash(f.Place); hash != "" {
		res.PartialFingerprints[lineHashKey] = hash
	}
	for i, n := range f.Related {
		loc := s.place(n.Place, n.Message)
		loc.ID = i + 1
		res.RelatedLocations = append(res.RelatedLocations, loc)
	}
	if f.Story != nil {
		res.CodeFlows = []sarif.CodeFlow{s.codeFlow(f)}
	}
	for _, fix := range f.Fixes {
		res.Fixes = append(res.Fixes, s.fix(&fix))
	}
	if c := f.Confirmation; c != nil {
		res.Properties = sarif.Properties{"confirmation": map[string]any{
			"verdict": c.Verdict, "reason": c.Reason, "executions": c.Executions, "schedule": c.Schedule,
		}}
	}
	if f.Confidence != "" {
		res.Rank = ranks[f.Confidence]
		if res.Properties == nil {
			res.Properties = sarif.Properties{}
		}
		res.Properties["confidence"] = f.Confidence
	}
	return res
}

// lineHash is GitHub's fingerprint of the line; empty if its file is not at hand.
func (s *sarifLog) lineHash(p Place) string {
	text, ok := s.report.Sources[p.File]
	if !ok {
		return ""
	}
	if s.hashes[p.File] == nil {
		s.hashes[p.File] = lineHashes(text)
	}
	if p.Line < 1 || p.Line > len(s.hashes[p.File]) {
		return ""
	}
	return s.hashes[p.File][p.Line-1]
}

func logical(f *Finding) []sarif.LogicalLocation {
	if f.Function == "" {
		return []sarif.LogicalLocation{{FullyQualifiedName: f.Package, Kind: "module"}}
	}
	return []sarif.LogicalLocation{{Name: f.Function, FullyQualifiedName: f.Package + "." + f.Function, Kind: "function"}}
}

// place is a location, with a message if that is not empty.
func (s *sarifLog) place(p Place, message string) sarif.Location {
	region := s.region(p)
	loc := sarif.Location{PhysicalLocation: &sarif.PhysicalLocation{ArtifactLocation: s.artifact(p.File), Region: &region}}
	if message != "" {
		loc.Message = sarif.Text(message)
	}
	return loc
}

// artifact is a file: by its path below the root, or by its URL.
func (s *sarifLog) artifact(file string) sarif.ArtifactLocation {
	path := s.report.path(file)
	if filepath.IsAbs(path) {
		return sarif.ArtifactLocation{URI: (&url.URL{Scheme: "file", Path: path}).String()}
	}
	return sarif.ArtifactLocation{URI: (&url.URL{Path: path}).EscapedPath(), URIBaseID: sourceRoot}
}

func (s *sarifLog) region(p Place) sarif.Region {
	reg := sarif.Region{StartLine: p.Line}
	if p.Column == 0 {
		return reg // the whole line
	}
	reg.StartColumn = s.column(p.File, p.Line, p.Column)
	if p.EndLine > 0 && p.EndColumn > 0 {
		reg.EndLine, reg.EndColumn = p.EndLine, s.column(p.File, p.EndLine, p.EndColumn)
	}
	return reg
}

// column counts in units of UTF-16, as SARIF does, what Go counts in bytes.
func (s *sarifLog) column(file string, line, column int) int {
	text := s.report.line(file, line)
	if column-1 > len(text) {
		return column
	}
	return len(utf16.Encode([]rune(text[:column-1]))) + 1
}

// codeFlow has a thread for each goroutine. A step of the other goroutine is shown at
// the code that takes it, and where that is not known, as of what any client could do,
// at the operation before which it comes in.
func (s *sarifLog) codeFlow(f *Finding) sarif.CodeFlow {
	call := sarif.ThreadFlow{ID: "your call"}
	other := sarif.ThreadFlow{ID: "the other goroutine"}
	for i := range f.Story.Moves {
		m := &f.Story.Moves[i]
		loc := sarif.ThreadFlowLocation{ExecutionOrder: i + 1, Location: s.place(f.Places[i], m.String())}
		if m.Breaking {
			loc.Importance = "essential"
		}
		if m.Other {
			other.Locations = append(other.Locations, loc)
		} else {
			call.Locations = append(call.Locations, loc)
		}
	}
	flow := sarif.CodeFlow{Message: sarif.Text(f.Story.Start)}
	for _, thread := range []sarif.ThreadFlow{call, other} {
		if len(thread.Locations) > 0 { // an empty one is not allowed
			flow.ThreadFlows = append(flow.ThreadFlows, thread)
		}
	}
	return flow
}

func (s *sarifLog) fix(fix *Fix) sarif.Fix {
	out := sarif.Fix{Description: sarif.Text(fix.Message)}
	index := map[string]int{}
	for _, e := range fix.Edits {
		i, ok := index[e.Place.File]
		if !ok {
			i = len(out.ArtifactChanges)
			index[e.Place.File] = i
			out.ArtifactChanges = append(out.ArtifactChanges, sarif.ArtifactChange{ArtifactLocation: s.artifact(e.Place.File)})
		}
		change := &out.ArtifactChanges[i]
		change.Replacements = append(change.Replacements, sarif.Replacement{
			DeletedRegion: s.region(e.Place), InsertedContent: &sarif.ArtifactContent{Text: e.Text},
		})
	}
	return out
}
