// Package contracts has functions that leave it to their callers that nobody
// interrupts them. What a comment asks for is believed as far as the rest of the
// package keeps to it: one-sided locks are what such bugs are made of.
package contracts

import (
	"sync"
	"sync/atomic"
)

// Node is changed under its lock, as all comments say. Who calls settle holds it,
// but in a way that cannot be followed.
type Node struct {
	mu     sync.Mutex
	busy   atomic.Bool
	leader atomic.Int64
	votes  atomic.Int64
	locks  []sync.Locker
}

// settle notes the leader, once. Lock should be held.
func (n *Node) settle(id int64) {
	if n.leader.Load() == 0 {
		n.leader.Store(id)
	}
}

// raise is called with n.mu held.
func (n *Node) raise() { n.count() }

// count is only called from there.
func (n *Node) count() { n.votes.Store(n.votes.Load() + 1) }

// Apply takes all locks.
func (n *Node) Apply(id int64) {
	for _, l := range n.locks {
		l.Lock()
		defer l.Unlock()
	}
	n.settle(id)
	n.raise()
}

// resetLocked says it by its name.
func (n *Node) resetLocked() bool {
	if n.busy.Load() {
		n.busy.Store(false)
		return true
	}
	return false
}

func (n *Node) Begin() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.busy.Store(true)
}

func (n *Node) Reset() bool {
	for _, l := range n.locks {
		l.Lock()
		defer l.Unlock()
	}
	return n.resetLocked()
}

// OneSided says the same, but another function writes without any lock.
type OneSided struct {
	mu    sync.Mutex
	limit atomic.Int64
	locks []sync.Locker
}

// apply lowers the limit. Lock is held on entry.
func (o *OneSided) apply(limit int64) {
	if o.limit.Load() > limit {
		o.limit.Store(limit) // want "lost-update"
	}
}

func (o *OneSided) Apply(limit int64) {
	for _, l := range o.locks {
		l.Lock()
		defer l.Unlock()
	}
	o.apply(limit)
}

func (o *OneSided) Reload(limit int64) { o.limit.Store(limit) }

// TwoSided has a writer that takes the lock.
type TwoSided struct {
	mu    sync.Mutex
	limit atomic.Int64
	locks []sync.Locker
}

// apply lowers the limit. Lock is held on entry.
func (o *TwoSided) apply(limit int64) {
	if o.limit.Load() > limit {
		o.limit.Store(limit)
	}
}

func (o *TwoSided) Apply(limit int64) {
	for _, l := range o.locks {
		l.Lock()
		defer l.Unlock()
	}
	o.apply(limit)
}

func (o *TwoSided) Reload(limit int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.limit.Store(limit)
}

// Broken has a caller that locks nothing.
type Broken struct{ n atomic.Int64 }

// up adds one. Lock must be held.
func (b *Broken) up() { b.n.Store(b.n.Load() + 1) } // want "lost-update"

func (b *Broken) Up() { b.up() }

// Freed unlocks in between.
type Freed struct {
	locks []sync.Locker
	mu    sync.Mutex
	n     atomic.Int64
}

// Up adds one. Lock should be held.
func (f *Freed) Up() {
	n := f.n.Load()
	f.mu.Unlock()
	f.mu.Lock()
	f.n.Store(n + 1) // want "lost-update"
}

// Readers only hold the lock together with others.
type Readers struct{ n atomic.Int64 }

// Up adds one. Read lock should be held.
func (r *Readers) Up() { r.n.Store(r.n.Load() + 1) } // want "lost-update"

// Negated says the opposite.
type Negated struct{ n atomic.Int64 }

// Up adds one. Lock must not be held. It should not be a problem.
func (r *Negated) Up() { r.n.Store(r.n.Load() + 1) } // want "lost-update"
