package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/mapatom/mapatom/checker/explore/reach"
	"github.com/mapatom/mapatom/checker/snapshot/algorithm"
	"github.com/mapatom/mapatom/checker/snapshot/verify"
	"github.com/mapatom/mapatom/checker/witness"
)

// verifying is one run of the snapshot verify command.
type verifying struct {
	*app
	options    verify.Options
	algorithms []algorithm.Info
	json       bool
	steps      bool
	html       string
	replay     string
	timeout    time.Duration
	soFar      atomic.Pointer[string]
	pictures   []*witness.Picture
}

// verifyWords are the flags of the command as they are written.
type verifyWords struct {
	algorithm, mode string
	pair            []int
	list            bool
	memory          int64 // MiB
}

func (a *app) snapshotVerifyCommand() *cobra.Command {
	v := &verifying{app: a}
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
		Args: noArguments,
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
	flags.BoolVar(&v.json, "json", false, "print a JSON object for each algorithm, one a line")
	flags.StringVar(&v.html, "html", "", "write a page with pictures of violations to a `file`")
	flags.DurationVar(&v.timeout, "timeout", 0, "give up on an algorithm after this `time`, e.g. 10m (default never)")
	flags.Int64Var(&v.options.States, "budget", 0, "give up after storing this many `states` (default never)")
	flags.Int64Var(&w.memory, "memory", reach.DefaultMemory>>20, "give up after storing this many `MiB`")
	return cmd
}

// parse checks the flags and reads their words.
func (v *verifying) parse(cmd *cobra.Command, w *verifyWords) error {
	var err error
	if v.options.Mode, err = verify.ParseMode(w.mode); err != nil {
		return misuse("-mode: %v", err)
	}
	for _, info := range algorithm.All() {
		if w.algorithm == "" || w.algorithm == info.Name {
			v.algorithms = append(v.algorithms, info)
		}
	}
	switch {
	case len(v.algorithms) == 0:
		return misuse("-algorithm: unknown algorithm %q; -list has them", w.algorithm)
	case cmd.Flags().Changed("pair") && len(w.pair) != 2:
		return misuse("-pair needs two processes, e.g. 0,1")
	case v.timeout < 0 || v.options.States < 0 || w.memory < 1:
		return misuse("a budget cannot be negative, and some memory is needed")
	case w.pair != nil:
		v.options.Pair = &[2]int{w.pair[0], w.pair[1]}
	}
	v.options.Memory = w.memory << 20
	if !cmd.Flags().Changed("replay") {
		return nil
	}
	if w.algorithm == "" {
		return misuse("-replay needs an -algorithm")
	}
	for _, name := range []string{"timeout", "budget", "memory"} {
		if cmd.Flags().Changed(name) {
			return misuse("-replay and -%s exclude each other", name)
		}
	}
	return nil
}

// list prints the algorithms.
func (v *verifying) list() error {
	for _, info := range algorithm.All() {
		if _, err := fmt.Fprintf(v.stdout, "%-15s %s\n%-15s with -buggy: %s\n", info.Name, info.Title, "", info.Bug); err != nil {
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
			return misuse("%v", err)
		}
		if err := v.print(info, &r); err != nil {
			return err
		}
		if v.ctx.Err() != nil {
			return v.ctx.Err()
		}
	}
	return v.writePage()
}

// writePage writes the page, if one is wanted.
func (v *verifying) writePage() error {
	if v.html == "" {
		return nil
	}
	return v.writeFile(v.html, func(out io.Writer) error {
		return witness.WriteHTML(out, "snapshot algorithms", v.pictures...)
	})
}

// runReplay runs the algorithm by a schedule and shows it.
func (v *verifying) runReplay() error {
	o := v.options
	o.Algorithm = v.algorithms[0].Name
	trace, wrong, err := verify.Replay(o, v.replay)
	if err != nil {
		return misuse("-replay: %v", err)
	}
	r := verify.Result{Verdict: verify.OK, Trace: trace}
	if wrong {
		r.Verdict = verify.Violation
	}
	v.steps = true
	if err := v.print(v.algorithms[0], &r); err != nil {
		return err
	}
	return v.writePage()
}

// verify verifies one algorithm within the budget.
func (v *verifying) verify(info algorithm.Info) (verify.Result, error) {
	ctx, cancel := v.ctx, context.CancelFunc(func() {})
	if v.timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, v.timeout)
	}
	defer cancel()
	v.soFar.Store(&info.Name)
	progress := newProgressOf(v.stderr, func() string { return *v.soFar.Load() })
	defer progress.stop()
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
