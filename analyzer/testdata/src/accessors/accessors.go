// Package accessors calls methods of another package that are operations on cells
// in unexported fields there.
package accessors

import (
	"sync"

	"accessorlib"
)

// Twice asks for the same hash two times. Whether that is sound is a question to
// the method, and not to each of its callers.
func Twice(b *accessorlib.Block, want [4]byte, log func([4]byte)) bool {
	if b.Hash() != want {
		log(b.Hash())
		return false
	}
	return true
}

// Finalize decides by a mark that other packages cannot set by itself.
func Finalize(c *accessorlib.Chain, b *accessorlib.Block) {
	if c.Final() == nil {
		c.SetFinal(b)
	}
}

// Raise has an atomic to look at and to set like any other.
func Raise(g *accessorlib.Gauge, n int64) {
	if g.Get() < n {
		g.Set(n) // want "lost-update"
	}
}

// Register has a map.
func Register(names *accessorlib.Names, id, name string) string {
	if old, ok := names.Get(id); ok {
		return old
	}
	names.Set(id, name) // want "lost-update"
	return name
}

// Ensure leaves the decision to the map.
func Ensure(names *accessorlib.Names, id, name string) string {
	if old, ok := names.Get(id); ok {
		return old
	}
	return names.GetOrSet(id, name)
}

// Sessions say so where one of them ends. That the logger is asked for then is no part of a step: nobody can hold a lock
// over that variable and over the sessions.
type Sessions struct {
	mu   sync.Mutex
	open map[string]string
}

func (s *Sessions) End(id string) {
	s.mu.Lock()
	name, ok := s.open[id]
	delete(s.open, id)
	s.mu.Unlock()
	if ok {
		accessorlib.Logger().Print(name)
	}
}

func (s *Sessions) Begin(id, name string) {
	s.mu.Lock()
	s.open[id] = name
	s.mu.Unlock()
}

// Swap says it in between, and is no better for that.
func (s *Sessions) Swap(id, name string) {
	s.mu.Lock()
	old, ok := s.open[id]
	s.mu.Unlock()
	if ok {
		accessorlib.Logger().Print(old)
		s.mu.Lock()
		s.open[id] = old + name // want "lost-update"
		s.mu.Unlock()
	}
}
