// Package buffers hands out buffers that are free.
package buffers

import "sync"

// Pool has the free buffers.
type Pool struct {
	mu   sync.Mutex
	free [][]byte
}

func (p *Pool) size() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.free)
}

// Get is a free buffer, or a new one.
func (p *Pool) Get() []byte {
	if p.size() == 0 {
		return make([]byte, 0, 4096)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	b := p.free[len(p.free)-1]
	p.free = p.free[:len(p.free)-1]
	return b
}

// Put gives a buffer back.
func (p *Pool) Put(b []byte) {
	p.mu.Lock()
	p.free = append(p.free, b[:0])
	p.mu.Unlock()
}
