// Package links keeps open links for the next one who needs one.
package links

import "sync"

// Link is a link to somewhere.
type Link struct{ to string }

// Stack has the links that nobody uses.
type Stack struct {
	mu   sync.Mutex
	idle []*Link
	open func() *Link
}

// New opens links by a function.
func New(open func() *Link) *Stack { return &Stack{open: open} }

// Idle is how many nobody uses.
func (s *Stack) Idle() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.idle)
}

func (s *Stack) pop() *Link {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.idle) - 1
	if last < 0 {
		return nil
	}
	l := s.idle[last]
	s.idle[last] = nil
	s.idle = s.idle[:last]
	return l
}

// Get is a link that nobody uses, or a new one.
func (s *Stack) Get() *Link {
	if l := s.pop(); l != nil {
		return l
	}
	return s.open()
}

// Put gives one back.
func (s *Stack) Put(l *Link) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = append(s.idle, l)
}
