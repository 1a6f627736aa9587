// Package store is in a module whose name begins like a package of the standard
// library. It is none: what it does is found.
package store

import "sync"

type Prices struct{ m sync.Map }

func (p *Prices) Set(name string, n int) { p.m.Store(name, n) }

func (p *Prices) Raise(name string) {
	if v, ok := p.m.Load(name); ok {
		p.m.Store(name, v.(int)+1) // want "lost-update"
	}
}
