// Package e39: the new value is the old one, or another one.
package e39

import "sync"

type Member struct {
	mu   sync.Mutex
	name string
	seen int
}

// Hidden sets the name, or the old one again.
func (m *Member) Hidden(name string) {
	m.mu.Lock()
	old := m.name
	m.mu.Unlock()
	if name == "" {
		name = old
	}
	m.mu.Lock()
	m.name = name
	m.mu.Unlock()
}

// Shown counts.
func (m *Member) Shown(n int) {
	m.mu.Lock()
	seen := m.seen
	m.mu.Unlock()
	m.mu.Lock()
	m.seen = seen + n // want "lost-update"
	m.mu.Unlock()
}
