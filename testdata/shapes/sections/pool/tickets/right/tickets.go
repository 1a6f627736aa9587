// Package tickets hands each waiting ticket to one worker.
package tickets

import "sync"

// Desk has the tickets that wait.
type Desk struct {
	mu      sync.Mutex
	waiting map[int]*Ticket
}

// Ticket is worked on by one.
type Ticket struct{ Subject string }

// Submit adds a ticket.
func (d *Desk) Submit(id int, t *Ticket) {
	d.mu.Lock()
	d.waiting[id] = t
	d.mu.Unlock()
}

// Take is a ticket, for one worker.
func (d *Desk) Take(id int) (*Ticket, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t, ok := d.waiting[id]
	delete(d.waiting, id)
	return t, ok
}
