// Package e46: an entry is put in the place of another one.
package e46

import "sync"

type table struct {
	mu   sync.Mutex
	name string
	rows int
}

func (t *table) insert() {
	t.mu.Lock()
	t.rows++
	t.mu.Unlock()
}

type Database struct{ tables sync.Map }

// Hidden replaces a table that is there, and keeps its name.
func (d *Database) Hidden(name string, t *table) {
	if v, ok := d.tables.Load(name); ok {
		t.name = v.(*table).name
		d.tables.Store(name, t)
	}
}

func (d *Database) Create(name string) { d.tables.LoadOrStore(name, &table{name: name}) }

func (d *Database) Insert(name string) {
	if v, ok := d.tables.Load(name); ok {
		v.(*table).insert()
	}
}

type Schema struct{ tables sync.Map }

// Shown makes a table that is not there.
func (s *Schema) Shown(name string) *table {
	if v, ok := s.tables.Load(name); ok {
		return v.(*table)
	}
	t := &table{name: name}
	s.tables.Store(name, t) // want "lost-update|duplicate-instance"
	return t
}

func (s *Schema) Insert(name string) {
	if v, ok := s.tables.Load(name); ok {
		v.(*table).insert()
	}
}
