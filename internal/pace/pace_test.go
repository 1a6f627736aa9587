package pace

import (
	"flag"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPercent: the more is live, the less garbage is left beside it.
func TestPercent(t *testing.T) {
	const mb = 1 << 20
	for _, c := range []struct {
		live uint64
		want int
	}{{0, 200}, {96 * mb, 200}, {300 * mb, 200}, {400 * mb, 125}, {450 * mb, 100}, {600 * mb, 50}, {1 << 40, 50}} {
		assert.Equal(t, c.want, percent(c.live), c.live)
	}
}

// TestEnvironment: what the user says goes first.
func TestEnvironment(t *testing.T) {
	t.Setenv("GOGC", "300")
	before := debug.SetGCPercent(17)
	defer debug.SetGCPercent(before)
	Start()
	assert.Equal(t, 17, debug.SetGCPercent(17))
}

// TestFollow: the pace is set after a collection, by what it found.
func TestFollow(t *testing.T) {
	before := debug.SetGCPercent(17)
	defer debug.SetGCPercent(before)
	done := make(chan int)
	afterCollection(func() {
		follow()
		done <- debug.SetGCPercent(17)
	})
	runtime.GC()
	assert.Equal(t, percent(Live()), <-done)
	assert.Positive(t, Live())
}

// running is a package's tests.
type running func()

func (r running) Run() int { r(); return 0 }

// TestTests: tests have a pace of their own, benchmarks and users who say so do not.
func TestTests(t *testing.T) {
	t.Setenv("GOGC", "")
	before := debug.SetGCPercent(17)
	defer debug.SetGCPercent(before)
	Tests(running(func() { assert.Equal(t, ofTests, debug.SetGCPercent(17)) })).Run()
	bench := flag.Lookup("test.bench")
	was := bench.Value.String()
	require.NoError(t, bench.Value.Set("."))
	Tests(running(func() { assert.Equal(t, 17, debug.SetGCPercent(17)) })).Run()
	require.NoError(t, bench.Value.Set(was))
	t.Setenv("GOGC", "300")
	Tests(running(func() { assert.Equal(t, 17, debug.SetGCPercent(17)) })).Run()
}
