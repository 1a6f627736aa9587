// Package e9: it is about several cells, of maps that others can reach.
package e9

import "sync"

type Open struct{ ByName, ByID sync.Map }

func (p *Open) RemoveHidden(name string) {
	if id, ok := p.ByName.LoadAndDelete(name); ok {
		p.ByID.Delete(id)
	}
}

func (p *Open) Hidden(name string, id int) {
	if _, loaded := p.ByName.LoadOrStore(name, id); !loaded {
		p.ByID.Store(id, name)
	}
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
