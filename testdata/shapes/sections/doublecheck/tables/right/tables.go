// Package tables makes a table when it is first asked for.
package tables

import (
	"errors"
	"sync"
)

// Table counts its rows.
type Table struct {
	mu   sync.Mutex
	rows map[string]int
}

// Add adds a row.
func (t *Table) Add(row string) {
	t.mu.Lock()
	t.rows[row]++
	t.mu.Unlock()
}

// Tables are there until they are closed.
type Tables struct {
	mu     sync.Mutex
	tables map[string]*Table
	closed bool
}

// NewTables has none.
func NewTables() *Tables { return &Tables{tables: make(map[string]*Table)} }

// Table gives the table of a name.
func (s *Tables) Table(name string) (*Table, error) {
	s.mu.Lock()
	t, ok := s.tables[name]
	s.mu.Unlock()
	if ok {
		return t, nil
	}
	t = &Table{rows: make(map[string]int)}

	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errors.New("closed")
	}
	if now, ok := s.tables[name]; ok {
		return now, nil
	}
	s.tables[name] = t
	return t, nil
}

// Close forgets all tables.
func (s *Tables) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.tables = make(map[string]*Table)
}
