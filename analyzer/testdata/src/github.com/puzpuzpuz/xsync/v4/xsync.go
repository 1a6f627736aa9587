// Package xsync is a stand-in for the real package: its signatures, no bodies.
package xsync

import "iter"

// MapConfig stands for the real options.
type MapConfig struct{ sizeHint int }

// ComputeOp says what Compute does with the value its callback returns.
type ComputeOp int

// The three outcomes of a Compute callback.
const (
	CancelOp ComputeOp = iota
	UpdateOp
	DeleteOp
)

// Map is the typed map.
type Map[K comparable, V any] struct{ _ [0]func(K, V) }

// MapOf is the name that Map had before version 4.
type MapOf[K comparable, V any] = Map[K, V]

// NewMap returns an empty map.
func NewMap[K comparable, V any](options ...func(*MapConfig)) *Map[K, V] { return &Map[K, V]{} }

// Load reads the entry.
func (m *Map[K, V]) Load(key K) (value V, ok bool) { return }

// Store writes the entry.
func (m *Map[K, V]) Store(key K, value V) {}

// LoadOrStore inserts the entry if absent.
func (m *Map[K, V]) LoadOrStore(key K, value V) (actual V, loaded bool) { return }

// LoadAndStore replaces the entry and returns the old value.
func (m *Map[K, V]) LoadAndStore(key K, value V) (actual V, loaded bool) { return }

// LoadAndDelete removes the entry and returns it.
func (m *Map[K, V]) LoadAndDelete(key K) (value V, loaded bool) { return }

// Delete removes the entry.
func (m *Map[K, V]) Delete(key K) {}

// LoadOrCompute inserts the callback's value if absent, unless it cancels.
func (m *Map[K, V]) LoadOrCompute(
	key K,
	valueFn func() (newValue V, cancel bool),
) (value V, loaded bool) {
	return
}

// Compute runs the callback on the entry under the map's lock.
func (m *Map[K, V]) Compute(
	key K,
	valueFn func(oldValue V, loaded bool) (newValue V, op ComputeOp),
) (actual V, ok bool) {
	return
}

// Range calls f for every entry.
func (m *Map[K, V]) Range(f func(key K, value V) bool) {}

// All iterates over the entries.
func (m *Map[K, V]) All() iter.Seq2[K, V] { return m.Range }

// DeleteMatching removes every entry that f asks for, each under its lock.
func (m *Map[K, V]) DeleteMatching(f func(key K, value V) (delete, stop bool)) int { return 0 }

// Size counts the entries.
func (m *Map[K, V]) Size() int { return 0 }

// Clear removes all entries.
func (m *Map[K, V]) Clear() {}
