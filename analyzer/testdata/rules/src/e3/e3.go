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
