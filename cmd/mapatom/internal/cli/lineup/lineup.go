// Package lineup is the command that checks a type by running it.
package lineup

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mapatom/mapatom/checker/lineup"
	"github.com/mapatom/mapatom/checker/sched"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/internal/checker/subject"
)

// lining is one run of the lineup command.
type lining struct {
	*cli.App
	words   lineupWords
	subject subject.Options
	request lineup.Request
	// calls are those of the tests and sequences that were given in words.
	calls     []lineup.Call
	memory    bool
	deps      []string
	against   string
	processes int
	timeout   time.Duration
	limit     int64 // bytes of memory of a process
	allowIO   bool
	json      bool
	table     bool
	html      string
	regress   string
	observe   string
	progress  *cli.Progress
}

// lineupWords are the flags of the lineup command as they are written.
type lineupWords struct {
	tests                       []string
	initial, final, invocations string
	sequences                   []string
	values                      []string
	dimension, granularity      string
	preemptions                 string
	replay                      string
	memory                      int
}

// Command makes mapatom lineup.
func Command(a *cli.App) *cobra.Command {
	l := &lining{App: a}
	w := &l.words
	cmd := &cobra.Command{
		Use:   "lineup PKG.TYPE",
		Short: "Check that a concurrent type is linearizable, by running it",
		Long: `Lineup runs the methods of a type in several goroutines, under a scheduler that
decides who goes on at each step, and looks at what they return. A type is
linearizable if every result can be explained by some order of the calls. What
the calls should return is found out by making them one after the other, so that
no specification is needed, and a failure is one whatever it is. The subject is
the compiled code; no file is changed. ` + cli.FenceHelp + `

PKG.TYPE is a type or, as PKG.NewFunc, a function that makes one. The package is
one of this module (./queue.Queue), or a dependency that it imports; a generic
type may be instantiated (./queue.Queue[string]).

Exit status: 0 nothing was found, 1 the type could not be checked, 2 the arguments
are wrong, 3 it is not linearizable, 4 nothing was found, and some tests came to
no end or were not checked: no call could be interrupted in them.`,
		Example: `  mapatom lineup ./queue.Queue
  mapatom lineup -test='Add(200) Add(400) | Take() TryTake()' ./queue.Queue
  mapatom lineup -against=Model -granularity=memory ./counter.Counter
  mapatom lineup -methods=Load,Store,Clear github.com/puzpuzpuz/xsync/v4.Map`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Misuse("lineup needs one type with its package, such as ./queue.Queue")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := l.parse(cmd); err != nil {
				return err
			}
			return l.run(args[0])
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&w.tests, "test", nil, "check this `test` instead of random ones: 'Add(1) Take() | Take()'")
	flags.IntVarP(&l.request.Samples, "n", "n", lineup.DefaultSamples, "how many random tests")
	flags.StringVar(&w.dimension, "dim", "3x3", "threads and calls of a random test")
	flags.Uint64Var(&l.request.Seed, "seed", 1, "the same number gives the same random tests")
	flags.IntVar(&l.request.Auto, "auto", 0, "check all tests of 1x1, 2x2, ... up to this `side`, instead of\nrandom ones")
	flags.StringVar(&w.initial, "initial", "", "`calls` before the threads start")
	flags.StringVar(&w.final, "final", "", "`calls` after the threads have ended")
	flags.StringVar(&w.invocations, "invocations", "", "make random tests of these `calls` only")
	flags.StringArrayVar(&w.sequences, "sequence", nil, "make random tests of this sequence of `calls`, and of others that\nare given, in the place of single calls")
	flags.StringSliceVar(&l.subject.Methods, "methods", nil, "call these `methods` only")
	flags.StringSliceVar(&l.subject.Skip, "skip", nil, "do not call these `methods`")
	flags.StringSliceVar(&l.subject.Unordered, "unordered", nil, "`methods` that return a list whose order does not matter")
	flags.StringArrayVar(&w.values, "values", nil, "arguments for a `type`: 'int=1, 2'")
	flags.StringVar(&l.subject.Constructor, "new", "", "make objects with this `function` of the package; zero asks for\nthe zero value")
	flags.StringVar(&l.against, "against", "", "take this `type` of the package as the specification")
	flags.StringVar(&w.preemptions, "preemptions", "", "how often calls are interrupted in an execution, or any\n(default 2, and more of them when that is done)")
	flags.DurationVar(&l.request.Time, "time", 0, "go on with more preemptions for this `time` in all, whatever\n-executions says")
	flags.IntVar(&l.request.Options.MaxExecutions, "executions", lineup.DefaultExecutions, "bound on the concurrent executions of a test, 0 for none; the second\nhalf are drawn at random if the first is not enough")
	flags.StringVar(&w.granularity, "granularity", "sync", "switch threads at synchronization (sync), or also where they read\nand write plain memory (memory)")
	flags.StringSliceVar(&l.deps, "deps", nil, "instrument these dependencies too (`paths` of packages or modules)")
	flags.StringVar(&w.replay, "replay", "", "run the only -test under this `schedule`")
	flags.BoolVar(&l.request.All, "all", false, "go on after the first test that fails")
	flags.DurationVar(&l.timeout, "timeout", 0, "end after this `time` (default never)")
	flags.DurationVar(&l.request.TestTimeout, "test-timeout", time.Minute, "give up on a test after this `time`")
	flags.IntVarP(&l.processes, "p", "p", runtime.NumCPU(), "check tests in this many processes")
	flags.IntVar(&w.memory, "memory", 4096, "end a process that needs more `megabytes`")
	flags.BoolVar(&l.allowIO, "allow-io", false, "run code that reaches files, the network or other processes,\nwithout a fence around it")
	flags.BoolVar(&l.json, "json", false, "print a JSON object for each test, one a line")
	flags.BoolVar(&l.table, "table", false, "print the summary as a row of a table")
	flags.StringVar(&l.html, "html", "", "write a page with pictures of the failure to a `file`")
	flags.StringVar(&l.regress, "regress", "", "write a Go test of the smallest failing test to a `file`")
	flags.StringVar(&l.observe, "observations", "", "write the serial histories of the only -test to a `file`")
	return cmd
}

