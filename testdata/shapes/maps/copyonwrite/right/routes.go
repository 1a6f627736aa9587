// Package routes has a table of routes that is read far more often than it changes.
package routes

import (
	"maps"
	"sync/atomic"
)

// Table is a copy-on-write table.
type Table struct {
	routes atomic.Pointer[map[string]string]
}

// New is an empty table.
func New() *Table {
	t := &Table{}
	t.routes.Store(&map[string]string{})
	return t
}

// Add adds a route.
func (t *Table) Add(path, backend string) {
	for {
		old := t.routes.Load()
		next := maps.Clone(*old)
		next[path] = backend
		if t.routes.CompareAndSwap(old, &next) {
			return
		}
	}
}

// Backend is where a path goes.
func (t *Table) Backend(path string) string { return (*t.routes.Load())[path] }
