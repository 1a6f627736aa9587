package snapshot

import (
	"errors"
	"io"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/result"
	"github.com/mapatom/mapatom/internal/checker/snapshot"
)

// scanning is one run of the snapshot test command.
type scanning struct {
	*cli.App
	aliases snapshot.Aliases
	printer result.Printer
	budget  cli.Budget
	stdin   io.Reader
	at      atomic.Pointer[string] // the file
}

func testCommand(a *cli.App) *cobra.Command {
	s := &scanning{App: a, printer: result.Printer{App: a}, aliases: snapshot.Aliases{}}
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
				return cli.Misuse("snapshot test needs a file; - is the standard input")
			}
			if err := s.budget.Check(); err != nil {
				return err
			}
			for _, text := range as {
				if err := s.aliases.Add(text); err != nil {
					return cli.Misuse("-as: %v", err)
				}
			}
			return s.run(args)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&as, "as", nil, "take a `name=method` of yours, with arguments before those of the call, as one of\nthose above: 'Both=scan(open, closed)', 'SetOpen=update(open)', 'All=range'")
	flags.BoolVar(&s.printer.JSON, "json", false, "print a JSON object for each object of a history, one a line")
	flags.StringVar(&s.printer.HTML, "html", "", "write a page with pictures to a `file`")
	s.budget.AddFlags(cmd, " on an object", "`steps` of search")
	return cmd
}

// run decides the files one after the other. A file that is malformed does not
// keep the others from being decided.
func (s *scanning) run(files []string) error {
	first := "reading"
	s.at.Store(&first)
	s.printer.Progress = s.NewProgress(func(int, int) string { return *s.at.Load() })
	defer s.printer.Progress.Stop()
	for _, name := range files {
		s.at.Store(&name)
		if err := s.file(name); err != nil {
			return err
		}
		if s.Ctx.Err() != nil {
			return s.Ctx.Err()
		}
	}
	s.printer.Progress.Stop()
	return s.printer.Close("snapshot histories")
}

// file decides the objects of a file.
func (s *scanning) file(name string) error {
	recorded, err := s.read(name)
	if err != nil {
		return s.printer.Malformed(err)
	}
	for _, r := range recorded {
		for _, object := range r.history.Objects() {
			c, err := s.check(r.name, object, r.history.Of(object))
			var bad *snapshot.Error
			if errors.As(err, &bad) {
				err = s.printer.Malformed(bad.In(r.name))
			} else if err == nil {
				err = s.printer.Print(c.print())
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// check decides one object.
func (s *scanning) check(name, object string, in *history.History) (*scanned, error) {
	h, err := snapshot.Convert(s.aliases.Apply(in))
	if err != nil {
		return nil, err
	}
	ctx, cancel := s.budget.Context(s.Ctx)
	defer cancel()
	started := time.Now()
	c := &scanned{file: name, object: object, in: in}
	c.result, err = h.Check(ctx, search.Options{Nodes: s.budget.Count})
	c.elapsed = time.Since(started)
	return c, err
}
