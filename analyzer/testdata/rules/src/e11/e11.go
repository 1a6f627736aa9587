// Package e11: it is about several cells, one of them a number that may lag behind.
package e11

import (
	"sync"
	"sync/atomic"
)

type Counted struct {
	m sync.Map
	n atomic.Int64
}

func (c *Counted) Set(k string, n int64) { c.m.Store(k, n) }

func (c *Counted) Hidden(k string) {
	if v, ok := c.m.Load(k); ok {
		c.n.Store(v.(int64))
	}
}

func (c *Counted) N() int64 { return c.n.Load() }

type Pair struct{ byName, byID sync.Map }

func (p *Pair) RemoveShown(name string) {
	if id, ok := p.byName.LoadAndDelete(name); ok {
		p.byID.Delete(id) // want "belong together"
	}
}

func (p *Pair) Shown(name string, id int) {
	if _, loaded := p.byName.LoadOrStore(name, id); !loaded {
		p.byID.Store(id, name) // want "belong together"
	}
}
