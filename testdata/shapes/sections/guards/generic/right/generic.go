// Package generic guards a value with a lock that comes with it.
package generic

import "sync"

// Guard lets one at a time use a value.
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

type budget struct{ left int }

// Budget is spent by many.
type Budget struct{ guard Guard[budget] }

// Spend takes n if so much is left.
func (b *Budget) Spend(n int) (ok bool) {
	b.guard.With(func(v *budget) {
		if ok = v.left >= n; ok {
			v.left -= n
		}
	})
	return ok
}
