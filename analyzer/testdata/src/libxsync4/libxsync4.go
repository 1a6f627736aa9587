// Package libxsync4 proves that github.com/puzpuzpuz/xsync/v4 is known, where
// the typed map is called Map, its old name is an alias, and Compute's func
// says what is to be done.
package libxsync4

import (
	"sync"

	"github.com/puzpuzpuz/xsync/v4"
)

type session struct {
	mu      sync.Mutex
	hits    int
	expires int64
}

// Sessions uses Map.
type Sessions struct{ m *xsync.Map[string, *session] }

func NewSessions() *Sessions { return &Sessions{m: xsync.NewMap[string, *session]()} }

func (t *Sessions) Put(id string, s *session) { t.m.Store(id, s) }

func (t *Sessions) Open(id string) *session {
	if s, ok := t.m.Load(id); ok {
		return s
	}
	s := &session{}
	t.m.Store(id, s) // want "lost-update"
	return s
}

func (t *Sessions) OpenOnce(id string) *session {
	s, _ := t.m.LoadOrCompute(id, func() (*session, bool) { return &session{}, false })
	return s
}

// Sweep ranges with an iterator.
func (t *Sessions) Sweep(now int64) {
	for id, s := range t.m.All() {
		if s.expires < now {
			t.m.Delete(id) // want "stale-delete"
		}
	}
}

// SweepOnce lets the map test and delete in one go.
func (t *Sessions) SweepOnce(now int64) {
	t.m.DeleteMatching(func(_ string, s *session) (remove, stop bool) {
		return s.expires < now, false
	})
}

// SweepCompute tests again under the lock of the entry.
func (t *Sessions) SweepCompute(now int64) {
	t.m.Range(func(id string, _ *session) bool {
		t.m.Compute(id, func(s *session, loaded bool) (*session, xsync.ComputeOp) {
			if loaded && s.expires < now {
				return nil, xsync.DeleteOp
			}
			return s, xsync.CancelOp
		})
		return true
	})
}

// Counts uses the alias.
type Counts struct{ m *xsync.MapOf[string, int] }

func NewCounts() *Counts { return &Counts{m: xsync.NewMap[string, int]()} }

func (c *Counts) Inc(name string) {
	n, _ := c.m.Load(name)
	c.m.Store(name, n+1) // want "lost-update"
}

func (c *Counts) IncOnce(name string) {
	c.m.Compute(name, func(n int, _ bool) (int, xsync.ComputeOp) {
		return n + 1, xsync.UpdateOp
	})
}
