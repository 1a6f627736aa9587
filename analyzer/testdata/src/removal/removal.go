// Package removal proves what can go wrong on the way out: two callers take the
// same entry, or an entry is removed that is not the one that was looked at.
// Negatives take and look in one call, or remove only what they looked at.
package removal

import "sync"

type conn struct {
	addr   string
	closed chan struct{}
}

func (c *conn) Close() { close(c.closed) }

// Pool has a writer that replaces entries.
type Pool struct{ m sync.Map }

func (p *Pool) Put(c *conn) { p.m.Store(c.addr, c) }

// Take hands the same connection to two callers, or drops one that nobody took.
func (p *Pool) Take(addr string) *conn {
	v, ok := p.m.Load(addr)
	if !ok {
		return nil
	}
	p.m.Delete(addr) // want "stale-delete"
	return v.(*conn)
}

func (p *Pool) TakeOnce(addr string) *conn {
	v, ok := p.m.LoadAndDelete(addr)
	if !ok {
		return nil
	}
	return v.(*conn)
}

// TakeAfterLook looks first, and still takes what the atomic call gives it.
func (p *Pool) TakeAfterLook(addr string) *conn {
	if _, ok := p.m.Load(addr); !ok {
		return nil
	}
	v, ok := p.m.LoadAndDelete(addr)
	if !ok {
		return nil
	}
	return v.(*conn)
}

// TakeChecked returns what it saw first, but not only if that is what it took.
func (p *Pool) TakeChecked(addr string) *conn {
	v, ok := p.m.Load(addr)
	if !ok {
		return nil
	}
	if _, ok := p.m.LoadAndDelete(addr); !ok { // want "stale-delete"
		return nil
	}
	return v.(*conn)
}

// Drop closes one connection and removes perhaps another.
func (p *Pool) Drop(addr string) {
	v, ok := p.m.Load(addr)
	if !ok {
		return
	}
	v.(*conn).Close()
	p.m.Delete(addr) // want "stale-delete"
}

func (p *Pool) DropOnce(addr string) {
	if v, ok := p.m.LoadAndDelete(addr); ok {
		v.(*conn).Close()
	}
}

// Clear looks and deletes: there is nothing to tell the two orders apart.
func (p *Pool) Clear(addr string) {
	if _, ok := p.m.Load(addr); ok {
		p.m.Delete(addr)
	}
}

// Removed reports whether it removed something, and may be wrong.
func (p *Pool) Removed(addr string) bool {
	if _, ok := p.m.Load(addr); ok {
		p.m.Delete(addr) // want "stale-delete"
		return true
	}
	return false
}

func (p *Pool) RemovedOnce(addr string) bool {
	_, ok := p.m.LoadAndDelete(addr)
	return ok
}

// Retire means one connection, and removes whichever is there.
func (p *Pool) Retire(c *conn) {
	if v, ok := p.m.Load(c.addr); ok && v == c {
		p.m.Delete(c.addr) // want "stale-delete"
	}
}

func (p *Pool) RetireOnce(c *conn) {
	p.m.CompareAndDelete(c.addr, c)
}

// RetireChecked tests first, and removes only what it tested.
func (p *Pool) RetireChecked(c *conn) {
	if v, ok := p.m.Load(c.addr); ok && v == c {
		p.m.CompareAndDelete(c.addr, c)
	}
}

// Unconditional is one call, whatever it removes.
func (p *Pool) Unconditional(addr string) { p.m.Delete(addr) }

// Filled has entries that are only ever inserted and removed, not replaced.
type Filled struct{ m sync.Map }

func (f *Filled) Open(addr string) *conn {
	v, _ := f.m.LoadOrStore(addr, &conn{addr: addr, closed: make(chan struct{})})
	return v.(*conn)
}

// CloseIf closes the connection if it is the one that it took out.
func (f *Filled) CloseIf(c *conn) {
	if f.m.CompareAndDelete(c.addr, c) {
		c.Close()
	}
}

// CloseNamed tests the entry, and closes it if it is the one that it took out.
func (f *Filled) CloseNamed(addr string) {
	v, ok := f.m.Load(addr)
	if !ok || v.(*conn).addr == "" {
		return
	}
	if f.m.CompareAndDelete(addr, v) {
		v.(*conn).Close()
	}
}
