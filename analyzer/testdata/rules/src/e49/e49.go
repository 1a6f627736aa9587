// Package e49: a compare-and-swap fails if something came in between.
package e49

import "sync/atomic"

type Row struct {
	places []string
	at     atomic.Int32
}

func New(places []string) *Row { return &Row{places: places} }

// Hidden takes the next one, or what is next now.
func (r *Row) Hidden() string {
	at := r.at.Load()
	if at >= int32(len(r.places))-1 {
		r.at.Store(0)
		return r.places[0]
	}
	if r.at.CompareAndSwap(at, at+1) {
		return r.places[at+1]
	}
	return r.places[r.at.Load()]
}

type Turn struct {
	places []string
	at     atomic.Int32
}

func NewTurn(places []string) *Turn { return &Turn{places: places} }

// Shown gives the same to two.
func (t *Turn) Shown() string {
	at := t.at.Load()
	if at >= int32(len(t.places))-1 {
		t.at.Store(0)
		return t.places[0]
	}
	t.at.Store(at + 1)
	return t.places[at+1]
}
