// Package tokens forgets who has logged in some time ago.
package tokens

import (
	"sync"
	"time"
)

type login struct {
	user  string
	timer *time.Timer
}

// Logins has the last login under each token.
type Logins struct {
	mu   sync.Mutex
	m    map[string]*login
	time time.Duration
}

func NewLogins(t time.Duration) *Logins { return &Logins{m: make(map[string]*login), time: t} }

// Login begins anew: the timer of the last one may be under way.
func (l *Logins) Login(token, user string) {
	n := &login{user: user}
	l.mu.Lock()
	defer l.mu.Unlock()
	if old := l.m[token]; old != nil {
		old.timer.Stop()
	}
	l.m[token] = n
	n.timer = time.AfterFunc(l.time, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.m, token)
	})
}

// User is who has the token.
func (l *Logins) User(token string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := l.m[token]; n != nil {
		return n.user
	}
	return ""
}
