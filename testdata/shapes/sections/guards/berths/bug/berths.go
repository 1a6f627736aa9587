// Package berths says which ship lies where.
package berths

import "sync"

// Guard lends a value to one at a time.
type Guard[T any] struct {
	mu    sync.Mutex
	value T
}

// With runs f while nobody else has the value.
func (g *Guard[T]) With(f func(*T)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f(&g.value)
}

type quay struct{ ships map[string]string }

// Harbour has named berths.
type Harbour struct{ quay Guard[quay] }

// New returns an empty harbour.
func New() *Harbour { return &Harbour{quay: Guard[quay]{value: quay{ships: map[string]string{}}}} }

func isFree(q *quay, berth string) bool {
	_, taken := q.ships[berth]
	return !taken
}

// Moor gives a ship a berth, if that is free.
func (h *Harbour) Moor(berth, ship string) (ok bool) {
	h.quay.With(func(q *quay) { ok = isFree(q, berth) })
	if ok {
		h.quay.With(func(q *quay) { q.ships[berth] = ship })
	}
	return ok
}

// Leave frees a berth.
func (h *Harbour) Leave(berth string) { h.quay.With(func(q *quay) { delete(q.ships, berth) }) }
