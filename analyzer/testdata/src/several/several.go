// Package several proves the steps on more than one cell. Where a step writes to
// two maps that only this package can reach, and what it does to the second one
// depends on the first, others must not come in between. The negatives write to
// one map only, hold a lock, keep a number beside a map, or use maps that anybody
// can write to, where no step on two of them could be right.
package several

import (
	"sync"
	"sync/atomic"
)

// Names are found by name and by number.
type Names struct{ byName, byID sync.Map }

// Add and Remove of the same name can interleave: the number stays.
func (n *Names) Add(name string, id int) {
	if _, loaded := n.byName.LoadOrStore(name, id); !loaded {
		n.byID.Store(id, name) // want "belong together"
	}
}

func (n *Names) Remove(name string) {
	if id, ok := n.byName.LoadAndDelete(name); ok {
		n.byID.Delete(id) // want "belong together"
	}
}

// Seats are moved from one key to another.
type Seats struct{ taken sync.Map }

// Move is wrong on the first seat alone already, and has one report: the guest
// can have got up meanwhile, and another one sat down.
func (s *Seats) Move(from, to int) bool {
	guest, ok := s.taken.Load(from)
	if !ok {
		return false
	}
	s.taken.Store(to, guest)
	s.taken.Delete(from) // want "can remove what another goroutine stored in s.taken.from. after Load"
	return true
}

func (s *Seats) Take(seat int, guest string) bool {
	_, loaded := s.taken.LoadOrStore(seat, guest)
	return !loaded
}

// Locked holds a lock over both halves, as everybody does who writes.
type Locked struct {
	mu           sync.Mutex
	byName, byID sync.Map
}

func (l *Locked) Add(name string, id int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, loaded := l.byName.LoadOrStore(name, id); !loaded {
		l.byID.Store(id, name)
	}
}

func (l *Locked) Remove(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if id, ok := l.byName.LoadAndDelete(name); ok {
		l.byID.Delete(id)
	}
}

// Counted may be off by those that are on their way.
type Counted struct {
	m sync.Map
	n atomic.Int64
}

func (c *Counted) Add(key string, v any) {
	if _, loaded := c.m.LoadOrStore(key, v); !loaded {
		c.n.Add(1)
	}
}

// Config is looked up in one map, and what follows from it kept in another.
type Config struct{ raw, parsed sync.Map }

func (c *Config) Parsed(key string) any {
	if v, ok := c.parsed.Load(key); ok {
		return v
	}
	raw, _ := c.raw.Load(key)
	v, _ := c.parsed.LoadOrStore(key, raw)
	return v
}

func (c *Config) Set(key, text string) { c.raw.Store(key, text) }

// Open maps are anybody's.
type Open struct{ ByName, ByID sync.Map }

func (o *Open) Add(name string, id int) {
	if _, loaded := o.ByName.LoadOrStore(name, id); !loaded {
		o.ByID.Store(id, name)
	}
}
