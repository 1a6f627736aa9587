// Package sessions keeps who is logged in.
package sessions

import "sync"

// Session is a user's.
type Session struct {
	User string
	mu   sync.Mutex
	seen int
}

func (s *Session) Touch() {
	s.mu.Lock()
	s.seen++
	s.mu.Unlock()
}

type table sync.Map

func (t *table) find(id string) (*Session, bool) {
	v, ok := (*sync.Map)(t).Load(id)
	if !ok {
		return nil, false
	}
	return v.(*Session), true
}

func (t *table) put(id string, s *Session) { (*sync.Map)(t).Store(id, s) }

func (t *table) offer(id string, s *Session) *Session {
	v, _ := (*sync.Map)(t).LoadOrStore(id, s)
	return v.(*Session)
}

// Manager has the sessions of a server.
type Manager struct{ sessions table }

// Open finds a session, or begins it.
func (m *Manager) Open(id, user string) *Session {
	s, ok := m.sessions.find(id)
	if !ok {
		s = &Session{User: user}
		s = m.sessions.offer(id, s)
	}
	s.Touch()
	return s
}
