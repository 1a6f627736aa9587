package insert

import "sync"

// Called would call the constructor as an argument.
func (r *Sessions) Called(id string) {
	if _, ok := r.m.Load(id); !ok {
		r.m.Store(id, newSession(id)) // want "lost-update"
	}
}

// Newer also stores over an entry that it found.
func (r *Sessions) Newer(id string, s *session) *session {
	if v, ok := r.m.Load(id); ok && v.(*session).size > s.size {
		return v.(*session)
	}
	r.m.Store(id, s) // want "lost-update"
	return s
}

// Parts returns two values that belong together: the winner of the first would
// come with the loser's second.
func (r *Sessions) Parts(id string, create func() (*session, int)) (*session, int) {
	if v, ok := r.m.Load(id); ok {
		s := v.(*session)
		return s, s.size
	}
	s, n := create()
	r.m.Store(id, s) // want "lost-update"
	return s, n
}

// Welcomed does something for the first session only. One that lost would do it
// for a session that is not the first.
func (r *Sessions) Welcomed(id string) *session {
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	s := newSession(id)
	r.m.Store(id, s) // want "lost-update"
	s.touch()
	return s
}

// Captured shares the variable with a literal.
func (r *Sessions) Captured(id string, run func(func())) *session {
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	s := newSession(id)
	run(func() { s.touch() })
	r.m.Store(id, s) // want "lost-update"
	return s
}

// Attempts stores again without another look.
func (r *Sessions) Attempts(id string, s *session) {
	if _, ok := r.m.Load(id); !ok {
		for range 2 {
			r.m.Store(id, s) // want "lost-update"
		}
	}
}

// Created says whether it made the session. The loser did not.
func (r *Sessions) Created(id string) (*session, bool) {
	if v, ok := r.m.Load(id); ok {
		return v.(*session), false
	}
	s := newSession(id)
	r.m.Store(id, s) // want "lost-update"
	return s, true
}

// Counted counts the sessions that it made, and would count those that lost.
type Counted struct {
	m     sync.Map
	count int
}

func (r *Counted) Put(id string, s *session) { r.m.Store(id, s) }

func (r *Counted) Open(id string) *session {
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	s := newSession(id)
	r.m.Store(id, s) // want "lost-update"
	r.count++
	return s
}

// Refused has no way to go on if the session is not the one to be returned.
func (r *Sessions) Refused(id string) (made bool) {
	if _, ok := r.m.Load(id); ok {
		return false
	}
	s := newSession(id)
	r.m.Store(id, s) // want "lost-update"
	return true
}
