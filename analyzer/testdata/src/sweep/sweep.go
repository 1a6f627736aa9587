// Package sweep proves what is reported of a Range: the callback is told of an
// entry, tests its value and removes the key, and by then another value may be
// there. Negatives remove only the value that they tested, take the entry out
// before they use it, or only look.
package sweep

import (
	"sync"
	"time"
)

type session struct {
	id      string
	expires int64
	until   time.Time
	closed  chan struct{}
}

func (s *session) expired(now int64) bool { return s.expires < now }

func (s *session) close() { close(s.closed) }

// Sessions has a writer that replaces entries.
type Sessions struct{ m sync.Map }

func (r *Sessions) Put(s *session) { r.m.Store(s.id, s) }

func (r *Sessions) Sweep(now int64) {
	r.m.Range(func(key, value any) bool {
		if value.(*session).expires < now {
			r.m.Delete(key) // want "stale-delete"
		}
		return true
	})
}

func (r *Sessions) SweepMethod(now int64) {
	r.m.Range(func(key, value any) bool {
		s := value.(*session)
		if !s.expired(now) {
			return true
		}
		r.m.Delete(key) // want "stale-delete"
		return true
	})
}

func (r *Sessions) SweepTime(now time.Time) {
	r.m.Range(func(key, value any) bool {
		if value.(*session).until.Before(now) {
			r.m.Delete(key) // want "stale-delete"
		}
		return true
	})
}

// SweepNow asks for the time in every round.
func (r *Sessions) SweepNow() {
	r.m.Range(func(key, value any) bool {
		if time.Now().After(value.(*session).until) {
			r.m.Delete(key) // want "stale-delete"
		}
		return true
	})
}

func (r *Sessions) sweepOne(key any, s *session, now int64) {
	if s.expired(now) {
		r.m.Delete(key)
	}
}

// SweepHelper leaves the work to a method, which is one operation to it.
func (r *Sessions) SweepHelper(now int64) {
	r.m.Range(func(key, value any) bool {
		r.sweepOne(key, value.(*session), now) // want "stale-delete"
		return true
	})
}

// CloseAll closes one value and removes perhaps another.
func (r *Sessions) CloseAll() {
	r.m.Range(func(key, value any) bool {
		value.(*session).close()
		r.m.Delete(key) // want "stale-delete"
		return true
	})
}

func (r *Sessions) SweepOnce(now int64) {
	r.m.Range(func(key, value any) bool {
		if value.(*session).expired(now) {
			r.m.CompareAndDelete(key, value)
		}
		return true
	})
}

// CloseAllOnce closes what it took out.
func (r *Sessions) CloseAllOnce() {
	r.m.Range(func(key, _ any) bool {
		if v, ok := r.m.LoadAndDelete(key); ok {
			v.(*session).close()
		}
		return true
	})
}

// Clear removes what is there, whatever it is.
func (r *Sessions) Clear() {
	r.m.Range(func(key, _ any) bool {
		r.m.Delete(key)
		return true
	})
}

func (r *Sessions) Count(now int64) (live int) {
	r.m.Range(func(_, value any) bool {
		if !value.(*session).expired(now) {
			live++
		}
		return true
	})
	return live
}

func (r *Sessions) IDs() []string {
	var ids []string
	r.m.Range(func(key, _ any) bool {
		ids = append(ids, key.(string))
		return true
	})
	return ids
}

// Find stops at the first entry that fits.
func (r *Sessions) Find(now int64) *session {
	var found *session
	r.m.Range(func(_, value any) bool {
		if s := value.(*session); !s.expired(now) {
			found = s
			return false
		}
		return true
	})
	return found
}

// Opened has entries that are inserted and removed, but never replaced: an
// entry that is not the one tested was removed in between by somebody else.
type Opened struct{ m sync.Map }

func (r *Opened) Open(id string, expires int64) *session {
	v, _ := r.m.LoadOrStore(id, &session{id: id, expires: expires, closed: make(chan struct{})})
	return v.(*session)
}

// Sweep closes a session if it is the one that it took out.
func (r *Opened) Sweep(now int64) {
	r.m.Range(func(key, value any) bool {
		if value.(*session).expired(now) && r.m.CompareAndDelete(key, value) {
			value.(*session).close()
		}
		return true
	})
}

// SweepAll deletes by key: even here a session may have been removed and a new
// one opened in between.
func (r *Opened) SweepAll(now int64) {
	r.m.Range(func(key, value any) bool {
		if value.(*session).expired(now) {
			r.m.Delete(key) // want "stale-delete"
		}
		return true
	})
}
