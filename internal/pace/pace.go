// Package pace sets how often garbage is collected. A judgement allocates much and
// keeps little, so that a collection costs more than the memory that it gives back
// is worth, as long as there is little of it. docs/performance.md has the
// measurements behind the figures.
package pace

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// go vet starts a process for every package. Most end before they need
// firstCollection, in bytes, and never collect garbage.
const firstCollection = 64 << 20

// What is allocated between two collections is as much as fits below ceiling, in bytes,
// together with what is live, as long as that is neither more than most nor less than
// least of what is live, in percent as GOGC has it. So a process takes less than a
// gigabyte while 600 megabytes are live.
const (
	ceiling     = 900 << 20
	most, least = 200, 50
)

// Start begins to set the pace. What the user says in the environment goes first.
func Start() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(firstCollection)
	afterCollection(func() {
		debug.SetMemoryLimit(math.MaxInt64)
		follow()
	})
}

// follow sets the pace after every collection.
func follow() {
	debug.SetGCPercent(percent(Live()))
	afterCollection(follow)
}

func percent(live uint64) int {
	switch {
	case live == 0:
		return most
	case live >= ceiling:
		return least
	}
	return int(min(max((ceiling-live)*100/live, least), most))
}

// afterCollection calls f once, after the next garbage collection.
func afterCollection(f func()) {
	sentinel := new(*byte) // of small objects without pointers, several are freed as one
	runtime.AddCleanup(sentinel, func(int) { f() }, 0)
}

// Live is how many bytes the last garbage collection found to be in use; 0 if that
// is not known.
func Live() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}
