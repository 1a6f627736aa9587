// Package meters hands out meters that are read on a page.
package meters

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
)

// Meter counts for as long as somebody has it.
type Meter struct {
	unit  string
	total atomic.Int64
}

// Add counts n more.
func (m *Meter) Add(n int64) { m.total.Add(n) }

// Panel has all meters by name.
type Panel struct {
	mu     sync.RWMutex
	meters map[string]*Meter
}

// NewPanel makes an empty panel.
func NewPanel() *Panel { return &Panel{meters: map[string]*Meter{}} }

// Meter gives the meter of a name, which it makes if there is none.
func (p *Panel) Meter(name, unit string) *Meter {
	p.mu.RLock()
	m := p.meters[name]
	p.mu.RUnlock()
	if m != nil {
		return m
	}
	m = &Meter{unit: unit}
	p.mu.Lock()
	p.meters[name] = m
	p.mu.Unlock()
	return m
}

// Print writes what all meters have counted.
func (p *Panel) Print(w io.Writer) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for name, m := range p.meters {
		fmt.Fprintf(w, "%s %d %s\n", name, m.total.Load(), m.unit)
	}
}
