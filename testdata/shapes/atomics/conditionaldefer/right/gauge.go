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
		defer g.level.Add(-1)
		if g.level.Add(1) > g.limit {
			return false, nil
		}
	}
	return true, f()
}
