package tour

import (
	"sync"
	"sync/atomic"
)

// Metrics counts what the service does. The zero value is ready for use.
type Metrics struct {
	counts sync.Map // string -> int64
	timers sync.Map // string -> *Timer
	peak   atomic.Int64
}

// Count adds one to a counter. Where two goroutines count the same event, one
// of the two may not be counted.
//
//tour:bug lost-update
func (m *Metrics) Count(event string) {
	n, _ := m.counts.Load(event)
	count, _ := n.(int64)
	m.counts.Store(event, count+1)
}

// CountExact adds one to a counter and misses none.
//
//tour:ok
func (m *Metrics) CountExact(event string) {
	for {
		n, ok := m.counts.Load(event)
		if !ok {
			if _, loaded := m.counts.LoadOrStore(event, int64(1)); !loaded {
				return
			}
			continue
		}
		if m.counts.CompareAndSwap(event, n, n.(int64)+1) {
			return
		}
	}
}

// Total returns a counter.
//
//tour:ok
func (m *Metrics) Total(event string) int64 {
	n, _ := m.counts.Load(event)
	count, _ := n.(int64)
	return count
}

// Timer adds up the time that one kind of request took.
type Timer struct {
	calls atomic.Int64
	nanos atomic.Int64
}

// Record adds one request.
//
//tour:ok
func (t *Timer) Record(nanos int64) {
	t.calls.Add(1)
	t.nanos.Add(nanos)
}

// Timer returns the timer with the given name, the same one to all callers.
//
//tour:ok
func (m *Metrics) Timer(name string) *Timer {
	if t, ok := m.timers.Load(name); ok {
		return t.(*Timer)
	}
	t, _ := m.timers.LoadOrStore(name, new(Timer))
	return t.(*Timer)
}

// Observe keeps the largest number of requests that were open at once.
//
//tour:ok
func (m *Metrics) Observe(open int64) {
	for {
		peak := m.peak.Load()
		if open <= peak || m.peak.CompareAndSwap(peak, open) {
			return
		}
	}
}

// Peak returns the largest number of requests that were open at once.
//
//tour:ok
func (m *Metrics) Peak() int64 { return m.peak.Load() }
