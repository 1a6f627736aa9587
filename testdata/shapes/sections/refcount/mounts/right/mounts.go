// Package mounts counts who uses a mount.
package mounts

import "sync"

type mount struct {
	path  string
	users int
}

// Mounts are what is mounted.
type Mounts struct {
	mu     sync.Mutex
	mounts map[string]*mount
	do     func(path string) error
	undo   func(path string) error
}

// New returns no mounts.
func New(do, undo func(path string) error) *Mounts {
	return &Mounts{mounts: map[string]*mount{}, do: do, undo: undo}
}

// Use mounts path, unless it is.
func (m *Mounts) Use(path string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	mt := m.mounts[path]
	if mt == nil {
		if err := m.do(path); err != nil {
			return err
		}
		mt = &mount{path: path}
		m.mounts[path] = mt
	}
	mt.users++
	return nil
}

// Done says that a user of path is through.
func (m *Mounts) Done(path string) error {
	m.mu.Lock()
	mt := m.mounts[path]
	if mt == nil {
		m.mu.Unlock()
		return nil
	}
	mt.users--
	last := mt.users == 0
	defer m.mu.Unlock()
	if !last {
		return nil
	}
	delete(m.mounts, path)
	return m.undo(path)
}
