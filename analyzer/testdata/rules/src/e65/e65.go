// Package e65: what has expired is removed at each tick.
package e65

import (
	"context"
	"sync"
	"time"
)

// Used has what was used once, and is not used again.
type Used struct{ at sync.Map }

func (u *Used) Spend(id string) bool {
	_, there := u.at.LoadOrStore(id, time.Now())
	return !there
}

// HiddenSweep would have to run twice.
func (u *Used) HiddenSweep(ctx context.Context, limit time.Duration) {
	tick := time.NewTicker(limit)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			u.at.Range(func(k, v any) bool {
				if now.Sub(v.(time.Time)) > limit {
					u.at.Delete(k)
				}
				return true
			})
		}
	}
}

// Seen has what was seen last.
type Seen struct{ at sync.Map }

func (s *Seen) See(id string) { s.at.Store(id, time.Now()) }

func (s *Seen) Has(id string) bool {
	_, ok := s.at.Load(id)
	return ok
}

// ShownSweep removes what was seen again.
func (s *Seen) ShownSweep(ctx context.Context, limit time.Duration) {
	tick := time.NewTicker(limit)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			s.at.Range(func(k, v any) bool {
				if now.Sub(v.(time.Time)) > limit {
					s.at.Delete(k) // want "stale-delete"
				}
				return true
			})
		}
	}
}
