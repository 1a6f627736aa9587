// Package users finds users by number and by mail address.
package users

import "sync"

// User is found both ways.
type User struct {
	ID   int
	Mail string
}

// Directory has two maps that belong together.
type Directory struct {
	mu     sync.RWMutex
	byID   map[int]*User
	byMail map[string]*User
}

// Add adds a user whose address is not taken.
func (d *Directory) Add(u *User) bool {
	d.mu.RLock()
	_, taken := d.byMail[u.Mail]
	d.mu.RUnlock()
	if taken {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.byMail[u.Mail] = u
	d.byID[u.ID] = u
	return true
}

// ByMail finds a user.
func (d *Directory) ByMail(mail string) *User {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.byMail[mail]
}