// parse reads the words of the flags and checks them against each other.
func (l *lining) parse(cmd *cobra.Command) error {
	w, q := &l.words, &l.request
	for _, read := range []func() error{l.parseTests, l.parseShape, l.parseValues} {
		if err := read(); err != nil {
			return err
		}
	}
	switch w.granularity {
	case "sync":
	case "memory":
		l.memory = true
	default:
		return cli.Misuse("-granularity: found %q, want sync or memory", w.granularity)
	}
	if err := l.parsePreemptions(); err != nil {
		return err
	}
	if w.replay != "" {
		if _, err := sched.Parse(w.replay); err != nil {
			return cli.Misuse("-replay: %v", err)
		}
		q.Schedule = w.replay
	}
	if len(q.Tests) > 0 && !cmd.Flags().Changed("executions") {
		q.Options.MaxExecutions = executionsOfGiven
	}
	q.Observe = l.observe != ""
	q.Against = l.against != ""
	l.limit = int64(w.memory) << 20
	return l.exclude(cmd)
}

// executionsOfGiven is the bound for tests that are given in words: there are
// few, and they are meant.
const executionsOfGiven = 1_000_000

// exclude refuses flags that contradict each other.
func (l *lining) exclude(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	tests := len(l.request.Tests)
	switch {
	case (l.request.Schedule != "" || l.request.Observe) && tests != 1:
		return cli.Misuse("-replay and -observations need exactly one -test")
	case l.request.Schedule != "" && l.request.Observe:
		return cli.Misuse("-replay and -observations exclude each other")
	case tests > 0 && (changed("auto") || changed("n") || changed("dim") || changed("seed") || changed("invocations") || changed("sequence")):
		return cli.Misuse("-test excludes -auto, -n, -dim, -seed, -invocations and -sequence")
	case changed("auto") && (changed("n") || changed("dim") || changed("seed")):
		return cli.Misuse("-auto excludes -n, -dim and -seed")
	case changed("invocations") && changed("methods"):
		return cli.Misuse("-invocations and -methods exclude each other")
	case l.request.Samples < 1 || l.request.Auto < 0 || l.request.Options.MaxExecutions < 0 || l.processes < 1 || l.timeout < 0 || l.request.Time < 0 || l.request.TestTimeout < 0 || l.words.memory < 1:
		return cli.Misuse("a number of tests, executions, processes or megabytes, or a time, is too small")
	case l.json && l.table:
		return cli.Misuse("-json and -table exclude each other")
	}
	return nil
}

