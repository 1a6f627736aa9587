// Package deliveries takes each delivery once.
package deliveries

import (
	"net/http"
	"sync"
)

// Seen is a set of delivery ids.
type Seen struct {
	mu  sync.Mutex
	ids map[string]struct{}
}

// Contains reports whether id is in the set.
func (s *Seen) Contains(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.ids[id]
	return ok
}

// Add adds id, and reports whether it is new.
func (s *Seen) Add(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.ids[id]; ok {
		return false
	}
	s.ids[id] = struct{}{}
	return true
}

// Receiver takes deliveries.
type Receiver struct {
	seen  *Seen
	queue chan []byte
}

// NewReceiver returns a receiver that sends to queue.
func NewReceiver(queue chan []byte) *Receiver {
	return &Receiver{seen: &Seen{ids: map[string]struct{}{}}, queue: queue}
}

// ServeHTTP implements http.Handler.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	id := req.Header.Get("X-Delivery")
	if !r.seen.Add(id) {
		w.WriteHeader(http.StatusOK)
		return
	}
	r.queue <- []byte(id)
	w.WriteHeader(http.StatusAccepted)
}
