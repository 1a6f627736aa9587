// Package e67: a measure that misses one is right again soon, and a count is not.
package e67

import "sync/atomic"

type Latency struct{ times, mean, peak atomic.Int64 }

// Hidden takes an eighth of the new one into the mean.
func (l *Latency) Hidden(took int64) {
	mean := l.mean.Load()
	l.mean.Store(mean - mean/8 + took/8)
}

// HiddenPeak keeps the longest one since Reset.
func (l *Latency) HiddenPeak(took int64) {
	l.times.Add(1)
	if took > l.peak.Load() {
		l.peak.Store(took)
	}
}

func (l *Latency) Reset() { l.peak.Store(0) }

type Traffic struct {
	bytes atomic.Int64
	last  atomic.Pointer[string]
}

// Shown counts, and loses what is counted beside it.
func (t *Traffic) Shown(n int64) {
	bytes := t.bytes.Load()
	t.bytes.Store(bytes + n) // want "lost-update"
}

func (t *Traffic) Forget() { t.last.Store(nil) }
