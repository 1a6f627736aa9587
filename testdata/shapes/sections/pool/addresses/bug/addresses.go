// Package addresses leases addresses of a network.
package addresses

import "sync"

// Network has addresses that are free or leased.
type Network struct {
	mu     sync.Mutex
	leased map[int]string
	size   int
}

func (n *Network) isFree(addr int) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	_, taken := n.leased[addr]
	return !taken
}

// Lease gives a client an address that is free.
func (n *Network) Lease(client string) (int, bool) {
	for addr := range n.size {
		if n.isFree(addr) {
			n.mu.Lock()
			n.leased[addr] = client
			n.mu.Unlock()
			return addr, true
		}
	}
	return 0, false
}

// Release gives it back.
func (n *Network) Release(addr int) {
	n.mu.Lock()
	delete(n.leased, addr)
	n.mu.Unlock()
}
