// Package counted bounds how many entries a map has, by a number beside it.
package counted

import (
	"errors"
	"sync"
)

// ErrFull says that there is no room.
var ErrFull = errors.New("full")

// Table has at most max entries.
type Table struct {
	mu      sync.Mutex
	entries map[string]string
	n, max  int
}

func (t *Table) full() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.n >= t.max
}

// Insert adds an entry.
func (t *Table) Insert(key, value string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n >= t.max {
		return ErrFull
	}
	if _, ok := t.entries[key]; !ok {
		t.n++
	}
	t.entries[key] = value
	return nil
}

// Remove forgets an entry.
func (t *Table) Remove(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.entries[key]; ok {
		delete(t.entries, key)
		t.n--
	}
}
