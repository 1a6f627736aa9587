package guarded

import "sync"

// Pool has pages behind a lock.
type Pool struct {
	mu    sync.Mutex
	pages []*int
}

func (p *Pool) Put(page *int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pages = append(p.pages, page)
}

// Drain empties the list, of which another page can be a part by then: it is cleared as a list is, and
// not as a map.
func (p *Pool) Drain() int {
	p.mu.Lock()
	n := len(p.pages)
	p.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.pages) // want "non-atomic"
	p.pages = nil
	return n
}

// DrainAtOnce does so in one section.
func (p *Pool) DrainAtOnce() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.pages)
	clear(p.pages)
	p.pages = nil
	return n
}
