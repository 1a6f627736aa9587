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

type entry struct{ late bool }

type Pages struct {
	all  *lru.Cache[string, entry]
	gone func(string)
}

func (p *Pages) Put(name string) { p.all.Add(name, entry{}) }

// HiddenLate removes a page, or the newer one that is there now, which is made again.
func (p *Pages) HiddenLate(name string) {
	if e, ok := p.all.Get(name); ok && e.late {
		p.all.Remove(name)
	}
}

// ShownLate tells somebody, each time.
func (p *Pages) ShownLate(name string) {
	if e, ok := p.all.Get(name); ok && e.late {
		p.all.Remove(name) // want "stale-delete"
		p.gone(name)
	}
}
