// Package expectations counts what a controller waits for.
package expectations

import (
	"sync"
	"sync/atomic"

	"github.com/mapatom/mapatom/testdata/shapes/maps/helperkey/keys"
)

// Expectations are by object.
type Expectations struct{ pending sync.Map }

// Expect adds n to what is expected of an object.
func (e *Expectations) Expect(namespace, name string, n int64) {
	e.of(namespace, name).Add(n)
}

func (e *Expectations) of(namespace, name string) *atomic.Int64 {
	if v, ok := e.pending.Load(keys.Of(namespace, name)); ok {
		return v.(*atomic.Int64)
	}
	count := new(atomic.Int64)
	e.pending.Store(keys.Of(namespace, name), count)
	return count
}
