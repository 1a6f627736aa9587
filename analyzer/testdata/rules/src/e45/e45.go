// Package e45: who finds something panics.
package e45

import "sync"

type driver struct {
	mu   sync.Mutex
	uses int
}

func (d *driver) use() {
	d.mu.Lock()
	d.uses++
	d.mu.Unlock()
}

// Registry is filled when the program begins.
type Registry struct{ drivers sync.Map }

// Hidden is told each name once.
func (r *Registry) Hidden(name string, d *driver) {
	if _, ok := r.drivers.Load(name); ok {
		panic("registered twice: " + name)
	}
	r.drivers.Store(name, d)
}

func (r *Registry) Use(name string) {
	if v, ok := r.drivers.Load(name); ok {
		v.(*driver).use()
	}
}

// Pool is filled whenever somebody comes.
type Pool struct{ drivers sync.Map }

// Shown says who came first, and panics for another reason.
func (p *Pool) Shown(name string, d *driver) bool {
	if d == nil {
		panic("no driver: " + name)
	}
	if _, ok := p.drivers.Load(name); ok {
		return false
	}
	p.drivers.Store(name, d) // want "lost-update"
	return true
}

func (p *Pool) Use(name string) {
	if v, ok := p.drivers.Load(name); ok {
		v.(*driver).use()
	}
}
