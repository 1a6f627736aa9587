// Package histograms measures how long handlers take.
package histograms

import (
	"sync"

	"github.com/mapatom/mapatom/testdata/shapes/maps/otherpackage/cache"
)

// Histogram counts durations.
type Histogram struct {
	mu     sync.Mutex
	counts [10]int
}

func (h *Histogram) observe(bucket int) {
	h.mu.Lock()
	h.counts[bucket]++
	h.mu.Unlock()
}

// Recorder has a histogram for each handler.
type Recorder struct{ histograms cache.Cache }

// Observe counts a duration.
func (r *Recorder) Observe(handler string, bucket int) {
	v, ok := r.histograms.Get(handler)
	if !ok {
		v = r.histograms.Offer(handler, new(Histogram))
	}
	v.(*Histogram).observe(bucket)
}
