// Package names numbers names in the order in which they come.
package names

import "sync"

// Table has a number for each name.
type Table struct {
	mu     sync.RWMutex
	number map[string]int
	names  []string
}

// Has says whether a name has one.
func (t *Table) Has(name string) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	_, ok := t.number[name]
	return ok
}

// Add gives a name a number, if it has none.
func (t *Table) Add(name string) {
	if t.Has(name) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.number[name]; ok {
		return
	}
	t.number[name] = len(t.names)
	t.names = append(t.names, name)
}

// Names are all of them.
func (t *Table) Names() []string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return append([]string(nil), t.names...)
}
