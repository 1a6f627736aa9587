// Package cmap is a stand-in for the real package: its signatures, no bodies.
package cmap

// ConcurrentMap is the sharded map. Its methods have value receivers.
type ConcurrentMap[K comparable, V any] struct{ shards []*ConcurrentMapShared[K, V] }

// ConcurrentMapShared is one shard.
type ConcurrentMapShared[K comparable, V any] struct{ items map[K]V }

// Tuple is one entry of an iteration.
type Tuple[K comparable, V any] struct {
	Key K
	Val V
}

// UpsertCb computes the value that Upsert stores.
type UpsertCb[V any] func(exist bool, valueInMap V, newValue V) V

// RemoveCb decides whether RemoveCb removes the entry.
type RemoveCb[K any, V any] func(key K, v V, exists bool) bool

// IterCb is called for every entry.
type IterCb[K comparable, V any] func(key K, v V)

// New returns an empty map with string keys.
func New[V any]() ConcurrentMap[string, V] { return ConcurrentMap[string, V]{} }

// Get reads the entry.
func (m ConcurrentMap[K, V]) Get(key K) (V, bool) { var v V; return v, false }

// Has reports whether the entry is there.
func (m ConcurrentMap[K, V]) Has(key K) bool { return false }

// Set writes the entry.
func (m ConcurrentMap[K, V]) Set(key K, value V) {}

// SetIfAbsent inserts the entry and reports whether it did.
func (m ConcurrentMap[K, V]) SetIfAbsent(key K, value V) bool { return false }

// Upsert stores what cb makes of the entry and the value.
func (m ConcurrentMap[K, V]) Upsert(key K, value V, cb UpsertCb[V]) (res V) { return }

// Remove removes the entry.
func (m ConcurrentMap[K, V]) Remove(key K) {}

// RemoveCb removes the entry if cb says so.
func (m ConcurrentMap[K, V]) RemoveCb(key K, cb RemoveCb[K, V]) bool { return false }

// Pop removes the entry and returns it.
func (m ConcurrentMap[K, V]) Pop(key K) (v V, exists bool) { return }

// IterBuffered iterates over a copy of the entries.
func (m ConcurrentMap[K, V]) IterBuffered() <-chan Tuple[K, V] { return nil }

// IterCb calls fn for every entry under the shard's read lock.
func (m ConcurrentMap[K, V]) IterCb(fn IterCb[K, V]) {}

// Count counts the entries.
func (m ConcurrentMap[K, V]) Count() int { return 0 }

// Keys lists the keys.
func (m ConcurrentMap[K, V]) Keys() []K { return nil }

// Items copies the map.
func (m ConcurrentMap[K, V]) Items() map[K]V { return nil }
