package explore

import (
	"sync"
	"sync/atomic"
)

// A table numbers what observers know, so that a state of the exploration
// needs 4 bytes for it. Numbers depend on who comes first; nothing else does.
// Looking something up by its number takes no lock.
type table[T any] struct {
	mu      sync.Mutex
	numbers map[string]int32
	chunks  [1 << 15]atomic.Pointer[[chunkSize]T]
	bytes   atomic.Int64
}

const chunkSize = 1 << 12

// number is the number of what has the key. If it has none yet, it is made.
func (t *table[T]) number(key string, build func() T) int32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n, ok := t.numbers[key]; ok {
		return n
	}
	if t.numbers == nil {
		t.numbers = map[string]int32{}
	}
	n := int32(len(t.numbers))
	chunk := t.chunks[n/chunkSize].Load()
	if chunk == nil {
		chunk = new([chunkSize]T)
		t.chunks[n/chunkSize].Store(chunk)
	}
	chunk[n%chunkSize] = build()
	t.numbers[key] = n
	t.bytes.Add(int64(3*len(key)) + 100) // the key, what it stands for, and the map
	return n
}

// find is the number of what has the key, if it has one.
func (t *table[T]) find(key string) (int32, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n, ok := t.numbers[key]
	return n, ok
}

// get is what has the number.
func (t *table[T]) get(n int32) T { return t.chunks[n/chunkSize].Load()[n%chunkSize] }

// size is about how many bytes it takes.
func (t *table[T]) size() int64 { return t.bytes.Load() }
