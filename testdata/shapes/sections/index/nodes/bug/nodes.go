// Package nodes finds nodes by id and by address.
package nodes

import (
	"fmt"
	"sync"
)

// Node is a machine.
type Node struct {
	ID, Addr string
}

// Index finds nodes.
type Index struct {
	mu     sync.RWMutex
	byID   map[string]*Node
	byAddr map[string]*Node
}

// New returns an empty index.
func New() *Index {
	return &Index{byID: map[string]*Node{}, byAddr: map[string]*Node{}}
}

// Add adds a node, whose address must be free.
func (x *Index) Add(n *Node) error {
	x.mu.RLock()
	other := x.byAddr[n.Addr]
	x.mu.RUnlock()
	if other != nil {
		return fmt.Errorf("address %s belongs to %s", n.Addr, other.ID)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.byID[n.ID] = n
	x.byAddr[n.Addr] = n
	return nil
}

// Remove removes a node.
func (x *Index) Remove(id string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if n := x.byID[id]; n != nil {
		delete(x.byAddr, n.Addr)
		delete(x.byID, id)
	}
}

// At returns the node at an address.
func (x *Index) At(addr string) *Node {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.byAddr[addr]
}
