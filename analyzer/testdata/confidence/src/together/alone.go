package together

import (
	"sync"
	"time"
)

// Hub starts watches.
type Hub struct{ delay time.Duration }

type watch struct {
	mu     sync.Mutex
	timers map[string]*time.Timer
	names  chan string
	delay  time.Duration
	ended  sync.WaitGroup
}

// MediumLone is all that comes to a watch: the lock serves for nothing.
func (w *watch) MediumLone() {
	for name := range w.names {
		w.mu.Lock()
		t, ok := w.timers[name]
		w.mu.Unlock()
		if !ok {
			t = time.AfterFunc(w.delay, func() { w.names <- name })
			w.mu.Lock()
			w.timers[name] = t
			w.mu.Unlock()
			continue
		}
		t.Reset(w.delay)
	}
}

// Watch starts one goroutine on what it makes.
func (h *Hub) Watch(names chan string) (w *watch) {
	w = &watch{timers: map[string]*time.Timer{}, names: names, delay: h.delay}
	w.ended.Add(1)
	go func() {
		defer w.ended.Done()
		w.MediumLone()
	}()
	return w
}

type pool struct {
	mu     sync.Mutex
	timers map[string]*time.Timer
	names  chan string
	delay  time.Duration
}

// HighLone runs twice on a pool.
func (p *pool) HighLone() {
	for name := range p.names {
		p.mu.Lock()
		t, ok := p.timers[name]
		p.mu.Unlock()
		if !ok {
			t = time.AfterFunc(p.delay, func() { p.names <- name })
			p.mu.Lock()
			p.timers[name] = t
			p.mu.Unlock()
			continue
		}
		t.Reset(p.delay)
	}
}

// Pool starts two of them.
func (h *Hub) Pool(names chan string) (p *pool) {
	p = &pool{timers: map[string]*time.Timer{}, names: names, delay: h.delay}
	for range 2 {
		go func() { p.HighLone() }()
	}
	return p
}
