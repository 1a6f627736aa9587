// Package backends connects to backends when they are needed.
package backends

import (
	"net"
	"sync"
)

// Backend is a connection that is shared.
type Backend struct {
	mu   sync.Mutex
	conn net.Conn
}

// Pool has the backends by service.
type Pool struct {
	backends sync.Map
	resolve  func(service string) (string, error)
}

// Get is the backend of a service.
func (p *Pool) Get(service string) (*Backend, error) {
	if b, ok := p.backends.Load(service); ok {
		return b.(*Backend), nil
	}
	addr, err := p.resolve(service)
	if err != nil {
		return nil, err
	}
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	b := &Backend{conn: conn}
	p.backends.Store(service, b)
	return b, nil
}

// Write sends to a service.
func (p *Pool) Write(service string, data []byte) error {
	b, err := p.Get(service)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	_, err = b.conn.Write(data)
	return err
}
