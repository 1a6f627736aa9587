// Package heartbeats forgets members that have been silent for a minute.
package heartbeats

import (
	"sync"
	"time"
)

type member struct{ timer *time.Timer }

// Group has its members.
type Group struct {
	mu      sync.Mutex
	members map[string]*member
}

// Join adds a member, or adds it anew.
func (g *Group) Join(name string) {
	m := &member{}
	m.timer = time.AfterFunc(time.Minute, func() { g.expire(name, m) })
	g.mu.Lock()
	defer g.mu.Unlock()
	g.members[name] = m
}

func (g *Group) expire(name string, m *member) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.members[name] == m {
		delete(g.members, name)
	}
}

// Has reports whether a member is there.
func (g *Group) Has(name string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, ok := g.members[name]
	return ok
}
