package sections

import "sync"

// One of a list is chosen in one hold of the lock, and acted on in the next one: what was found of the element is
// what was found of the one that is chosen.

type backend struct {
	name          string
	active, limit int
}

// Balancer chooses the least busy backend, and counts one more afterwards.
type Balancer struct {
	mu       sync.Mutex
	backends []*backend
}

func NewBalancer(names ...string) *Balancer {
	b := &Balancer{}
	for _, name := range names {
		b.backends = append(b.backends, &backend{name: name, limit: 4})
	}
	return b
}

func (b *Balancer) pick() *backend {
	b.mu.Lock()
	defer b.mu.Unlock()
	var best *backend
	for _, be := range b.backends {
		if be.active >= be.limit {
			continue
		}
		if best == nil || be.active < best.active {
			best = be
		}
	}
	return best
}

func (b *Balancer) add(be *backend, n int) {
	b.mu.Lock()
	be.active += n
	b.mu.Unlock()
}

func (b *Balancer) Do(f func(name string)) bool {
	be := b.pick()
	if be == nil {
		return false
	}
	b.add(be, 1) // want "non-atomic"
	defer b.add(be, -1)
	f(be.name)
	return true
}

// DoSlow counts what it goes through as well.
func (b *Balancer) DoSlow(f func(name string, of int)) bool {
	b.mu.Lock()
	var best *backend
	full := 0
	for i := 0; i < len(b.backends); i++ {
		if be := b.backends[i]; be.active >= be.limit {
			full++
		} else if best == nil || be.active < best.active {
			best = be
		}
	}
	b.mu.Unlock()
	if best == nil {
		return false
	}
	b.mu.Lock()
	best.active++ // want "non-atomic"
	b.mu.Unlock()
	defer b.add(best, -1)
	f(best.name, full)
	return true
}

// CountedBalancer counts where it chooses.
type CountedBalancer struct {
	mu       sync.Mutex
	backends []*countedBackend
}

type countedBackend struct {
	name          string
	active, limit int
}

func NewCountedBalancer(names ...string) *CountedBalancer {
	b := &CountedBalancer{}
	for _, name := range names {
		b.backends = append(b.backends, &countedBackend{name: name, limit: 4})
	}
	return b
}

func (b *CountedBalancer) take() *countedBackend {
	b.mu.Lock()
	defer b.mu.Unlock()
	var best *countedBackend
	for _, be := range b.backends {
		if be.active >= be.limit {
			continue
		}
		if best == nil || be.active < best.active {
			best = be
		}
	}
	if best != nil {
		best.active++
	}
	return best
}

func (b *CountedBalancer) Do(f func(name string)) bool {
	be := b.take()
	if be == nil {
		return false
	}
	defer func() {
		b.mu.Lock()
		be.active--
		b.mu.Unlock()
	}()
	f(be.name)
	return true
}

// AgainBalancer looks again whether there is room, and chooses another one if there is not.
type AgainBalancer struct {
	mu       sync.Mutex
	backends []*againBackend
}

type againBackend struct {
	name          string
	active, limit int
}

func NewAgainBalancer(names ...string) *AgainBalancer {
	b := &AgainBalancer{}
	for _, name := range names {
		b.backends = append(b.backends, &againBackend{name: name, limit: 4})
	}
	return b
}

func (b *AgainBalancer) pick() *againBackend {
	b.mu.Lock()
	defer b.mu.Unlock()
	var best *againBackend
	for _, be := range b.backends {
		if be.active >= be.limit {
			continue
		}
		if best == nil || be.active < best.active {
			best = be
		}
	}
	return best
}

func (b *AgainBalancer) add(be *againBackend) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if be.active >= be.limit {
		return false
	}
	be.active++
	return true
}

func (b *AgainBalancer) Do(f func(name string)) bool {
	be := b.pick()
	if be == nil || !b.add(be) {
		return false
	}
	defer func() {
		b.mu.Lock()
		be.active--
		b.mu.Unlock()
	}()
	f(be.name)
	return true
}

// Shelf throws out what was used the longest time ago, by then perhaps used again.
type Shelf struct {
	mu    sync.Mutex
	clock int
	used  map[string]int
}

func (s *Shelf) Use(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock++
	s.used[name] = s.clock
}

func (s *Shelf) oldest() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, when := "", 0
	for name, t := range s.used {
		if old == "" || t < when {
			old, when = name, t
		}
	}
	return old
}

func (s *Shelf) drop(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.used, name)
}

func (s *Shelf) Shrink(throw func(string)) {
	name := s.oldest()
	if name == "" {
		return
	}
	throw(name)
	s.drop(name) // want "stale-delete"
}
