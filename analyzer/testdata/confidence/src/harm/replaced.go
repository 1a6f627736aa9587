package harm

import (
	"maps"
	"net/http"
	"sync"
	"sync/atomic"
)

type backends map[string]chan string

// Router has a table that is replaced by a changed copy.
type Router struct{ table atomic.Pointer[backends] }

func NewRouter() *Router {
	r := &Router{}
	r.table.Store(&backends{})
	return r
}

func (r *Router) To(host string) chan string { return (*r.table.Load())[host] }

// HighRoute loses what another call has added to the table meanwhile.
func (r *Router) HighRoute(_ http.ResponseWriter, req *http.Request) {
	next := maps.Clone(*r.table.Load())
	next[req.Host] = make(chan string)
	r.table.Store(&next)
}

// Balancer has a table that is replaced by another one.
type Balancer struct{ table atomic.Pointer[backends] }

func NewBalancer() *Balancer {
	b := &Balancer{}
	b.table.Store(&backends{})
	return b
}

func (b *Balancer) To(host string) chan string { return (*b.table.Load())[host] }

// MediumReset tells whether there was something; what it stores has none of that in it.
func (b *Balancer) MediumReset(w http.ResponseWriter, req *http.Request) {
	some := len(*b.table.Load()) > 0
	next := backends{}
	next[req.Host] = make(chan string)
	b.table.Store(&next)
	if some {
		w.WriteHeader(http.StatusAccepted)
	}
}

type heard struct{ addr, agent string }

// Heard remembers where somebody was heard last.
type Heard struct {
	mu    sync.RWMutex
	peers map[string]*heard
}

// MediumHeard stores what was heard, unless it was the same: the last one stays in any case.
func (h *Heard) MediumHeard(id, addr, agent string) {
	h.mu.RLock()
	p := h.peers[id]
	h.mu.RUnlock()
	if p != nil && p.addr == addr {
		return
	}
	p = &heard{addr, agent}
	h.mu.Lock()
	h.peers[id] = p
	h.mu.Unlock()
}

// Chairs are kept by who came first.
type Chairs struct {
	mu    sync.RWMutex
	taken map[int]*heard
}

// HighSit takes the first seat that nobody has.
func (s *Chairs) HighSit(addr, agent string) int {
	for n := range 100 {
		s.mu.RLock()
		by := s.taken[n]
		s.mu.RUnlock()
		if by != nil {
			continue
		}
		s.mu.Lock()
		s.taken[n] = &heard{addr, agent}
		s.mu.Unlock()
		return n
	}
	return -1
}
