package report

import (
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/mapatom/mapatom/docs"
)

// WriteSARIF writes a log of SARIF 2.1.0. The categories are its rules, with
// their pages as help; the interleaving is a code flow of two threads, in the
// order of executionOrder.
func (r *Report) WriteSARIF(w io.Writer) error {
	s := &sarifLog{report: r, rules: docs.Categories()}
	run := sarif.NewRun()
	run.Tool = sarif.NewTool().WithDriver(s.driver())
	run.WithColumnKind("utf16CodeUnits")
	run.AddInvocation(sarif.NewInvocation().WithExecutionSuccessful(r.Complete))
	run.Results = []*sarif.Result{} // none is an answer as well
	for i := range r.Findings {
		run.AddResult(s.result(&r.Findings[i]))
	}
	log := sarif.NewReport()
	log.AddRun(run)
	return log.PrettyWrite(w)
}

// sarifLog is one log being written.
type sarifLog struct {
	report *Report
	rules  []string
}

func (s *sarifLog) driver() *sarif.ToolComponent {
	d := sarif.NewToolComponent().WithName("mapatom").WithVersion(s.report.Version).
		WithInformationURI("https://github.com/mapatom/mapatom")
	for _, name := range s.rules {
		page, _ := docs.Category(name)
		rule := sarif.NewReportingDescriptor().WithID(docs.ID(name)).WithName(camelCase(name)).
			WithShortDescription(multiformat(page.Summary)).
			WithFullDescription(multiformat(page.Summary)).
			WithHelpURI(page.URL).
			WithHelp(multiformat(page.Text).WithMarkdown(page.Text)).
			WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(level(name)))
		rule.Properties = sarif.NewPropertyBag().
			Add("tags", []string{"concurrency", "correctness"}).
			Add("precision", "high").
			Add("problem.severity", level(name))
		d.AddRule(rule)
	}
	return d
}

func multiformat(text string) *sarif.MultiformatMessageString {
	return sarif.NewMultiformatMessageString().WithText(text)
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
// error, and what it could not be brought to show a note.
func (f *Finding) level() string {
	switch c := f.Confirmation; {
	case c == nil:
	case c.Confirmed():
		return "error"
	case c.Thorough:
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

func (s *sarifLog) result(f *Finding) *sarif.Result {
	res := sarif.NewRuleResult(docs.ID(f.Category)).WithLevel(f.level()).
		WithRuleIndex(slices.Index(s.rules, f.Category)).
		WithMessage(sarif.NewTextMessage(f.text())).
		AddLocation(s.place(f.Place, "").WithLogicalLocations(logical(f)))
	for _, n := range f.Related {
		res.AddRelatedLocation(s.place(n.Place, n.Message))
	}
	if f.Story != nil {
		res.AddCodeFlow(s.codeFlow(f))
	}
	for _, fix := range f.Fixes {
		res.Fixes = append(res.Fixes, s.fix(&fix))
	}
	if c := f.Confirmation; c != nil {
		res.Properties = sarif.NewPropertyBag().Add("confirmation", map[string]any{
			"verdict": c.Verdict, "reason": c.Reason, "executions": c.Executions, "schedule": c.Schedule,
		})
	}
	res.PartialFingerprints = map[string]string{FingerprintKey: f.Fingerprint}
	return res
}

func logical(f *Finding) []*sarif.LogicalLocation {
	if f.Function == "" {
		return []*sarif.LogicalLocation{sarif.NewLogicalLocation().WithFullyQualifiedName(f.Package).WithKind("module")}
	}
	return []*sarif.LogicalLocation{sarif.NewLogicalLocation().WithName(f.Function).
		WithFullyQualifiedName(f.Package + "." + f.Function).WithKind("function")}
}

// place is a location, with a message if that is not empty.
func (s *sarifLog) place(p Place, message string) *sarif.Location {
	loc := sarif.NewLocation().WithPhysicalLocation(sarif.NewPhysicalLocation().
		WithArtifactLocation(s.artifact(p.File)).WithRegion(s.region(p)))
	if message != "" {
		loc.WithMessage(sarif.NewTextMessage(message))
	}
	return loc
}

// artifact is a file: by its path below the root, or by its URL.
func (s *sarifLog) artifact(file string) *sarif.ArtifactLocation {
	path := s.report.path(file)
	if filepath.IsAbs(path) {
		return sarif.NewArtifactLocation().WithURI((&url.URL{Scheme: "file", Path: path}).String())
	}
	return sarif.NewArtifactLocation().WithURI((&url.URL{Path: path}).EscapedPath()).WithURIBaseID("%SRCROOT%")
}

func (s *sarifLog) region(p Place) *sarif.Region {
	reg := sarif.NewRegion().WithStartLine(p.Line)
	if p.Column == 0 {
		return reg // the whole line
	}
	reg.WithStartColumn(s.column(p.File, p.Line, p.Column))
	if p.EndLine > 0 && p.EndColumn > 0 {
		reg.WithEndLine(p.EndLine).WithEndColumn(s.column(p.File, p.EndLine, p.EndColumn))
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

// codeFlow has a thread for each goroutine. A step of the other goroutine is
// shown at the operation before which it comes in.
func (s *sarifLog) codeFlow(f *Finding) *sarif.CodeFlow {
	call := sarif.NewThreadFlow().WithID("your call")
	other := sarif.NewThreadFlow().WithID("the other goroutine")
	for i := range f.Story.Moves {
		st := &f.Story.Moves[i]
		loc := sarif.NewThreadFlowLocation().WithExecutionOrder(i + 1).WithLocation(s.place(f.Places[i], st.String()))
		if st.Breaking {
			loc.WithImportance("essential")
		}
		if st.Other {
			other.AddLocation(loc)
		} else {
			call.AddLocation(loc)
		}
	}
	flow := sarif.NewCodeFlow().WithMessage(sarif.NewTextMessage(f.Story.Start))
	for _, thread := range []*sarif.ThreadFlow{call, other} {
		if len(thread.Locations) > 0 { // an empty one is not allowed
			flow.AddThreadFlow(thread)
		}
	}
	return flow
}

func (s *sarifLog) fix(fix *Fix) *sarif.Fix {
	out := sarif.NewFix().WithDescription(sarif.NewTextMessage(fix.Message))
	changes := map[string]*sarif.ArtifactChange{}
	for _, e := range fix.Edits {
		change := changes[e.Place.File]
		if change == nil {
			change = sarif.NewArtifactChange().WithArtifactLocation(s.artifact(e.Place.File))
			changes[e.Place.File] = change
			out.AddArtifactChange(change)
		}
		change.AddReplacement(sarif.NewReplacement().WithDeletedRegion(s.region(e.Place)).
			WithInsertedContent(sarif.NewArtifactContent().WithText(e.Text)))
	}
	return out
}
