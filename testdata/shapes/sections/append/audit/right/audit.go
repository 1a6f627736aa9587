// Package audit keeps what has happened.
package audit

import "sync"

// Log has entries in order.
type Log struct {
	mu      sync.Mutex
	entries []string
}

// Entries are all so far.
func (l *Log) Entries() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.entries...)
}

// Record adds an entry.
func (l *Log) Record(entry string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, entry)
}
