// Package patterns remembers matchers by their text.
package patterns

import (
	"sync"
	"sync/atomic"
)

// Matcher counts how often it was used.
type Matcher struct {
	text string
	used atomic.Int64
}

var known sync.Map

// Get is the matcher of a text.
func Get(text string) *Matcher {
	if m, ok := known.Load(text); ok {
		return m.(*Matcher)
	}
	m := &Matcher{text: text}
	known.Store(text, m)
	return m
}

// Match reports whether s is the text, and counts.
func Match(text, s string) bool {
	m := Get(text)
	m.used.Add(1)
	return m.text == s
}
