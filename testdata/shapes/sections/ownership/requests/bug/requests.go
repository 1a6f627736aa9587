// Package requests lets a request be cancelled by its number.
package requests

import "sync"

// Request can be cancelled.
type Request struct{ cancelled chan struct{} }

// Table has the requests at work.
type Table struct {
	mu sync.Mutex
	m  map[string]*Request
}

// Do runs a request; a newer one with the same number takes its place.
func (t *Table) Do(id string, work func(*Request)) {
	r := &Request{cancelled: make(chan struct{})}
	t.mu.Lock()
	t.m[id] = r
	t.mu.Unlock()
	defer func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.m, id)
	}()
	work(r)
}

// Find is the request with a number.
func (t *Table) Find(id string) *Request {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.m[id]
}
