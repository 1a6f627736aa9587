// Package e61: who does something to an entry that takes long puts a mark into it before, and others step back.
package e61

import "sync"

type mount struct {
	source   string
	changing bool
}

// Mounts are what is mounted where.
type Mounts struct {
	do func(string) error

	mu sync.Mutex
	at map[string]mount
}

func New(do func(string) error) *Mounts { return &Mounts{do: do, at: map[string]mount{}} }

func (m *Mounts) settle(target string, next *mount) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if next == nil {
		delete(m.at, target)
		return
	}
	m.at[target] = *next
}

// Mount puts a mark where there is nothing.
func (m *Mounts) Mount(source, target string) bool {
	m.mu.Lock()
	if _, ok := m.at[target]; ok {
		m.mu.Unlock()
		return false
	}
	m.at[target] = mount{source, true}
	m.mu.Unlock()
	if m.do(target) != nil {
		m.settle(target, nil)
		return false
	}
	m.settle(target, &mount{source, false})
	return true
}

// Hidden steps back from a mark.
func (m *Mounts) Hidden(target string) bool {
	m.mu.Lock()
	cur, ok := m.at[target]
	if !ok || cur.changing {
		m.mu.Unlock()
		return false
	}
	m.at[target] = mount{cur.source, true}
	m.mu.Unlock()
	if m.do(target) != nil {
		m.settle(target, &cur)
		return false
	}
	m.settle(target, nil)
	return true
}

// Shared are the same, and one of those who change an entry does not care for the mark.
type Shared struct {
	do func(string) error

	mu sync.Mutex
	at map[string]mount
}

func NewShared(do func(string) error) *Shared { return &Shared{do: do, at: map[string]mount{}} }

func (m *Shared) settle(target string, next mount) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.at[target] = next
}

// Move does not ask whether there is a mark.
func (m *Shared) Move(target string, to mount) { m.settle(target, to) }

// ShownMoved goes on as if nobody else did anything to what it has marked.
func (m *Shared) ShownMoved(target string) bool {
	m.mu.Lock()
	cur, ok := m.at[target]
	if !ok || cur.changing {
		m.mu.Unlock()
		return false
	}
	m.at[target] = mount{cur.source, true}
	m.mu.Unlock()
	m.do(target)
	m.settle(target, cur) // want "lost-update"
	return true
}
