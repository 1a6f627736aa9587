package keys

import (
	"fmt"
	"sync"
)

// Rooms has two kinds of entries in one map.
type Rooms struct{ m sync.Map }

func roomKey(id string) string { return "room:" + id }

// Leave gives up the place of a user: no room is stored under such a key.
func (r *Rooms) Leave(id string) {
	r.m.Delete(fmt.Sprintf("user:%s", id))
}

func (r *Rooms) Enter(id string) {
	r.m.Store("user:"+id, &session{})
}

// Room puts rooms there only where there is none, and nobody takes them away again.
func (r *Rooms) Room(id string) *session {
	if v, ok := r.m.Load(roomKey(id)); ok {
		return v.(*session)
	}
	v, _ := r.m.LoadOrStore(roomKey(id), &session{})
	return v.(*session)
}

// Halls has a key that does not begin otherwise than the other one.
type Halls struct{ m sync.Map }

func (h *Halls) Leave(id string) {
	h.m.Delete("hall:" + id)
}

func (h *Halls) Enter(id string) {
	h.m.Store("hall:user:"+id, &session{})
}

func (h *Halls) Touch(id string) {
	if v, ok := h.m.Load("hall:user:" + id); ok {
		s := v.(*session)
		s.hits++
		h.m.Store("hall:user:"+id, s) // want "stale|lost|Store"
	}
}

// Names has keys of other users of the same beginning only where nothing is taken away.
type Names struct{ m sync.Map }

func (n *Names) Leave(id string) {
	n.m.Delete("guest:" + id)
}

func (n *Names) Enter(id string) {
	n.m.LoadOrStore("name:user:"+id, &session{})
}

func (n *Names) Touch(id string) {
	if v, ok := n.m.Load("name:user:" + id); ok {
		s := v.(*session)
		n.m.Store("name:user:"+id, s)
	}
}
