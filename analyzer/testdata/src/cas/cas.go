// Package cas proves what is asked of a CompareAndSwap: that the value which it
// puts in was made from the value which it takes out. Negatives make both anew
// in every round, or try once and have nothing left to do when they lose.
package cas

import (
	"sync"
	"sync/atomic"
)

const (
	idle int32 = iota
	running
	stopped
)

type config struct {
	level int
	name  string
}

// State is a state machine in one word.
type State struct{ v atomic.Int32 }

// Start tries once: who loses knows that somebody else started.
func (s *State) Start() bool {
	if s.v.Load() != idle {
		return false
	}
	return s.v.CompareAndSwap(idle, running)
}

func (s *State) Stop() bool { return s.v.CompareAndSwap(running, stopped) }

// Started sets a state that it did not check in the same step.
type Started struct{ v atomic.Int32 }

func (s *Started) Start() bool {
	if s.v.Load() != idle {
		return false
	}
	s.v.Store(running) // want "lost-update"
	return true
}

func (s *Started) Stop() { s.v.Store(stopped) }

// Settings are replaced as a whole.
type Settings struct{ p atomic.Pointer[config] }

func (s *Settings) SetLevel(level int) {
	for {
		old := s.p.Load()
		name := ""
		if old != nil {
			name = old.name
		}
		if s.p.CompareAndSwap(old, &config{level: level, name: name}) {
			return
		}
	}
}

func (s *Settings) SetName(name string) {
	old, level := s.p.Load(), 0
	if old != nil {
		level = old.level
	}
	next := &config{level: level, name: name}
	s.p.Store(next) // want "lost-update"
}

// SetNameStale loads again for the comparison, but puts in what it made of the
// first load.
func (s *Settings) SetNameStale(name string) {
	old, level := s.p.Load(), 0
	if old != nil {
		level = old.level
	}
	next := &config{level: level, name: name}
	for !s.p.CompareAndSwap(old, next) { // want "lost-update"
		old = s.p.Load()
	}
}

func (s *Settings) Level() int {
	if c := s.p.Load(); c != nil {
		return c.level
	}
	return 0
}

// Refresher replaces a token by a new one. If that fails, somebody else has
// just replaced it, which is as good.
type Refresher struct{ tokens sync.Map }

type token struct{ user string }

func (r *Refresher) Login(user string) {
	r.tokens.LoadOrStore(user, &token{user: user})
}

func (r *Refresher) Refresh(user string) {
	old, ok := r.tokens.Load(user)
	if !ok {
		return
	}
	r.tokens.CompareAndSwap(user, old, &token{user: user})
}

// Counter is a number.
type Counter struct{ n atomic.Int64 }

func (c *Counter) Add(d int64) int64 {
	for {
		old := c.n.Load()
		if c.n.CompareAndSwap(old, old+d) {
			return old + d
		}
	}
}

// AddReload loads again at the end of each round.
func (c *Counter) AddReload(d int64) {
	old := c.n.Load()
	for !c.n.CompareAndSwap(old, old+d) {
		old = c.n.Load()
	}
}

// AddStuck never loads again: after the first failure it goes round for ever.
// No result of it is wrong, so there is no report: see limitations.
func (c *Counter) AddStuck(d int64) {
	old := c.n.Load()
	for !c.n.CompareAndSwap(old, old+d) {
	}
}

// AddStale compares with what is there, and adds to what was there before.
func (c *Counter) AddStale(d int64) {
	old := c.n.Load()
	next := old + d
	for !c.n.CompareAndSwap(old, next) { // want "lost-update"
		old = c.n.Load()
	}
}
