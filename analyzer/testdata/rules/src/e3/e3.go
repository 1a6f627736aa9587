// Package e3: it is in a test.
package e3

import (
	"sync"
	"testing"
)

type Store struct{ m sync.Map }

func (s *Store) Put(k string, n int) { s.m.Store(k, n) }

func (s *Store) Shown(k string) {
	if v, ok := s.m.Load(k); ok {
		s.m.Store(k, v.(int)+1) // want "lost-update"
	}
}

// HiddenHelper is for the tests of other packages.
func HiddenHelper(t testing.TB) {
	if v, ok := shared.m.Load(t.Name()); ok {
		shared.m.Store(t.Name(), v.(int)+1)
	}
}

var shared = new(Store)

// Bench is a store for one test, whose goroutine works with it.
type Bench struct {
	t     testing.TB
	mu    sync.Mutex
	lines map[string]string
}

// HiddenAdd is for the test.
func (b *Bench) HiddenAdd(name, line string) {
	b.t.Helper()
	b.mu.Lock()
	old := b.lines[name]
	b.mu.Unlock()
	b.mu.Lock()
	b.lines[name] = old + line
	b.mu.Unlock()
}

// Lines are what it stands for, which have no test.
type Lines struct {
	mu    sync.Mutex
	lines map[string]string
}

// ShownAdd adds a line.
func (l *Lines) ShownAdd(name, line string) {
	l.mu.Lock()
	old := l.lines[name]
	l.mu.Unlock()
	l.mu.Lock()
	l.lines[name] = old + line // want "lost-update"
	l.mu.Unlock()
}
