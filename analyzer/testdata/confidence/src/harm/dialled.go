package harm

import (
	"net"
	"sync"
	"time"
)

type dialled struct {
	net.Conn
	at time.Time
}

// Upstreams has a connection for each address.
type Upstreams struct {
	dial func(addr string) (net.Conn, error)

	mu    sync.RWMutex
	conns map[string]*dialled
}

func NewUpstreams(dial func(string) (net.Conn, error)) *Upstreams {
	return &Upstreams{dial: dial, conns: map[string]*dialled{}}
}

// HighGet leaves the connection open that it overwrites.
func (u *Upstreams) HighGet(addr string) (net.Conn, error) {
	u.mu.RLock()
	d, ok := u.conns[addr]
	u.mu.RUnlock()
	if ok {
		return d, nil
	}
	c, err := u.dial(addr)
	if err != nil {
		return nil, err
	}
	d = &dialled{Conn: c, at: time.Now()}
	u.mu.Lock()
	u.conns[addr] = d
	u.mu.Unlock()
	return d, nil
}

type resolved struct {
	ip net.IP
	at time.Time
}

// Resolved has what was looked up, which nobody has to close.
type Resolved struct {
	lookup func(name string) (net.IP, error)

	mu    sync.RWMutex
	names map[string]*resolved
}

func NewResolved(lookup func(string) (net.IP, error)) *Resolved {
	return &Resolved{lookup: lookup, names: map[string]*resolved{}}
}

// MediumGet looks up twice.
func (r *Resolved) MediumGet(name string) (net.IP, error) {
	r.mu.RLock()
	d, ok := r.names[name]
	r.mu.RUnlock()
	if ok {
		return d.ip, nil
	}
	ip, err := r.lookup(name)
	if err != nil {
		return nil, err
	}
	d = &resolved{ip: ip, at: time.Now()}
	r.mu.Lock()
	r.names[name] = d
	r.mu.Unlock()
	return d.ip, nil
}
