package tour

import (
	"errors"
	"sync"
	"time"
)

// ErrNoSession is returned for ids that are not in the registry.
var ErrNoSession = errors.New("tour: no such session")

// Session is the state that the service keeps for one logged-in client.
type Session struct {
	id      string
	user    string
	expires time.Time

	mu     sync.Mutex
	values map[string]string
}

// newSession returns an empty session that lasts until expires.
//
//tour:ok
func newSession(id, user string, expires time.Time) *Session {
	return &Session{id: id, user: user, expires: expires}
}

// Set keeps a value in the session.
//
//tour:ok
func (s *Session) Set(key, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.values == nil {
		s.values = make(map[string]string)
	}
	s.values[key] = value
}

// Registry knows the sessions of the service by their id. All its methods may
// be called by several goroutines at once.
type Registry struct {
	sessions sync.Map // string -> *Session
}

// Open returns the session with the given id and makes one if there is none.
// Two first requests of a client may each get a session of their own, and what
// one of them keeps in it is lost.
//
//tour:bug lost-update
func (r *Registry) Open(id, user string, expires time.Time) *Session {
	if s, ok := r.sessions.Load(id); ok {
		return s.(*Session)
	}
	s := newSession(id, user, expires)
	r.sessions.Store(id, s)
	return s
}

// OpenOnce returns the session with the given id and makes one if there is
// none. All callers get the same session.
//
//tour:ok
func (r *Registry) OpenOnce(id, user string, expires time.Time) *Session {
	if s, ok := r.sessions.Load(id); ok {
		return s.(*Session)
	}
	s, _ := r.sessions.LoadOrStore(id, newSession(id, user, expires))
	return s.(*Session)
}

// Restore puts back a session that was saved before a restart.
//
//tour:ok
func (r *Registry) Restore(s *Session) {
	r.sessions.Store(s.id, s)
}

// Get returns the session with the given id, or nil.
//
//tour:ok
func (r *Registry) Get(id string) *Session {
	if s, ok := r.sessions.Load(id); ok {
		return s.(*Session)
	}
	return nil
}

// User returns the user that a session belongs to. It panics if the session
// ends between the check and the second look.
//
//tour:bug crash
func (r *Registry) User(id string) (string, error) {
	if _, ok := r.sessions.Load(id); !ok {
		return "", ErrNoSession
	}
	s, _ := r.sessions.Load(id)
	return s.(*Session).user, nil
}

// UserOf returns the user that a session belongs to, from a single look.
//
//tour:ok
func (r *Registry) UserOf(id string) (string, error) {
	s, ok := r.sessions.Load(id)
	if !ok {
		return "", ErrNoSession
	}
	return s.(*Session).user, nil
}

// End removes a session and hands it to the caller, who saves it. Two callers
// may both get it, or one removes a session that was restored meanwhile.
//
//tour:bug stale-delete
func (r *Registry) End(id string) (*Session, error) {
	s, ok := r.sessions.Load(id)
	if !ok {
		return nil, ErrNoSession
	}
	r.sessions.Delete(id)
	return s.(*Session), nil
}

// EndOnce removes a session and hands it to the caller, who saves it. Only one
// caller gets it.
//
//tour:ok
func (r *Registry) EndOnce(id string) (*Session, error) {
	s, ok := r.sessions.LoadAndDelete(id)
	if !ok {
		return nil, ErrNoSession
	}
	return s.(*Session), nil
}

// Sweep removes the sessions that have expired. If one of them is replaced
// while the sweep looks at it, the new one is removed.
//
//tour:bug stale-delete
func (r *Registry) Sweep(now time.Time) {
	r.sessions.Range(func(id, s any) bool {
		if s.(*Session).expires.Before(now) {
			r.sessions.Delete(id)
		}
		return true
	})
}

// Expire removes the sessions that have expired, and only those.
//
//tour:ok
func (r *Registry) Expire(now time.Time) {
	r.sessions.Range(func(id, s any) bool {
		if s.(*Session).expires.Before(now) {
			r.sessions.CompareAndDelete(id, s)
		}
		return true
	})
}

// Len counts the sessions. The number may be out of date when it is returned.
//
//tour:ok
func (r *Registry) Len() int {
	n := 0
	r.sessions.Range(func(_, _ any) bool {
		n++
		return true
	})
	return n
}
