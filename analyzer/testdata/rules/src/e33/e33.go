// Package e33: a flag lets one call in at a time.
package e33

import "sync"

type handle struct {
	mu   sync.Mutex
	uses int
}

func (h *handle) use() {
	h.mu.Lock()
	h.uses++
	h.mu.Unlock()
}

type Cache struct {
	mu      sync.Mutex
	entries map[string]*handle
	loading map[string]chan struct{}
	plain   map[string]*handle
	open    func(string) *handle

	late    map[string]*handle
	opening map[string]chan struct{}
}

// Late looks before it says that it is opening, and not again: who was there before has gone by then.
func (c *Cache) Late(key string) *handle {
	c.mu.Lock()
	h, ok := c.late[key]
	c.mu.Unlock()
	if ok {
		h.use()
		return h
	}
	c.mu.Lock()
	if _, busy := c.opening[key]; busy {
		c.mu.Unlock()
		return nil
	}
	c.opening[key] = make(chan struct{})
	c.mu.Unlock()
	h = &handle{}
	c.mu.Lock()
	c.late[key] = h // want "lost-update|duplicate-instance"
	delete(c.opening, key)
	c.mu.Unlock()
	return h
}

// Hidden says that it is loading before it lets the lock go.
func (c *Cache) Hidden(key string) *handle {
	for {
		c.mu.Lock()
		if h, ok := c.entries[key]; ok {
			c.mu.Unlock()
			return h
		}
		if wait, ok := c.loading[key]; ok {
			c.mu.Unlock()
			<-wait
			continue
		}
		wait := make(chan struct{})
		c.loading[key] = wait
		c.mu.Unlock()
		h := &handle{}
		c.mu.Lock()
		c.entries[key] = h
		delete(c.loading, key)
		c.mu.Unlock()
		close(wait)
		return h
	}
}

func (c *Cache) Drop(key string) {
	c.mu.Lock()
	delete(c.plain, key)
	c.mu.Unlock()
}

// Shown says nothing.
func (c *Cache) Shown(key string) *handle {
	c.mu.Lock()
	h, ok := c.plain[key]
	c.mu.Unlock()
	if ok {
		h.use()
		return h
	}
	h = &handle{}
	c.mu.Lock()
	c.plain[key] = h // want "lost-update|duplicate-instance"
	c.mu.Unlock()
	return h
}
