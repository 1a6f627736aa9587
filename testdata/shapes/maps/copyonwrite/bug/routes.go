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
	next := maps.Clone(*t.routes.Load())
	next[path] = backend
	t.routes.Store(&next)
}

// Backend is where a path goes.
func (t *Table) Backend(path string) string { return (*t.routes.Load())[path] }
