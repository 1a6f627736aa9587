// Package e38: an object is replaced in any case.
package e38

import "sync"

type session struct {
	mu   sync.Mutex
	uses int
}

func (s *session) use() {
	s.mu.Lock()
	s.uses++
	s.mu.Unlock()
}

type Client struct {
	mu      sync.Mutex
	session *session
	greet   func()
}

func (c *Client) get() *session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session
}

func (c *Client) set(s *session) {
	c.mu.Lock()
	c.session = s
	c.mu.Unlock()
}

// Hidden logs in again, and says whether it is the first time.
func (c *Client) Hidden() bool {
	old := c.get()
	c.set(&session{})
	return old == nil
}

func (c *Client) Use() {
	if s := c.get(); s != nil {
		s.use()
	}
}

type Server struct {
	mu      sync.Mutex
	session *session
}

func (c *Server) get() *session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session
}

func (c *Server) set(s *session) {
	c.mu.Lock()
	c.session = s
	c.mu.Unlock()
}

// Shown makes the session, if there is none.
func (c *Server) Shown() *session {
	if s := c.get(); s != nil {
		s.use()
		return s
	}
	s := &session{}
	c.set(s) // want "lost-update|duplicate-instance"
	return s
}

type Pool struct {
	mu       sync.Mutex
	sessions map[string]*session
}

func (p *Pool) get(name string) *session {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sessions[name]
}

func (p *Pool) set(name string, s *session) {
	p.mu.Lock()
	p.sessions[name] = s
	p.mu.Unlock()
}

// Hidden makes another session for a name, and says whether there was one.
func (p *Pool) Hidden(name string) bool {
	old := p.get(name)
	p.set(name, &session{})
	return old != nil
}

func (p *Pool) Use(name string) {
	if s := p.get(name); s != nil {
		s.use()
	}
}

func (s *session) end() { ended <- s }

var ended = make(chan *session)

type Ending struct {
	mu       sync.Mutex
	sessions map[string]*session
}

func (p *Ending) get(name string) *session {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sessions[name]
}

func (p *Ending) set(name string, s *session) {
	p.mu.Lock()
	p.sessions[name] = s
	p.mu.Unlock()
}

// Shown ends the session that was there: of two new ones, one is never ended.
func (p *Ending) Shown(name string) {
	old := p.get(name)
	p.set(name, &session{}) // want "lost-update|duplicate-instance"
	if old != nil {
		old.end()
	}
}

func (p *Ending) Use(name string) {
	if s := p.get(name); s != nil {
		s.use()
	}
}
