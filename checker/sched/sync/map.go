package sync

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"
	"unsafe"

	"github.com/mapatom/mapatom/checker/sched"
)

// Map is sync.Map. Each operation is one step; Range is a step for the keys
// and one for each entry, and under control it goes through the keys in the
// order of the threads that first brought them, so that an execution can be
// replayed, and the order of steps on different keys makes no difference.
type Map struct {
	m sync.Map

	mu    sync.Mutex
	order map[any]int64 // the stamp of the step by which each key came under control
}

// step announces an operation on the entry of a key; nil stands for all.
func (m *Map) step(kind sched.Kind, key any) *sched.Thread {
	t := sched.Current()
	if t != nil {
		t.Touch(m, key)
		t.Step(kind, unsafe.Pointer(m))
	}
	return t
}

// came notes a key that is about to be stored.
func (m *Map) came(t *sched.Thread, key any) {
	if t == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.order == nil {
		m.order = map[any]int64{}
	}
	if _, ok := m.order[key]; !ok {
		m.order[key] = t.Stamp()
	}
}

// Load returns the value of the key, and whether there is one.
func (m *Map) Load(key any) (value any, ok bool) {
	m.step(sched.Load, key)
	return m.m.Load(key)
}

// Store sets the value of the key.
func (m *Map) Store(key, value any) {
	m.came(m.step(sched.Store, key), key)
	m.m.Store(key, value)
}

// Clear deletes every entry.
func (m *Map) Clear() {
	m.step(sched.Store, nil)
	m.m.Clear()
}

// LoadOrStore returns the value of the key, which it sets if there is none.
func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	t := m.step(sched.Update, key)
	m.came(t, key)
	actual, loaded = m.m.LoadOrStore(key, value)
	if loaded {
		t.Quiet()
	}
	return actual, loaded
}

// LoadAndDelete deletes the entry of the key and returns what its value was.
func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	t := m.step(sched.Update, key)
	value, loaded = m.m.LoadAndDelete(key)
	if !loaded {
		t.Quiet()
	}
	return value, loaded
}

// Delete deletes the entry of the key.
func (m *Map) Delete(key any) { m.LoadAndDelete(key) }

// Swap sets the value of the key and returns what it was.
func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	m.came(m.step(sched.Update, key), key)
	return m.m.Swap(key, value)
}

// CompareAndSwap sets the value of the key if it is old.
func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	t := m.step(sched.Update, key)
	if swapped = m.m.CompareAndSwap(key, old, new); !swapped {
		t.Quiet()
	}
	return swapped
}

// CompareAndDelete deletes the entry of the key if its value is old.
func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	t := m.step(sched.Update, key)
	if deleted = m.m.CompareAndDelete(key, old); !deleted {
		t.Quiet()
	}
	return deleted
}

// Range calls f for each entry until it returns false. Like the original it
// shows no snapshot: a value is that of the moment before f is called for it.
func (m *Map) Range(f func(key, value any) bool) {
	if sched.Current() == nil {
		m.m.Range(f)
		return
	}
	m.step(sched.Load, nil)
	for _, key := range m.keys() {
		m.step(sched.Load, key)
		if value, ok := m.m.Load(key); ok && !f(key, value) {
			return
		}
	}
}

// keys are the keys in the order of the steps by which they came; those that came outside
// control are last, in the order of their text.
func (m *Map) keys() []any {
	var keys []any
	m.m.Range(func(key, _ any) bool { keys = append(keys, key); return true })
	number := func(key any) int64 {
		if n, ok := m.order[key]; ok {
			return n
		}
		return math.MaxInt64
	}
	slices.SortFunc(keys, func(a, b any) int {
		if c := cmp.Compare(number(a), number(b)); c != 0 {
			return c
		}
		return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})
	return keys
}
