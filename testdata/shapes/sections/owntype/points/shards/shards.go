// Package shards is a map in several parts, each with a lock of its own.
package shards

import (
	"hash/fnv"
	"sync"
)

const parts = 32

type part[V any] struct {
	sync.RWMutex
	entries map[string]V
}

// Map is a map that several goroutines may use.
type Map[V any] struct {
	parts [parts]part[V]
}

// New returns an empty map.
func New[V any]() *Map[V] {
	m := &Map[V]{}
	for i := range m.parts {
		m.parts[i].entries = map[string]V{}
	}
	return m
}

func (m *Map[V]) of(key string) *part[V] {
	h := fnv.New32a()
	h.Write([]byte(key))
	return &m.parts[h.Sum32()%parts]
}

// Get returns what is there for a key.
func (m *Map[V]) Get(key string) (V, bool) {
	p := m.of(key)
	p.RLock()
	defer p.RUnlock()
	v, ok := p.entries[key]
	return v, ok
}

// Set puts something there for a key.
func (m *Map[V]) Set(key string, v V) {
	p := m.of(key)
	p.Lock()
	defer p.Unlock()
	p.entries[key] = v
}

// Change puts there what a function makes of what is there.
func (m *Map[V]) Change(key string, to func(V) V) {
	p := m.of(key)
	p.Lock()
	defer p.Unlock()
	p.entries[key] = to(p.entries[key])
}
