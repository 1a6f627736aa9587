package lineup

import (
	"fmt"
	"io"
	"strings"

	"github.com/mapatom/mapatom/checker/lineup"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/lineup/report"
	"github.com/mapatom/mapatom/internal/checker/instrument"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

// report prints the results, and writes the files that were asked for.
func (l *lining) report(arg string, f *found, s *instrument.Session, c *campaign) error {
	checked := c.checked()
	l.incomplete(f, s, checked)
	if len(checked) == 0 {
		return cli.Cannot("Give it more with -timeout.", "the time was over before a test was checked")
	}
	l.decide(checked)
	if l.request.Observe {
		return l.WriteFile(l.observe, func(w io.Writer) error {
			_, err := io.WriteString(w, c.files[0])
			return err
		})
	}
	failing := c.failing(checked)
	if err := l.print(arg, f, checked, failing); err != nil {
		return err
	}
	return l.files(f, failing)
}

// incomplete says what of the subject is not under the scheduler's control. If it
// is the package itself, that is why tests are not checked.
func (l *lining) incomplete(f *found, s *instrument.Session, checked []*lineup.Result) {
	for _, p := range s.Packages {
		switch {
		case p.Reason != "" && p.Path == f.pkg.Path():
			for _, r := range checked {
				if r.Verdict == lineup.NotChecked {
					r.Reason = fmt.Sprintf("package %s could not be instrumented: %s", p.Path, p.Reason)
				}
			}
		case p.Reason != "":
			fmt.Fprintf(l.Stderr, "mapatom: package %s is run as it is: %s\n", p.Path, p.Reason)
		}
		for _, left := range p.Left {
			fmt.Fprintf(l.Stderr, "mapatom: package %s: left as it is: %s\n", p.Path, left)
		}
	}
}

// decide sets the exit status.
func (l *lining) decide(checked []*lineup.Result) {
	for _, r := range checked {
		switch r.Verdict {
		case lineup.Failed:
			l.Raise(cli.Findings)
		case lineup.Unknown, lineup.NotChecked:
			l.Raise(cli.Unknown)
		}
	}
}

// failing is the smallest failing test, nil if none failed. If all tests were
// to be checked it is the first that failed, as it is.
func (c *campaign) failing(checked []*lineup.Result) *lineup.Result {
	if r := c.minimal[max(c.first, 0)]; r != nil {
		return r
	}
	for _, r := range checked {
		if r.Verdict == lineup.Failed {
			return r
		}
	}
	return nil
}

func (l *lining) print(arg string, f *found, checked []*lineup.Result, failing *lineup.Result) error {
	switch {
	case l.json:
		return l.printJSON(arg, f, checked, failing)
	case l.table:
		_, err := fmt.Fprintln(l.Stdout, l.summarize(checked, failing).row(f.harness.Name))
		return err
	}
	var out strings.Builder
	if failing != nil {
		fmt.Fprintf(&out, "%s is not linearizable%s\n\n", f.harness.Name, l.specification())
		out.WriteString(report.Text(failing, witness.TextOptions{Color: cli.HasColor(l.Stdout)}))
		fmt.Fprintf(&out, "Replay: %s\n", l.replayCommand(arg, failing))
		for _, n := range failing.Notes {
			fmt.Fprintf(&out, "note: %s\n", n)
		}
	}
	out.WriteString(l.summarize(checked, failing).text(f.harness.Name))
	for _, n := range l.notes(f, failing) {
		fmt.Fprintf(&out, "note: %s\n", n)
	}
	_, err := io.WriteString(l.Stdout, out.String())
	return err
}

// specification says what the results were compared with, if that is not
// the subject itself.
func (l *lining) specification() string {
	if l.against == "" {
		return ""
	}
	return " with respect to " + l.against
}

// replayCommand shows the failure again. Flags that say what the subject is
// are repeated.
func (l *lining) replayCommand(arg string, r *lineup.Result) string {
	words := []string{"mapatom", "lineup"}
	add := func(flag, value string) {
		if value != "" {
			words = append(words, "-"+flag+"="+shellQuote(value))
		}
	}
	if l.memory {
		add("granularity", "memory")
	}
	add("new", l.subject.Constructor)
	add("against", l.against)
	add("unordered", strings.Join(l.subject.Unordered, ","))
	add("deps", strings.Join(l.deps, ","))
	for _, v := range l.words.values {
		add("values", v)
	}
	add("test", r.Test.String())
	if r.Failure.Cause != lineup.Nondeterministic {
		add("replay", r.Failure.Schedule)
	}
	return strings.Join(append(words, shellQuote(arg)), " ")
}

// shellQuote quotes a word for a shell if it has to be.
func shellQuote(word string) string {
	if !strings.ContainsFunc(word, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/,=:@%+", r)
	}) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// files writes the files that were asked for.
func (l *lining) files(f *found, failing *lineup.Result) error {
	if l.html != "" {
		title := f.harness.Name + ": nothing was found"
		var pictures []*witness.Picture
		if failing != nil {
			title = f.harness.Name + " is not linearizable" + l.specification()
			pictures = report.Pictures(failing, title)
		}
		err := l.WriteFile(l.html, func(w io.Writer) error { return witness.WriteHTML(w, title, pictures...) })
		if err != nil {
			return err
		}
	}
	if l.regress == "" || failing == nil {
		return nil
	}
	source, err := f.harness.Regression("TestLineUp", failing.Test)
	if err != nil {
		return err
	}
	return l.WriteFile(l.regress, func(w io.Writer) error {
		_, err := w.Write(source)
		return err
	})
}
