// Package peers keeps one connection to each peer.
package peers

import "sync"

// Conn is a connection.
type Conn struct {
	addr   string
	closed chan struct{}
}

// Table has the connections by address.
type Table struct{ conns sync.Map }

// Connected replaces the connection to a peer.
func (t *Table) Connected(c *Conn) { t.conns.Store(c.addr, c) }

// Lost forgets a connection, if it is still the one in use.
func (t *Table) Lost(c *Conn) {
	t.conns.CompareAndDelete(c.addr, c)
	close(c.closed)
}
