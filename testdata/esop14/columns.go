package esop14

import "sync"

// The rows of this file insert a column unless a newer one is there. When the
// replacement fails they read again, and the entry may have gone.

// Column is a value with the time it was written. It never changes.
type Column struct {
	name string
	time int64
}

// older reports whether old gives way to c.
func older(old, c *Column) bool { return old.time <= c.time }

// SuperColumn is a group of columns.
type SuperColumn struct{ columns sync.Map } // string -> *Column

// N04 panics where the entry was removed between the failed replacement and
// the second read. Expected: violation.
func (s *SuperColumn) N04(c *Column) {
	v, loaded := s.columns.LoadOrStore(c.name, c)
	if !loaded {
		return
	}
	for older(v.(*Column), c) {
		if s.columns.CompareAndSwap(c.name, v, c) {
			return
		}
		v, _ = s.columns.Load(c.name)
	}
}

// Container is a cell that other columns are merged into.
type Container struct {
	name   string
	mu     sync.Mutex
	merged []*Column
}

func (c *Container) merge(col *Column) {
	c.mu.Lock()
	c.merged = append(c.merged, col)
	c.mu.Unlock()
}

// ColumnFamily is a table of columns and containers.
type ColumnFamily struct{ cells sync.Map } // string -> *Column or *Container

// N05 is N04 with a branch: a container that is there merges the column and
// stays. Expected: violation.
func (f *ColumnFamily) N05(c *Column) {
	v, loaded := f.cells.LoadOrStore(c.name, c)
	if !loaded {
		return
	}
	if group, ok := v.(*Container); ok {
		group.merge(c)
		return
	}
	for older(v.(*Column), c) {
		if f.cells.CompareAndSwap(c.name, v, c) {
			return
		}
		v, _ = f.cells.Load(c.name)
	}
}

// Group puts a container in the place of what is there.
func (f *ColumnFamily) Group(g *Container) { f.cells.Store(g.name, g) }
