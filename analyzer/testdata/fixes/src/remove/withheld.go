package remove

import "sync"

// Lists are slices, which cannot be compared.
type Lists struct{ m sync.Map }

func (l *Lists) Put(name string, items []string) { l.m.Store(name, items) }

func (l *Lists) DropEmpty(name string) {
	if v, ok := l.m.Load(name); ok && len(v.([]string)) == 0 {
		l.m.Delete(name) // want "stale-delete"
	}
}

// Levels are floats, and a NaN is not equal to itself.
type Levels struct{ m sync.Map }

func (l *Levels) Put(name string, level float64) { l.m.Store(name, level) }

func (l *Levels) DropHigh(name string, limit float64) {
	if v, ok := l.m.Load(name); ok && v.(float64) > limit {
		l.m.Delete(name) // want "stale-delete"
	}
}

// Drop calls before it deletes. It could call for one that it did not delete.
func (p *Pool) Drop(addr string, hook func(*conn)) {
	v, ok := p.m.Load(addr)
	if !ok {
		return
	}
	hook(v.(*conn))
	p.m.Delete(addr) // want "stale-delete"
}
