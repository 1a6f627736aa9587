// Package hashmap is a stand-in for the real package: its signatures, no bodies.
package hashmap

type hashable interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr |
		~float32 | ~float64 | ~string
}

// Map is the lock-free map.
type Map[Key hashable, Value any] struct{ _ [0]func(Key, Value) }

// New returns an empty map.
func New[Key hashable, Value any]() *Map[Key, Value] { return &Map[Key, Value]{} }

// Get reads the entry.
func (m *Map[Key, Value]) Get(key Key) (Value, bool) { var v Value; return v, false }

// Set writes the entry.
func (m *Map[Key, Value]) Set(key Key, value Value) {}

// Insert inserts the entry and reports whether it did.
func (m *Map[Key, Value]) Insert(key Key, value Value) bool { return false }

// GetOrInsert inserts the entry if absent and returns the one there.
func (m *Map[Key, Value]) GetOrInsert(key Key, value Value) (Value, bool) {
	var v Value
	return v, false
}

// Del removes the entry and reports whether there was one.
func (m *Map[Key, Value]) Del(key Key) bool { return false }

// Range calls f for every entry.
func (m *Map[Key, Value]) Range(f func(Key, Value) bool) {}

// Len counts the entries.
func (m *Map[Key, Value]) Len() int { return 0 }
