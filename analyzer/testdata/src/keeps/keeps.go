// Package keeps has functions that store something of their own, and remove the
// entry when they are done: by then it can be somebody else's.
package keeps

import (
	"bufio"
	"net"
	"sync"
)

type conn struct {
	addr string
	mu   sync.Mutex
	sent int
}

// Registry has connections by address.
type Registry struct{ m sync.Map }

func (r *Registry) Serve(c *conn, serve func(*conn)) {
	r.m.Store(c.addr, c)
	defer r.m.Delete(c.addr) // want "stale-delete"
	serve(c)
}

// Own compares.
func (r *Registry) Own(c *conn, serve func(*conn)) {
	r.m.Store(c.addr, c)
	defer r.m.CompareAndDelete(c.addr, c)
	serve(c)
}

// Names are only claimed where there is nothing, so that an entry is its owner's for
// as long as it is there.
type Names struct{ m sync.Map }

func (n *Names) Hold(name string, c *conn, serve func(*conn)) bool {
	if _, taken := n.m.LoadOrStore(name, c); taken {
		return false
	}
	defer n.m.Delete(name)
	serve(c)
	return true
}

// Busy has marks, which belong to nobody: who takes one away does not mean its own.
type Busy struct{ m sync.Map }

func (b *Busy) Do(k string, work func()) {
	b.m.Store(k, true)
	defer b.m.Delete(k)
	work()
}

// Sessions is the same with a plain map.
type Sessions struct {
	mu sync.Mutex
	m  map[string]*conn
}

func (s *Sessions) Serve(id string, c *conn, serve func(*conn)) {
	s.mu.Lock()
	s.m[id] = c
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.m, id) // want "s.mu is released between the write and the delete of s.m"
		s.mu.Unlock()
	}()
	serve(c)
}

type Checked struct {
	mu sync.Mutex
	m  map[string]*conn
}

func (s *Checked) Serve(id string, c *conn, serve func(*conn)) {
	s.mu.Lock()
	s.m[id] = c
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		if s.m[id] == c {
			delete(s.m, id)
		}
		s.mu.Unlock()
	}()
	serve(c)
}

// Devices say themselves who they are. A device can come back before its old line has ended: that line is
// closed, and ends after the new one is there.
type Devices struct{ m sync.Map }

type device struct {
	net.Conn
	sent int
}

// Send changes what the device has been sent.
func (d *Devices) Send(id string) {
	if v, ok := d.m.Load(id); ok {
		v.(*device).sent++
	}
}

func (d *Devices) Serve(c net.Conn, handle func(string)) {
	in := bufio.NewScanner(c)
	if !in.Scan() {
		return
	}
	id := in.Text()
	if old, ok := d.m.Swap(id, &device{Conn: c}); ok {
		old.(*device).Close()
	}
	defer d.m.Delete(id) // want "stale-delete"
	for in.Scan() {
		handle(in.Text())
	}
}

func (d *Devices) ServeOwn(c net.Conn, handle func(string)) {
	in := bufio.NewScanner(c)
	if !in.Scan() {
		return
	}
	id, own := in.Text(), &device{Conn: c}
	if old, ok := d.m.Swap(id, own); ok {
		old.(*device).Close()
	}
	defer d.m.CompareAndDelete(id, own)
	for in.Scan() {
		handle(in.Text())
	}
}

// Feeders are told their ids, which nobody else is: nothing is there before.
type Feeders struct{ m sync.Map }

func (s *Feeders) Send(id string) {
	if v, ok := s.m.Load(id); ok {
		v.(*device).sent++
	}
}

func (s *Feeders) Serve(c net.Conn, handle func(string)) {
	in := bufio.NewScanner(c)
	if !in.Scan() {
		return
	}
	id := in.Text()
	s.m.Store(id, &device{Conn: c})
	defer s.m.Delete(id)
	for in.Scan() {
		handle(in.Text())
	}
}

// Sockets are the same as devices, with a plain map.
type Sockets struct {
	mu sync.Mutex
	m  map[string]*device
}

func (s *Sockets) Send(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.m[id]; d != nil {
		d.sent++
	}
}

func (s *Sockets) Serve(c net.Conn, handle func(string)) {
	in := bufio.NewScanner(c)
	if !in.Scan() {
		return
	}
	id := in.Text()
	s.enter(id, &device{Conn: c})
	defer s.leave(id) // want "stale-delete"
	for in.Scan() {
		handle(in.Text())
	}
}

func (s *Sockets) enter(id string, d *device) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.m[id]; old != nil {
		old.Close()
	}
	s.m[id] = d
}

func (s *Sockets) leave(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.m, id)
}

func (s *Sockets) ServeOwn(c net.Conn, handle func(string)) {
	in := bufio.NewScanner(c)
	if !in.Scan() {
		return
	}
	id, own := in.Text(), &device{Conn: c}
	s.enter(id, own)
	defer s.leaveOwn(id, own)
	for in.Scan() {
		handle(in.Text())
	}
}

func (s *Sockets) leaveOwn(id string, own *device) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m[id] == own {
		delete(s.m, id)
	}
}
