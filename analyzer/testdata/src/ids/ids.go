// Package ids keeps objects under ids. Those that a counter hands out are another one
// for each object.
package ids

import (
	"sync"
	"sync/atomic"
)

var lastID atomic.Uint64

func nextID() uint64 { return lastID.Add(1) }

// Conn has a number of its own.
type Conn struct {
	id     uint64
	closed bool
}

// NewConn makes a connection.
func NewConn() *Conn { return &Conn{id: nextID()} }

// ID is the number.
func (c *Conn) ID() uint64 { return c.id }

// Close is called once.
func (c *Conn) Close() { c.closed = true }

// Pool has the connections that are in use.
type Pool struct{ conns sync.Map }

// Track has each connection under its number: no other one can be found there.
func (p *Pool) Track(c *Conn) { p.conns.Store(c.ID(), c) }

func (p *Pool) Close() {
	p.conns.Range(func(k, v any) bool {
		if _, ok := p.conns.LoadAndDelete(k); ok {
			v.(*Conn).Close()
		}
		return true
	})
}

// Session has the name that its client gives itself, and a client that comes back
// has the same one.
type Session struct {
	client string
	closed bool
}

// Sessions are kept by their clients' names.
type Sessions struct{ sessions sync.Map }

func (s *Sessions) Open(client string) *Session {
	n := &Session{client: client}
	s.sessions.Store(n.client, n)
	return n
}

func (s *Sessions) Close() {
	s.sessions.Range(func(k, v any) bool {
		if _, ok := s.sessions.LoadAndDelete(k); ok { // want "stale-delete"
			v.(*Session).closed = true
		}
		return true
	})
}

var lastSlot atomic.Uint64

// Slot can be given another number.
type Slot struct {
	id     uint64
	closed bool
}

func NewSlot() *Slot { return &Slot{id: lastSlot.Add(1)} }

func (s *Slot) Take(other *Slot) { s.id = other.id }

// Slots are kept by their numbers.
type Slots struct{ slots sync.Map }

func (s *Slots) Track(slot *Slot) { s.slots.Store(slot.id, slot) }

func (s *Slots) Close() {
	s.slots.Range(func(k, v any) bool {
		if _, ok := s.slots.LoadAndDelete(k); ok { // want "stale-delete"
			v.(*Slot).closed = true
		}
		return true
	})
}

var lastTicket atomic.Uint64

// Ticket has a counter that starts anew.
type Ticket struct {
	id     uint64
	closed bool
}

func NewTicket() *Ticket { return &Ticket{id: lastTicket.Add(1)} }

func NewDay() { lastTicket.Store(0) }

// Tickets are kept by their numbers.
type Tickets struct{ tickets sync.Map }

func (t *Tickets) Track(ticket *Ticket) { t.tickets.Store(ticket.id, ticket) }

func (t *Tickets) Close() {
	t.tickets.Range(func(k, v any) bool {
		if _, ok := t.tickets.LoadAndDelete(k); ok { // want "stale-delete"
			v.(*Ticket).closed = true
		}
		return true
	})
}
