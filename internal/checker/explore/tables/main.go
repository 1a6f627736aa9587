// Command tables prints the tables of docs/spin.md: models explored in every
// mode at the bounds that the SPIN paper has, or nearest to them.
//
//	go run ./internal/checker/explore/tables
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/mapatom/mapatom/internal/checker/explore"
	"github.com/mapatom/mapatom/internal/checker/explore/models"
	"github.com/mapatom/mapatom/internal/checker/explore/reach"
)

// states is what an exploration may store before it is given up.
const states = 5_000_000

func main() {
	if err := tables(); err != nil {
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(1)
	}
}

func tables() error {
	fmt.Println("Faults:")
	if err := table("treiber-aba 2×4", "shann-queue 2×2", "snark-1 2×2", "snark-2 3×2"); err != nil {
		return err
	}
	fmt.Println("\nThe concurrent set:")
	if err := table("list-set 2×1", "list-set 2×2", "list-set 2×3", "list-set 3×2"); err != nil {
		return err
	}
	fmt.Println("\nCorrect models:")
	return table("treiber 2×3", "shann-queue-fixed 2×2", "shann-queue-fixed 2×3", "ms-queue 2×2", "ms-queue 2×3", "snark-fixed 2×2", "snark-fixed 3×2")
}

// table explores models, each named with its threads and the operations of
// each thread.
func table(rows ...string) error {
	fmt.Println("\n| model | mode | verdict | stored | matched | histories | steps | MiB | seconds |\n|---|---|---|---:|---:|---:|---:|---:|---:|")
	for _, row := range rows {
		var name string
		var b explore.Bounds
		if _, err := fmt.Sscanf(row, "%s %d×%d", &name, &b.Threads, &b.Operations); err != nil {
			return fmt.Errorf("%q: %w", row, err)
		}
		entry, err := models.Find(name)
		if err != nil {
			return err
		}
		for _, mode := range []explore.Mode{explore.Sound, explore.External, explore.Internal, explore.Points} {
			if mode == explore.Points && !entry.Points {
				continue
			}
			r, err := explore.Explore(context.Background(), entry.New(b), explore.Options{Mode: mode, States: states})
			if err != nil {
				return err
			}
			more := ""
			if r.Verdict == reach.Unknown {
				more = "> "
			}
			fmt.Printf("| %s | %s | %s | %s%d | %d | %d | %d | %.1f | %.2f |\n", row, mode, r.Verdict, more, r.Stored, r.Matched, r.Histories,
				r.Depth, float64(r.Bytes)/(1<<20), r.Elapsed.Round(10*time.Millisecond).Seconds())
		}
	}
	return nil
}
