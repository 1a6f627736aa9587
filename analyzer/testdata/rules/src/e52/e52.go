// Package e52: each of those who would interrupt it is kept away, by one thing or another.
package e52

import (
	"sync"
	"sync/atomic"
)

type message struct {
	id    int64
	opens bool
}

type waiter struct{ told []message }

type session struct {
	mu      sync.Mutex
	waiting map[int64]*waiter
	next    atomic.Int64
}

// Peer is the other end, as others have it.
type Peer struct{ s *session }

// Connect starts the one goroutine that takes what the other end sends.
func Connect(in <-chan message) *Peer {
	s := newSession()
	go s.run(in)
	return &Peer{s}
}

func newSession() *session { return &session{waiting: map[int64]*waiter{}} }

func (s *session) run(in <-chan message) {
	for m := range in {
		if m.opens {
			s.expect(m.id)
		} else {
			s.finishHidden(m)
		}
	}
}

// expect puts there what the other end has named.
func (s *session) expect(id int64) {
	s.mu.Lock()
	s.waiting[id] = &waiter{}
	s.mu.Unlock()
}

// Ask puts there what has a number of its own.
func (p *Peer) Ask() int64 {
	id := p.s.next.Add(1)
	p.s.mu.Lock()
	p.s.waiting[id] = &waiter{}
	p.s.mu.Unlock()
	return id
}

// finishHidden removes what is there by then: what run has put there itself, or nothing newer.
func (s *session) finishHidden(m message) {
	s.mu.Lock()
	w := s.waiting[m.id]
	s.mu.Unlock()
	if w == nil {
		return
	}
	w.told = append(w.told, m)
	s.mu.Lock()
	delete(s.waiting, m.id)
	s.mu.Unlock()
}

// line is one whose users choose the numbers.
type line struct {
	mu      sync.Mutex
	waiting map[int64]*waiter
}

type Caller struct{ l *line }

func Dial(in <-chan message) *Caller {
	l := newLine()
	go l.run(in)
	return &Caller{l}
}

func newLine() *line { return &line{waiting: map[int64]*waiter{}} }

func (l *line) run(in <-chan message) {
	for m := range in {
		if m.opens {
			l.expect(m.id)
		} else {
			l.finishShown(m)
		}
	}
}

func (l *line) expect(id int64) {
	l.mu.Lock()
	l.waiting[id] = &waiter{}
	l.mu.Unlock()
}

// Ask puts there what its caller has named.
func (c *Caller) Ask(id int64) {
	c.l.mu.Lock()
	c.l.waiting[id] = &waiter{}
	c.l.mu.Unlock()
}

// finishShown removes what somebody may just have asked.
func (l *line) finishShown(m message) {
	l.mu.Lock()
	w := l.waiting[m.id]
	l.mu.Unlock()
	if w == nil {
		return
	}
	w.told = append(w.told, m)
	l.mu.Lock()
	delete(l.waiting, m.id) // want "stale-delete"
	l.mu.Unlock()
}
