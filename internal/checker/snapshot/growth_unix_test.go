//go:build unix

package snapshot

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// processorTime is what this process has had of the processors: other than the
// clock it does not go on while others have them.
func processorTime(t *testing.T) time.Duration {
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano())
}

// Work grows with the length and not with its square: a history that is sixteen
// times as long takes nowhere near 256 times as much.
func TestLinearWork(t *testing.T) {
	lengths := [2]int{500_000, 8_000_000}
	var histories [2]*Simple
	for i, length := range lengths {
		histories[i] = Generator{Processes: 10, Length: length, Seed: 3}.Simple()
	}
	best := [2]time.Duration{time.Hour, time.Hour}
	for range 4 {
		for i, h := range histories {
			started := processorTime(t)
			require.Nil(t, h.Test())
			best[i] = min(best[i], processorTime(t)-started)
		}
	}
	t.Logf("%v, and sixteen times as long %v", best[0], best[1])
	require.Less(t, best[1], 100*max(best[0], time.Millisecond))
}
