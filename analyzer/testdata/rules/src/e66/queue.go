// Package e66: who is at which atomic is decided by another one.
package e66

import "sync/atomic"

type node struct {
	next atomic.Pointer[node]
	v    int
}

// Intake is a chain to which all add, and which is taken as a whole.
type Intake struct{ head atomic.Pointer[node] }

func (q *Intake) Add(v int) {
	n := &node{v: v}
	for {
		old := q.head.Load()
		n.next.Store(old)
		if q.head.CompareAndSwap(old, n) {
			return
		}
	}
}

// HiddenDrain is alone with what it has taken.
func (q *Intake) HiddenDrain() (taken []*node) {
	for n := q.head.Swap(nil); n != nil; {
		next := n.next.Load()
		n.next.Store(nil)
		taken = append(taken, n, next)
		n = next
	}
	return taken
}

func Run(q *Intake) {
	for range 4 {
		go q.HiddenDrain()
	}
}

// Ring has a slot that is always the same one.
type Ring struct{ first *node }

func (r *Ring) ShownTake() *node {
	n := r.first
	next := n.next.Load()
	n.next.Store(nil)
	return next
}

func (r *Ring) Put(v int) { r.first.next.Store(&node{v: v}) }

func RunRing(r *Ring) {
	for range 4 {
		go r.ShownTake()
	}
}
