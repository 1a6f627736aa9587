// Package credits lets a sender send as much as the receiver has granted.
package credits

import "sync/atomic"

// Window has what was granted, and what was used of it.
type Window struct {
	granted, used atomic.Int64
}

// Grant lets n more be sent.
func (w *Window) Grant(n int64) { w.granted.Add(n) }

// Take reports whether one more may be sent.
func (w *Window) Take() bool {
	if w.used.Load() < w.granted.Load() {
		w.used.Add(1)
		return true
	}
	return false
}
