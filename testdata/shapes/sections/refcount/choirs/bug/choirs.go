// Package choirs has singers in choirs.
package choirs

import "sync"

// Singer is in some choirs.
type Singer struct{ Notes chan string }

type choir struct {
	mu      sync.Mutex
	singers map[*Singer]bool
}

func (c *choir) join(s *Singer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.singers[s] = true
}

func (c *choir) leave(s *Singer) (left int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.singers, s)
	return len(c.singers)
}

func (c *choir) sing(note string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	for s := range c.singers {
		select {
		case s.Notes <- note:
		default:
		}
	}
	return len(c.singers)
}

// Hall has the choirs in which somebody is.
type Hall struct {
	mu     sync.Mutex
	choirs map[string]*choir
}

// New is a hall.
func New() *Hall { return &Hall{choirs: map[string]*choir{}} }

func (h *Hall) choir(name string) *choir {
	h.mu.Lock()
	defer h.mu.Unlock()
	c, ok := h.choirs[name]
	if !ok {
		c = &choir{singers: map[*Singer]bool{}}
		h.choirs[name] = c
	}
	return c
}

// Join has somebody sing in a choir, which is there from then on.
func (h *Hall) Join(name string, s *Singer) {
	h.choir(name).join(s)
}

// Leave is for who does not sing any more; the last one of a choir closes it.
func (h *Hall) Leave(name string, s *Singer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c, ok := h.choirs[name]; ok && c.leave(s) == 0 {
		delete(h.choirs, name)
	}
}

// Sing gives all of a choir a note, and says how many they are.
func (h *Hall) Sing(name, note string) int {
	h.mu.Lock()
	c, ok := h.choirs[name]
	h.mu.Unlock()
	if !ok {
		return 0
	}
	return c.sing(note)
}
