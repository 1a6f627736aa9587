package harm

import (
	"net/http"
	"sync/atomic"
)

// Wire sends what it is given, and counts who waits for an answer.
type Wire struct {
	waiting atomic.Int32
	open    atomic.Bool
}

func (l *Wire) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	l.MediumSend(r.Host)
	l.HighOpen()
}

// MediumSend counts up, and back at the end. Who is not alone starts a runner as well, in any order.
func (l *Wire) MediumSend(text string) bool {
	if l.waiting.Load() < 0 {
		return false
	}
	l.waiting.Add(1)
	defer l.waiting.Add(-1)
	go l.run()
	return true
}

func (l *Wire) run() {}

// Close says that nobody may come any more.
func (l *Wire) Close() {
	for l.waiting.Add(2) > 2 {
		l.waiting.Add(-2)
	}
}

// HighOpen starts what runs once.
func (l *Wire) HighOpen() {
	if l.open.Load() {
		return
	}
	l.open.Store(true)
	go l.run()
}
