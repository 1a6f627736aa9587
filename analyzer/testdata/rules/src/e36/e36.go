// Package e36: what is set up by helpers is not changed once it is made, nor what is of another module and is only asked.
package e36

import "sync"

type table struct{ columns []string }

// add is called while a table is made.
func (t *table) add(name string) { t.columns = append(t.columns, name) }

func newTable(names []string) *table {
	t := &table{}
	for _, name := range names {
		t.add(name)
	}
	return t
}

type Schema struct {
	tables sync.Map
	names  map[string][]string
}

// Hidden makes a table that nobody changes.
func (s *Schema) Hidden(name string) *table {
	if v, ok := s.tables.Load(name); ok {
		return v.(*table)
	}
	t := newTable(s.names[name])
	s.tables.Store(name, t)
	return t
}

type index struct{ places map[string]int }

// add is called while an index is made.
func (x *index) add(name string, at int) { x.places[name] = at }

func newIndex(names []string) *index {
	x := &index{places: map[string]int{}}
	for i, name := range names {
		x.add(name, i)
	}
	return x
}

type Indexes struct {
	indexes sync.Map
	names   map[string][]string
}

// HiddenIndex makes an index in whose map nobody puts anything.
func (s *Indexes) HiddenIndex(name string) *index {
	if v, ok := s.indexes.Load(name); ok {
		return v.(*index)
	}
	x := newIndex(s.names[name])
	s.indexes.Store(name, x)
	return x
}

type counts struct{ of map[string]uint }

func newCounts() *counts { return &counts{of: map[string]uint{}} }

type Counters struct {
	mu     sync.Mutex
	counts sync.Map
}

// ShownCounts makes counts to which others add.
func (c *Counters) ShownCounts(name string) *counts {
	if v, ok := c.counts.Load(name); ok {
		return v.(*counts)
	}
	new := newCounts()
	c.counts.Store(name, new) // want "lost-update|duplicate-instance"
	return new
}

func (c *Counters) Count(name, what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ShownCounts(name).of[what]++
}

type list struct{ names []string }

// add is called of those that are there.
func (l *list) add(name string) { l.names = append(l.names, name) }

func newList() *list { return &list{} }

type Lists struct {
	mu    sync.Mutex
	lists sync.Map
}

// Shown makes a list to which names are added.
func (l *Lists) Shown(name string) *list {
	if v, ok := l.lists.Load(name); ok {
		return v.(*list)
	}
	new := newList()
	l.lists.Store(name, new) // want "lost-update|duplicate-instance"
	return new
}

func (l *Lists) Add(to, name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.Shown(to).add(name)
}
