// Package e19: a comment asks callers to see to it that it is not interrupted.
package e19

import (
	"sync"
	"sync/atomic"
)

type Node struct {
	leader, votes atomic.Int64
	locks         []sync.Locker
}

// hidden notes the leader, once. Lock should be held.
func (n *Node) hidden(id int64) {
	if n.leader.Load() == 0 {
		n.leader.Store(id)
	}
}

// shown notes the first vote. It should be called once.
func (n *Node) shown(id int64) {
	if n.votes.Load() == 0 {
		n.votes.Store(id) // want "lost-update"
	}
}

func (n *Node) Apply(id int64) {
	for _, l := range n.locks {
		l.Lock()
		defer l.Unlock()
	}
	n.hidden(id)
}

func (n *Node) Vote(id int64) { n.shown(id) }
