package sections

import "sync"

// Gauge is read without its lock, too: that is a data race, and no sequence of
// operations.
type Gauge struct {
	mu sync.Mutex
	n  int
}

func (g *Gauge) Set(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n = n
}

func (g *Gauge) Bump() {
	g.mu.Lock()
	n := g.n
	g.mu.Unlock()
	g.mu.Lock()
	g.n = n + 1 // want "lost-update"
	g.mu.Unlock()
}

func (g *Gauge) Between(low, high int) bool { return g.n > low && g.n < high }

// Twice looks two times in one section, which is one operation.
func (g *Gauge) Twice(low, high int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.n <= low {
		return false
	}
	return g.n < high
}
