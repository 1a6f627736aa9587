// Package shards has a shard for each range of keys.
package shards

import "sync"

// Shard is written by all who have it.
type Shard struct {
	mu      sync.Mutex
	data    map[string][]byte
	expires map[string]int64
	dirty   map[string]bool
	log     []string
	wake    chan struct{}
}

func newShard() *Shard {
	return &Shard{
		data: make(map[string][]byte), expires: make(map[string]int64), dirty: make(map[string]bool),
		log: make([]string, 0, 16), wake: make(chan struct{}, 1),
	}
}

// Store has the shards.
type Store struct{ shards sync.Map }

func (s *Store) shard(n int) *Shard {
	if v, ok := s.shards.Load(n); ok {
		return v.(*Shard)
	}
	shard := newShard()
	v, _ := s.shards.LoadOrStore(n, shard)
	return v.(*Shard)
}

// Put writes to a shard.
func (s *Store) Put(n int, key string, value []byte) {
	shard := s.shard(n)
	shard.mu.Lock()
	defer shard.mu.Unlock()
	shard.data[key] = value
	shard.dirty[key] = true
	shard.log = append(shard.log, key)
}
