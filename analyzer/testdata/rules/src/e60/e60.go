// Package e60: what the call has changed may be a newer one when somebody else has said that it is to go.
package e60

import "sync"

type window struct{ tries int }

// Limiter counts the tries of each user.
type Limiter struct {
	mu    sync.Mutex
	users map[string]*window
}

func NewLimiter() *Limiter { return &Limiter{users: map[string]*window{}} }

func (l *Limiter) take(user string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.users[user]
	if w == nil {
		w = &window{}
		l.users[user] = w
	}
	if w.tries > 3 {
		return false
	}
	w.tries++
	return true
}

func (l *Limiter) forgive(user string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.users, user)
}

// Open begins another window.
func (l *Limiter) Open(user string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.users[user] = &window{}
}

// Hidden has counted its try, and check says whether all tries are forgiven.
func (l *Limiter) Hidden(user string, check func(string) bool) bool {
	if !l.take(user) {
		return false
	}
	if !check(user) {
		return false
	}
	l.forgive(user)
	return true
}

func (l *Limiter) leave(user string) (last bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.users[user]
	if w == nil {
		return false
	}
	w.tries--
	return w.tries == 0
}

// Shown removes what it has found to be used by nobody, and somebody uses by then.
func (l *Limiter) Shown(user string) {
	if l.leave(user) {
		l.forgive(user) // want "stale-delete"
	}
}
