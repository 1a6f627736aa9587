// Package e14: only one goroutine of each object runs it.
package e14

import (
	"sync"
	"sync/atomic"
)

type Ring struct{ shards *shards }

type shards struct {
	mu   sync.Mutex
	list []*shard
}

type shard struct{ down atomic.Int64 }

func NewRing(n int) *Ring {
	r := &Ring{shards: newShards(n)}
	go r.shards.watch(true)
	return r
}

func newShards(n int) *shards {
	s := &shards{}
	for range n {
		s.list = append(s.list, &shard{})
	}
	return s
}

func (r *Ring) Up() bool { return r.shards.some()[0].down.Load() < 3 }

func (s *shards) some() []*shard {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list
}

func (s *shards) watch(up bool) {
	for {
		for _, sh := range s.some() {
			sh.hidden(up)
		}
	}
}

func (s *shard) hidden(up bool) bool {
	if up {
		changed := s.down.Load() > 3
		s.down.Store(0)
		return changed
	}
	s.down.Add(1)
	return s.down.Load() > 3
}

// Votes are counted by whoever comes.
type Votes struct{ down atomic.Int64 }

func (v *Votes) Add() { v.down.Add(1) }

func (v *Votes) Shown() bool {
	changed := v.down.Load() > 3
	v.down.Store(0) // want "lost-update"
	return changed
}
