// Package monitor is the command that decides whether recorded histories are linearizable.
package monitor

import (
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/result"
)

// monitoring is one run of the monitor command.
type monitoring struct {
	*cli.App
	kind        history.Kind // what the inputs do not say
	format      history.Format
	printer     result.Printer
	earliest    bool
	html        string
	certificate string
	budget      cli.Budget
	live        bool // the history is decided while it is written
	stdin       io.Reader
}

// monitorWords are the flags of the monitor command as they are written.
type monitorWords struct {
	object, format string
	gen            string
	n, threads     int
	seed           uint64
	broken         bool
}

// Command makes mapatom monitor.
func Command(a *cli.App) *cobra.Command {
	m := &monitoring{App: a, printer: result.Printer{App: a}}
	w := &monitorWords{}
	cmd := &cobra.Command{
		Use:   "monitor file...",
		Short: "Decide whether recorded histories are linearizable",
		Long: `Monitor reads what was recorded of concurrent objects, which thread called what
and when, and decides for each whether some order of the operations explains
all results. If none does, it shows the few operations that contradict each
other.

A file may be interval text (METHOD VALUE START END below a header such as
"# queue"), events as JSON lines, an observation file of Line-Up, Jepsen's EDN, or
a recording of a Go program; docs/history-format.md has them all. - is the standard
input.

With -stream a recording, or a file of events, is decided while it is written,
without end, and what is wrong is printed as soon as it is known.

With -gen it writes a history instead, for tests.

Exit status: 0 every history is linearizable, 1 an input is malformed, 2 the
arguments are wrong, 3 a history is not linearizable, 4 one could not be decided
within the budget.`,
		Example: `  mapatom monitor queue.log
  mapatom monitor -object=set -json *.log
  mapatom monitor -html=why.html stack.log
  service-with-a-recorder | mapatom monitor -stream -
  mapatom monitor -gen=queue -n=1000 -threads=4 -seed=1 -broken | mapatom monitor -`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			m.stdin = cmd.InOrStdin()
			if err := m.parse(cmd, w, args); err != nil {
				return err
			}
			if w.gen != "" {
				return m.generate(w)
			}
			if m.live {
				return m.stream(args[0])
			}
			return m.run(args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&w.object, "object", "", "`kind` of the objects, if the file does not say: stack, queue,\npriorityqueue, set, register or map")
	flags.StringVar(&w.format, "format", "", "`format` of the files, if it is not clear: intervals, events,\nobservations, edn or recording")
	flags.BoolVar(&m.printer.JSON, "json", false, "print a JSON object for each object of a history, one a line")
	flags.BoolVar(&m.live, "stream", false, "decide one recording, or events, while it is written, in bounded memory")
	flags.StringVar(&m.html, "html", "", "write a page with pictures to a `file`")
	flags.BoolVar(&m.earliest, "earliest", false, "find the first return at which a history cannot be explained any more")
	flags.StringVar(&m.certificate, "certificate", "", "write what proves the verdicts to a `file`")
	m.budget.AddFlags(cmd, " on an object", "`steps` of search in one part of it")
	flags.StringVar(&w.gen, "gen", "", "write a history of this `kind` of object")
	flags.IntVarP(&w.n, "n", "n", 100, "with -gen: how many operations")
	flags.IntVar(&w.threads, "threads", 4, "with -gen: how many threads")
	flags.Uint64Var(&w.seed, "seed", 1, "with -gen: the same number gives the same history")
	flags.BoolVar(&w.broken, "broken", false, "with -gen: make it not linearizable")
	return cmd
}

// parse checks the flags against each other and reads their words.
func (m *monitoring) parse(cmd *cobra.Command, w *monitorWords, args []string) error {
	var err error
	if w.object != "" {
		if m.kind, err = history.ParseKind(w.object); err != nil {
			return cli.Misuse("-object: %v", err)
		}
	}
	if w.format != "" {
		if m.format, err = history.ParseFormat(w.format); err != nil {
			return cli.Misuse("-format: %v", err)
		}
	}
	for _, name := range []string{"n", "threads", "seed", "broken"} {
		if w.gen == "" && cmd.Flags().Changed(name) {
			return cli.Misuse("-%s is only for -gen", name)
		}
	}
	switch {
	case w.gen != "":
		return m.parseGen(cmd, args)
	case len(args) == 0:
		return cli.Misuse("monitor needs a file; - is the standard input")
	case m.live && (len(args) != 1 || m.html != "" || m.certificate != "" || m.earliest || m.budget.Timeout > 0 || !streamed(m.format)):
		return cli.Misuse("-stream takes one recording or file of events, and of the other flags -object, -json and -budget")
	case m.html != "" && m.html == m.certificate:
		return cli.Misuse("-html and -certificate name the same file")
	}
	if err := m.budget.Check(); err != nil {
		return err
	}
	return m.parseFiles(args)
}

// streamed reports whether a format can be read while it is written.
func streamed(f history.Format) bool {
	return f == history.Detect || f == history.Recorded || f == history.Events
}

func (m *monitoring) parseGen(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return cli.Misuse("-gen reads no files; there is %q", args[0])
	}
	for _, name := range []string{"object", "format", "json", "html", "earliest", "certificate", "timeout", "budget", "stream"} {
		if cmd.Flags().Changed(name) {
			return cli.Misuse("-gen and -%s exclude each other", name)
		}
	}
	return nil
}

// parseFiles refuses what would read the standard input twice or write over
// an input.
func (m *monitoring) parseFiles(args []string) error {
	for i, arg := range args {
		if arg == "-" && slices.Contains(args[:i], "-") {
			return cli.Misuse("the standard input can be read only once")
		}
		for _, out := range []string{m.html, m.certificate} {
			if out != "" && sameFile(arg, out) {
				return cli.Misuse("%s is to be read and to be written", arg)
			}
		}
	}
	return nil
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && x.Mode().IsRegular() && os.SameFile(x, y)
}

// run decides all files and prints the verdicts in the order of the files.
func (m *monitoring) run(files []string) error {
	out, err := m.open(files)
	if err != nil {
		return err
	}
	defer out.discard()
	largePages(min(memoryPerByte*totalSize(files), maxLargePages))
	m.printer.Progress = m.NewProgress(cli.Counting("reading", "deciding", "object"))
	defer m.printer.Progress.Stop()
	for _, in := range m.start(files) {
		if err := m.follow(in, out); err != nil {
			return err
		}
	}
	m.printer.Progress.Stop()
	if m.Ctx.Err() != nil {
		return m.Ctx.Err()
	}
	if m.Status == cli.Failed {
		return nil // a page or a certificate of some of the files misleads
	}
	return out.commit()
}

// What the work on a history needs in memory, by and large: so many bytes for
// each byte of the file. There is a limit since files of other formats, and
// those that come later, need less at once.
const (
	memoryPerByte = 10
	maxLargePages = 1 << 30
)

// totalSize is how many bytes there are to read, as far as is known.
func totalSize(files []string) (total int64) {
	for _, name := range files {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			total += info.Size()
		}
	}
	return total
}
