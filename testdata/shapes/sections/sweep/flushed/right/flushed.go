// Package flushed counts visits, and sends the counts off now and then.
package flushed

import "sync"

// Visits are counted by page.
type Visits struct {
	mu     sync.Mutex
	counts map[string]int
	send   func(map[string]int) error
}

// New returns counts that go to send.
func New(send func(map[string]int) error) *Visits {
	return &Visits{counts: map[string]int{}, send: send}
}

// Add counts a visit.
func (v *Visits) Add(page string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.counts[page]++
}

// Flush sends the counts, and adds them again if that fails.
func (v *Visits) Flush() error {
	v.mu.Lock()
	batch := v.counts
	v.counts = map[string]int{}
	v.mu.Unlock()
	if err := v.send(batch); err != nil {
		v.mu.Lock()
		for page, n := range batch {
			v.counts[page] += n
		}
		v.mu.Unlock()
		return err
	}
	return nil
}
