// Package peers forgets peers that have not been heard of.
package peers

import (
	"sync"
	"time"
)

// ID is that of a peer.
type ID uint64

// Peer was heard of last at a time.
type Peer struct {
	Addr string
	Last time.Time
}

// Table has the peers by their ids.
type Table struct{ peers sync.Map }

// Heard notes that there is a peer.
func (t *Table) Heard(id ID, addr string, now time.Time) {
	t.peers.Store(id, &Peer{addr, now})
}

// Addr is where a peer is.
func (t *Table) Addr(id ID) (string, bool) {
	v, ok := t.peers.Load(id)
	if !ok {
		return "", false
	}
	return v.(*Peer).Addr, true
}

func (t *Table) forget(id ID) { t.peers.Delete(id) }

// Expire forgets those who were heard of last before a time.
func (t *Table) Expire(before time.Time) {
	t.peers.Range(func(k, v any) bool {
		if v.(*Peer).Last.Before(before) {
			t.forget(k.(ID))
		}
		return true
	})
}
