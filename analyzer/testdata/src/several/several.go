// Package several proves the steps on more than one cell. Where a step writes to
// two maps that only this package can reach, and what it does to the second one
// depends on the first, others must not come in between. The negatives write to
// one map only, hold a lock, keep a number beside a map, or use maps that anybody
// can write to, where no step on two of them could be right.
package several

import (
	"sync"
	"sync/atomic"
)

// Names are found by name and by number.
type Names struct{ byName, byID sync.Map }

// Add and Remove of the same name can interleave: the number stays.
func (n *Names) Add(name string, id int) {
	if _, loaded := n.byName.LoadOrStore(name, id); !loaded {
		n.byID.Store(id, name) // want "belong together"
	}
}

func (n *Names) Remove(name string) {
	if id, ok := n.byName.LoadAndDelete(name); ok {
		n.byID.Delete(id) // want "belong together"
	}
}

// Seats are moved from one key to another.
type Seats struct{ taken sync.Map }

// Move is wrong on the first seat alone already, and has one report: the guest
// can have got up meanwhile, and another one sat down.
func (s *Seats) Move(from, to int) bool {
	guest, ok := s.taken.Load(from)
	if !ok {
		return false
	}
	s.taken.Store(to, guest)
	s.taken.Delete(from) // want "can remove what another goroutine stored in s.taken.from. after Load"
	return true
}

func (s *Seats) Take(seat int, guest string) bool {
	_, loaded := s.taken.LoadOrStore(seat, guest)
	return !loaded
}

// Locked holds a lock over both halves, as everybody does who writes.
type Locked struct {
	mu           sync.Mutex
	byName, byID sync.Map
}

func (l *Locked) Add(name string, id int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, loaded := l.byName.LoadOrStore(name, id); !loaded {
		l.byID.Store(id, name)
	}
}

func (l *Locked) Remove(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if id, ok := l.byName.LoadAndDelete(name); ok {
		l.byID.Delete(id)
	}
}

// Counted may be off by those that are on their way.
type Counted struct {
	m sync.Map
	n atomic.Int64
}

func (c *Counted) Add(key string, v any) {
	if _, loaded := c.m.LoadOrStore(key, v); !loaded {
		c.n.Add(1)
	}
}

// Config is looked up in one map, and what follows from it kept in another.
type Config struct{ raw, parsed sync.Map }

func (c *Config) Parsed(key string) any {
	if v, ok := c.parsed.Load(key); ok {
		return v
	}
	raw, _ := c.raw.Load(key)
	v, _ := c.parsed.LoadOrStore(key, raw)
	return v
}

func (c *Config) Set(key, text string) { c.raw.Store(key, text) }

// Open maps are anybody's.
type Open struct{ ByName, ByID sync.Map }

func (o *Open) Add(name string, id int) {
	if _, loaded := o.ByName.LoadOrStore(name, id); !loaded {
		o.ByID.Store(id, name)
	}
}

// Pool lends what it has opened, and closes it when the last one gives it back. Lend finds
// what Return has just counted down to nothing.
type Pool struct {
	mu   sync.Mutex
	open map[string]*lent
}

type lent struct {
	name   string
	mu     sync.Mutex
	users  int
	closed bool
}

func (l *lent) count(n int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.users += n
	return l.users
}

func (p *Pool) Lend(name string) *lent {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.open[name]
	if l == nil {
		l = &lent{name: name}
		p.open[name] = l
	}
	l.count(1)
	return l
}

func (p *Pool) Return(l *lent) {
	if l.count(-1) > 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, l.name) // want "can come after a change by another goroutine"
	l.closed = true
}

// SafePool counts where the pool is locked.
type SafePool struct {
	mu   sync.Mutex
	open map[string]*safe
}

type safe struct {
	name   string
	mu     sync.Mutex
	users  int
	closed bool
}

func (s *safe) count(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users += n
	return s.users
}

func (p *SafePool) Lend(name string) *safe {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.open[name]
	if s == nil {
		s = &safe{name: name}
		p.open[name] = s
	}
	s.count(1)
	return s
}

func (p *SafePool) Return(s *safe) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.count(-1) > 0 {
		return
	}
	delete(p.open, s.name)
	s.closed = true
}

// Rested drops what was not asked for long enough. That it was asked for is no promise that it stays.
type Rested struct {
	mu  sync.Mutex
	all map[string]*rested
}

type rested struct {
	name string
	mu   sync.Mutex
	at   int64
}

func (r *rested) touch(now int64) {
	r.mu.Lock()
	r.at = now
	r.mu.Unlock()
}

func (r *rested) last() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.at
}

func (r *Rested) Ask(name string, now int64) *rested {
	r.mu.Lock()
	defer r.mu.Unlock()
	x := r.all[name]
	if x == nil {
		x = &rested{name: name}
		r.all[name] = x
	}
	x.touch(now)
	return x
}

func (r *Rested) Drop(x *rested, now int64) {
	if now-x.last() < 100 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.all, x.name)
}
