// Package sections has plain memory behind mutexes: each critical section is one
// step, and what takes two is interrupted in between.
package sections

import "sync"

// A conn is used by whoever has it.
type conn struct {
	addr  string
	calls int
}

func (c *conn) call() { c.calls++ }

func dial(addr string) *conn { return &conn{addr: addr} }

type Pool struct {
	mu    sync.RWMutex
	conns map[string]*conn
}

// Get lets go of the lock between the look and the assignment.
func (p *Pool) Get(addr string) *conn {
	p.mu.RLock()
	c, ok := p.conns[addr]
	p.mu.RUnlock()
	if !ok {
		c = dial(addr)
		p.mu.Lock()
		p.conns[addr] = c // want "duplicate-instance"
		p.mu.Unlock()
	}
	return c
}

// GetOnce looks again.
func (p *Pool) GetOnce(addr string) *conn {
	p.mu.RLock()
	c, ok := p.conns[addr]
	p.mu.RUnlock()
	if ok {
		return c
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if c, ok := p.conns[addr]; ok {
		return c
	}
	c = dial(addr)
	p.conns[addr] = c
	return c
}

// Locked does all of it in one section.
func (p *Pool) Locked(addr string) *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	c, ok := p.conns[addr]
	if !ok {
		c = dial(addr)
		p.conns[addr] = c
	}
	return c
}

func (p *Pool) Drop(addr string) {
	p.mu.Lock()
	delete(p.conns, addr)
	p.mu.Unlock()
}

// Counter is read in one section and written in another one.
type Counter struct {
	mu sync.Mutex
	n  int
}

func (c *Counter) Next() int {
	c.mu.Lock()
	n := c.n
	c.mu.Unlock()
	n++
	c.mu.Lock()
	c.n = n // want "c.mu is released between the read and the write of c.n"
	c.mu.Unlock()
	return n
}

type Total struct {
	mu sync.Mutex
	n  int
}

func (t *Total) Next() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
	return t.n
}

func (t *Total) Value() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.n
}

// Store is a map of one's own: its methods are operations for whoever calls them.
type Store struct {
	mu sync.Mutex
	m  map[string]int
}

func (s *Store) Has(k string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.m[k]
	return ok
}

func (s *Store) Set(k string, v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k] = v
}

func (s *Store) SetNew(k string, v int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.m[k]; ok {
		return false
	}
	s.m[k] = v
	return true
}

func Claim(s *Store, k string, v int) bool {
	if s.Has(k) {
		return false
	}
	s.Set(k, v) // want "lost-update"
	return true
}

func ClaimOnce(s *Store, k string, v int) bool {
	if s.Has(k) {
		return false
	}
	return s.SetNew(k, v)
}

// Start looks at a flag in one section and sets it in another one.
type Server struct {
	mu      sync.Mutex
	started bool
	run     func()
}

func (s *Server) Start() bool {
	s.mu.Lock()
	started := s.started
	s.mu.Unlock()
	if started {
		return false
	}
	s.mu.Lock()
	s.started = true // want "s.mu is released between the read and the write of s.started"
	s.mu.Unlock()
	return true
}

// A helper that is only called with the lock held is a part of its callers'
// sections, whether it says so or not.
type Table struct {
	mu   sync.Mutex
	rows map[string]int
	last string
}

func (t *Table) bump(k string) {
	if _, ok := t.rows[k]; !ok {
		t.rows[k] = 0
	}
	t.rows[k]++
	t.last = k
}

func (t *Table) Bump(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bump(k)
}

func (t *Table) BumpTwice(k string) {
	t.Bump(k)
	t.mu.Lock()
	t.bump(k)
	t.mu.Unlock()
}

// Sweep looks and deletes in one hold of the lock.
func (t *Table) Sweep() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for k, n := range t.rows {
		if n == 0 {
			delete(t.rows, k)
		}
	}
}

// A sweep in two holds deletes what has been used again in between.
type Leases struct {
	mu   sync.Mutex
	ends map[string]int64
}

