// Package snapshots numbers the states of a cluster.
package snapshots

import "sync"

// Snapshot is one state.
type Snapshot struct{ Generation uint64 }

// Log has the newest state.
type Log struct {
	mu         sync.Mutex
	generation uint64
	newest     *Snapshot
}

// Publish makes a state the newest and numbers it.
func (l *Log) Publish(build func(generation uint64) *Snapshot) *Snapshot {
	l.mu.Lock()
	next := l.generation + 1
	l.mu.Unlock()
	s := build(next)
	l.mu.Lock()
	l.generation = next
	l.newest = s
	l.mu.Unlock()
	return s
}
