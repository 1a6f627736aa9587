// Package meters counts requests by route.
package meters

import (
	"sync"
	"sync/atomic"
)

// Meter counts.
type Meter struct{ n atomic.Int64 }

func (m *Meter) Mark() { m.n.Add(1) }

// Meters are by route.
type Meters struct{ routes sync.Map }

// Meter is the meter of a route.
func (ms *Meters) Meter(route string) *Meter {
	if m, ok := ms.routes.Load(route); ok {
		return m.(*Meter)
	}
	m := &Meter{}
	ms.routes.LoadOrStore(route, m)
	return m
}

// Handle counts a request.
func (ms *Meters) Handle(route string) { ms.Meter(route).Mark() }
