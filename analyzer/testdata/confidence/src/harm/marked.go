package harm

import "sync"

// Resting connections are taken away if they still are marked.
type Resting struct {
	mu    sync.Mutex
	least int
	conns map[string]*restConn
}

type restConn struct {
	uses int
	idle bool
	addr string
}

func NewResting(least int) *Resting { return &Resting{least: least, conns: map[string]*restConn{}} }

func (p *Resting) Use(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c, ok := p.conns[k]
	if !ok {
		c = &restConn{}
		p.conns[k] = c
	}
	c.uses++
	c.idle = false
}

func (p *Resting) mark() (names []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for k, c := range p.conns {
		if c.uses < p.least {
			c.idle = true
			names = append(names, k)
		}
	}
	return names
}

// MediumSweep asks for the mark, which whoever uses it takes away.
func (p *Resting) MediumSweep(end func(string)) {
	for _, k := range p.mark() {
		p.mu.Lock()
		if c, ok := p.conns[k]; ok && c.idle {
			delete(p.conns, k)
			end(c.addr)
		}
		p.mu.Unlock()
	}
}
