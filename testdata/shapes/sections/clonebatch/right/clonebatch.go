// Package auditlog sends what was noted in batches.
package auditlog

import (
	"slices"
	"sync"
)

// Entry is what somebody has done.
type Entry struct{ Who, What string }

// Log keeps entries until they are sent.
type Log struct {
	mu      sync.Mutex
	entries []Entry
	send    func([]Entry) error
}

// New makes a log that is sent by send.
func New(send func([]Entry) error) *Log { return &Log{send: send} }

// Note adds an entry.
func (l *Log) Note(who, what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, Entry{who, what})
}

// Len is how many have not been sent.
func (l *Log) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.entries)
}

// Flush sends a copy, and puts the entries back if that fails.
func (l *Log) Flush() error {
	l.mu.Lock()
	batch := slices.Clone(l.entries)
	l.entries = nil
	l.mu.Unlock()
	if len(batch) == 0 {
		return nil
	}
	if err := l.send(batch); err != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.entries = append(batch, l.entries...)
		return err
	}
	return nil
}
