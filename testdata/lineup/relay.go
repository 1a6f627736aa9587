package lineup

import "sync/atomic"

// Relay counts laps. It is wrong where each gap of a Run has exactly one lap
// of others in it, and two Runs must interrupt each other four times for that.
type Relay struct{ laps atomic.Int64 }

// Run makes three laps and reports whether another runner made one after each
// but the last.
func (r *Relay) Run() bool {
	first := r.laps.Add(1)
	second := r.laps.Add(1)
	third := r.laps.Add(1)
	return second == first+2 && third == second+2
}
