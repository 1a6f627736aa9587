package harm

import (
	"fmt"
	"sync"
)

// FullError says who has too many.
type FullError struct{ User string }

func (e *FullError) Error() string { return fmt.Sprintf("%s has too many", e.User) }

// Seats are taken by users, each of whom may have some.
type Seats struct {
	max   int
	mu    sync.Mutex
	taken map[string][]int
}

func NewSeats(n int) *Seats { return &Seats{max: n, taken: map[string][]int{}} }

func (s *Seats) Taken(user string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.taken[user])
}

// HighTake lets in two of whom one should be refused.
func (s *Seats) HighTake(user string, seat int) error {
	if s.Taken(user) >= s.max {
		return &FullError{user}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken[user] = append(s.taken[user], seat)
	return nil
}

// MediumNote leaves out what is too much, and nobody is told.
func (s *Seats) MediumNote(user string, seat int) {
	if s.Taken(user) >= s.max {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken[user] = append(s.taken[user], seat)
}

func (s *Seats) Leave(user string) {
	s.mu.Lock()
	delete(s.taken, user)
	s.mu.Unlock()
}

// Rows are lists of a field, which are no more than a limit.
type Rows struct {
	max int
	mu  sync.Mutex
	all []int
}

func (r *Rows) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.all)
}

// MediumPut looks again under the lock, and says so then.
func (r *Rows) MediumPut(row int) error {
	if r.Len() >= r.max {
		return &FullError{"who asked"}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.all) >= r.max {
		return &FullError{"who came"}
	}
	r.all = append(r.all, row)
	return nil
}

func (r *Rows) Clear() {
	r.mu.Lock()
	r.all = nil
	r.mu.Unlock()
}
