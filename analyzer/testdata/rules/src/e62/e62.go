// Package e62: what another package does wrongly in one call is told there.
package e62

import (
	"context"
	"errors"
	"net/http"
	"time"

	"example.com/times"
)

type Range struct{ Locked bool }

// Store has key ranges.
type Store struct {
	fetch func(ctx context.Context, id string) (*Range, error)
}

// HiddenHandler serves requests, of which each is in a goroutine of its own.
func HiddenHandler(s *Store) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Check(r.Context(), r.URL.Path)
	})
}

// Get is what is there.
func (s *Store) Get(ctx context.Context, id string) (*Range, error) {
	t := time.Now()
	k, err := s.fetch(ctx, id)
	times.Record(time.Since(t))
	return k, err
}

// Check calls twice what adds in two steps.
func (s *Store) Check(ctx context.Context, id string) (*Range, error) {
	t := time.Now()
	k, err := s.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if !k.Locked {
		times.Record(time.Since(t))
		return nil, errors.New("not locked")
	}
	times.Record(time.Since(t))
	return k, nil
}

// ShownHandler makes two steps of it by itself.
func ShownHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		times.Set("total", times.Get("total")+1) // want `times.Set can overwrite what another goroutine stored`
	})
}
