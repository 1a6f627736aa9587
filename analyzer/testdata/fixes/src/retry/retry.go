// Package retry proves which updates become a loop around CompareAndSwap, and
// which tests of a flag one call.
package retry

import (
	"sync"
	"sync/atomic"
)

// Sequence counts up.
type Sequence struct{ n atomic.Uint64 }

func (s *Sequence) Next() uint64 {
	n := s.n.Load() + 1
	s.n.Store(n) // want "lost-update"
	return n
}

func (s *Sequence) Double() {
	s.n.Store(2 * s.n.Load()) // want "lost-update"
}

// Maximum keeps the largest number seen.
type Maximum struct{ n atomic.Int64 }

func (m *Maximum) Observe(v int64) {
	if v > m.n.Load() {
		m.n.Store(v) // want "lost-update"
	}
}

// Words are functions on a plain word.
type Words struct{ n int64 }

func (w *Words) Next() int64 {
	n := atomic.LoadInt64(&w.n) + 1
	atomic.StoreInt64(&w.n, n) // want "lost-update"
	return n
}

// Counts are integers by name.
type Counts struct{ m sync.Map }

func (c *Counts) Inc(name string) {
	v, _ := c.m.Load(name)
	n, _ := v.(int)
	c.m.Store(name, n+1) // want "lost-update"
}

func (c *Counts) IncExisting(name string) int {
	v, ok := c.m.Load(name)
	if !ok {
		return 0
	}
	n := v.(int) + 1
	c.m.Store(name, n) // want "lost-update"
	return n
}

// Closer closes a channel when the flag is set.
type Closer struct {
	closed atomic.Bool
	done   chan struct{}
}

func (c *Closer) Close() {
	if c.closed.Load() {
		return
	}
	c.closed.Store(true) // want "lost-update"
	close(c.done)
}

// Starter has the test the other way round.
type Starter struct{ started atomic.Bool }

func (s *Starter) Start(run func()) {
	if !s.started.Load() {
		s.started.Store(true) // want "lost-update"
		run()
	}
}

// Config is made when it is first asked for.
type Config struct{ p atomic.Pointer[string] }

func (c *Config) Get() *string {
	old := c.p.Load()
	if old != nil {
		return old
	}
	fresh := new(string)
	c.p.Store(fresh) // want "lost-update|duplicate-instance"
	return fresh
}
