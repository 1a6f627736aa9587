// Package e8: it looks twice at an atomic, as one who watches it.
package e8

import (
	"sync"
	"sync/atomic"
)

type Gauge struct{ n atomic.Int64 }

func (g *Gauge) Set(n int64) { g.n.Store(n) }

func (g *Gauge) Hidden() int64 {
	if g.n.Load() > 3 {
		return g.n.Load()
	}
	return 0
}

type Gauges struct{ m sync.Map }

func (g *Gauges) Set(k string, n int64) { g.m.Store(k, n) }

func (g *Gauges) Shown(k string) any {
	if v, ok := g.m.Load(k); ok && v.(int64) > 3 {
		v, _ = g.m.Load(k) // want "inconsistent-read"
		return v
	}
	return nil
}
