package main

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	aliases  snapshot.Aliases
	json     bool
	html     string
	timeout  time.Duration
	nodes    int64
	stdin    io.Reader
	at       atomic.Pointer[string] // the file
	pictures []*witness.Picture
}

func (a *app) snapshotTestCommand() *cobra.Command {
	s := &scanning{app: a, aliases: snapshot.Aliases{}}
	var as []string
	cmd := &cobra.Command{
		Use:   "test file...",
		Short: "Decide whether recorded updates and scans are linearizable",
		Long: `Test reads what was recorded of a map or of a snapshot object, updates of single
segments and scans, which read several at once, and decides whether some order of
the operations explains all scans. If none does, it shows the few operations that
contradict each other.

A file has events as JSON lines, any of the other formats of
docs/history-format.md, or what mapatom lineup -json and mapatom confirm -json
have recorded; - is the standard input. The methods are update (or store), scan,
load, delete, range, swap, load_and_delete, load_or_store and cas; see
docs/snapshot.md for their arguments. -as says what methods of your own are: one
that loads two keys is a scan of them.

Exit status: 0 every history is linearizable, 1 an input is malformed, 2 the
arguments are wrong, 3 a history is not linearizable, 4 one could not be decided
within the budget.`,
		Example: `  mapatom snapshot test scans.jsonl
  mapatom snapshot test -json -html=why.html *.jsonl
  mapatom lineup -json ./stock.Board | mapatom snapshot test -as='Both=scan(open, closed)' -as=Set=update -`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			s.stdin = cmd.InOrStdin()
			switch {
			case len(args) == 0:
				return misuse("snapshot test needs a file; - is the standard input")
			case s.timeout < 0 || s.nodes < 0:
				return misuse("a budget cannot be negative")
			}
			for _, text := range as {
				if err := s.aliases.Add(text); err != nil {
					return misuse("-as: %v", err)
				}
			}
			return s.run(args)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&as, "as", nil, "take a `name=method` of yours, with arguments before those of the call, as one of\nthose above: 'Both=scan(open, closed)', 'SetOpen=update(open)', 'All=range'")
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
	recorded, err := s.read(name)
	if err != nil {
		return s.malformed(progress, err)
	}
	for _, r := range recorded {
		for _, object := range r.history.Objects() {
			c, err := s.check(r.name, object, r.history.Of(object))
			var bad *snapshot.Error
			if errors.As(err, &bad) {
				err = s.malformed(progress, bad.In(r.name))
			} else if err == nil {
				err = s.report(c, progress)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// malformed says what is wrong with an input.
func (s *scanning) malformed(progress *progress, why error) error {
	s.status = exitFailed
	return progress.aside(func() error {
		_, err := fmt.Fprintln(s.stderr, why)
		return err
	})
}

// report prints what was decided of an object.
func (s *scanning) report(c *scanned, progress *progress) (err error) {
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
	return progress.aside(func() error {
		_, err := io.WriteString(s.stdout, text)
		return err
	})
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

// check decides one object.
func (s *scanning) check(name, object string, in *history.History) (*scanned, error) {
	h, err := snapshot.Convert(s.aliases.Apply(in))
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
