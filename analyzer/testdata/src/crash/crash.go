// Package crash proves that a panic which no sequential run has is reported:
// the entry was there a moment ago, and the second look takes it for granted.
// In the negatives nothing in the package can remove the entry, the code looks
// once, or it is prepared for a second look that finds nothing.
package crash

import "sync"

type session struct {
	user string
	mu   sync.Mutex
	hits int
}

func (s *session) name() string { return s.user }

// Removed has a way to remove an entry.
type Removed struct{ m sync.Map }

func (r *Removed) Add(id string, s *session) { r.m.LoadOrStore(id, s) }
func (r *Removed) Drop(id string)            { r.m.Delete(id) }

func (r *Removed) HasThenGet(id string) *session {
	if _, ok := r.m.Load(id); !ok {
		return nil
	}
	v, _ := r.m.Load(id) // want "crash"
	return v.(*session)
}

func (r *Removed) User(id string) string {
	if _, ok := r.m.Load(id); ok {
		v, _ := r.m.Load(id) // want "crash"
		return v.(*session).user
	}
	return "nobody"
}

// Prepared takes nothing for granted: finding nothing is one of its answers.
func (r *Removed) Prepared(id string) *session {
	if _, ok := r.m.Load(id); !ok {
		return nil
	}
	v, _ := r.m.Load(id)
	s, _ := v.(*session)
	return s
}

// Once looks once.
func (r *Removed) Once(id string) *session {
	v, ok := r.m.Load(id)
	if !ok {
		return nil
	}
	return v.(*session)
}

// Unchecked panics for unknown ids whoever else is at work.
func (r *Removed) Unchecked(id string) *session {
	v, _ := r.m.Load(id)
	return v.(*session)
}

// Kept is the same without a way to remove an entry.
type Kept struct{ m sync.Map }

func (r *Kept) Add(id string, s *session) { r.m.LoadOrStore(id, s) }

func (r *Kept) HasThenGet(id string) *session {
	if _, ok := r.m.Load(id); !ok {
		return nil
	}
	v, _ := r.m.Load(id)
	return v.(*session)
}

// Typed works on typed values: the second look gives a nil pointer.
type Typed struct{ m sync.Map }

func (t *Typed) Add(id string)  { t.m.LoadOrStore(id, &session{}) }
func (t *Typed) Drop(id string) { t.m.Delete(id) }

// User dereferences nil if the entry has gone.
func (t *Typed) User(id string) string {
	if _, ok := t.m.Load(id); !ok {
		return ""
	}
	v, _ := t.m.Load(id) // want "crash"
	s, _ := v.(*session)
	return s.user
}

// UserOf looks once.
func (t *Typed) UserOf(id string) string {
	v, _ := t.m.Load(id)
	s, _ := v.(*session)
	if s == nil {
		return ""
	}
	return s.name()
}
