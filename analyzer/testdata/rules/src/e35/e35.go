// Package main: one goroutine is started, and may have its own part of the map.
package main

import "sync"

type conn struct {
	mu   sync.Mutex
	uses int
}

func (c *conn) use() {
	c.mu.Lock()
	c.uses++
	c.mu.Unlock()
}

type pool struct{ conns sync.Map }

// hidden is called by the goroutine of Serve, for its own addresses, and by Dial.
func (p *pool) hidden(addr string) *conn {
	if v, ok := p.conns.Load(addr); ok {
		v.(*conn).use()
		return v.(*conn)
	}
	c := &conn{}
	p.conns.Store(addr, c)
	return c
}

func (p *pool) accept(addrs chan string) {
	for addr := range addrs {
		p.hidden(addr)
	}
}

func serve(p *pool, addrs chan string) {
	go p.accept(addrs)
	p.hidden("self")
}

func main() {
	serve(&pool{}, make(chan string))
	dial(&net{}, []string{"a", "b"})
}

type net struct{ conns sync.Map }

// shown is called by all goroutines that a loop starts.
func (n *net) shown(addr string) *conn {
	if v, ok := n.conns.Load(addr); ok {
		v.(*conn).use()
		return v.(*conn)
	}
	c := &conn{}
	n.conns.Store(addr, c) // want "lost-update|duplicate-instance"
	return c
}

func dial(n *net, addrs []string) {
	for _, addr := range addrs {
		go n.shown(addr)
	}
}
