// Package spooler prints documents, what is left when it is closed.
package spooler

import (
	"errors"
	"sync"
)

// ErrClosed is returned after Close.
var ErrClosed = errors.New("spooler is closed")

// Spooler keeps documents until they are printed.
type Spooler struct {
	print func(docs []string)

	mu     sync.Mutex
	closed bool
	docs   []string
}

// New returns an empty spooler.
func New(print func(docs []string)) *Spooler { return &Spooler{print: print} }

func (s *Spooler) open() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.closed
}

// Add adds a document: one that comes when all have been printed is lost.
func (s *Spooler) Add(doc string) error {
	if !s.open() {
		return ErrClosed
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.docs = append(s.docs, doc)
	return nil
}

// Close prints what is there.
func (s *Spooler) Close() {
	s.mu.Lock()
	s.closed = true
	docs := s.docs
	s.docs = nil
	s.mu.Unlock()
	s.print(docs)
}
