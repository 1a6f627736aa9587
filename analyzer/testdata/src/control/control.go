// Package control proves that a step is found whatever lies around it: loops,
// switches, selects, early returns, deferred calls, long functions. In the
// negatives the same control flow goes around atomic calls, or no path has both
// halves.
package control

import (
	"log"
	"sync"
)

type session struct {
	mu     sync.Mutex
	hits   int
	closed chan struct{}
}

func (s *session) hit() {
	s.mu.Lock()
	s.hits++
	s.mu.Unlock()
}

func (s *session) close() { close(s.closed) }

// Map has a second writer.
type Map struct{ m sync.Map }

func (c *Map) Put(id string, s *session) { c.m.Store(id, s) }

// Loop has one step per element.
func (c *Map) Loop(ids []string) {
	for _, id := range ids {
		if _, ok := c.m.Load(id); !ok {
			c.m.Store(id, &session{}) // want "lost-update"
		}
	}
}

func (c *Map) LoopOnce(ids []string) {
	for _, id := range ids {
		if _, ok := c.m.Load(id); !ok {
			c.m.LoadOrStore(id, &session{})
		}
	}
}

func (c *Map) LoopContinue(ids []string) (made int) {
	for i := 0; i < len(ids); i++ {
		if ids[i] == "" {
			continue
		}
		if _, ok := c.m.Load(ids[i]); ok {
			continue
		}
		c.m.Store(ids[i], &session{}) // want "lost-update"
		made++
	}
	return made
}

// LoopDelete tests each entry and deletes it.
func (c *Map) LoopDelete(ids []string, old *session) {
	for _, id := range ids {
		if v, ok := c.m.Load(id); ok && v == old {
			c.m.Delete(id) // want "stale-delete"
		}
	}
}

func (c *Map) LoopDeleteOnce(ids []string, old *session) {
	for _, id := range ids {
		c.m.CompareAndDelete(id, old)
	}
}

func (c *Map) Switch(id string, kind int) *session {
	v, ok := c.m.Load(id)
	switch {
	case ok:
		return v.(*session)
	case kind == 0:
		return nil
	case kind == 1:
		s := &session{hits: 1}
		c.m.Store(id, s) // want "lost-update"
		return s
	default:
		return &session{}
	}
}

func (c *Map) SwitchOnce(id string, kind int) *session {
	v, ok := c.m.Load(id)
	switch {
	case ok:
		return v.(*session)
	case kind == 0:
		return nil
	default:
		v, _ = c.m.LoadOrStore(id, &session{hits: kind})
		return v.(*session)
	}
}

// SwitchApart has one call in each case: no path has two.
func (c *Map) SwitchApart(id string, kind int) any {
	switch kind {
	case 0:
		v, _ := c.m.Load(id)
		return v
	case 1:
		c.m.Store(id, &session{})
	case 2:
		c.m.Delete(id)
	}
	return nil
}

// Select has its step in one of the cases.
func (c *Map) Select(ids <-chan string, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case id := <-ids:
			if _, ok := c.m.Load(id); !ok {
				c.m.Store(id, &session{}) // want "lost-update"
			}
		}
	}
}

func (c *Map) SelectOnce(ids <-chan string, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case id := <-ids:
			c.m.LoadOrStore(id, &session{})
		}
	}
}

// Early has a way out before each half.
func (c *Map) Early(id string, limit int) *session {
	if id == "" {
		return nil
	}
	if v, ok := c.m.Load(id); ok {
		s := v.(*session)
		return s
	}
	if limit == 0 {
		return nil
	}
	s := &session{}
	if limit < 0 {
		return s
	}
	c.m.Store(id, s) // want "lost-update"
	return s
}

// EarlyApart returns before the second call whenever the first was made.
func (c *Map) EarlyApart(id string, look bool) any {
	if look {
		v, _ := c.m.Load(id)
		return v
	}
	c.m.Store(id, &session{})
	return nil
}

// Logged has calls in between that only people see.
func (c *Map) Logged(id string) {
	_, ok := c.m.Load(id)
	log.Printf("session %s: %t", id, ok)
	if !ok {
		log.Println("making a session for", id)
		c.m.Store(id, &session{}) // want "lost-update"
	}
}

// Goto jumps.
func (c *Map) Goto(id string) {
	_, ok := c.m.Load(id)
	if ok {
		goto done
	}
	c.m.Store(id, &session{}) // want "lost-update"
done:
}
