// Package groups lets users into groups that are allowed.
package groups

import "sync"

// Group has members.
type Group struct {
	mu      sync.Mutex
	members []string
}

// Groups are by name.
type Groups struct {
	groups  sync.Map
	allowed []string
}

// Join adds a member to a group, and makes the group if it is allowed.
func (g *Groups) Join(name, member string) bool {
	v, ok := g.groups.Load(name)
	if !ok {
		allowed := false
		for _, a := range g.allowed {
			if a == name {
				allowed = true
			}
		}
		if !allowed {
			return false
		}
		v = new(Group)
		g.groups.Store(name, v)
	}
	group := v.(*Group)
	group.mu.Lock()
	group.members = append(group.members, member)
	group.mu.Unlock()
	return true
}
