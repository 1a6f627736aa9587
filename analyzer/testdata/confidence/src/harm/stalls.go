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
