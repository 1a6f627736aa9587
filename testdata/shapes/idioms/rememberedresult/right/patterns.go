// Package patterns remembers patterns by their text.
package patterns

import (
	"strings"
	"sync"
)

var known sync.Map

// Get is the normal form of a text.
func Get(text string) string {
	if p, ok := known.Load(text); ok {
		return p.(string)
	}
	p := strings.ToLower(strings.TrimSpace(text))
	known.Store(text, p)
	return p
}

// Match reports whether s has the normal form of the text.
func Match(text, s string) bool { return Get(text) == s }
