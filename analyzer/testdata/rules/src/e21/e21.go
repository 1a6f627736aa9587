// Package e21: what would interrupt it holds a lock of the same kind.
package e21

import "sync"

// Tree finds its nodes in a way that is not seen.
type Tree struct {
	mu   sync.Mutex
	find func(string) *node
	grow func(string) *leaf
}

type sub struct{ seen int }

type node struct{ subs sync.Map }

func (t *Tree) Hidden(name, k string) *sub {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.find(name)
	v, ok := n.subs.Load(k)
	if !ok {
		v = &sub{}
		n.subs.Store(k, v)
	}
	s := v.(*sub)
	s.seen++
	return s
}

func (t *Tree) Drop(name, k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.find(name).subs.Delete(k)
}

type leaf struct{ subs sync.Map }

// Shown holds the lock, and Forget does not.
func (t *Tree) Shown(name, k string) *sub {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.grow(name)
	v, ok := n.subs.Load(k)
	if !ok {
		v = &sub{}
		n.subs.Store(k, v) // want "duplicate-instance"
	}
	return v.(*sub)
}

func (t *Tree) Forget(name, k string) { t.grow(name).subs.Store(k, &sub{}) }
