package check

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mapatom/mapatom/absint"
)

// TestCountedNotForEver: what was counted up to does not wrap around, but what is taken off it without a sign does, and what it
// is multiplied by may.
func TestCountedNotForEver(t *testing.T) {
	got := verdicts(New(programs(t, `package counters

import (
	"sync"
	"sync/atomic"
)

type below struct{ c atomic.Uint64 }

func (s *below) Set() {
	s.c.Store(0)
	v := s.c.Load()
	if v > 5 && v-20 > v {
		s.c.Store(7777)
	}
}

func (s *below) Add() { s.c.Add(1) }

type table struct {
	mu sync.Mutex
	m  map[string]int
}

func (s *table) Wraps(k string) bool {
	s.mu.Lock()
	s.m[k] = 0
	s.mu.Unlock()
	s.mu.Lock()
	v := s.m[k]
	s.mu.Unlock()
	return v*64+64 < v*64
}

func (s *table) Grow(k string) {
	s.mu.Lock()
	s.m[k] = s.m[k]*8 + 7
	s.mu.Unlock()
}
`), Options{}, nil))
	for _, f := range []string{"(*below).Set", "(*table).Wraps"} {
		assert.Contains(t, got, f)
		assert.NotEqual(t, absint.Verified.String(), got[f], f)
	}
}
