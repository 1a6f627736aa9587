// Package aliases lets a host be moved from one name to another.
package aliases

import "sync"

// Names maps names to hosts and hosts to names.
type Names struct {
	mu    sync.Mutex
	hosts map[string]string
	names map[string]string
}

// Move gives a host another name.
func (n *Names) Move(host, name string) {
	n.mu.Lock()
	old, ok := n.names[host]
	n.mu.Unlock()
	n.mu.Lock()
	defer n.mu.Unlock()
	if ok {
		delete(n.hosts, old)
	}
	n.names[host] = name
	n.hosts[name] = host
}

// Host is the host with a name.
func (n *Names) Host(name string) (string, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	host, ok := n.hosts[name]
	return host, ok
}
