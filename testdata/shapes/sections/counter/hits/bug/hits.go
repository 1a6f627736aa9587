// Package hits counts by page.
package hits

import "sync"

// Hits are by page.
type Hits struct {
	mu   sync.RWMutex
	hits map[string]int
}

// Get is how often a page was seen.
func (h *Hits) Get(page string) int {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.hits[page]
}

func (h *Hits) set(page string, n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.hits[page] = n
}

// Hit counts a page.
func (h *Hits) Hit(page string) {
	h.set(page, h.Get(page)+1)
}
