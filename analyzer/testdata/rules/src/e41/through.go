package e41

import (
	"sync"
	"time"
)

// seen is implemented by one type, far from who asks it.
type seen interface {
	has(id string) bool
	mark(id string)
}

type remembered struct {
	mu  sync.Mutex
	ids map[string]time.Time
}

func (r *remembered) has(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, ok := r.ids[id]
	return ok && time.Since(at) < time.Hour
}

func (r *remembered) mark(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	for k, at := range r.ids { // want `inconsistent-read`
		if now.Sub(at) >= time.Hour {
			delete(r.ids, k)
		}
	}
	r.ids[id] = now
}

// Len is how many are remembered.
func (r *remembered) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.ids)
}

// Credits are booked once.
type Credits struct {
	seen seen
	book func(id string, amount int)
}

func NewCredits(book func(string, int)) *Credits {
	return &Credits{seen: &remembered{ids: map[string]time.Time{}}, book: book}
}

// Forget is told of what is no longer to be remembered.
func (r *remembered) Forget(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.ids, id)
}

// Shown looks and marks at once.
func (c *Credits) Shown(id string, amount int) bool {
	if c.seen.has(id) {
		return false
	}
	c.seen.mark(id)
	c.book(id, amount)
	return true
}
