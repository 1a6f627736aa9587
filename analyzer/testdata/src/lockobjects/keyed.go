package lockobjects

import (
	"sync"

	"locklib"
)

// Names take the lock of the name.
type Names struct {
	locks  locklib.Keyed[string]
	totals sync.Map
}

func NewNames() *Names { return &Names{locks: locklib.NewKeyed[string]()} }

func (n *Names) Add(name string, by int) {
	n.locks.Lock(name)
	defer n.locks.Unlock(name)
	v, _ := n.totals.Load(name)
	old, _ := v.(int)
	n.totals.Store(name, old+by)
}

func (n *Names) Busy() bool { return n.locks.Len() > 0 }

// Moves take the lock of another name.
type Moves struct {
	locks  locklib.Keyed[string]
	totals sync.Map
}

func NewMoves() *Moves { return &Moves{locks: locklib.NewKeyed[string]()} }

func (m *Moves) Move(from, to string, by int) {
	m.locks.Lock(from)
	defer m.locks.Unlock(from)
	v, _ := m.totals.Load(to)
	old, _ := v.(int)
	m.totals.Store(to, old+by) // want "lost-update"
}

// Hashed take one of a few locks.
type Hashed struct {
	locks  locklib.Striped
	totals sync.Map
}

func (h *Hashed) Add(name string, by int) {
	h.locks.LockKey(name)
	v, _ := h.totals.Load(name)
	old, _ := v.(int)
	h.totals.Store(name, old+by)
	h.locks.UnlockKey(name)
}

// Torn lets the lock go in between.
type Torn struct {
	locks  locklib.Striped
	totals sync.Map
}

func (t *Torn) Add(name string, by int) {
	t.locks.LockKey(name)
	v, _ := t.totals.Load(name)
	t.locks.UnlockKey(name)
	old, _ := v.(int)
	t.locks.LockKey(name)
	t.totals.Store(name, old+by) // want "lost-update"
	t.locks.UnlockKey(name)
}

// Half has one who adds without the lock.
type Half struct {
	locks  locklib.Striped
	totals sync.Map
}

func (h *Half) Add(name string, by int) {
	h.locks.LockKey(name)
	defer h.locks.UnlockKey(name)
	h.add(name, by)
}

func (h *Half) AddNow(name string, by int) { h.add(name, by) }

func (h *Half) add(name string, by int) {
	v, _ := h.totals.Load(name)
	old, _ := v.(int)
	h.totals.Store(name, old+by) // want "lost-update"
}
