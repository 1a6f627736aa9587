// Package snapshot is the commands for snapshot algorithms and recorded scans.
package snapshot

import (
	"github.com/spf13/cobra"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
)

// Command makes mapatom snapshot.
func Command(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "snapshot",
		Short: "Verify snapshot algorithms, and test recorded scans",
		Long: `A snapshot object is an array whose segments are written one at a time and read
several at once, by scans. A map whose keys are read together is one.

  verify   explores all that the processes of a snapshot algorithm can do
  test     decides whether recorded updates and scans are linearizable
  gen      writes a history, for tests

docs/snapshot.md has the method and what it takes.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.Misuse("there is no command \"snapshot %s\"", args[0])
			}
			return cli.Misuse("snapshot needs verify, test or gen")
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	cmd.AddCommand(verifyCommand(a), testCommand(a), genCommand(a))
	return cmd
}
