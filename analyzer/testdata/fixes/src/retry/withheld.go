package retry

import (
	"sync"
	"sync/atomic"
)

// Gauge computes with an effect, which a loop would repeat.
type Gauge struct {
	n   atomic.Int64
	log chan<- int64
}

func (g *Gauge) Update(step int64) {
	n := g.n.Load() + step
	g.log <- n
	g.n.Store(n) // want "lost-update"
}

// Levels are floats: a NaN would be tried for ever.
type Levels struct{ m sync.Map }

func (l *Levels) Set(name string, level float64) { l.m.Store(name, level) }

func (l *Levels) Raise(name string, by float64) {
	if v, ok := l.m.Load(name); ok {
		l.m.Store(name, v.(float64)+by) // want "lost-update"
	}
}

// Any has values of unknown types, and CompareAndSwap panics on some.
var Any sync.Map

func Exchange(name string, change map[any]any) {
	v, ok := Any.Load(name)
	if !ok {
		return
	}
	Any.Store(name, []any{v}) // want "lost-update"
}

// Value panics on another type.
type Value struct{ v atomic.Value }

func (c *Value) Next() {
	n, _ := c.v.Load().(int)
	c.v.Store(n + 1) // want "lost-update"
}

// Lists are slices, which cannot be compared.
type Lists struct{ m sync.Map }

func (l *Lists) Append(name, item string) {
	v, _ := l.m.Load(name)
	old, _ := v.([]string)
	l.m.Store(name, append(old[:len(old):len(old)], item)) // want "lost-update"
}
