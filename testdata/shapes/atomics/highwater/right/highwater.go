// Package highwater remembers the largest backlog.
package highwater

import "sync/atomic"

// Mark is the largest value so far.
type Mark struct{ max atomic.Int64 }

// Observe takes a value into account.
func (m *Mark) Observe(v int64) {
	for {
		old := m.max.Load()
		if v <= old || m.max.CompareAndSwap(old, v) {
			return
		}
	}
}

// Max is the largest value.
func (m *Mark) Max() int64 { return m.max.Load() }
