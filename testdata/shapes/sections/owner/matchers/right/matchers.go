// Package matchers compiles patterns once.
package matchers

import (
	"regexp"
	"sync"
)

// Matcher matches a pattern, and counts how often it did.
type Matcher struct {
	re *regexp.Regexp

	mu   sync.Mutex
	hits int
}

// Match reports whether s matches.
func (m *Matcher) Match(s string) bool {
	if !m.re.MatchString(s) {
		return false
	}
	m.mu.Lock()
	m.hits++
	m.mu.Unlock()
	return true
}

// Hits returns how often it has matched.
func (m *Matcher) Hits() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.hits
}

var matchers = struct {
	sync.Mutex
	m map[string]*Matcher
}{m: map[string]*Matcher{}}

// For returns the one matcher of a pattern.
func For(pattern string) (*Matcher, error) {
	matchers.Lock()
	m, ok := matchers.m[pattern]
	matchers.Unlock()
	if ok {
		return m, nil
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	m = &Matcher{re: re}
	matchers.Lock()
	if old, ok := matchers.m[pattern]; ok {
		matchers.Unlock()
		return old, nil
	}
	matchers.m[pattern] = m
	matchers.Unlock()
	return m, nil
}
