// Package presence keeps the newest terminal of each user.
package presence

import "sync"

// Terminal is where a user sits.
type Terminal struct {
	User string

	mu     sync.Mutex
	closed bool
	lines  []string
}

// Write shows a line.
func (t *Terminal) Write(line string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return false
	}
	t.lines = append(t.lines, line)
	return true
}

func (t *Terminal) close() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
}

// Users are those who are here.
type Users struct {
	terminals sync.Map // user to *Terminal
}

// Sit has a user at a new terminal; who sits down somewhere else has left the old one.
func (u *Users) Sit(user string) *Terminal {
	t := &Terminal{User: user}
	if old, ok := u.terminals.Swap(user, t); ok {
		old.(*Terminal).close()
	}
	return t
}

// Leave is for a user who gets up.
func (u *Users) Leave(t *Terminal) {
	t.close()
	if cur, ok := u.terminals.Load(t.User); ok && cur == t {
		u.terminals.Delete(t.User)
	}
}

// Tell shows a line to a user who is here.
func (u *Users) Tell(user, line string) bool {
	t, ok := u.terminals.Load(user)
	return ok && t.(*Terminal).Write(line)
}
