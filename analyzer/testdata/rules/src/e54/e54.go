// Package e54: what is made of the old value of a field or an atomic is made where it is not followed.
package e54

import "sync"

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
