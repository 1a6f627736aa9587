// Package e12: it is about several cells, and writes at most one.
package e12

import "sync"

type Copied struct{ from, to sync.Map }

func (c *Copied) Set(k string, n int) { c.from.Store(k, n) }

func (c *Copied) Hidden(k string) {
	if v, ok := c.from.Load(k); ok {
		c.to.Store(k, v)
	}
}

func (c *Copied) Get(k string) any {
	v, _ := c.to.Load(k)
	return v
}

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
