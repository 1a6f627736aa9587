// Package result is what the commands that check histories, models and code say of
// one thing that they were asked about: a line with its name and the verdict, a
// picture of what is wrong, and how to see it again; or the same in JSON, on a page,
// and as the exit status.
package result

import (
	"fmt"
	"io"
	"strings"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

// Result is what is said of one thing.
type Result struct {
	Name    string
	Verdict string
	Reason  string
	About   string // what it is, in brackets
	Details []string
	// Picture shows what is wrong, of which Limit operations are drawn if that
	// is not 0, and Steps are lines below it.
	Picture *witness.Picture
	Limit   int
	Steps   []string
	Again   string // the command that shows it again
	Page    *witness.Picture
	Status  int
	JSON    any
}

// Text is the result for a person.
func (r *Result) Text(color bool) string {
	var out strings.Builder
	out.WriteString(witness.Printable(r.Name) + ": " + r.Verdict)
	if r.Reason != "" {
		out.WriteString(": " + witness.Printable(r.Reason))
	}
	if r.About != "" {
		out.WriteString(" (" + r.About + ")")
	}
	out.WriteByte('\n')
	for _, d := range r.Details {
		out.WriteString("\t" + witness.Printable(d) + "\n")
	}
	if r.Picture != nil {
		o := witness.TextOptions{Width: 80 - len(cli.Indent), Limit: r.Limit, Color: color}
		out.WriteString("\n" + cli.Indented(r.Picture.Text(o)) + "\n")
	}
	for _, s := range r.Steps {
		out.WriteString(cli.Indent + witness.Printable(s) + "\n")
	}
	if len(r.Steps) > 0 {
		out.WriteByte('\n')
	}
	if r.Again != "" {
		fmt.Fprintf(&out, "Again: %s\n", r.Again)
	}
	return out.String()
}

// Printer prints results.
type Printer struct {
	*cli.App
	Progress *cli.Progress // nil if there is none
	JSON     bool          // print lines of JSON
	HTML     string        // the file of a page, "" if none is wanted
	pages    []*witness.Picture
}

// Print prints a result and raises the exit status.
func (p *Printer) Print(r *Result) error {
	p.Raise(r.Status)
	if p.HTML != "" && r.Page != nil {
		p.pages = append(p.pages, r.Page)
	}
	text := r.Text(cli.HasColor(p.Stdout))
	if p.JSON {
		var err error
		if text, err = cli.Line(r.JSON); err != nil {
			return err
		}
	}
	if p.Progress != nil {
		return p.Progress.Print(p.Stdout, text)
	}
	_, err := io.WriteString(p.Stdout, text)
	return err
}

// Malformed says what is wrong with an input. There may be others that are well
// formed.
func (p *Printer) Malformed(problem error) error {
	p.Raise(cli.Failed)
	return p.Progress.Print(p.Stderr, cli.Visible(problem.Error())+"\n")
}

// Close writes the page, if one is wanted: one of some of the inputs misleads.
func (p *Printer) Close(title string) error {
	if p.HTML == "" || p.Status == cli.Failed {
		return nil
	}
	return p.WriteFile(p.HTML, func(w io.Writer) error { return witness.WriteHTML(w, title, p.pages...) })
}
