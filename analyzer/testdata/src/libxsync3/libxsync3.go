// Package libxsync3 proves that github.com/puzpuzpuz/xsync/v3 is known: its
// typed and its untyped map. The func given to Compute runs under the map's own
// lock, so a step inside it is atomic.
package libxsync3

import (
	"sync"

	"github.com/puzpuzpuz/xsync/v3"
)

type session struct {
	mu      sync.Mutex
	hits    int
	expires int64
}

// Typed uses MapOf.
type Typed struct {
	m *xsync.MapOf[string, *session]
	n *xsync.MapOf[string, int]
}

func NewTyped() *Typed {
	return &Typed{m: xsync.NewMapOf[string, *session](), n: xsync.NewMapOf[string, int]()}
}

func (t *Typed) Put(id string, s *session) { t.m.Store(id, s) }

func (t *Typed) Open(id string) *session {
	if s, ok := t.m.Load(id); ok {
		return s
	}
	s := &session{}
	t.m.Store(id, s) // want "lost-update"
	return s
}

func (t *Typed) OpenOnce(id string) *session {
	if s, ok := t.m.Load(id); ok {
		return s
	}
	s, _ := t.m.LoadOrStore(id, &session{})
	return s
}

func (t *Typed) OpenComputed(id string) *session {
	s, _ := t.m.LoadOrCompute(id, func() *session { return &session{} })
	return s
}

func (t *Typed) Take(id string) *session {
	s, ok := t.m.Load(id)
	if ok {
		t.m.Delete(id) // want "stale-delete"
	}
	return s
}

func (t *Typed) TakeOnce(id string) *session {
	s, _ := t.m.LoadAndDelete(id)
	return s
}

func (t *Typed) Sweep(now int64) {
	t.m.Range(func(id string, s *session) bool {
		if s.expires < now {
			t.m.Delete(id) // want "stale-delete"
		}
		return true
	})
}

// SweepOnce tests again under the lock of the entry.
func (t *Typed) SweepOnce(now int64) {
	t.m.Range(func(id string, _ *session) bool {
		t.m.Compute(id, func(s *session, loaded bool) (*session, bool) {
			return s, !loaded || s.expires < now
		})
		return true
	})
}

func (t *Typed) Inc(id string) {
	n, _ := t.n.Load(id)
	t.n.Store(id, n+1) // want "lost-update"
}

func (t *Typed) IncOnce(id string) int {
	n, _ := t.n.Compute(id, func(n int, _ bool) (int, bool) { return n + 1, false })
	return n
}

// IncStale computes outside what it stores inside.
func (t *Typed) IncStale(id string) {
	n, _ := t.n.Load(id)
	t.n.Compute(id, func(int, bool) (int, bool) { return n + 1, false }) // want "non-atomic"
}

// Untyped uses Map, with string keys.
type Untyped struct{ m *xsync.Map }

func NewUntyped() *Untyped { return &Untyped{m: xsync.NewMap()} }

func (u *Untyped) Put(id string, s *session) { u.m.Store(id, s) }

func (u *Untyped) Ensure(id string) {
	if _, ok := u.m.Load(id); !ok {
		u.m.Store(id, &session{}) // want "lost-update"
	}
}

func (u *Untyped) EnsureOnce(id string) {
	if _, ok := u.m.Load(id); !ok {
		u.m.LoadOrStore(id, &session{})
	}
}

// Replaced uses LoadAndStore, which is a swap.
func (u *Untyped) Replaced(id string, s *session) any {
	old, _ := u.m.LoadAndStore(id, s)
	return old
}
