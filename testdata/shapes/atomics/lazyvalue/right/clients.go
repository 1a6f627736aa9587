// Package clients makes a client when it is first needed.
package clients

import "sync/atomic"

// Client is shared.
type Client struct {
	calls atomic.Int64
	queue chan string
}

func newClient() *Client { return &Client{queue: make(chan string, 8)} }

// Service has one client.
type Service struct{ client atomic.Pointer[Client] }

// Call sends a request.
func (s *Service) Call(request string) {
	c := s.client.Load()
	if c == nil {
		c = newClient()
		if !s.client.CompareAndSwap(nil, c) {
			c = s.client.Load()
		}
	}
	c.calls.Add(1)
	c.queue <- request
}
