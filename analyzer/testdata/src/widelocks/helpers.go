package widelocks

import (
	"context"
	"sync"
)

// Helped takes its turn in a helper, which says by an error that it has not.
type Helped struct {
	turn   chan struct{}
	totals sync.Map
}

func NewHelped() *Helped { return &Helped{turn: make(chan struct{}, 1)} }

func (h *Helped) acquire(ctx context.Context) error {
	select {
	case h.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (h *Helped) release() { <-h.turn }

func (h *Helped) Add(ctx context.Context, name string, n int) error {
	if err := h.acquire(ctx); err != nil {
		return err
	}
	defer h.release()
	v, _ := h.totals.Load(name)
	old, _ := v.(int)
	h.totals.Store(name, old+n)
	return nil
}

// Skipped has one who gives back a turn that he may not have.
type Skipped struct {
	turn   chan struct{}
	totals sync.Map
}

func NewSkipped() *Skipped { return &Skipped{turn: make(chan struct{}, 1)} }

func (s *Skipped) acquire(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Skipped) release() { <-s.turn }

func (s *Skipped) Add(ctx context.Context, name string, n int) error {
	if err := s.acquire(ctx); err != nil {
		return err
	}
	v, _ := s.totals.Load(name)
	old, _ := v.(int)
	s.totals.Store(name, old+n) // want "lost-update"
	s.release()
	return nil
}

func (s *Skipped) Skip(ctx context.Context) {
	_ = s.acquire(ctx)
	s.release()
}
