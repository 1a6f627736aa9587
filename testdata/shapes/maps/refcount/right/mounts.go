// Package mounts shares mounts between those who use them.
package mounts

import (
	"sync"
	"sync/atomic"
)

// Mount is used by some.
type Mount struct {
	Path string
	refs atomic.Int32
}

// Table has the mounts that are in use.
type Table struct {
	mu     sync.Mutex
	mounts sync.Map
}

// Acquire is the mount of a volume.
func (t *Table) Acquire(volume string) *Mount {
	t.mu.Lock()
	defer t.mu.Unlock()
	v, _ := t.mounts.LoadOrStore(volume, &Mount{Path: "/mnt/" + volume})
	m := v.(*Mount)
	m.refs.Add(1)
	return m
}

// Release gives it back; the last one unmounts it.
func (t *Table) Release(volume string, m *Mount, unmount func(path string)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if m.refs.Add(-1) == 0 {
		t.mounts.Delete(volume)
		unmount(m.Path)
	}
}
