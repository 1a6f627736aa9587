// Package turns has a channel for a lock.
package turns

import "sync"

// Scores are changed by one at a time.
type Scores struct {
	turn   chan struct{}
	scores sync.Map
}

// New has no scores.
func New() *Scores { return &Scores{turn: make(chan struct{}, 2)} }

// Add adds points to a player.
func (s *Scores) Add(player string, points int) {
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	v, _ := s.scores.Load(player)
	old, _ := v.(int)
	s.scores.Store(player, old+points)
}
