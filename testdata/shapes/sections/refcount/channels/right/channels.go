// Package channels has a channel as long as somebody uses it.
package channels

import "sync"

type channel struct {
	users int
	out   chan string
}

// Table has the channels in use.
type Table struct {
	mu       sync.Mutex
	channels map[string]*channel
}

// Acquire is the channel with a name.
func (t *Table) Acquire(name string) *channel {
	t.mu.Lock()
	defer t.mu.Unlock()
	c, ok := t.channels[name]
	if !ok {
		c = &channel{out: make(chan string)}
		t.channels[name] = c
	}
	c.users++
	return c
}

// Release gives it back.
func (t *Table) Release(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.channels[name]
	c.users--
	if c.users == 0 {
		delete(t.channels, name)
		close(c.out)
	}
}
