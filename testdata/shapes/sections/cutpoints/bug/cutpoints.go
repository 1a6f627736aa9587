// Package cutpoints sends metrics in batches.
package cutpoints

import (
	"sync"
	"time"
)

// Batcher collects points.
type Batcher struct {
	send func([]float64) error

	mu     sync.Mutex
	points []float64
}

// New returns a cutpoints that sends each interval.
func New(every time.Duration, send func([]float64) error) *Batcher {
	b := &Batcher{send: send}
	go func() {
		for range time.Tick(every) {
			b.Flush()
		}
	}()
	return b
}

// Add adds a point.
func (b *Batcher) Add(p float64) {
	b.mu.Lock()
	b.points = append(b.points, p)
	b.mu.Unlock()
}

// Flush sends what is there.
func (b *Batcher) Flush() error {
	b.mu.Lock()
	batch := b.points
	b.mu.Unlock()
	if err := b.send(batch); err != nil {
		return err
	}
	b.mu.Lock()
	b.points = nil
	b.mu.Unlock()
	return nil
}
