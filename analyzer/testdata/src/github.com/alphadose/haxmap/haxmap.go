// Package haxmap is a stand-in for the real package: its signatures, no bodies.
package haxmap

type hashable interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr |
		~float32 | ~float64 | ~complex64 | ~complex128 | ~string
}

// Map is the lock-free map.
type Map[K hashable, V any] struct{ _ [0]func(K, V) }

// New returns an empty map.
func New[K hashable, V any](size ...uintptr) *Map[K, V] { return &Map[K, V]{} }

// Get reads the entry.
func (m *Map[K, V]) Get(key K) (value V, ok bool) { return }

// Set writes the entry.
func (m *Map[K, V]) Set(key K, value V) {}

// GetOrSet inserts the entry if absent and returns the one there.
func (m *Map[K, V]) GetOrSet(key K, value V) (actual V, loaded bool) { return }

// GetOrCompute inserts the callback's value if absent.
func (m *Map[K, V]) GetOrCompute(key K, valueFn func() V) (actual V, loaded bool) { return }

// GetAndDel removes the entry and returns it.
func (m *Map[K, V]) GetAndDel(key K) (value V, ok bool) { return }

// Swap replaces the entry if there is one.
func (m *Map[K, V]) Swap(key K, newValue V) (oldValue V, swapped bool) { return }

// CompareAndSwap replaces the entry if it holds oldValue.
func (m *Map[K, V]) CompareAndSwap(key K, oldValue, newValue V) bool { return false }

// Del removes the entries.
func (m *Map[K, V]) Del(keys ...K) {}

// ForEach calls lambda for every entry.
func (m *Map[K, V]) ForEach(lambda func(K, V) bool) {}

// Len counts the entries.
func (m *Map[K, V]) Len() uintptr { return 0 }
