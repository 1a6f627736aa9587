package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
)

// firstCollection is the size in bytes that the heap grows to before garbage is
// first collected. go vet starts a process for every package, and most end
// before they need that much.
const firstCollection = 64 << 20

// deferCollection puts the first garbage collection off until the process has
// taken that many bytes; after it, the usual pace holds. What the user says in
// the environment goes first.
func deferCollection(bytes int64) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(bytes)
	sentinel := new(*byte) // of small objects without pointers, several are freed as one
	runtime.AddCleanup(sentinel, func(int) {
		debug.SetGCPercent(100)
		debug.SetMemoryLimit(math.MaxInt64)
	}, 0)
}
