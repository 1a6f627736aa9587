// Package serials numbers what is made for each plant, in shards that a helper finds.
package serials

import (
	"hash/maphash"
	"sync"
)

var seed = maphash.MakeSeed()

type shard struct {
	sync.Mutex
	last map[string]int
}

func (s *shard) get(plant string) int {
	s.Lock()
	defer s.Unlock()
	return s.last[plant]
}

func (s *shard) next(plant string) int {
	s.Lock()
	defer s.Unlock()
	s.last[plant]++
	return s.last[plant]
}

// Serials are the last numbers.
type Serials struct{ shards [8]shard }

// New goes on after some numbers.
func New(last map[string]int) *Serials {
	s := &Serials{}
	for i := range s.shards {
		s.shards[i].last = map[string]int{}
	}
	for plant, n := range last {
		s.shard(plant).last[plant] = n
	}
	return s
}

func (s *Serials) shard(plant string) *shard { return &s.shards[maphash.String(seed, plant)%8] }

// Last is the last number.
func (s *Serials) Last(plant string) int { return s.shard(plant).get(plant) }

// Next is a number that nobody else has.
func (s *Serials) Next(plant string) int {
	sh := s.shard(plant)
	return sh.next(plant)
}
