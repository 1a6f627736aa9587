package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"
)

// Budget is what a command gives up after.
type Budget struct {
	Timeout time.Duration // 0 is never
	Count   int64         // of states or steps; 0 is no bound
	// MiB is how much may be stored, for commands that store states.
	MiB int64
}

// AddFlags adds the flags for time and for a count. On says what is given up, if
// that is not all: " on an object".
func (b *Budget) AddFlags(cmd *cobra.Command, on, counted string) {
	cmd.Flags().DurationVar(&b.Timeout, "timeout", 0, "give up"+on+" after this `time`, e.g. 30s (default never)")
	cmd.Flags().Int64Var(&b.Count, "budget", 0, "give up"+on+" after this many "+counted+" (default never)")
	b.MiB = 1
}

// AddMemory adds the flag for what is stored.
func (b *Budget) AddMemory(cmd *cobra.Command, bytes int64) {
	cmd.Flags().Int64Var(&b.MiB, "memory", bytes>>20, "give up after storing this many `MiB`")
}

// Check refuses a budget that makes no sense.
func (b *Budget) Check() error {
	if b.Timeout < 0 || b.Count < 0 || b.MiB < 1 {
		return Misuse("a budget cannot be negative, and some memory is needed")
	}
	return nil
}

// Context is for the work on one thing. It ends when the time is over.
func (b *Budget) Context(ctx context.Context) (context.Context, context.CancelFunc) {
	if b.Timeout > 0 {
		return context.WithTimeout(ctx, b.Timeout)
	}
	return context.WithCancel(ctx)
}
