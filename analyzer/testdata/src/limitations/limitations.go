// Package limitations shows what is wrong and not reported. Each function says
// why the definition of a step leaves it out.
package limitations

import "sync"

type conn struct {
	addr string
	mu   sync.Mutex
	sent int
}

// Registry has connections by address.
type Registry struct{ m sync.Map }

func (r *Registry) Drop(addr string) { r.m.Delete(addr) }

// Ignored makes one call, which is atomic. That it returns a connection which
// may not be the one in the map is wrong even without other goroutines.
func (r *Registry) Ignored(addr string) *conn {
	c := &conn{addr: addr}
	r.m.LoadOrStore(addr, c)
	return c
}

// Collected remembers the keys in a slice and deletes them in a second loop.
// What a slice held an iteration ago is not followed.
func (r *Registry) Collected(idle func(*conn) bool) {
	var addrs []any
	r.m.Range(func(key, value any) bool {
		if idle(value.(*conn)) {
			addrs = append(addrs, key)
		}
		return true
	})
	for _, addr := range addrs {
		r.m.Delete(addr)
	}
}

// Handed leaves the second half to another goroutine.
func (r *Registry) Handed(addr string) {
	if _, ok := r.m.Load(addr); !ok {
		go r.m.Store(addr, &conn{addr: addr})
	}
}
