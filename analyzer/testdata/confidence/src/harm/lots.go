package harm

import (
	"crypto/rand"
	"encoding/hex"
	lots "math/rand/v2"
	"sync"
)

// Secrets are drawn by lot, and told to who asks for the first time.
type Secrets struct {
	mu     sync.RWMutex
	byUser map[string]string
}

func newSecret() string {
	b := make([]byte, 16)
	rand.Read(b)
	return hex.EncodeToString(b)
}

func (s *Secrets) Revoke(user string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byUser, user)
}

// HighOf tells a secret that is not the one that is kept.
func (s *Secrets) HighOf(user string) string {
	s.mu.RLock()
	secret, ok := s.byUser[user]
	s.mu.RUnlock()
	if ok {
		return secret
	}
	secret = newSecret()
	s.mu.Lock()
	s.byUser[user] = secret
	s.mu.Unlock()
	return secret
}

// Digests are the same for all who make them.
type Digests struct {
	mu     sync.RWMutex
	byName map[string]string
}

func (d *Digests) MediumOf(name string) string {
	d.mu.RLock()
	sum, ok := d.byName[name]
	d.mu.RUnlock()
	if ok {
		return sum
	}
	sum = hex.EncodeToString([]byte(name))
	d.mu.Lock()
	d.byName[name] = sum
	d.mu.Unlock()
	return sum
}

// Ports picks one for each name.
type Ports struct{ m sync.Map }

func pick(n int) int { return lots.IntN(n) }

func (p *Ports) HighFor(name string) int {
	if port, ok := p.m.Load(name); ok {
		return port.(int)
	}
	port := 1024 + pick(1000)
	p.m.Store(name, port)
	return port
}
