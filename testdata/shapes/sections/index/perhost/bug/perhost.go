// Package perhost admits a number of connections for each address.
package perhost

import (
	"errors"
	"net"
	"sync"
)

// ErrTooMany is returned to who is one too many.
var ErrTooMany = errors.New("too many connections")

// Listener admits connections.
type Listener struct {
	net.Listener
	perHost int

	mu    sync.Mutex
	count map[string]int
}

// Wrap returns a listener that admits perHost connections for each host.
func Wrap(l net.Listener, perHost int) *Listener {
	return &Listener{Listener: l, perHost: perHost, count: map[string]int{}}
}

func (l *Listener) admit(host string) error {
	l.mu.Lock()
	n := l.count[host]
	l.mu.Unlock()
	if n >= l.perHost {
		return ErrTooMany
	}
	l.mu.Lock()
	l.count[host]++
	l.mu.Unlock()
	return nil
}

func (l *Listener) leave(host string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.count[host]--; l.count[host] == 0 {
		delete(l.count, host)
	}
}

// Accept implements net.Listener.
func (l *Listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	host, _, _ := net.SplitHostPort(c.RemoteAddr().String())
	if err := l.admit(host); err != nil {
		c.Close()
		return nil, err
	}
	return &conn{Conn: c, close: sync.OnceFunc(func() { l.leave(host) })}, nil
}

type conn struct {
	net.Conn
	close func()
}

// Close implements net.Conn.
func (c *conn) Close() error {
	c.close()
	return c.Conn.Close()
}
