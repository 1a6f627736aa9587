package monitor

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestGapSet compares the set with a slice of booleans.
func TestGapSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 10_000).Draw(t, "gaps")
		full := rapid.Bool().Draw(t, "full")
		set, members := newGapSet(n, full), make([]bool, n)
		for g := range members {
			members[g] = full
		}
		gap := rapid.Int32Range(0, int32(n-1))
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			from, to := gap.Draw(t, "from"), gap.Draw(t, "to")
			if rapid.Bool().Draw(t, "take") {
				set.take(from, to)
				for g := from; g < to; g++ {
					members[g] = false
				}
			} else {
				set.add(from)
				members[from] = true
			}
			at := gap.Draw(t, "at")
			next, prev := at, at
			for next < int32(n) && !members[next] {
				next++
			}
			if next == int32(n) {
				next = -1
			}
			for prev >= 0 && !members[prev] {
				prev--
			}
			require.Equal(t, next, set.next(at), "next of %d", at)
			require.Equal(t, prev, set.prev(at), "prev of %d", at)
		}
	})
}
