// Package e53: what is stored is the answer to a request that was made with the old value.
package e53

import (
	"context"
	"sync"
)

type answer struct {
	tag   string
	count int
}

type api interface {
	Fetch(ctx context.Context, tag string) (*answer, error)
	Count(n int) int
}

type Source struct {
	mu    sync.Mutex
	api   api
	tags  map[string]string
	count int
}

// Hidden asks for what is newer than what it has.
func (s *Source) Hidden(ctx context.Context, name string) error {
	s.mu.Lock()
	tag := s.tags[name]
	s.mu.Unlock()
	a, err := s.api.Fetch(ctx, tag)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.tags[name] = a.tag
	s.mu.Unlock()
	return nil
}

// Shown counts on from what it has.
func (s *Source) Shown(ctx context.Context) error {
	s.mu.Lock()
	count := s.count
	s.mu.Unlock()
	a, err := s.api.Fetch(ctx, "")
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.count = count + a.count // want "lost-update"
	s.mu.Unlock()
	return nil
}
