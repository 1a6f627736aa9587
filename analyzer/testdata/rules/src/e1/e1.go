// Package e1: a directive stands at it.
package e1

import "sync"

type Store struct{ m sync.Map }

func (s *Store) Put(k string, n int) { s.m.Store(k, n) }

func (s *Store) Hidden(k string) {
	if v, ok := s.m.Load(k); ok {
		s.m.Store(k, v.(int)+1) //mapatom:ignore lost-update a lost one does not matter
	}
}

func (s *Store) Shown(k string) {
	if v, ok := s.m.Load(k); ok {
		s.m.Store(k, v.(int)+1) // want "lost-update"
	}
}
