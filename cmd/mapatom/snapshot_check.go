package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/checker/snapshot"
	"github.com/mapatom/mapatom/checker/witness"
)

// scanning is one run of the snapshot test command.
type scanning struct {
	*app
	json     bool
	html     string
	timeout  time.Duration
	nodes    int64
	stdin    io.Reader
	at       atomic.Pointer[string] // the file
	pictures []*witness.Picture
}

func (a *app) snapshotTestCommand() *cobra.Command {
	s := &scanning{app: a}
	cmd := &cobra.Command{
		Use:   "test file...",
		Short: "Decide whether recorded updates and scans are linearizable",
		Long: `Test reads what was recorded of a map or of a snapshot object, updates of single
segments and scans, which read several at once, and decides whether some order of
the operations explains all scans. If none does, it shows the few operations that
contradict each other.

A file has events as JSON lines, or any of the other formats of
docs/history-format.md; - is the standard input. The methods are update (or store),
scan, load, delete, range, swap, load_and_delete, load_or_store and cas; see
docs/snapshot.md for their arguments.

Exit status: 0 every history is linearizable, 1 an input is malformed, 2 the
arguments are wrong, 3 a history is not linearizable, 4 one could not be decided
within the budget.`,
		Example: `  mapatom snapshot test scans.jsonl
  mapatom snapshot test -json -html=why.html *.jsonl`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			s.stdin = cmd.InOrStdin()
			switch {
			case len(args) == 0:
				return misuse("snapshot test needs a file; - is the standard input")
			case s.timeout < 0 || s.nodes < 0:
				return misuse("a budget cannot be negative")
			}
			return s.run(args)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&s.json, "json", false, "print a JSON object for each object of a history, one a line")
	flags.StringVar(&s.html, "html", "", "write a page with pictures to a `file`")
	flags.DurationVar(&s.timeout, "timeout", 0, "give up on an object after this `time`, e.g. 30s (default never)")
	flags.Int64Var(&s.nodes, "budget", 0, "give up on an object after this many `steps` of search (default never)")
	return cmd
}

// run decides the files one after the other. A file that is malformed does not
// keep the others from being decided.
func (s *scanning) run(files []string) error {
	first := "reading"
	s.at.Store(&first)
	progress := newProgressOf(s.stderr, func() string { return *s.at.Load() })
	defer progress.stop()
	for _, name := range files {
		s.at.Store(&name)
		if err := s.file(name, progress); err != nil {
			return err
		}
		if s.ctx.Err() != nil {
			return s.ctx.Err()
		}
	}
	progress.stop()
	if s.html == "" || s.status == exitFailed {
		return nil
	}
	return s.writeFile(s.html, func(out io.Writer) error { return witness.WriteHTML(out, "snapshot histories", s.pictures...) })
}

// file decides the objects of a file.
func (s *scanning) file(name string, progress *progress) error {
	h, err := s.read(name)
	if err != nil {
		s.status = exitFailed
		return progress.aside(func() error {
			_, err := fmt.Fprintln(s.stderr, err)
			return err
		})
	}
	for _, object := range h.Objects() {
		c, err := s.check(name, object, h.Of(object))
		var bad *snapshot.Error
		if errors.As(err, &bad) {
			s.status = exitFailed
			return progress.aside(func() error {
				_, err := fmt.Fprintf(s.stderr, "%s:%v\n", name, bad)
				return err
			})
		} else if err != nil {
			return err
		}
		s.raise(c.result.Verdict)
		if s.html != "" {
			s.pictures = append(s.pictures, c.whole())
		}
		text := c.text(hasColor(s.stdout))
		if s.json {
			if text, err = c.line(); err != nil {
				return err
			}
		}
		if err := progress.aside(func() error {
			_, err := io.WriteString(s.stdout, text)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// raise keeps the status that says most.
func (s *scanning) raise(v search.Verdict) {
	switch {
	case s.status == exitFailed:
	case v == search.Violation:
		s.status = exitFindings
	case v == search.Unknown && s.status == exitClean:
		s.status = exitUnknown
	}
}

// read reads a file as one history. Events are read whatever kind their header
// says, since the methods of maps that the monitors know do not include scans.
func (s *scanning) read(name string) (*history.History, error) {
	r := s.stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, about(name, err)
		}
		defer f.Close()
		r = f
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, about(name, err)
	}
	if bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte(`{"`)) {
		h, err := history.ReadEvents(name, bytes.NewReader(data), history.Options{})
		return h, err
	}
	in, err := history.ReadInput(name, bytes.NewReader(data), history.Options{})
	switch {
	case err != nil:
		return nil, err
	case in.History != nil:
		return in.History, nil
	case len(in.Logs) == 1:
		return in.Logs[0].History(), nil
	}
	return nil, fmt.Errorf("%s: several objects or sections, want one history", name)
}

// check decides one object.
func (s *scanning) check(name, object string, in *history.History) (*scanned, error) {
	h, err := snapshot.Convert(in)
	if err != nil {
		return nil, err
	}
	ctx, cancel := s.ctx, context.CancelFunc(func() {})
	if s.timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, s.timeout)
	}
	defer cancel()
	started := time.Now()
	c := &scanned{file: name, object: object, in: in}
	c.result, err = h.Check(ctx, search.Options{Nodes: s.nodes})
	c.elapsed = time.Since(started)
	return c, err
}
