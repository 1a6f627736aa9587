// Package reporter sends what was reported in batches.
package reporter

import "sync"

type event struct{ name string }

// Reporter keeps the newest events, and drops the oldest if there are too many.
type Reporter struct {
	mu     sync.Mutex
	batch  []event
	events chan event
	ticks  chan struct{}
	most   int
	post   func([]event) error
}

// New starts a reporter that posts what it is given.
func New(most int, post func([]event) error) *Reporter {
	r := &Reporter{events: make(chan event), ticks: make(chan struct{}, 1), most: most, post: post}
	go r.collect()
	go r.sendAll()
	return r
}

func (r *Reporter) collect() {
	for e := range r.events {
		r.mu.Lock()
		r.batch = append(r.batch, e)
		if len(r.batch) > r.most {
			r.batch = r.batch[len(r.batch)-r.most:]
		}
		r.mu.Unlock()
	}
}

func (r *Reporter) sendAll() {
	for range r.ticks {
		r.send()
	}
}

// send takes off what it sends.
func (r *Reporter) send() error {
	r.mu.Lock()
	batch := r.batch
	r.batch = r.batch[len(batch):]
	r.mu.Unlock()
	return r.post(batch)
}

// Report adds an event.
func (r *Reporter) Report(name string) { r.events <- event{name} }

// Flush sends what there is.
func (r *Reporter) Flush() { r.ticks <- struct{}{} }
