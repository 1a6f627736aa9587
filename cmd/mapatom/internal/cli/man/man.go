// Package man is the command that writes manual pages, one for each command, from what
// help says of them.
package man

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/version"
)

// Command makes mapatom man, which help does not list: packages are built with it.
func Command(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:    "man DIRECTORY",
		Short:  "Write the manual pages",
		Long:   "Man writes a manual page for each command to a directory, which must exist.",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if info, err := os.Stat(args[0]); err != nil || !info.IsDir() {
				return cli.Cannot("Make it first.", "%s is no directory", args[0])
			}
			return write(a, cmd.Root(), args[0])
		},
	}
}

// write writes the page of a command, and those of the commands below it.
func write(a *cli.App, cmd *cobra.Command, dir string) error {
	if cmd.Hidden {
		return nil
	}
	err := a.WriteFile(filepath.Join(dir, name(cmd)+".1"), func(w io.Writer) error {
		_, err := io.WriteString(w, Page(cmd))
		return err
	})
	for _, sub := range cmd.Commands() {
		if err == nil {
			err = write(a, sub, dir)
		}
	}
	return err
}

// name is that of a command's page: mapatom-confirm.
func name(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// Page is the manual page of a command, in the macros of man(7). It has no date: the same
// program has the same page.
func Page(cmd *cobra.Command) string {
	p := &page{}
	p.macro(".TH", strings.ToUpper(name(cmd)), "1", "", "mapatom "+version.Module(), "mapatom")
	p.macro(".SH", "NAME")
	p.text(name(cmd) + ` \- ` + escape(cmd.Short))
	if cmd.Runnable() {
		p.macro(".SH", "SYNOPSIS")
		p.verbatim(strings.ReplaceAll(cmd.UseLine(), "--", "-"))
	}
	p.macro(".SH", "DESCRIPTION")
	p.verbatim(strings.TrimSpace(cmd.Long))
	p.options(cmd)
	if cmd.Example != "" {
		p.macro(".SH", "EXAMPLES")
		p.verbatim(strings.TrimRight(cmd.Example, "\n"))
	}
	p.macro(".SH", "SEE ALSO")
	p.text(strings.Join(related(cmd), ",\n"))
	return p.String()
}

// related are the pages above and below that of a command.
func related(cmd *cobra.Command) []string {
	var out []string
	if cmd.HasParent() {
		out = append(out, reference(cmd.Parent()))
	}
	for _, sub := range cmd.Commands() {
		if !sub.Hidden {
			out = append(out, reference(sub))
		}
	}
	return out
}

func reference(cmd *cobra.Command) string { return `\fB` + escape(name(cmd)) + `\fR(1)` }

// page is a page being written.
type page struct{ strings.Builder }

// macro writes a line that begins with a macro.
func (p *page) macro(macro string, args ...string) {
	p.WriteString(macro)
	for _, arg := range args {
		fmt.Fprintf(p, " %q", arg)
	}
	p.WriteByte('\n')
}

// text writes what is escaped already.
func (p *page) text(text string) { p.WriteString(text + "\n") }

// verbatim writes a text with its lines as they are: help is laid out by hand.
func (p *page) verbatim(text string) {
	p.text(".nf")
	for line := range strings.Lines(text) {
		line = escape(strings.TrimRight(line, "\n"))
		switch {
		case line == "":
			line = ".sp"
		case strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'"):
			line = `\&` + line
		}
		p.text(line)
	}
	p.text(".fi")
}

// options are the flags, with their defaults.
func (p *page) options(cmd *cobra.Command) {
	first := true
	visit := func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if first {
			p.macro(".SH", "OPTIONS")
			first = false
		}
		value, usage := pflag.UnquoteUsage(f)
		p.text(".TP")
		flag := `\fB\-` + escape(f.Name) + `\fR`
		if value != "" {
			flag += `=\fI` + escape(value) + `\fR`
		}
		p.text(flag)
		p.text(escape(strings.ReplaceAll(usage, "\n", " ")))
	}
	cmd.LocalFlags().VisitAll(visit)
	cmd.InheritedFlags().VisitAll(visit)
}

// escape writes what has a meaning to troff as it is.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
}
