// Package leader lets the first candidate lead.
package leader

import "sync"

// Election has at most one leader.
type Election struct {
	leader sync.Map
}

// Stand reports whether the candidate leads now.
func (e *Election) Stand(candidate string) bool {
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
	e.leader.Delete(candidate)
}
