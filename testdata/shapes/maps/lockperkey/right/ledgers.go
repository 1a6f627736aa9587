// Package ledgers lets one writer at a time into each ledger.
package ledgers

import "sync"

type gate struct {
	mu    sync.Mutex
	users int
}

// Gates has one for each ledger that is written.
type Gates struct {
	mu   sync.Mutex
	open map[string]*gate
}

// New has no gates yet.
func New() *Gates { return &Gates{open: map[string]*gate{}} }

// Enter waits until nobody else writes a ledger; the caller calls what it returns when he is done.
func (g *Gates) Enter(ledger string) func() {
	g.mu.Lock()
	in, ok := g.open[ledger]
	if !ok {
		in = new(gate)
		g.open[ledger] = in
	}
	in.users++
	g.mu.Unlock()
	in.mu.Lock()
	return func() {
		in.mu.Unlock()
		g.leave(ledger, in)
	}
}

func (g *Gates) leave(ledger string, in *gate) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if in.users--; in.users == 0 {
		delete(g.open, ledger)
	}
}
