package snapshot

import (
	"bufio"

	"github.com/spf13/cobra"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/internal/checker/snapshot"
)

func genCommand(a *cli.App) *cobra.Command {
	var g snapshot.Generator
	cmd := &cobra.Command{
		Use:   "gen",
		Short: "Write a history of a snapshot object, for tests",
		Long: `Gen runs an atomic snapshot object under random scheduling and writes what its
processes invoked and what returned, as events. Two of the processes change
their segments, once. The same flags give the same history.`,
		Example: `  mapatom snapshot gen -n=10 -length=1000 -seed=7 -broken | mapatom snapshot test -`,
		Args:    cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if g.Processes < 2 || g.Length < 1 {
				return cli.Misuse("-n must be at least 2 and -length at least 1")
			}
			h := g.Simple()
			if h == nil {
				return cli.Misuse("-broken needs a longer history than %d actions", g.Length)
			}
			out := bufio.NewWriterSize(a.Stdout, 1<<16)
			if err := history.WriteEvents(out, h.Record()); err != nil {
				return err
			}
			return out.Flush()
		},
	}
	flags := cmd.Flags()
	flags.IntVarP(&g.Processes, "n", "n", 5, "how many processes")
	flags.IntVar(&g.Length, "length", 200, "how many invocations and returns")
	flags.Uint64Var(&g.Seed, "seed", 1, "the same number gives the same history")
	flags.BoolVar(&g.Broken, "broken", false, "change the last scans so that it is not linearizable")
	return cmd
}
