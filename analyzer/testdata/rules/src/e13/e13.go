// Package e13: another violation is at the same operation.
package e13

import "sync"

type Store struct{ m sync.Map }

func (s *Store) Put(k string, n int) { s.m.Store(k, n) }

var log func(string)

func (s *Store) put(k string, n int) {
	log(k)
	s.m.Store(k, n) // want "lost-update"
}

func (s *Store) Shown(k string) {
	if v, ok := s.m.Load(k); ok {
		s.put(k, v.(int)+1)
	}
}

// Hidden ends with the same Store, after another Load.
func (s *Store) Hidden(k string, more bool) {
	if v, ok := s.m.Load(k); ok {
		if more {
			log("more")
		}
		s.put(k, v.(int)+2)
	}
}
