// Package tree has one lock for all its nodes.
package tree

import (
	"sync"
	"sync/atomic"
)

type node struct{ size atomic.Int64 }

// Tree owns its nodes.
type Tree struct {
	mu    sync.Mutex
	nodes []*node
	limit int64
}

// Grow makes a node larger, if that is allowed.
func (t *Tree) Grow(i int, by int64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.nodes[i]
	size := n.size.Load()
	if size+by > t.limit {
		return false
	}
	n.size.Store(size + by)
	return true
}

func (t *Tree) node(i int) *node {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.nodes[i]
}

// Shrink makes all nodes smaller.
func (t *Tree) Shrink() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, n := range t.nodes {
		n.size.Store(n.size.Load() / 2)
	}
}
