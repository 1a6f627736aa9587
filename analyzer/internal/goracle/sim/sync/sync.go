// Package sync stands in for the standard one, in programs that package sim
// runs. A map keeps its entries in a slice: slow, and obviously right.
package sync

import (
	real "sync"

	"github.com/mapatom/mapatom/analyzer/internal/goracle/sim"
)

// Map has the methods of the standard one.
type Map struct{ entries []entry }

type entry struct{ key, value any }

func (m *Map) find(key any) int {
	for i := range m.entries {
		if m.entries[i].key == key {
			return i
		}
	}
	return -1
}

func (m *Map) get(key any) (any, bool) {
	if i := m.find(key); i >= 0 {
		return m.entries[i].value, true
	}
	return nil, false
}

// found notes what an operation finds, and whether it changes it.
func (m *Map) found(key any, changes bool) {
	v, ok := m.get(key)
	sim.Found(v, ok, changes)
}

func (m *Map) put(key, value any) {
	if i := m.find(key); i >= 0 {
		m.entries[i].value = value
		return
	}
	m.entries = append(m.entries, entry{key, value})
}

func (m *Map) drop(key any) {
	if i := m.find(key); i >= 0 {
		m.entries = append(m.entries[:i:i], m.entries[i+1:]...)
	}
}

func (m *Map) Load(key any) (any, bool) {
	sim.Before()
	v, ok := m.get(key)
	sim.Found(v, ok, false)
	return v, ok
}

func (m *Map) Store(key, value any) {
	sim.Before()
	m.found(key, true)
	m.put(key, value)
	sim.Wrote(value)
}

func (m *Map) Swap(key, value any) (any, bool) {
	sim.Before()
	old, ok := m.get(key)
	sim.Found(old, ok, true)
	m.put(key, value)
	sim.Wrote(value)
	return old, ok
}

func (m *Map) Delete(key any) {
	sim.Before()
	m.found(key, true)
	m.drop(key)
}

func (m *Map) LoadAndDelete(key any) (any, bool) {
	sim.Before()
	old, ok := m.get(key)
	sim.Found(old, ok, true)
	m.drop(key)
	return old, ok
}

func (m *Map) LoadOrStore(key, value any) (any, bool) {
	sim.Before()
	old, ok := m.get(key)
	sim.Found(old, ok, !ok)
	if ok {
		return old, true
	}
	m.put(key, value)
	sim.Wrote(value)
	return value, false
}

func (m *Map) CompareAndSwap(key, old, new any) bool {
	sim.Before()
	if v, ok := m.get(key); !ok || v != old || sim.GiveUp() {
		m.found(key, false)
		return false
	}
	m.found(key, true)
	m.put(key, new)
	sim.Wrote(new)
	return true
}

func (m *Map) CompareAndDelete(key, old any) bool {
	sim.Before()
	if v, ok := m.get(key); !ok || v != old || sim.GiveUp() {
		m.found(key, false)
		return false
	}
	m.found(key, true)
	m.drop(key)
	return true
}

func (m *Map) Clear() {
	sim.Before()
	sim.FoundAll(m.get)
	m.entries = nil
}

// Range visits the keys that are there at the start, each with the value
// that it has when its turn comes, if it still has one then.
func (m *Map) Range(f func(key, value any) bool) {
	sim.Before()
	var keys []any
	for _, e := range m.entries {
		keys = append(keys, e.key)
	}
	for len(keys) > 0 {
		i := sim.Next(len(keys))
		key := keys[i]
		keys = append(keys[:i:i], keys[i+1:]...)
		sim.Before()
		v, ok := m.get(key)
		sim.FoundAt(key, v, ok)
		if ok && !f(key, v) {
			return
		}
	}
}

// What package sim sees of a map.

func (m *Map) SimGet(key any) (any, bool) { return m.get(key) }
func (m *Map) SimPut(key, value any)      { m.put(key, value) }
func (m *Map) SimDrop(key any)            { m.drop(key) }

func (m *Map) SimKeys() (keys []any) {
	for _, e := range m.entries {
		keys = append(keys, e.key)
	}
	return keys
}

// WaitGroup is the standard one.
type WaitGroup = real.WaitGroup

// Mutex has the methods of the standard one.
type Mutex struct{ lock sim.Lock }

func (m *Mutex) Lock()   { m.lock.Acquire(false) }
func (m *Mutex) Unlock() { m.lock.Release(false) }

// SimHeld says what package sim sees of a lock.
func (m *Mutex) SimHeld() bool { return m.lock.Held() }

// RWMutex has the methods of the standard one.
type RWMutex struct{ lock sim.Lock }

func (m *RWMutex) Lock()    { m.lock.Acquire(false) }
func (m *RWMutex) Unlock()  { m.lock.Release(false) }
func (m *RWMutex) RLock()   { m.lock.Acquire(true) }
func (m *RWMutex) RUnlock() { m.lock.Release(true) }

// SimHeld says what package sim sees of a lock.
func (m *RWMutex) SimHeld() bool { return m.lock.Held() }
