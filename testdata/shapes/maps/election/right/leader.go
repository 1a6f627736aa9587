// Package leader lets the first candidate lead.
package leader

import "sync"

// Election has at most one leader.
type Election struct {
	mu     sync.Mutex
	leader sync.Map
}

// Stand reports whether the candidate leads now.
func (e *Election) Stand(candidate string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	found := false
	e.leader.Range(func(any, any) bool {
		found = true
		return false
	})
	if found {
		return false
	}
	e.leader.Store(candidate, struct{}{})
	return true
}

// Resign lets others stand.
func (e *Election) Resign(candidate string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.leader.Delete(candidate)
}
