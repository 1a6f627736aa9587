// Package e26: it is a cache that drops entries by itself, so that one may be lost.
package e26

import (
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
)

type part struct {
	mu    sync.Mutex
	bytes []byte
}

func (p *part) Append(b byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bytes = append(p.bytes, b)
}

type Store struct {
	parts  *lru.Cache[string, *part]
	counts *lru.Cache[string, int]
	load   func(string) []byte
}

// Hidden loads a part again if it is not there any more.
func (s *Store) Hidden(name string) *part {
	if p, ok := s.parts.Get(name); ok {
		return p
	}
	p := &part{bytes: s.load(name)}
	s.parts.Add(name, p)
	return p
}

// Shown counts how often there was a name.
func (s *Store) Shown(name string) int {
	n, _ := s.counts.Get(name)
	s.counts.Add(name, n+1) // want "lost-update"
	return n
}
