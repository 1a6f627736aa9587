package together

import (
	"crypto/rand"
	"os"
	"sync"
)

type room struct {
	mu     sync.Mutex
	guests int
}

func (r *room) enter() {
	r.mu.Lock()
	r.guests++
	r.mu.Unlock()
}

// House has rooms by names that others make.
type House struct {
	rooms sync.Map
	name  func(string, int) string
}

func (h *House) Visit(name string) {
	if v, ok := h.rooms.Load(name); ok {
		v.(*room).enter()
	}
}

// MediumFolder has a key of which nothing is known: it may be another one each time.
func (h *House) MediumFolder() {
	name, err := os.MkdirTemp("", "")
	if err != nil {
		return
	}
	if _, ok := h.rooms.Load(name); !ok {
		h.rooms.Store(name, new(room))
	}
}

// HighComputed is told the key of what it was given.
func (h *House) HighComputed(street string, number int) {
	name := h.name(street, number)
	if _, ok := h.rooms.Load(name); !ok {
		h.rooms.Store(name, new(room))
	}
}

// MediumStreet builds houses, each once, however often a name is given: it has rooms of its own,
// and whoever goes through the names calls the function before he returns.
func MediumStreet(each func(func(string))) *House {
	h := new(House)
	var rooms sync.Map
	each(func(name string) {
		if _, ok := rooms.Load(name); !ok {
			rooms.Store(name, new(room))
		}
	})
	rooms.Range(func(name, r any) bool {
		h.rooms.Store(name, r)
		return true
	})
	return h
}

// Hotel has rooms that are let under a lock, but for one door.
type Hotel struct {
	mu    sync.Mutex
	rooms sync.Map
}

// MediumLocked looks first, and then lets a room while it holds the lock.
func (h *Hotel) MediumLocked(name string) bool {
	_, known := h.rooms.Load(name)
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, ok := h.rooms.Load(name); !ok {
		h.rooms.Store(name, new(room))
	}
	return known
}

// HighUnlocked lets one while it holds none.
func (h *Hotel) HighUnlocked(name string) {
	h.mu.Lock()
	h.mu.Unlock()
	if _, ok := h.rooms.Load(name); !ok {
		h.rooms.Store(name, new(room))
	}
}

// Reopen lets one at the other door, and Enter uses it.
func (h *Hotel) Reopen(name string) { h.rooms.Store(name, new(room)) }

func (h *Hotel) Enter(name string) {
	if v, ok := h.rooms.Load(name); ok {
		v.(*room).enter()
	}
}

type errand interface{ Over() bool }

// Errands are in a built-in map, each under a text that was drawn where it is put there: nothing newer comes under that.
type Errands struct {
	mu   sync.RWMutex
	byID map[string]errand
}

func (p *Errands) Add(it errand) string {
	id := rand.Text()
	p.mu.Lock()
	p.byID[id] = it
	p.mu.Unlock()
	return id
}

func (p *Errands) MediumDrop(id string) bool {
	p.mu.RLock()
	it, ok := p.byID[id]
	p.mu.RUnlock()
	if !ok || !it.Over() {
		return false
	}
	p.mu.Lock()
	delete(p.byID, id)
	p.mu.Unlock()
	return true
}

// Chores are put there under names that callers have for them.
type Chores struct {
	mu     sync.RWMutex
	byName map[string]errand
}

func (p *Chores) Add(name string, it errand) {
	p.mu.Lock()
	p.byName[name] = it
	p.mu.Unlock()
}

func (p *Chores) HighDrop(name string) bool {
	p.mu.RLock()
	it, ok := p.byName[name]
	p.mu.RUnlock()
	if !ok || !it.Over() {
		return false
	}
	p.mu.Lock()
	delete(p.byName, name)
	p.mu.Unlock()
	return true
}
