// Package xsync is a stand-in for the real package: its signatures, no bodies.
package xsync

// MapConfig stands for the real options.
type MapConfig struct{ sizeHint int }

// Map is the untyped map, with string keys.
type Map struct{ _ [0]func() }

// NewMap returns an empty map.
func NewMap(options ...func(*MapConfig)) *Map { return &Map{} }

// Load reads the entry.
func (m *Map) Load(key string) (value interface{}, ok bool) { return }

// Store writes the entry.
func (m *Map) Store(key string, value interface{}) {}

// LoadOrStore inserts the entry if absent.
func (m *Map) LoadOrStore(key string, value interface{}) (actual interface{}, loaded bool) { return }

// LoadAndStore replaces the entry and returns the old value.
func (m *Map) LoadAndStore(key string, value interface{}) (actual interface{}, loaded bool) { return }

// LoadAndDelete removes the entry and returns it.
func (m *Map) LoadAndDelete(key string) (value interface{}, loaded bool) { return }

// Delete removes the entry.
func (m *Map) Delete(key string) {}

// LoadOrCompute inserts the callback's value if absent.
func (m *Map) LoadOrCompute(key string, valueFn func() interface{}) (actual interface{}, loaded bool) {
	return
}

// Compute runs the callback on the entry under the map's lock.
func (m *Map) Compute(
	key string,
	valueFn func(oldValue interface{}, loaded bool) (newValue interface{}, delete bool),
) (actual interface{}, ok bool) {
	return
}

// Range calls f for every entry.
func (m *Map) Range(f func(key string, value interface{}) bool) {}

// Size counts the entries.
func (m *Map) Size() int { return 0 }

// Clear removes all entries.
func (m *Map) Clear() {}

// MapOf is the typed map.
type MapOf[K comparable, V any] struct{ _ [0]func(K, V) }

// NewMapOf returns an empty map.
func NewMapOf[K comparable, V any](options ...func(*MapConfig)) *MapOf[K, V] { return &MapOf[K, V]{} }

// Load reads the entry.
func (m *MapOf[K, V]) Load(key K) (value V, ok bool) { return }

// Store writes the entry.
func (m *MapOf[K, V]) Store(key K, value V) {}

// LoadOrStore inserts the entry if absent.
func (m *MapOf[K, V]) LoadOrStore(key K, value V) (actual V, loaded bool) { return }

// LoadAndStore replaces the entry and returns the old value.
func (m *MapOf[K, V]) LoadAndStore(key K, value V) (actual V, loaded bool) { return }

// LoadAndDelete removes the entry and returns it.
func (m *MapOf[K, V]) LoadAndDelete(key K) (value V, loaded bool) { return }

// Delete removes the entry.
func (m *MapOf[K, V]) Delete(key K) {}

// LoadOrCompute inserts the callback's value if absent.
func (m *MapOf[K, V]) LoadOrCompute(key K, valueFn func() V) (actual V, loaded bool) { return }

// LoadOrTryCompute inserts the callback's value if absent, unless it cancels.
func (m *MapOf[K, V]) LoadOrTryCompute(
	key K,
	valueFn func() (newValue V, cancel bool),
) (value V, loaded bool) {
	return
}

// Compute runs the callback on the entry under the map's lock.
func (m *MapOf[K, V]) Compute(
	key K,
	valueFn func(oldValue V, loaded bool) (newValue V, delete bool),
) (actual V, ok bool) {
	return
}

// Range calls f for every entry.
func (m *MapOf[K, V]) Range(f func(key K, value V) bool) {}

// Size counts the entries.
func (m *MapOf[K, V]) Size() int { return 0 }

// Clear removes all entries.
func (m *MapOf[K, V]) Clear() {}
