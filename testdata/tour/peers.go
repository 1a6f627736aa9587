package tour

import "sync"

// Peer is another member of the cluster, by its address.
type Peer struct {
	addr string

	mu   sync.Mutex
	sent int
}

// dial connects to a peer.
//
//tour:ok
func dial(addr string) *Peer { return &Peer{addr: addr} }

// Send sends to the peer and says how often it has.
//
//tour:ok
func (c *Peer) Send() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent++
	return c.sent
}

// Peers has one for each address, in a plain map behind a mutex.
type Peers struct {
	mu    sync.RWMutex
	peers map[string]*Peer
}

// NewPeers returns no peers.
//
//tour:ok
func NewPeers() *Peers { return &Peers{peers: map[string]*Peer{}} }

// Get returns the peer of an address. The lock is let go between the look
// and the assignment, so that two callers may each dial, and one peer is
// lost: nobody will ever find it again.
//
//tour:bug duplicate-instance
func (p *Peers) Get(addr string) *Peer {
	p.mu.RLock()
	c, ok := p.peers[addr]
	p.mu.RUnlock()
	if !ok {
		c = dial(addr)
		p.mu.Lock()
		p.peers[addr] = c
		p.mu.Unlock()
	}
	return c
}

// GetOnce looks again when it holds the lock for writing.
//
//tour:ok
func (p *Peers) GetOnce(addr string) *Peer {
	p.mu.RLock()
	c, ok := p.peers[addr]
	p.mu.RUnlock()
	if ok {
		return c
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if c, ok := p.peers[addr]; ok {
		return c
	}
	c = dial(addr)
	p.peers[addr] = c
	return c
}

// Close forgets the peer of an address.
//
//tour:ok
func (p *Peers) Close(addr string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.peers, addr)
}
