package monitor

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestCoverage takes values away in any order, and compares what is reported
// with counts.
func TestCoverage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		peaks := rapid.IntRange(1, 400).Draw(t, "peaks")
		values := rapid.IntRange(1, 40).Draw(t, "values")
		c := newCoverage(peaks, values)
		counts, who := make([]int32, peaks), make([]int32, peaks)
		for v := range int32(values) {
			from := rapid.Int32Range(0, int32(peaks)).Draw(t, "from")
			c.from[v], c.to[v] = from, rapid.Int32Range(from, int32(peaks)).Draw(t, "to")
			for p := from; p < c.to[v]; p++ {
				counts[p]++
				who[p] ^= v
			}
		}
		none, one := map[int32]bool{}, map[int32]int32{}
		reportOne := func(peak, value int32) {
			require.NotContains(t, one, peak, "reported twice")
			one[peak] = value
		}
		for p := range int32(peaks) {
			c.set(p, counts[p], who[p])
		}
		c.start(func(peak int32) { none[peak] = true }, reportOne)
		for p, count := range counts {
			require.Equal(t, count == 0, none[int32(p)])
		}
		for _, v := range rapid.Permutation(sequence(values)).Draw(t, "order") {
			checkAlone(t, counts, who, one)
			for p := c.from[v]; p < c.to[v]; p++ {
				counts[p]--
				who[p] ^= v
			}
			c.remove(v, reportOne)
		}
	})
}

// checkAlone checks that exactly the peaks with one value, or with none after
// one, were reported.
func checkAlone(t *rapid.T, counts, who []int32, one map[int32]int32) {
	for p, count := range counts {
		value, reported := one[int32(p)]
		switch count {
		case 0:
		case 1:
			require.True(t, reported, "peak %d", p)
			require.Equal(t, who[p], value, "peak %d", p)
		default:
			require.False(t, reported, "peak %d has %d", p, count)
		}
	}
}

func sequence(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}
