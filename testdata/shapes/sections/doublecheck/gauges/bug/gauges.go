// Package gauges has a gauge for each name, some of them from the beginning.
package gauges

import "sync"

// Gauge counts.
type Gauge struct {
	mu sync.Mutex
	n  int
}

// Add adds.
func (g *Gauge) Add(n int) {
	g.mu.Lock()
	g.n += n
	g.mu.Unlock()
}

// Board has the gauges by name.
type Board struct {
	mu     sync.RWMutex
	gauges map[string]*Gauge
}

// New makes a board that has some gauges.
func New(names ...string) *Board {
	b := &Board{gauges: map[string]*Gauge{}}
	for _, name := range names {
		b.enter(name)
	}
	return b
}

// enter is called under the lock, or when nobody else has the board.
func (b *Board) enter(name string) *Gauge {
	g := &Gauge{}
	b.gauges[name] = g
	return g
}

// Gauge is that of a name.
func (b *Board) Gauge(name string) *Gauge {
	b.mu.RLock()
	g, ok := b.gauges[name]
	b.mu.RUnlock()
	if ok {
		return g
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.enter(name)
}
