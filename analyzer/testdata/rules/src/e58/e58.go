// Package e58: a number that says which one is the next in turn may say it twice.
package e58

import "sync/atomic"

// Peers are asked in turn.
type Peers struct {
	next  atomic.Uint32
	names []string
}

// Hidden gives the next one.
func (p *Peers) Hidden() string {
	n := uint32(len(p.names))
	i := p.next.Load() % n
	p.next.Store((i + 1) % n)
	return p.names[i]
}

// Ring keeps the last entries.
type Ring struct {
	next    atomic.Uint32
	entries [16]atomic.Pointer[string]
}

// Shown puts two into one place.
func (r *Ring) Shown(entry *string) {
	i := r.next.Load()
	r.next.Store((i + 1) % 16) // want "lost-update"
	r.entries[i].Store(entry)
}

// Ports are given away one after the other.
type Ports struct{ next atomic.Uint32 }

// ShownPort gives one port to two.
func (p *Ports) ShownPort() uint32 {
	port := p.next.Load()
	p.next.Store((port + 1) % 100) // want "lost-update"
	return port
}
