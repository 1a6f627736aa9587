package main

import (
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/mapatom/mapatom/checker/history"
)

// exitUnknown is the status if a history could not be decided within the
// budget, and none is a violation.
const exitUnknown = 4

// monitoring is one run of the monitor command.
type monitoring struct {
	*app
	kind        history.Kind // what the inputs do not say
	format      history.Format
	json        bool
	earliest    bool
	html        string
	certificate string
	timeout     time.Duration
	steps       int64
	stdin       io.Reader
	progress    *progress
}

// monitorWords are the flags of the monitor command as they are written.
type monitorWords struct {
	object, format string
	gen            string
	n, threads     int
	seed           uint64
	broken         bool
}

func (a *app) monitorCommand() *cobra.Command {
	m := &monitoring{app: a}
	w := &monitorWords{}
	cmd := &cobra.Command{
		Use:   "monitor file...",
		Short: "Decide whether recorded histories are linearizable",
		Long: `Monitor reads what was recorded of concurrent objects, which thread called what
and when, and decides for each whether some order of the operations explains
all results. If none does, it shows the few operations that contradict each
other.

A file may be interval text (METHOD VALUE START END below a header such as
"# queue"), events as JSON lines, an observation file of Line-Up, or Jepsen's
EDN; docs/history-format.md has them all. - is the standard input.

With -gen it writes a history instead, for tests.

Exit status: 0 every history is linearizable, 1 an input is malformed, 2 the
arguments are wrong, 3 a history is not linearizable, 4 one could not be decided
within the budget.`,
		Example: `  mapatom monitor queue.log
  mapatom monitor -object=set -json *.log
  mapatom monitor -html=why.html stack.log
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
			return m.run(args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&w.object, "object", "", "`kind` of the objects, if the file does not say: stack, queue,\npriorityqueue, set, register or map")
	flags.StringVar(&w.format, "format", "", "`format` of the files, if it is not clear: intervals, events,\nobservations or edn")
	flags.BoolVar(&m.json, "json", false, "print a JSON object for each object of a history, one a line")
	flags.StringVar(&m.html, "html", "", "write a page with pictures to a `file`")
	flags.BoolVar(&m.earliest, "earliest", false, "find the first return at which a history cannot be explained any more")
	flags.StringVar(&m.certificate, "certificate", "", "write what proves the verdicts to a `file`")
	flags.DurationVar(&m.timeout, "timeout", 0, "give up on an object after this `time`, e.g. 30s (default never)")
	flags.Int64Var(&m.steps, "budget", 0, "give up on a part of an object after this many `steps` of search (default never)")
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
			return misuse("-object: %v", err)
		}
	}
	if w.format != "" {
		if m.format, err = history.ParseFormat(w.format); err != nil {
			return misuse("-format: %v", err)
		}
	}
	for _, name := range []string{"n", "threads", "seed", "broken"} {
		if w.gen == "" && cmd.Flags().Changed(name) {
			return misuse("-%s is only for -gen", name)
		}
	}
	switch {
	case w.gen != "":
		return m.parseGen(cmd, args)
	case len(args) == 0:
		return misuse("monitor needs a file; - is the standard input")
	case m.timeout < 0 || m.steps < 0:
		return misuse("a budget cannot be negative")
	case m.html != "" && m.html == m.certificate:
		return misuse("-html and -certificate name the same file")
	}
	return m.parseFiles(args)
}

func (m *monitoring) parseGen(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return misuse("-gen reads no files; there is %q", args[0])
	}
	for _, name := range []string{"object", "format", "json", "html", "earliest", "certificate", "timeout", "budget"} {
		if cmd.Flags().Changed(name) {
			return misuse("-gen and -%s exclude each other", name)
		}
	}
	return nil
}

// parseFiles refuses what would read the standard input twice or write over
// an input.
func (m *monitoring) parseFiles(args []string) error {
	for i, arg := range args {
		if arg == "-" && slices.Contains(args[:i], "-") {
			return misuse("the standard input can be read only once")
		}
		for _, out := range []string{m.html, m.certificate} {
			if out != "" && sameFile(arg, out) {
				return misuse("%s is to be read and to be written", arg)
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
	m.progress = newProgress(m.stderr)
	defer m.progress.stop()
	for _, in := range m.start(files) {
		if err := m.follow(in, out); err != nil {
			return err
		}
	}
	m.progress.stop()
	if m.ctx.Err() != nil {
		return m.ctx.Err()
	}
	if m.status == exitFailed {
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

// raise keeps the status that says most: that something is malformed, then a
// violation, then what is unknown.
func (m *monitoring) raise(status int) {
	rank := func(s int) int { return slices.Index([]int{exitClean, exitUnknown, exitFindings, exitFailed}, s) }
	if rank(status) > rank(m.status) {
		m.status = status
	}
}
