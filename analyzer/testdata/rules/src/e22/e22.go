// Package e22: a quick look finds something else than the look that decides.
package e22

import (
	"sync"
	"sync/atomic"
	"time"
)

const (
	running = iota
	stopping
	stopped
)

type Service struct {
	mu    sync.Mutex
	state int
	stop  func()
	more  func() bool
}

func (s *Service) State() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

func (s *Service) advance(from, to int) (bool, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != from {
		return false, s.state
	}
	s.state = to
	return true, from
}

func (s *Service) Stopped() { s.advance(stopping, stopped) }

// Hidden is told again what it looked at.
func (s *Service) Hidden() bool {
	if s.State() != running {
		return false
	}
	ok, _ := s.advance(running, stopping)
	if ok {
		return true
	}
	s.stop()
	return false
}

func (s *Service) set(state int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = state
}

// Shown does not ask again.
func (s *Service) Shown() bool {
	if s.State() != running {
		return false
	}
	s.set(stopping) // want "lost-update"
	s.stop()
	return true
}

// Tickets are taken by several.
type Tickets struct {
	left atomic.Int64
	done atomic.Int64
	jobs chan func()
}

func (t *Tickets) Fill(n int64) { t.left.Store(n) }

// HiddenInLoop looks before it takes a ticket, and goes by what it has taken.
func (t *Tickets) HiddenInLoop() {
	for job := range t.jobs {
		if t.left.Load() <= 0 || t.left.Add(-1) < 0 {
			continue
		}
		job()
	}
}

// Seen is a set of deliveries.
type Seen struct {
	mu   sync.Mutex
	ids  map[string]bool
	work chan string
}

func NewSeen(work chan string) *Seen { return &Seen{ids: map[string]bool{}, work: work} }

func (s *Seen) has(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ids[id]
}

func (s *Seen) add(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ids[id] {
		return false
	}
	s.ids[id] = true
	return true
}

// HiddenAdded goes by whether it has added the delivery.
func (s *Seen) HiddenAdded(id string) {
	if s.has(id) {
		return
	}
	if s.add(id) {
		s.work <- id
	}
}

// ShownAdded goes by its first look alone.
func (s *Seen) ShownAdded(id string) {
	if s.has(id) {
		return
	}
	s.add(id) // want "inconsistent-read"
	s.work <- id
}

// Leases are prolonged in place.
type Leases struct {
	mu     sync.Mutex
	leases map[string]*lease
}

type lease struct {
	until time.Time
	addr  string
}

func NewLeases() *Leases { return &Leases{leases: map[string]*lease{}} }

func (l *Leases) Renew(name, addr string, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if x, ok := l.leases[name]; ok {
		x.until = until
		return
	}
	l.leases[name] = &lease{until, addr}
}

func (l *Leases) over(now time.Time) (names []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, x := range l.leases {
		if now.After(x.until) {
			names = append(names, name)
		}
	}
	return names
}

// HiddenSweep asks again whether the lease is over.
func (l *Leases) HiddenSweep(now time.Time, free func(string)) {
	names := l.over(now)
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range names {
		x, ok := l.leases[name]
		if !ok || !now.After(x.until) {
			continue
		}
		delete(l.leases, name)
		free(x.addr)
	}
}

// ShownSweep asks only whether there still is one.
func (l *Leases) ShownSweep(now time.Time, free func(string)) {
	names := l.over(now)
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range names {
		x, ok := l.leases[name] // want "inconsistent-read"
		if !ok {
			continue
		}
		delete(l.leases, name)
		free(x.addr)
	}
}
