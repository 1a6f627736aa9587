package snapshot

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/result"
	"github.com/mapatom/mapatom/internal/checker/explore/reach"
	"github.com/mapatom/mapatom/internal/checker/snapshot/algorithm"
	"github.com/mapatom/mapatom/internal/checker/snapshot/verify"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

// verifying is one run of the snapshot verify command.
type verifying struct {
	*cli.App
	options    verify.Options
	algorithms []algorithm.Info
	printer    result.Printer
	steps      bool
	replay     string
	budget     cli.Budget
	soFar      atomic.Pointer[string]
}

// verifyWords are the flags of the command as they are written.
type verifyWords struct {
	algorithm, mode string
	pair            []int
	list            bool
}

func verifyCommand(a *cli.App) *cobra.Command {
	v := &verifying{App: a, printer: result.Printer{App: a}}
	w := &verifyWords{}
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Explore all that a snapshot algorithm can do",
		Long: `Verify explores every interleaving of the processes of a snapshot algorithm of the
literature, with any number of operations unless -ops bounds it, and decides
whether all histories are linearizable. If one is not, it shows one with as few
operations as that takes.

The mode says which executions are explored, and how: polynomial (simple
executions: two processes change their segments, once; against automata), simple
(the same, against all linearizations), normal (all executions, against all
linearizations). All three give the same answer; docs/snapshot.md says why, and
what they take.

Exit status: 0 linearizable, 1 it cannot be explored, 2 the arguments are wrong,
3 not linearizable, 4 not decided within the budget.`,
		Example: `  mapatom snapshot verify -list
  mapatom snapshot verify -algorithm=riany -n=3
  mapatom snapshot verify -algorithm=jayanti -n=10 -buggy -steps
  mapatom snapshot verify -algorithm=bowman -buggy -replay='2:scan 2 0:update(1) 0'
  mapatom snapshot verify -algorithm=afek-bounded -ops=1 -mode=normal -json`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if w.list {
				return v.list()
			}
			if err := v.parse(cmd, w); err != nil {
				return err
			}
			if cmd.Flags().Changed("replay") {
				return v.runReplay()
			}
			return v.run()
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&w.list, "list", false, "list the algorithms and their bugs")
	flags.StringVar(&w.algorithm, "algorithm", "", "one of those that -list shows (default all)")
	flags.IntVarP(&v.options.Processes, "n", "n", 3, "how many processes")
	flags.BoolVar(&v.options.Buggy, "buggy", false, "the variant with the bug")
	flags.StringVar(&w.mode, "mode", "polynomial", "normal, simple or polynomial")
	flags.IntVar(&v.options.Operations, "ops", 0, "how many operations each process invokes at most (default any number)")
	flags.IntSliceVar(&w.pair, "pair", nil, "the two `processes` that change their segments, e.g. 0,1 (default all pairs)")
	flags.BoolVar(&v.options.Full, "full", false, "leave nothing out: all segments are read, and steps and states that come to the\nsame are kept apart")
	flags.BoolVar(&v.steps, "steps", false, "print each step of a violation")
	flags.StringVar(&v.replay, "replay", "", "run the -algorithm by a `schedule`, as a violation gives it, and show the run")
	flags.BoolVar(&v.printer.JSON, "json", false, "print a JSON object for each algorithm, one a line")
	flags.StringVar(&v.printer.HTML, "html", "", "write a page with pictures of violations to a `file`")
	v.budget.AddFlags(cmd, " on an algorithm", "stored `states`")
	v.budget.AddMemory(cmd, reach.DefaultMemory)
	return cmd
}

// parse checks the flags and reads their words.
func (v *verifying) parse(cmd *cobra.Command, w *verifyWords) error {
	var err error
	if v.options.Mode, err = verify.ParseMode(w.mode); err != nil {
		return cli.Misuse("-mode: %v", err)
	}
	for _, info := range algorithm.All() {
		if w.algorithm == "" || w.algorithm == info.Name {
			v.algorithms = append(v.algorithms, info)
		}
	}
	switch {
	case len(v.algorithms) == 0:
		return cli.Misuse("-algorithm: unknown algorithm %q; -list has them", w.algorithm)
	case cmd.Flags().Changed("pair") && len(w.pair) != 2:
		return cli.Misuse("-pair needs two processes, e.g. 0,1")
	case w.pair != nil:
		v.options.Pair = &[2]int{w.pair[0], w.pair[1]}
	}
	if err := v.budget.Check(); err != nil {
		return err
	}
	v.options.States, v.options.Memory = v.budget.Count, v.budget.MiB<<20
	if !cmd.Flags().Changed("replay") {
		return nil
	}
	if w.algorithm == "" {
		return cli.Misuse("-replay needs an -algorithm")
	}
	for _, name := range []string{"timeout", "budget", "memory"} {
		if cmd.Flags().Changed(name) {
			return cli.Misuse("-replay and -%s exclude each other", name)
		}
	}
	return nil
}

// list prints the algorithms.
func (v *verifying) list() error {
	for _, info := range algorithm.All() {
		if _, err := fmt.Fprintf(v.Stdout, "%-15s %s\n%-15s with -buggy: %s\n", info.Name, info.Title, "", info.Bug); err != nil {
			return err
		}
	}
	return nil
}

// run verifies the algorithms one after the other.
func (v *verifying) run() error {
	for _, info := range v.algorithms {
		r, err := v.verify(info)
		if err != nil {
			return cli.Misuse("%v", err)
		}
		if err := v.print(info, &r); err != nil {
			return err
		}
		if v.Ctx.Err() != nil {
			return v.Ctx.Err()
		}
	}
	return v.printer.Close("snapshot algorithms")
}

// runReplay runs the algorithm by a schedule and shows it.
func (v *verifying) runReplay() error {
	o := v.options
	o.Algorithm = v.algorithms[0].Name
	trace, wrong, err := verify.Replay(o, v.replay)
	if err != nil {
		return cli.Misuse("-replay: %v", err)
	}
	r := verify.Result{Verdict: reach.OK, Trace: trace}
	if wrong {
		r.Verdict = reach.Violation
	}
	v.steps = true
	if err := v.print(v.algorithms[0], &r); err != nil {
		return err
	}
	return v.printer.Close("snapshot algorithms")
}

// verify verifies one algorithm within the budget.
func (v *verifying) verify(info algorithm.Info) (verify.Result, error) {
	ctx, cancel := v.budget.Context(v.Ctx)
	defer cancel()
	v.soFar.Store(&info.Name)
	progress := v.NewProgress(func(int, int) string { return *v.soFar.Load() })
	defer progress.Stop()
	o := v.options
	o.Algorithm = info.Name
	o.Progress = func(p verify.Progress) {
		text := fmt.Sprintf("%s, %s of %d at work, %s begun, %s", info.Name, witness.Count(p.Processes, "process"), o.Processes,
			witness.Count(p.Operations, "operation"), witness.Count(int(p.Stored), "state"))
		v.soFar.Store(&text)
	}
	return verify.Run(ctx, o)
}

// name is what the algorithm is called in what is printed.
func (v *verifying) name(info algorithm.Info) string {
	name := fmt.Sprintf("%s, %d processes", info.Name, v.options.Processes)
	if v.options.Buggy {
		name = strings.Replace(name, ",", " with a bug,", 1)
	}
	return name
}
