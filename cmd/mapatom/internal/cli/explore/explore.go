// Package explore is the command that explores models.
package explore

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/internal/checker/explore"
	"github.com/mapatom/mapatom/internal/checker/explore/models"
	"github.com/mapatom/mapatom/internal/checker/explore/reach"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

// exploring is one run of the explore command.
type exploring struct {
	*cli.App
	model  models.Entry
	bounds explore.Bounds
	mode   explore.Mode
	full   bool
	json   bool
	html   string
	budget cli.Budget
	replay string
	soFar  atomic.Pointer[explore.Result]
}

// exploreWords are the flags of the explore command as they are written.
type exploreWords struct {
	list bool
	mode string
}

// Command makes mapatom explore.
func Command(a *cli.App) *cobra.Command {
	x := &exploring{App: a}
	w := &exploreWords{}
	cmd := &cobra.Command{
		Use:   "explore MODEL",
		Short: "Explore every run of a model of a concurrent object",
		Long: `Explore runs a model of a concurrent object, a program of small steps, in every
way in which its threads can be interleaved, each thread with as many operations
as the bounds allow and every choice of them. It decides whether all histories are
linearizable, and shows the shortest run whose history is not.

The mode says what is kept of the history: sound (what it can mean, and a state
that is found again is given up only if that loses nothing), internal (all of it,
in the state), external (nothing: fast, but it misses violations), or points (the
object itself, changed where the model says that operations take effect).
docs/spin.md compares them. Algorithms of snapshot objects have a command of their
own, mapatom snapshot verify.

Exit status: 0 no violation within the bounds, 1 it cannot be explored, 2 the
arguments are wrong, 3 a history is not linearizable, 4 not decided within the
budget.`,
		Example: `  mapatom explore -list
  mapatom explore snark-2
  mapatom explore -threads=3 -ops=2 -mode=external -json ms-queue
  mapatom explore -replay='1:operation2 1:operation1' counter`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if w.list {
				return x.list(args)
			}
			if err := x.parse(cmd, w, args); err != nil {
				return err
			}
			if cmd.Flags().Changed("replay") {
				return x.runReplay()
			}
			return x.run()
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&w.list, "list", false, "list the models")
	flags.StringVar(&w.mode, "mode", "sound", "`what` is kept of the history: sound, internal, external or points")
	flags.IntVar(&x.bounds.Threads, "threads", 0, "how many threads (default as -list shows)")
	flags.IntVar(&x.bounds.Operations, "ops", 0, "how many operations each thread calls (default as -list shows)")
	flags.BoolVar(&x.full, "full", false, "no reductions: every small step by itself, and states that differ in names only\nare different")
	flags.BoolVar(&x.json, "json", false, "print the result as JSON")
	flags.StringVar(&x.html, "html", "", "write a page with the picture of a violation to a `file`")
	flags.StringVar(&x.replay, "replay", "", "run the model by a `schedule`, as a violation gives it, and show the run")
	x.budget.AddFlags(cmd, "", "stored `states`")
	x.budget.AddMemory(cmd, reach.DefaultMemory)
	return cmd
}

// parse checks the flags against each other and reads their words.
func (x *exploring) parse(cmd *cobra.Command, w *exploreWords, args []string) error {
	if len(args) != 1 {
		return cli.Misuse("explore needs the name of one model; -list has them")
	}
	entry, err := models.Find(args[0])
	if err != nil {
		return cli.Misuse("%v", err)
	}
	x.model = entry
	if x.mode, err = explore.ParseMode(w.mode); err != nil {
		return cli.Misuse("-mode: %v", err)
	}
	if x.mode == explore.Points && !entry.Points {
		return cli.Misuse("-mode=points: %s does not say where its operations take effect", entry.Name)
	}
	if !cmd.Flags().Changed("threads") {
		x.bounds.Threads = entry.Bounds.Threads
	}
	if !cmd.Flags().Changed("ops") {
		x.bounds.Operations = entry.Bounds.Operations
	}
	if err := x.bounds.Check(); err != nil {
		return cli.Misuse("-threads and -ops: %v", err)
	}
	if err := x.budget.Check(); err != nil {
		return err
	}
	if cmd.Flags().Changed("replay") {
		for _, name := range []string{"mode", "timeout", "budget", "memory"} {
			if cmd.Flags().Changed(name) {
				return cli.Misuse("-replay and -%s exclude each other", name)
			}
		}
	}
	return nil
}

// list prints the models.
func (x *exploring) list(args []string) error {
	if len(args) > 0 {
		return cli.Misuse("-list takes no arguments; there is %q", args[0])
	}
	var out strings.Builder
	for _, e := range models.All() {
		faulty := ""
		if e.Faulty {
			faulty = "; faulty"
		}
		fmt.Fprintf(&out, "%-18s %s\n%-18s %d threads, %d operations each%s\n", e.Name, e.About, "", e.Bounds.Threads, e.Bounds.Operations, faulty)
	}
	_, err := fmt.Fprint(x.Stdout, out.String())
	return err
}

// run explores the model and prints what came out.
func (x *exploring) run() error {
	r, err := x.explore()
	if err != nil {
		return cli.Cannot("Choose smaller bounds, or report it with the command that you ran.", "%v", err)
	}
	if err := x.print(&r); err != nil {
		return err
	}
	return x.Ctx.Err()
}

// explore explores the model within the budget.
func (x *exploring) explore() (explore.Result, error) {
	ctx, cancel := x.budget.Context(x.Ctx)
	defer cancel()
	progress := x.NewProgress(x.doing)
	defer progress.Stop()
	return explore.Explore(ctx, x.model.New(x.bounds), explore.Options{
		Mode: x.mode, Full: x.full, States: x.budget.Count, Memory: x.budget.MiB << 20,
		Progress: func(r explore.Result) { x.soFar.Store(&r) },
	})
}

// doing says what the exploration is at.
func (x *exploring) doing(int, int) string {
	r := x.soFar.Load()
	if r == nil {
		return "exploring"
	}
	return fmt.Sprintf("exploring, step %d, %s", r.Depth, witness.Count(int(r.Stored), "state"))
}

// runReplay runs the model by a schedule and shows it.
func (x *exploring) runReplay() error {
	trace, err := explore.Replay(x.model.New(x.bounds), x.replay, x.full)
	if err != nil {
		return cli.Misuse("-replay: %v", err)
	}
	r := explore.Result{Verdict: reach.OK, Trace: trace}
	if trace.Wrong {
		r.Verdict = reach.Violation
	}
	return x.print(&r)
}
