// Package gauge counts the requests at work, if it is asked to.
package gauge

import "sync/atomic"

// Gauge has a level and the highest level that was seen.
type Gauge struct {
	level atomic.Int64
	limit int64
}

// Enter runs f if the level allows it.
func (g *Gauge) Enter(counted bool, f func() error) (bool, error) {
	if counted {
		if g.level.Load() >= g.limit {
			return false, nil
		}
		g.level.Add(1)
		defer g.level.Add(-1)
	}
	return true, f()
}
