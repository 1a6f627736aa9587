// Package e54: what is made of the old value of a field or an atomic is made where it is not followed.
package e54

import (
	"maps"
	"sync"
	"sync/atomic"
)

type grower interface {
	Grow(room []byte, n int) []byte
}

type Room struct {
	mu    sync.Mutex
	g     grower
	free  []byte
	taken []string
}

// Hidden makes more room, if there is too little.
func (r *Room) Hidden(n int) []byte {
	r.mu.Lock()
	free := r.free
	r.mu.Unlock()
	if cap(free) < n {
		free = r.g.Grow(free, n)
		r.mu.Lock()
		r.free = free
		r.mu.Unlock()
	}
	return free
}

// Shown adds to what it has.
func (r *Room) Shown(name string) {
	r.mu.Lock()
	taken := r.taken
	r.mu.Unlock()
	taken = append(taken, name)
	r.mu.Lock()
	r.taken = taken // want "lost-update"
	r.mu.Unlock()
}

type table struct{ routes map[string]string }

func newTable(routes map[string]string) *table {
	t := &table{routes: routes}
	for k := range routes {
		t.sorted(k)
	}
	return t
}

func (t *table) sorted(string) {}

type Gateway struct{ table atomic.Pointer[table] }

// ShownRemove makes the new table of a copy of the old one, without one route.
func (g *Gateway) ShownRemove(prefix string) {
	routes := maps.Clone(g.table.Load().routes)
	delete(routes, prefix)
	g.table.Store(newTable(routes)) // want "lost-update"
}
