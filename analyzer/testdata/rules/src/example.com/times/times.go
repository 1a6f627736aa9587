// Package times has how long things took.
package times

import (
	"sync"
	"time"
)

type statistics struct {
	On    bool
	mu    sync.Mutex
	total map[string]time.Duration
	Times sync.Map
}

var stats = statistics{Times: sync.Map{}, total: map[string]time.Duration{}}

// Start begins to count.
func Start() {
	stats.mu.Lock()
	defer stats.mu.Unlock()
	stats.On = true
	stats.Times = sync.Map{}
}

// Stop ends it.
func Stop() {
	if !stats.On {
		return
	}
	stats.mu.Lock()
	defer stats.mu.Unlock()
	stats.On = false
	stats.Times.Range(func(k, v any) bool {
		name, _ := k.(string)
		d, _ := v.(time.Duration)
		stats.total[name] += d
		return true
	})
	stats.Times = sync.Map{}
}

// Record adds to a time, in two steps.
func Record(d time.Duration) {
	if stats.On {
		v, ok := stats.Times.Load("total")
		if ok {
			stats.Times.Store("total", v.(time.Duration)+d)
		} else {
			stats.Times.Store("total", d)
		}
	}
}

// Get is a time.
func Get(stat string) time.Duration {
	v, _ := stats.Times.Load(stat)
	d, _ := v.(time.Duration)
	return d
}

// Set sets a time.
func Set(stat string, d time.Duration) { stats.Times.Store(stat, d) }
