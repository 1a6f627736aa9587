// Package says has functions of which the report says where and what.
package says

import (
	"sync"
	"sync/atomic"
)

type link struct{ since int }

// Client is connected once at a time.
type Client struct {
	mu   sync.RWMutex
	link *link
}

// Connect looks, sets the link, and takes it away again.
func (c *Client) Connect(serve func()) bool {
	c.mu.Lock()
	if c.link != nil {
		c.mu.Unlock()
		return false
	}
	c.link = &link{since: 1}
	c.mu.Unlock()
	serve()
	c.mu.Lock()
	c.link = nil // breaks Uptime
	c.mu.Unlock()
	return true
}

// Uptime finds it gone.
func (c *Client) Uptime() int {
	c.mu.RLock()
	up := c.link != nil
	c.mu.RUnlock()
	if !up {
		return 0
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.link.since
}

var ready atomic.Bool

// Prepare can be done twice.
func Prepare(name string) {
	if ready.Load() {
		return
	}
	ready.Store(true)
	hook(name)()
}

var hooks = map[string]func(){}

func hook(name string) func() { return hooks[name] }

// Set keeps what is there, and does not say what.
type Set struct{ m sync.Map }

func (s *Set) get(name string) (*Client, bool) {
	v, ok := s.m.Load(name)
	if !ok {
		return nil, false
	}
	return v.(*Client), true
}

func (s *Set) put(name string, c *Client) { s.m.LoadOrStore(name, c) }

// Clients are made once for each name.
type Clients struct{ set Set }

// Client gives one of its own to whoever comes second.
func (c *Clients) Client(name string) *Client {
	if had, ok := c.set.get(name); ok {
		return had
	}
	made := &Client{}
	c.set.put(name, made)
	return made
}

// Tally counts under names that somebody else gives.
type Tally struct{ m sync.Map }

var rename = func(key string) string { return key }

func (t *Tally) name(of string) string {
	key := rename(of)
	return key
}

func (t *Tally) get(name string) int {
	v, _ := t.m.Load(name)
	n, _ := v.(int)
	return n
}

func (t *Tally) set(name string, n int) { t.m.Store(name, n) }

// Count loses what others count: of the two keys here, the second is the function's own.
func (t *Tally) Count(of string) {
	first := t.name(of)
	key := rename(first)
	t.set(key, t.get(key)+1)
}

// Numbered has a name with a number, and Count's other one.
func (t *Tally) Numbered(key, key_2 string) { t.set(key_2, t.get(key_2)+len(key)) }

// Logs have a list for each name, which cannot be compared.
type Logs struct{ m sync.Map }

// Add loses what others add.
func (l *Logs) Add(name, line string) {
	v, _ := l.m.Load(name)
	lines, _ := v.([]string)
	l.m.Store(name, append(lines, line))
}