func (l *lining) parseTests() error {
	w, q := &l.words, &l.request
	var err error
	if q.Shape.Initial, err = parseCalls("initial", w.initial); err != nil {
		return err
	}
	if q.Shape.Final, err = parseCalls("final", w.final); err != nil {
		return err
	}
	only, err := parseCalls("invocations", w.invocations)
	if err != nil {
		return err
	}
	for _, c := range only {
		q.Shape.Sequences = append(q.Shape.Sequences, []lineup.Call{c})
	}
	for _, text := range w.sequences {
		calls, err := parseCalls("sequence", text)
		if err != nil {
			return err
		}
		q.Shape.Sequences = append(q.Shape.Sequences, calls)
	}
	l.calls = slices.Concat(q.Shape.Initial, q.Shape.Final, slices.Concat(q.Shape.Sequences...))
	for _, text := range w.tests {
		m, err := lineup.ParseTest(text)
		if err != nil {
			return cli.Misuse("-test: %v", err)
		}
		m.Initial = slices.Concat(q.Shape.Initial, m.Initial)
		m.Final = slices.Concat(m.Final, q.Shape.Final)
		q.Tests = append(q.Tests, m)
		l.calls = append(l.calls, m.All()...)
	}
	return nil
}

func parseCalls(flag, text string) ([]lineup.Call, error) {
	calls, err := lineup.ParseCalls(text)
	if err != nil {
		return nil, cli.Misuse("-%s: %v", flag, err)
	}
	return calls, nil
}

func (l *lining) parseShape() error {
	s := &l.request.Shape
	var rest string
	n, err := fmt.Sscanf(l.words.dimension+" ", "%dx%d%s", &s.Threads, &s.Calls, &rest)
	if n != 2 || err == nil || s.Threads < 1 || s.Calls < 1 || s.Threads > 26 {
		return cli.Misuse("-dim: found %q, want threads and calls, such as 3x3", l.words.dimension)
	}
	return nil
}

func (l *lining) parsePreemptions() error {
	p := &l.request.Options.Preemptions
	switch text := l.words.preemptions; text {
	case "":
	case "any":
		*p = lineup.Unbounded
	case "0":
		*p = lineup.NoPreemptions
	default:
		if n, err := fmt.Sscan(text, p); n != 1 || err != nil || *p < 0 {
			return cli.Misuse("-preemptions: found %q, want a number or any", text)
		}
	}
	return nil
}

func (l *lining) parseValues() error {
	l.subject.Values = map[string][]string{}
	for _, text := range l.words.values {
		typ, list, ok := strings.Cut(text, "=")
		args, err := lineup.ParseCalls("V(" + list + ")")
		if !ok || err != nil || len(args) != 1 || len(args[0].Args) == 0 {
			return cli.Misuse("-values: found %q, want a type and expressions, such as 'int=1, 2'", text)
		}
		l.subject.Values[strings.TrimSpace(typ)] = args[0].Args
	}
	return nil
}
