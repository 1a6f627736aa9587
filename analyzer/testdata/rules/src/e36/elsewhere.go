package e36

import (
	"sync"
	"time"

	"example.com/client"
)

// Peers has what it makes from another module.
type Peers struct {
	clients, conns, books sync.Map
	limit                 time.Duration
}

func NewPeers(limit time.Duration) *Peers { return &Peers{limit: limit} }

// HiddenClient makes a client, of which one that is lost has answered whoever has made it.
func (p *Peers) HiddenClient(addr string) *client.Client {
	if v, ok := p.clients.Load(addr); ok {
		return v.(*client.Client)
	}
	c := client.New()
	c.SetLimit(p.limit)
	p.clients.Store(addr, c)
	return c
}

// ShownConn makes a connection, which somebody has to close.
func (p *Peers) ShownConn(addr string) *client.Conn {
	if v, ok := p.conns.Load(addr); ok {
		return v.(*client.Conn)
	}
	c := client.Dial(addr)
	p.conns.Store(addr, c)
	return c
}

// ShownBook makes a book, in which others write.
func (p *Peers) ShownBook(name string) *client.Book {
	if v, ok := p.books.Load(name); ok {
		return v.(*client.Book)
	}
	b := client.NewBook()
	p.books.Store(name, b)
	return b
}

func (p *Peers) Write(name, line string) { p.ShownBook(name).Add(line) }
