package keeps

import (
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// What is started removes the entry later: a goroutine when it ends, or a timer.

type Peers struct{ m sync.Map }

func (p *Peers) Accept(c *conn, serve func(*conn)) {
	p.m.Store(c.addr, c)
	go func() {
		defer p.m.Delete(c.addr) // want "stale-delete"
		serve(c)
	}()
}

func (p *Peers) AcceptOwn(c *conn, serve func(*conn)) {
	p.m.Store(c.addr, c)
	go func() {
		defer p.m.CompareAndDelete(c.addr, c)
		serve(c)
	}()
}

// In a method that is started.
type Workers struct{ m sync.Map }

func (w *Workers) Start(c *conn) {
	w.m.Store(c.addr, c)
	go w.run(c)
}

func (w *Workers) run(c *conn) {
	c.mu.Lock()
	c.sent++
	c.mu.Unlock()
	w.m.Delete(c.addr) // want "stale-delete"
}

// What removes the entry is handed out in a function that recovers from what it panics with itself.
type Invites struct {
	m   sync.Map
	end func(func())
}

func (s *Invites) Send(user string, c *conn) (err error) {
	s.m.Store(user, c)
	s.end(func() { s.m.Delete(user) }) // want "stale-delete"
	defer func() {
		if recover() != nil {
			err = net.ErrClosed
		}
	}()
	if c.sent > 3 {
		panic("too many")
	}
	return nil
}

func (s *Invites) SendOwn(user string, c *conn) (err error) {
	s.m.Store(user, c)
	s.end(func() { s.m.CompareAndDelete(user, c) })
	defer func() {
		if recover() != nil {
			err = net.ErrClosed
		}
	}()
	if c.sent > 3 {
		panic("too many")
	}
	return nil
}

// Only where there is nothing: the entry is its own until it removes it.
type Claims struct{ m sync.Map }

func (s *Claims) Claim(c *conn, serve func(*conn)) bool {
	if _, taken := s.m.LoadOrStore(c.addr, c); taken {
		return false
	}
	go func() {
		serve(c)
		s.m.Delete(c.addr)
	}()
	return true
}

type Codes struct{ m sync.Map }

func (s *Codes) Send(user string, c *conn) {
	s.m.Store(user, c)
	time.AfterFunc(time.Minute, func() { s.m.Delete(user) }) // want "stale-delete"
}

func (s *Codes) SendOwn(user string, c *conn) {
	s.m.Store(user, c)
	time.AfterFunc(time.Minute, func() { s.m.CompareAndDelete(user, c) })
}

// Members are kept in a plain map; the timer is set before the entry is there.
type Members struct {
	mu sync.Mutex
	m  map[string]*conn
}

func (g *Members) Join(name string, c *conn) {
	time.AfterFunc(time.Minute, func() { g.leave(name) }) // want "stale-delete"
	g.mu.Lock()
	defer g.mu.Unlock()
	g.m[name] = c
}

func (g *Members) leave(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.m, name)
}

type CheckedMembers struct {
	mu sync.Mutex
	m  map[string]*conn
}

func (g *CheckedMembers) Join(name string, c *conn) {
	g.mu.Lock()
	g.m[name] = c
	g.mu.Unlock()
	go g.serve(name, c)
}

func (g *CheckedMembers) serve(name string, c *conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.m[name] == c {
		delete(g.m, name)
	}
}

// Queries have keys that nobody else has: a number out of a counter.
type Queries struct {
	next atomic.Uint64
	m    sync.Map
}

func (q *Queries) Ask(c *conn) {
	id := q.next.Add(1)
	q.m.Store(id, c)
	time.AfterFunc(time.Minute, func() { q.m.Delete(id) })
}

// Clients are known by what their connection says.
type Clients struct{ m sync.Map }

func (s *Clients) Serve(from net.Conn, c *conn, serve func(*conn)) {
	s.m.Store(from.RemoteAddr(), c)
	defer s.m.Delete(from.RemoteAddr())
	serve(c)
}

// Dials has one dial under each name, which all share who ask for it meanwhile: the last of them
// removes it, and nobody puts another one there before.
type Dials struct {
	mu sync.Mutex
	m  map[string]*shared
}

type shared struct{ users int }

func (d *Dials) Dial(name string, dial func(string) error) error {
	d.mu.Lock()
	s, ok := d.m[name]
	if !ok {
		s = &shared{}
		d.m[name] = s
	}
	s.users++
	d.mu.Unlock()
	err := dial(name)
	d.mu.Lock()
	defer d.mu.Unlock()
	if s.users--; s.users == 0 {
		delete(d.m, name)
	}
	return err
}

// Relays have a group start what removes the entry in the end.
type Relays struct {
	wg sync.WaitGroup
	m  sync.Map
}

func (f *Relays) Start(c *conn, serve func(*conn)) {
	f.m.Store(c.addr, c)
	f.wg.Go(func() {
		defer f.m.Delete(c.addr) // want "stale-delete"
		serve(c)
	})
}

func (f *Relays) StartOwn(c *conn, serve func(*conn)) {
	f.m.Store(c.addr, c)
	f.wg.Go(func() {
		defer f.m.CompareAndDelete(c.addr, c)
		serve(c)
	})
}

// Named has a name that is cleaned before the literal is made, which has it as it is then.
type Named struct{ m sync.Map }

func (n *Named) Start(name string, c *conn, serve func(*conn)) {
	name = strings.ToLower(name)
	n.m.Store(name, c)
	go func() {
		defer n.m.Delete(name) // want "stale-delete"
		serve(c)
	}()
}

// Another name is removed than that under which it was put there: it is not followed which.
func (n *Named) StartOther(name string, c *conn, serve func(*conn)) {
	n.m.Store(name, c)
	go func() {
		defer n.m.Delete(name)
		serve(c)
	}()
	name = strings.ToLower(name)
	serve(&conn{addr: name})
}

// Streams are started by what only one other function calls, and stopped by that as well: each round of
// it is another call.
type Streams struct{ m sync.Map }

type stream struct {
	c    net.Conn
	sent int
}

func (s *Streams) start(id string, c net.Conn, serve func(*stream)) {
	own := &stream{c: c}
	if old, ok := s.m.Swap(id, own); ok {
		old.(*stream).c.Close()
	}
	go func() {
		defer s.m.Delete(id) // want "stale-delete"
		serve(own)
	}()
}

func (s *Streams) Serve(in <-chan net.Conn, serve func(*stream)) {
	for c := range in {
		id := c.RemoteAddr().String()
		if id == "" {
			s.m.LoadAndDelete(id)
			continue
		}
		s.start(id, c, serve)
	}
}

// Rivers remove their own only.
type Rivers struct{ m sync.Map }

func (s *Rivers) start(id string, c net.Conn, serve func(*stream)) {
	own := &stream{c: c}
	if old, ok := s.m.Swap(id, own); ok {
		old.(*stream).c.Close()
	}
	go func() {
		defer s.m.CompareAndDelete(id, own)
		serve(own)
	}()
}

func (s *Rivers) Serve(in <-chan net.Conn, serve func(*stream)) {
	for c := range in {
		id := c.RemoteAddr().String()
		if id == "" {
			s.m.LoadAndDelete(id)
			continue
		}
		s.start(id, c, serve)
	}
}
