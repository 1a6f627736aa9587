package together

import (
	"sync"
	"sync/atomic"
)

// Ledger has a total that is read without its lock, and changed under it.
type Ledger struct {
	mu    sync.Mutex
	total atomic.Int64
	depth int
	marks map[int64]bool
}

func NewLedger() *Ledger {
	l := &Ledger{depth: 3}
	for range 4 {
		go l.work()
	}
	return l
}

func (l *Ledger) work() {
	l.MediumRaise()
	l.HighRaise()
}

// addLocked goes on into itself: what it does is no part of what its callers do, and nobody is
// seen to hold the lock.
func (l *Ledger) addLocked(depth int) {
	if depth > 0 {
		l.addLocked(depth - 1)
	}
	l.total.Add(2)
}

func (l *Ledger) Grow() {
	l.mu.Lock()
	l.addLocked(l.depth)
	l.mu.Unlock()
}

// MediumRaise holds the lock from where it looks last to where it stores. The look between is
// no part of the step.
func (l *Ledger) MediumRaise() {
	if l.total.Load() == 0 {
		return
	}
	l.mu.Lock()
	n := l.total.Load()
	l.markLocked()
	l.total.Store(2 * n)
	l.mu.Unlock()
}

func (l *Ledger) markLocked() {
	if l.marks != nil {
		return
	}
	n := l.total.Load()
	l.marks = make(map[int64]bool, n)
	for i := range n {
		if i%7 == 0 {
			l.marks[i] = true
		}
	}
}

// HighRaise lets the lock go before it stores.
func (l *Ledger) HighRaise() {
	if l.total.Load() == 0 {
		return
	}
	l.mu.Lock()
	n := l.total.Load()
	l.markLocked()
	l.mu.Unlock()
	l.total.Store(2 * n)
}
