package keeps

import (
	"net"
	"sync"
	"time"
)

// Who takes an entry away asks only whether there is one, and not whose it is.

type grant struct {
	owner    string
	since    time.Time
	timer    *time.Timer
	renewals int
}

type Grants struct {
	mu      sync.Mutex
	m       map[string]*grant
	expired func(name, owner string)
}

func NewGrants(expired func(name, owner string)) *Grants {
	return &Grants{m: map[string]*grant{}, expired: expired}
}

func (g *Grants) Take(name, owner string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, held := g.m[name]; held {
		return false
	}
	g.put(name, owner)
	return true
}

func (g *Grants) Release(name, owner string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if l := g.m[name]; l != nil && l.owner == owner {
		l.timer.Stop()
		delete(g.m, name)
	}
}

// Renew puts another one there, with a timer of its own.
func (g *Grants) Renew(name, owner string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	l, held := g.m[name]
	if !held || l.owner != owner {
		return false
	}
	l.timer.Stop()
	g.put(name, owner)
	return true
}

func (g *Grants) put(name, owner string) {
	l := &grant{owner: owner, since: time.Now()}
	l.timer = time.AfterFunc(time.Minute, func() { g.expire(name) })
	g.m[name] = l
}

// expire may run when the grant is another one already.
func (g *Grants) expire(name string) {
	g.mu.Lock()
	l, held := g.m[name]
	if !held {
		g.mu.Unlock()
		return
	}
	delete(g.m, name) // want "stale-delete"
	g.mu.Unlock()
	g.expired(name, l.owner)
}

// Owned has a timer that asks whose the grant is.
type Owned struct {
	mu sync.Mutex
	m  map[string]*grant
}

func NewOwned() *Owned { return &Owned{m: map[string]*grant{}} }

func (o *Owned) Take(name, owner string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, held := o.m[name]; held {
		return false
	}
	l := &grant{owner: owner, since: time.Now()}
	l.timer = time.AfterFunc(time.Minute, func() { o.expire(name, l) })
	o.m[name] = l
	return true
}

func (o *Owned) Release(name, owner string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if l := o.m[name]; l != nil && l.owner == owner {
		delete(o.m, name)
	}
}

func (o *Owned) expire(name string, l *grant) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if now, held := o.m[name]; held && now == l {
		delete(o.m, name)
	}
}

// Lines are shared by all who call the same address.
type Lines struct {
	mu sync.Mutex
	m  map[string]*line
}

type line struct {
	mu   sync.Mutex
	sent int
	nc   net.Conn
}

func (l *line) call(msg []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent++
	_, err := l.nc.Write(msg)
	return err
}

func NewLines() *Lines { return &Lines{m: map[string]*line{}} }

func (s *Lines) line(addr string) (*line, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l, ok := s.m[addr]; ok {
		return l, nil
	}
	nc, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	l := &line{nc: nc}
	s.m[addr] = l
	return l, nil
}

// Call drops a line that has failed, or one that somebody has dialed since.
func (s *Lines) Call(addr string, msg []byte) error {
	l, err := s.line(addr)
	if err != nil {
		return err
	}
	if err := l.call(msg); err != nil {
		s.mu.Lock()
		if _, ok := s.m[addr]; ok { // want "can see another content"
			delete(s.m, addr)
		}
		s.mu.Unlock()
		l.nc.Close()
		return err
	}
	return nil
}

// CloseAll takes all of them away.
func (s *Lines) CloseAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for addr, l := range s.m {
		l.nc.Close()
		delete(s.m, addr)
	}
}

// Wires compare.
type Wires struct {
	mu sync.Mutex
	m  map[string]*line
}

func NewWires() *Wires { return &Wires{m: map[string]*line{}} }

func (s *Wires) Call(addr string, msg []byte) error {
	s.mu.Lock()
	l, ok := s.m[addr]
	if !ok {
		nc, err := net.Dial("tcp", addr)
		if err != nil {
			s.mu.Unlock()
			return err
		}
		l = &line{nc: nc}
		s.m[addr] = l
	}
	s.mu.Unlock()
	if err := l.call(msg); err != nil {
		s.mu.Lock()
		if now, ok := s.m[addr]; ok && now == l {
			delete(s.m, addr)
		}
		s.mu.Unlock()
		l.nc.Close()
		return err
	}
	return nil
}
