// Package progress keeps what workers have reported.
package progress

import "sync"

// Board collects the progress of jobs.
type Board struct {
	mu       sync.Mutex
	progress map[string]int
	watchers []func(job string, percent int)
}

// NewBoard returns an empty board.
func NewBoard() *Board { return &Board{progress: map[string]int{}} }

func (b *Board) locked(f func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f()
}

// Advance raises the progress of a job by n percent.
func (b *Board) Advance(job string, n int) int {
	var p int
	b.locked(func() { p = b.progress[job] })
	p = min(p+n, 100)
	b.locked(func() { b.progress[job] = p })
	return p
}

// Drop forgets a job.
func (b *Board) Drop(job string) {
	b.locked(func() { delete(b.progress, job) })
}

// Watch calls f for each change.
func (b *Board) Watch(f func(job string, percent int)) {
	b.locked(func() { b.watchers = append(b.watchers, f) })
}
