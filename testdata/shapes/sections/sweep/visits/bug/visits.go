// Package visits remembers who was here, and for how long.
package visits

import (
	"sync"
	"time"
)

type visit struct {
	began, last time.Time
	pages       int
}

// Log has the visits that go on.
type Log struct {
	mu   sync.Mutex
	of   map[string]*visit
	idle time.Duration
}

// New returns an empty log.
func New(idle time.Duration) *Log { return &Log{of: map[string]*visit{}, idle: idle} }

// Page notes that a visitor looks at a page, and returns how many that makes.
func (l *Log) Page(visitor string, now time.Time) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	v, ok := l.of[visitor]
	if !ok {
		v = &visit{began: now}
		l.of[visitor] = v
	}
	v.last = now
	v.pages++
	return v.pages
}

// End ends the visits that have stopped, and returns how many.
func (l *Log) End(now time.Time) int {
	l.mu.Lock()
	var over []string
	for visitor, v := range l.of {
		if now.Sub(v.last) > l.idle {
			over = append(over, visitor)
		}
	}
	l.mu.Unlock()
	for _, visitor := range over {
		l.mu.Lock()
		delete(l.of, visitor)
		l.mu.Unlock()
	}
	return len(over)
}
