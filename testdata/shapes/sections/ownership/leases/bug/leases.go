// Package leases has leases that a timer ends, in a helper that is called under the lock.
package leases

import (
	"sync"
	"time"
)

type lease struct {
	owner string
	timer *time.Timer
}

// Table has the leases that run.
type Table struct {
	ttl    time.Duration
	mu     sync.Mutex
	leases map[string]*lease
}

// New returns an empty table.
func New(ttl time.Duration) *Table { return &Table{ttl: ttl, leases: map[string]*lease{}} }

func (t *Table) set(name, owner string) {
	l := &lease{owner: owner}
	l.timer = time.AfterFunc(t.ttl, func() { t.end(name, l) })
	t.leases[name] = l
}

func (t *Table) end(name string, l *lease) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.leases, name)
}

// Acquire gives a lease that nobody has.
func (t *Table) Acquire(name, owner string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, held := t.leases[name]; held {
		return false
	}
	t.set(name, owner)
	return true
}

// Renew has the lease of an owner begin anew.
func (t *Table) Renew(name, owner string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	l, held := t.leases[name]
	if !held || l.owner != owner {
		return false
	}
	l.timer.Stop()
	t.set(name, owner)
	return true
}
