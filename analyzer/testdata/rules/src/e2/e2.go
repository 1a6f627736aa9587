// Package e2: the configuration excludes it.
package e2

import "sync"

type Store struct{ m sync.Map }

func (s *Store) Put(k string, n int) { s.m.Store(k, n) }

func (s *Store) HiddenByConfig(k string) {
	if v, ok := s.m.Load(k); ok {
		s.m.Store(k, v.(int)+1)
	}
}

func (s *Store) Shown(k string) {
	if v, ok := s.m.Load(k); ok {
		s.m.Store(k, v.(int)+1) // want "lost-update"
	}
}
