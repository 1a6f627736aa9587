// Package members has users by number and by name.
package members

import "sync"

// User is a member.
type User struct {
	ID   int
	Name string
}

// Members finds users both ways.
type Members struct {
	byID   sync.Map
	byName sync.Map
}

// Add adds a user whose name is not taken.
func (m *Members) Add(u *User) bool {
	if _, taken := m.byName.Load(u.Name); taken {
		return false
	}
	m.byName.Store(u.Name, u)
	m.byID.Store(u.ID, u)
	return true
}

// Remove forgets a user.
func (m *Members) Remove(id int) {
	if u, ok := m.byID.Load(id); ok {
		m.byName.Delete(u.(*User).Name)
		m.byID.Delete(id)
	}
}
