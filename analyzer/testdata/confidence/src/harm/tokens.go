package harm

import (
	"net/http"
	"sync"
)

// Tokens has one for each audience, by value.
type Tokens struct {
	mu     sync.Mutex
	of     map[string]string
	revoke func(token string)
}

func NewTokens(revoke func(string)) *Tokens {
	return &Tokens{of: map[string]string{}, revoke: revoke}
}

func (t *Tokens) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	t.put(r.Host, r.URL.Path)
	t.HighReject(r.Host, r.URL.RawQuery)
	t.reject(r.Host, r.URL.RawQuery)
}

func (t *Tokens) put(audience, token string) {
	t.mu.Lock()
	t.of[audience] = token
	t.mu.Unlock()
}

func (t *Tokens) has(audience, token string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.of[audience] == token
}

func (t *Tokens) take(audience string) (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	token, ok := t.of[audience]
	delete(t.of, audience)
	return token, ok
}

// HighReject takes whatever there is by then.
func (t *Tokens) HighReject(audience, token string) {
	if !t.has(audience, token) {
		return
	}
	if current, ok := t.take(audience); ok {
		t.revoke(current)
	}
}

// reject compares where it takes.
func (t *Tokens) reject(audience, token string) {
	if !t.has(audience, token) {
		return
	}
	t.mu.Lock()
	same := t.of[audience] == token
	if same {
		delete(t.of, audience)
	}
	t.mu.Unlock()
	if same {
		t.revoke(token)
	}
}

// Names has an address for each name, and a name for each address.
type Names struct {
	mu        sync.Mutex
	addresses map[string]int
	names     map[int]string
}

func NewNames() *Names { return &Names{addresses: map[string]int{}, names: map[int]string{}} }

func (n *Names) ServeHTTP(_ http.ResponseWriter, r *http.Request) { n.HighAssign(r.Host) }

func (n *Names) lookup(name string) (int, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	address, ok := n.addresses[name]
	return address, ok
}

// HighAssign leaves the address that another caller has assigned to the name in names.
func (n *Names) HighAssign(name string) int {
	if address, ok := n.lookup(name); ok {
		return address
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	address := 1
	for n.names[address] != "" {
		address++
	}
	n.names[address], n.addresses[name] = name, address
	return address
}
