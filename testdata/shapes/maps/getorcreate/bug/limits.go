// Package limits gives each client a rate limiter of its own.
package limits

import "sync"

// Limiter counts the tokens that a client has left.
type Limiter struct {
	mu     sync.Mutex
	tokens int
}

func (l *Limiter) Allow() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.tokens == 0 {
		return false
	}
	l.tokens--
	return true
}

// Limiters are the limiters by client.
type Limiters struct {
	byClient sync.Map
	burst    int
}

// Allow reports whether a client may go on.
func (ls *Limiters) Allow(client string) bool {
	return ls.limiter(client).Allow()
}

func (ls *Limiters) limiter(client string) *Limiter {
	if l, ok := ls.byClient.Load(client); ok {
		return l.(*Limiter)
	}
	l := &Limiter{tokens: ls.burst}
	ls.byClient.Store(client, l)
	return l
}
