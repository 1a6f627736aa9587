// Package e10: it is about several cells, and shows only while the call runs.
package e10

import "sync"

type Turned struct{ current, next, last sync.Map }

func (t *Turned) Put(k string) { t.current.Store(k, 1) }

func (t *Turned) Hidden(k string) {
	if _, ok := t.current.Load(k); !ok {
		t.next.Store(k, 1)
		t.last.Store(k, 1)
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
