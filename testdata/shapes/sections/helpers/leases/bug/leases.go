// Package leases hands out leases.
package leases

import (
	"errors"
	"sync"
	"time"
)

// ErrHeld is returned if somebody else has the lease.
var ErrHeld = errors.New("lease is held")

type lease struct {
	holder string
	until  time.Time
}

// Table has one lease for each resource.
type Table struct {
	mtx    sync.Mutex
	leases map[string]lease
}

// NewTable returns a table without leases.
func NewTable() *Table { return &Table{leases: map[string]lease{}} }

func (t *Table) lock()   { t.mtx.Lock() }
func (t *Table) unlock() { t.mtx.Unlock() }

// Acquire gives the lease of resource to holder.
func (t *Table) Acquire(resource, holder string, ttl time.Duration) error {
	now := time.Now()
	t.lock()
	l, ok := t.leases[resource]
	t.unlock()
	if ok && l.holder != holder && now.Before(l.until) {
		return ErrHeld
	}
	t.lock()
	t.leases[resource] = lease{holder: holder, until: now.Add(ttl)}
	t.unlock()
	return nil
}

// Release gives a lease back.
func (t *Table) Release(resource, holder string) {
	t.lock()
	defer t.unlock()
	if t.leases[resource].holder == holder {
		delete(t.leases, resource)
	}
}
