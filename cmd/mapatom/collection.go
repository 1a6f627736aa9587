package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// go vet starts a process for every package. Most end before they need
// firstCollection, in bytes, and never collect garbage. A few explore for
// seconds and would take twice what is live; they collect more often near
// softLimit, as long as less than maxLive is live, since with more there would
// soon be nothing to collect.
const (
	firstCollection = 64 << 20
	softLimit       = 104 << 20
	maxLive         = 80 << 20
)

// paceCollection puts the first garbage collection off, and keeps the process
// small after it. What the user says in the environment goes first.
func paceCollection() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(firstCollection)
	afterCollection(func() {
		debug.SetGCPercent(100)
		debug.SetMemoryLimit(softLimit)
		afterCollection(liftLimit)
	})
}

// liftLimit gives the limit up when too much is live, and else looks again after
// the next collection.
func liftLimit() {
	if liveBytes() > maxLive {
		debug.SetMemoryLimit(math.MaxInt64)
		return
	}
	afterCollection(liftLimit)
}

// afterCollection calls f once, after the next garbage collection.
func afterCollection(f func()) {
	sentinel := new(*byte) // of small objects without pointers, several are freed as one
	runtime.AddCleanup(sentinel, func(int) { f() }, 0)
}

// liveBytes is what the last garbage collection found to be in use.
func liveBytes() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return math.MaxUint64
	}
	return sample[0].Value.Uint64()
}
