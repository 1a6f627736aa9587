// Package store keeps users in memory.
package store

import "sync"

// User is somebody who has signed up.
type User struct {
	Name  string
	Email string
}

// Users are the users by name.
type Users struct {
	mu sync.RWMutex
	m  map[string]*User
}

// NewUsers returns no users.
func NewUsers() *Users { return &Users{m: make(map[string]*User)} }

// Exists reports whether there is one of this name.
func (u *Users) Exists(name string) bool {
	u.mu.RLock()
	defer u.mu.RUnlock()
	_, ok := u.m[name]
	return ok
}

// Get returns the user of this name.
func (u *Users) Get(name string) (*User, bool) {
	u.mu.RLock()
	defer u.mu.RUnlock()
	v, ok := u.m[name]
	return v, ok
}

// Put sets the user of this name.
func (u *Users) Put(name string, v *User) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.m[name] = v
}

// Add adds a user, unless there is one of this name.
func (u *Users) Add(name string, v *User) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if _, ok := u.m[name]; ok {
		return false
	}
	u.m[name] = v
	return true
}

// Remove removes a user.
func (u *Users) Remove(name string) {
	u.mu.Lock()
	delete(u.m, name)
	u.mu.Unlock()
}