func (l *Leases) Renew(k string, end int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ends[k] = end
}

func (l *Leases) Expire(k string, now int64) {
	l.mu.Lock()
	end, ok := l.ends[k]
	l.mu.Unlock()
	if ok && end < now {
		l.mu.Lock()
		delete(l.ends, k) // want "stale-delete"
		l.mu.Unlock()
	}
}

func (l *Leases) ExpireLooking(k string, now int64) {
	l.mu.Lock()
	end, ok := l.ends[k]
	l.mu.Unlock()
	if !ok || end >= now {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if end, ok := l.ends[k]; ok && end < now {
		delete(l.ends, k)
	}
}

// Ages are swept in two sections: keys are collected in one, and removed in another.
type Ages struct {
	mu   sync.RWMutex
	ends map[string]int64
}

func (a *Ages) Renew(k string, end int64) {
	a.mu.Lock()
	a.ends[k] = end
	a.mu.Unlock()
}

func (a *Ages) Sweep(now int64) {
	var old []string
	a.mu.RLock()
	for k, end := range a.ends {
		if end < now {
			old = append(old, k)
		}
	}
	a.mu.RUnlock()
	for _, k := range old {
		a.mu.Lock()
		delete(a.ends, k) // want "stale-delete"
		a.mu.Unlock()
	}
}

func (a *Ages) SweepLooking(now int64) int {
	old := []string{}
	a.mu.RLock()
	for k, end := range a.ends {
		if end >= now {
			continue
		}
		old = append(old, k)
	}
	a.mu.RUnlock()
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := 0; i < len(old); i++ {
		if end, ok := a.ends[old[i]]; ok && end < now {
			delete(a.ends, old[i])
		}
	}
	return len(old)
}

// SweepAtOnce holds the lock over both.
func (a *Ages) SweepAtOnce(now int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var old []string
	for k, end := range a.ends {
		if end < now {
			old = append(old, k)
		}
	}
	for _, k := range old {
		delete(a.ends, k)
	}
}

// Loops start once: who finds that nobody has, must be the only one that does.
type Loops struct {
	mu      sync.Mutex
	started bool
	work    func()
}

func (l *Loops) Start() {
	l.mu.Lock()
	started := l.started
	l.mu.Unlock()
	if started {
		return
	}
	l.mu.Lock()
	l.started = true // want "lost-update"
	l.mu.Unlock()
	go l.work()
}

func (l *Loops) StartOnce() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.started {
		l.started = true
		go l.work()
	}
}

// Tickets are sold once. What can be sold is there from the beginning: in a literal, or in
// a map that the caller has filled.
type Tickets struct {
	mu    sync.Mutex
	state map[string]string
}

func NewTickets() *Tickets { return &Tickets{state: map[string]string{"a": "free"}} }

func (t *Tickets) Take(name string) bool {
	t.mu.Lock()
	state := t.state[name]
	t.mu.Unlock()
	if state != "free" {
		return false
	}
	t.mu.Lock()
	t.state[name] = "taken" // want "lost-update"
	t.mu.Unlock()
	return true
}

var (
	seatsMu sync.Mutex
	seats   = map[string]string{"a": "free"}
)

func TakeSeat(name string) bool {
	seatsMu.Lock()
	state := seats[name]
	seatsMu.Unlock()
	if state != "free" {
		return false
	}
	seatsMu.Lock()
	seats[name] = "taken" // want "lost-update"
	seatsMu.Unlock()
	return true
}

// Sold has nothing at first, and nobody puts anything but "taken" there.
type Sold struct {
	mu    sync.Mutex
	state map[string]string
}

func NewSold() *Sold { return &Sold{state: map[string]string{}} }

func (t *Sold) Take(name string) bool {
	t.mu.Lock()
	state := t.state[name]
	t.mu.Unlock()
	if state != "free" {
		return false
	}
	t.mu.Lock()
	t.state[name] = "taken"
	t.mu.Unlock()
	return true
}
