// Package ledgers lets one writer at a time into each ledger.
package ledgers

import (
	"sync"
	"sync/atomic"
)

type gate struct {
	mu    sync.Mutex
	users atomic.Int64
}

// Gates has one for each ledger that is written.
type Gates struct {
	open sync.Map
}

// Enter waits until nobody else writes a ledger; the caller calls what it returns when he is done.
func (g *Gates) Enter(ledger string) func() {
	v, ok := g.open.Load(ledger)
	if !ok {
		v, _ = g.open.LoadOrStore(ledger, new(gate))
	}
	in := v.(*gate)
	in.users.Add(1)
	in.mu.Lock()
	return func() {
		in.mu.Unlock()
		g.leave(ledger, in)
	}
}

// leave takes away the gate of one who has just counted himself in.
func (g *Gates) leave(ledger string, in *gate) {
	if in.users.Add(-1) == 0 {
		g.open.Delete(ledger)
	}
}
