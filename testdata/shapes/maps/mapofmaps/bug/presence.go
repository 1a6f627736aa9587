// Package presence knows which users are in which room.
package presence

import "sync"

// Rooms has a map of users for each room.
type Rooms struct{ rooms sync.Map }

// Join adds a user to a room.
func (r *Rooms) Join(room, user string, send chan string) {
	v, ok := r.rooms.Load(room)
	if !ok {
		v = new(sync.Map)
		r.rooms.Store(room, v)
	}
	v.(*sync.Map).Store(user, send)
}

// Send tells a user of a room.
func (r *Rooms) Send(room, user, message string) bool {
	v, ok := r.rooms.Load(room)
	if !ok {
		return false
	}
	c, ok := v.(*sync.Map).Load(user)
	if ok {
		c.(chan string) <- message
	}
	return ok
}
