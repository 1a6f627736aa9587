package goroutines

import "sync"

// Poller has one goroutine, which a WaitGroup starts.
type Poller struct {
	wg   sync.WaitGroup
	mu   sync.Mutex
	seen map[string]int
	in   chan string
}

func NewPoller(in chan string) *Poller {
	p := &Poller{in: in, seen: map[string]int{}}
	p.wg.Go(func() { p.loop() })
	return p
}

func (p *Poller) loop() {
	for key := range p.in {
		p.mu.Lock()
		n := p.seen[key]
		p.mu.Unlock()
		if n > 9 {
			continue
		}
		p.mu.Lock()
		p.seen[key] = n + 1
		p.mu.Unlock()
	}
}

// Pollers have two of them on one map.
type Pollers struct {
	wg   sync.WaitGroup
	mu   sync.Mutex
	seen map[string]int
	in   chan string
}

func NewPollers(in chan string) *Pollers {
	p := &Pollers{in: in, seen: map[string]int{}}
	p.wg.Go(func() { p.loop() })
	p.wg.Go(func() { p.loop() })
	return p
}

func (p *Pollers) loop() {
	for key := range p.in {
		p.mu.Lock()
		n := p.seen[key]
		p.mu.Unlock()
		if n > 9 {
			continue
		}
		p.mu.Lock()
		p.seen[key] = n + 1 // want "lost-update"
		p.mu.Unlock()
	}
}

// Bound is started by a method value.
type Bound struct {
	wg   sync.WaitGroup
	mu   sync.Mutex
	seen map[string]int
	in   chan string
}

func NewBound(in chan string) *Bound {
	p := &Bound{in: in, seen: map[string]int{}}
	p.wg.Go(p.loop)
	return p
}

func (p *Bound) loop() {
	for key := range p.in {
		p.mu.Lock()
		n := p.seen[key]
		p.mu.Unlock()
		if n > 9 {
			continue
		}
		p.mu.Lock()
		p.seen[key] = n + 1
		p.mu.Unlock()
	}
}
