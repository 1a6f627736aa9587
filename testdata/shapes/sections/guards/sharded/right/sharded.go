// Package sharded has a map in parts, each with a lock of its own.
package sharded

import (
	"hash/maphash"
	"sync"
)

var seed = maphash.MakeSeed()

type shard struct {
	sync.Mutex
	m map[string]chan string
}

// Map has shards.
type Map struct{ shards [16]shard }

func (m *Map) shard(key string) *shard {
	return &m.shards[maphash.String(seed, key)%16]
}

// Channel is the channel of a key.
func (m *Map) Channel(key string) chan string {
	s := m.shard(key)
	s.Lock()
	defer s.Unlock()
	c, ok := s.m[key]
	if !ok {
		c = make(chan string)
		s.m[key] = c
	}
	return c
}
