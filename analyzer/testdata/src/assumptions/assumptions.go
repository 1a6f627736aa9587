// Package assumptions has functions that are atomic, some of them under an assumption.
package assumptions

import (
	"sync"
	"sync/atomic"
)

// Counter is a number that somebody may be faster to change.
type Counter struct{ n atomic.Int64 }

// Bump says whether it has counted, and does not try again.
//
//mapatom:atomic
func (c *Counter) Bump() bool { // want "Bump is marked as atomic and is verified under an assumption; if it is meant, write //mapatom:atomic may give up"
	old := c.n.Load()
	return c.n.CompareAndSwap(old, old+1)
}

// TryBump does the same, and says that it is meant.
//
//mapatom:atomic may give up
func (c *Counter) TryBump() bool {
	old := c.n.Load()
	return c.n.CompareAndSwap(old, old+1)
}

// Inc tries until it has counted: that is right as it stands.
//
//mapatom:atomic
func (c *Counter) Inc() {
	for {
		old := c.n.Load()
		if c.n.CompareAndSwap(old, old+1) {
			return
		}
	}
}

// Table is a map of which all that writes holds the lock.
type Table struct {
	mu sync.Mutex
	m  sync.Map
}

// Put keeps what is there.
//
//mapatom:atomic
func (t *Table) Put(k string, v int) { // want "Put is marked as atomic and is verified under an assumption; if it is meant, write //mapatom:atomic locked"
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.m.Load(k); !ok {
		t.m.Store(k, v)
	}
}

// Add does the same, and says that it is meant.
//
//mapatom:atomic locked
func (t *Table) Add(k string, v int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.m.Load(k); !ok {
		t.m.Store(k, v)
	}
}

// RTT is kept by one goroutine: a call that came at the same time would be a data race.
type RTT struct {
	measured bool
	smoothed atomic.Int64
}

// Update takes a sample into the average.
//
//mapatom:atomic
func (r *RTT) Update(s int64) { // want "Update is marked as atomic and is verified under an assumption; if it is meant, write //mapatom:atomic one goroutine"
	if !r.measured {
		r.measured = true
		r.smoothed.Store(s)
		return
	}
	r.smoothed.Store((7*r.smoothed.Load() + s) / 8)
}

// Cache forgets what is old.
type Cache struct {
	mu sync.Mutex
	m  map[string]int
}

// Set sets a value.
func (c *Cache) Set(k string, v int) {
	c.mu.Lock()
	c.m[k] = v
	c.mu.Unlock()
}

// Sweep looks again before it deletes: right for each key, and not for two at once.
func (c *Cache) Sweep(least int) {
	var old []string
	c.mu.Lock()
	for k, v := range c.m {
		if v < least {
			old = append(old, k)
		}
	}
	c.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range old {
		if v, ok := c.m[k]; ok && v < least {
			delete(c.m, k)
		}
	}
}

// Window lets so much be sent as was granted.
type Window struct{ granted, used atomic.Int64 }

// Grant lets more be sent.
func (w *Window) Grant(n int64) { w.granted.Add(n) }

// Take would be right if more was granted whenever two find that one is left.
func (w *Window) Take() bool {
	if w.used.Load() < w.granted.Load() {
		w.used.Add(1) // want "non-atomic"
		return true
	}
	return false
}

// Latest has the last one of what is sent, and how many looked for it.
type Latest struct{ looks, last atomic.Int64 }

// Send is the only writer.
func (l *Latest) Send(v int64) { l.last.Store(v) }

// Next counts by itself, whatever it finds.
func (l *Latest) Next() int64 {
	for {
		v, n := l.last.Load(), l.looks.Load()
		if l.looks.CompareAndSwap(n, n+1) {
			return v
		}
	}
}

// Requests can be found while they are at work.
type Requests struct {
	mu sync.Mutex
	m  map[string]*Request
}

// Request can be cancelled.
type Request struct{ cancelled chan struct{} }

// Do removes its own request, though others may find it before: a newer one stays.
func (q *Requests) Do(id string, work func(*Request)) {
	r := &Request{cancelled: make(chan struct{})}
	q.mu.Lock()
	q.m[id] = r
	q.mu.Unlock()
	defer func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		if q.m[id] == r {
			delete(q.m, id)
		}
	}()
	work(r)
}

// Find is the request with a number.
func (q *Requests) Find(id string) *Request {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.m[id]
}

// Ticket has a priority, and may get another one.
type Ticket struct{ priority int }

// Desk has a ticket for each name, and others put tickets there as well.
type Desk struct {
	mu      sync.RWMutex
	Tickets map[string]*Ticket
}

// Urgent is right if the ticket that came in between is no urgent one.
func (d *Desk) Urgent(name string, t *Ticket) bool {
	d.mu.RLock()
	old, ok := d.Tickets[name]
	d.mu.RUnlock()
	t.priority = 1
	if ok {
		return old != nil && old.priority > 5
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.Tickets[name]; !ok {
		d.Tickets[name] = &Ticket{}
	}
	return false
}

// Pressing asks that one, too.
func (d *Desk) Pressing(name string, t *Ticket) bool {
	d.mu.RLock()
	old, ok := d.Tickets[name]
	d.mu.RUnlock()
	t.priority = 1
	if ok {
		return old != nil && old.priority > 5
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if old, ok := d.Tickets[name]; ok {
		return old != nil && old.priority > 5
	}
	d.Tickets[name] = &Ticket{}
	return false
}

// Link counts how often it failed.
type Link struct{ failed atomic.Int32 }

// Fail counts one.
func (l *Link) Fail() { l.failed.Add(1) }

// Send is refused from the first one on, and would not be if there were so many that they are counted from below zero again.
//
//mapatom:atomic
func (l *Link) Send() bool { // want "Send is marked as atomic and is verified under an assumption; if it is meant, write //mapatom:atomic no wrap"
	if l.failed.Load() > 0 {
		l.failed.Add(1)
		return false
	}
	return true
}

// Line is one that can be mended.
type Line struct{ failed atomic.Int32 }

func (l *Line) Fail() { l.failed.Add(1) }

func (l *Line) Mend() { l.failed.Store(0) }

// Send has it fail again when somebody has just mended it.
func (l *Line) Send() bool {
	if l.failed.Load() > 0 {
		l.failed.Add(1) // want "non-atomic"
		return false
	}
	return true
}
