package tour

import "sync"

// Conn is a connection to one address. It connects on its first use.
type Conn struct {
	addr string
	done chan struct{}
}

// newConn returns a connection that is not connected yet.
//
//tour:ok
func newConn(addr string) *Conn {
	return &Conn{addr: addr, done: make(chan struct{})}
}

// Close ends the connection. It must be called once.
//
//tour:ok
func (c *Conn) Close() { close(c.done) }

// Pool shares connections: one for reading and one for writing per address.
type Pool struct {
	readers sync.Map // string -> *Conn
	writers sync.Map // string -> *Conn
}

// Reader returns the connection for reading from an address. It ignores what
// LoadOrStore found: a caller that comes second gets a connection that is not
// in the pool and that nobody will close.
//
//tour:bug duplicate-instance
func (p *Pool) Reader(addr string) *Conn {
	if c, ok := p.readers.Load(addr); ok {
		return c.(*Conn)
	}
	c := newConn(addr)
	p.readers.LoadOrStore(addr, c)
	return c
}

// Writer returns the connection for writing to an address. A caller that comes
// second closes its spare connection and takes the one in the pool.
//
//tour:ok
func (p *Pool) Writer(addr string) *Conn {
	if c, ok := p.writers.Load(addr); ok {
		return c.(*Conn)
	}
	spare := newConn(addr)
	c, loaded := p.writers.LoadOrStore(addr, spare)
	if loaded {
		spare.Close()
	}
	return c.(*Conn)
}

// Drop closes the connection for writing to an address. Called twice at once it
// closes the connection twice, or removes the next one without closing it.
//
//tour:bug stale-delete
func (p *Pool) Drop(addr string) {
	c, ok := p.writers.Load(addr)
	if !ok {
		return
	}
	c.(*Conn).Close()
	p.writers.Delete(addr)
}

// DropOnce closes the connection for writing to an address. It takes it out of
// the pool first, so that no other goroutine can close it too.
//
//tour:ok
func (p *Pool) DropOnce(addr string) {
	if c, ok := p.writers.LoadAndDelete(addr); ok {
		c.(*Conn).Close()
	}
}
