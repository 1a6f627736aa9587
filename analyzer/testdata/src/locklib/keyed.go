package locklib

import (
	"hash/fnv"
	"sync"
)

// Keyed has a lock for each key.
type Keyed[K comparable] interface {
	Lock(key K)
	Unlock(key K)
	Len() int
}

type keyed[K comparable] struct {
	mu    sync.RWMutex
	items map[K]*sync.Mutex
}

func NewKeyed[K comparable]() Keyed[K] { return &keyed[K]{items: map[K]*sync.Mutex{}} }

func (k *keyed[K]) Lock(key K) {
	k.mu.RLock()
	l, ok := k.items[key]
	k.mu.RUnlock()
	if !ok {
		k.mu.Lock()
		if l, ok = k.items[key]; !ok {
			l = new(sync.Mutex)
			k.items[key] = l
		}
		k.mu.Unlock()
	}
	l.Lock()
}

func (k *keyed[K]) Unlock(key K) {
	k.mu.RLock()
	l, ok := k.items[key]
	k.mu.RUnlock()
	if ok {
		l.Unlock()
	}
}

func (k *keyed[K]) Len() int {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return len(k.items)
}

// Striped has a few locks, of which each key has one.
type Striped struct{ locks [16]sync.Mutex }

func (s *Striped) of(key string) *sync.Mutex {
	h := fnv.New32a()
	h.Write([]byte(key))
	return &s.locks[h.Sum32()%16]
}

func (s *Striped) LockKey(key string) { s.of(key).Lock() }

func (s *Striped) UnlockKey(key string) error {
	s.of(key).Unlock()
	return nil
}
