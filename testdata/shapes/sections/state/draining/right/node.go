// Package node takes work until it drains.
package node

import "sync"

type phase int

const (
	idle phase = iota
	busy
	draining
)

// Node has at most one task.
type Node struct {
	mu    sync.Mutex
	phase phase
}

func (n *Node) current() phase {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.phase
}

func (n *Node) become(p phase) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.phase = p
}

// Drain lets no more tasks in.
func (n *Node) Drain() { n.become(draining) }

// Run runs a task if there is none, and none are refused.
func (n *Node) Run(task func()) bool {
	n.mu.Lock()
	if n.phase != idle {
		n.mu.Unlock()
		return false
	}
	n.phase = busy
	n.mu.Unlock()
	task()
	n.mu.Lock()
	if n.phase == busy {
		n.phase = idle
	}
	n.mu.Unlock()
	return true
}
