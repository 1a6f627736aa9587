// Package answers caches answers until they are too old.
package answers

import (
	"sync"
	"time"
)

// Answers are cached by question.
type Answers struct {
	mu      sync.RWMutex
	answers map[string]string
	expires map[string]time.Time
}

// New returns an empty cache.
func New() *Answers {
	return &Answers{answers: map[string]string{}, expires: map[string]time.Time{}}
}

// Put caches an answer.
func (a *Answers) Put(question, answer string, ttl time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.answers[question] = answer
	a.expires[question] = time.Now().Add(ttl)
}

// Get returns the answer, unless it is too old.
func (a *Answers) Get(question string) (string, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	answer, ok := a.answers[question]
	if ok && time.Now().After(a.expires[question]) {
		delete(a.answers, question)
		delete(a.expires, question)
		return "", false
	}
	return answer, ok
}
