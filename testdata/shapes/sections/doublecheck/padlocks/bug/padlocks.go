// Package padlocks locks by name. The helpers are far from those who call them.
package padlocks

import "sync"

// Padlocks are made when they are needed.
type Padlocks struct {
	mu sync.RWMutex
	m  map[string]*sync.RWMutex
}

// New has none.
func New() *Padlocks { return &Padlocks{m: make(map[string]*sync.RWMutex)} }

// Lock locks a name for writing.
func (p *Padlocks) Lock(name string) {
	l, ok := p.get(name)
	if !ok {
		l = p.add(name)
	}
	l.Lock()
}

// Unlock unlocks a name. It panics if nobody has locked it.
func (p *Padlocks) Unlock(name string) {
	l, ok := p.get(name)
	if !ok {
		panic("not locked")
	}
	l.Unlock()
}

// RLock locks a name for reading.
func (p *Padlocks) RLock(name string) {
	l, ok := p.get(name)
	if !ok {
		l = p.add(name)
	}
	l.RLock()
}

// RUnlock unlocks a name. It panics if nobody has locked it.
func (p *Padlocks) RUnlock(name string) {
	l, ok := p.get(name)
	if !ok {
		panic("not locked")
	}
	l.RUnlock()
}

func (p *Padlocks) get(name string) (*sync.RWMutex, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	l, ok := p.m[name]
	return l, ok
}

func (p *Padlocks) add(name string) *sync.RWMutex {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := new(sync.RWMutex)
	p.m[name] = l
	return l
}
