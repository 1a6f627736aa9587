package harm

import (
	"errors"
	"sync"
)

// Stalls are taken by name, as long as there are any.
type Stalls struct {
	mu    sync.Mutex
	most  int
	taken map[string]*Gauge
}

func (s *Stalls) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.taken)
}

func (s *Stalls) put(name string, g *Gauge) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken[name] = g
}

func (s *Stalls) Leave(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.taken, name)
}

// HighStall says whether there was one.
func (s *Stalls) HighStall(name string) error {
	if s.count() >= s.most {
		return errors.New("full")
	}
	s.put(name, &Gauge{})
	return nil
}

// Recent remembers some.
type Recent struct {
	mu   sync.Mutex
	most int
	seen map[string]string
}

func (r *Recent) size() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.seen)
}

func (r *Recent) keep(name, as string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen[name] = as
}

func (r *Recent) Find(name string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seen[name]
}

// MediumKeep remembers one more if there is room for it, and nobody is told whether there was.
func (r *Recent) MediumKeep(name, as string) {
	if r.size() < r.most {
		r.keep(name, as)
	}
}

// Counter lets in so many, one after the other.
type Counter struct {
	mu   sync.Mutex
	busy bool
	most int
	in   map[string]*Gauge
}

func (d *Counter) enter() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy {
		return false
	}
	d.busy = true
	return true
}

func (d *Counter) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.busy = false
}

func (d *Counter) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.in)
}

func (d *Counter) put(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.in[name] = &Gauge{}
}

func (d *Counter) Leave(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.in, name)
}

// MediumServe counts while nobody else does.
func (d *Counter) MediumServe(name string) bool {
	if !d.enter() {
		return false
	}
	defer d.leave()
	if d.count() >= d.most {
		return false
	}
	d.put(name)
	return true
}
