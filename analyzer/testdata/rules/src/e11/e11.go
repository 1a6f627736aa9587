// Package e11: it is about several cells, one of them a number that may lag behind.
package e11

import (
	"sync"
	"sync/atomic"
)

type Counted struct {
	m sync.Map
	n atomic.Int64
}

func (c *Counted) Set(k string, n int64) { c.m.Store(k, n) }

func (c *Counted) Hidden(k string) {
	if v, ok := c.m.Load(k); ok {
		c.n.Store(v.(int64))
	}
}

func (c *Counted) N() int64 { return c.n.Load() }

type Pair struct{ byName, byID sync.Map }

func (p *Pair) RemoveShown(name string) {
	if id, ok := p.byName.LoadAndDelete(name); ok {
		p.byID.Delete(id) // want "belong together"
	}
}

func (p *Pair) Shown(name string, id int) {
	if _, loaded := p.byName.LoadOrStore(name, id); !loaded {
		p.byID.Store(id, name) // want "belong together"
	}
}

// Stock says with a flag what may be done to a number, and changes both in one section.
type Stock struct {
	mu     sync.Mutex
	closed bool
	n      int
}

// TakeShown takes from what somebody else has taken stock of.
func (s *Stock) TakeShown() bool {
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return false
	}
	s.mu.Lock()
	s.n-- // want "can come after a change"
	s.mu.Unlock()
	return true
}

func (s *Stock) Add() {
	s.mu.Lock()
	s.n++
	s.mu.Unlock()
}

func (s *Stock) Close() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.n
	s.closed, s.n = true, 0
	return n
}

// Watch has a flag for each service, and what has happened to them.
type Watch struct {
	mu     sync.Mutex
	up     map[string]bool
	events []string
}

func NewWatch() *Watch { return &Watch{up: map[string]bool{}} }

func (w *Watch) isUp(service string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.up[service]
}

// ReportShown tells twice of one change.
func (w *Watch) ReportShown(service string, up bool) {
	if w.isUp(service) == up {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.up[service] = up // want "lost-update"
	w.events = append(w.events, service)
}

func (w *Watch) Events() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	events := w.events
	w.events = nil
	return events
}
