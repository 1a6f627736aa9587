// Package status tells a server what has changed.
package status

import "sync"

// Status is the one that was set last.
type Status struct {
	mu   sync.Mutex
	last string
}

// Get is what was set last.
func (s *Status) Get() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// Set sets it.
func (s *Status) Set(next string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = next
}

type sender interface{ Schedule() }

// Client tells the server each change.
type Client struct {
	status Status
	to     sender
}

// New makes a client that sends by to.
func New(to sender) *Client { return &Client{to: to} }

// Update sets the status, and has it sent if it is another one; told says that it had.
func (c *Client) Update(next string) (told bool) {
	changed := c.status.Get() != next
	c.status.Set(next)
	if changed {
		c.to.Schedule()
	}
	return changed
}

// Status is what the server should have.
func (c *Client) Status() string { return c.status.Get() }
