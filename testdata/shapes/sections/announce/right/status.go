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

// Set sets it, and says whether it was another one.
func (s *Status) Set(next string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	changed := s.last != next
	s.last = next
	return changed
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
	told = c.status.Set(next)
	if told {
		c.to.Schedule()
	}
	return told
}

// Status is what the server should have.
func (c *Client) Status() string { return c.status.Get() }
