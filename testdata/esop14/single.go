package esop14

import "sync"

// User is a user of the event service.
type User struct{ id string }

// UserManager knows the users that are logged in.
type UserManager struct{ users sync.Map } // string -> *User

// V08 refuses the empty key and else makes one call only.
// Expected: verified.
func (m *UserManager) V08(id string) *User {
	if id == "" {
		return nil
	}
	user := &User{id: id}
	if prev, loaded := m.users.LoadOrStore(id, user); loaded {
		return prev.(*User)
	}
	return user
}

var thrown sync.Map // string -> int

// V20 counts by a retry loop with two ways to succeed. Its values are
// integers, which compare by content. Expected: verified.
func V20(kind string) {
	for {
		v, ok := thrown.Load(kind)
		if !ok {
			if _, loaded := thrown.LoadOrStore(kind, 1); !loaded {
				return
			}
		} else if thrown.CompareAndSwap(kind, v, v.(int)+1) {
			return
		}
	}
}
