// Package quotas has a quota for each project.
package quotas

import (
	"sync"
	"sync/atomic"
)

type store interface {
	load(key string) (*atomic.Int64, bool)
	save(key string, v *atomic.Int64)
	offer(key string, v *atomic.Int64) *atomic.Int64
}

type memory struct{ m sync.Map }

func (s *memory) load(key string) (*atomic.Int64, bool) {
	v, ok := s.m.Load(key)
	if !ok {
		return nil, false
	}
	return v.(*atomic.Int64), true
}

func (s *memory) save(key string, v *atomic.Int64) { s.m.Store(key, v) }

func (s *memory) offer(key string, v *atomic.Int64) *atomic.Int64 {
	kept, _ := s.m.LoadOrStore(key, v)
	return kept.(*atomic.Int64)
}

// Quotas are by project.
type Quotas struct{ store store }

// New keeps quotas in memory.
func New() *Quotas { return &Quotas{store: &memory{}} }

// Use takes from a project's quota.
func (q *Quotas) Use(project string, n int64) int64 {
	used, ok := q.store.load(project)
	if !ok {
		used = new(atomic.Int64)
		used = q.store.offer(project, used)
	}
	return used.Add(n)
}
