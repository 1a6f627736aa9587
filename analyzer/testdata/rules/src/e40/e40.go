// Package e40: one more than a limit comes in.
package e40

import "sync"

type Room struct {
	mu    sync.Mutex
	limit int
	in    int
	left  int
}

func (r *Room) full() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.in >= r.limit
}

// Hidden lets one more in than the limit.
func (r *Room) Hidden() bool {
	if r.full() {
		return false
	}
	r.mu.Lock()
	r.in++
	r.mu.Unlock()
	return true
}

func (r *Room) Leave() {
	r.mu.Lock()
	r.in--
	r.mu.Unlock()
}

// Shown takes what is not there.
func (r *Room) Shown(n int) bool {
	r.mu.Lock()
	left := r.left
	r.mu.Unlock()
	if left < n {
		return false
	}
	r.mu.Lock()
	r.left -= n
	r.mu.Unlock()
	return true
}

func (r *Room) Put(n int) {
	r.mu.Lock()
	r.left += n
	r.mu.Unlock()
}
