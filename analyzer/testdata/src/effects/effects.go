// Package effects proves that what is done between a check and the write that it guards
// is part of the outcome: two callers must not both do it.
package effects

import (
	"log"
	"sync"
	"sync/atomic"
)

// Meter counts, elsewhere.
type Meter interface{ Add(n int) }

type Tracker struct {
	tracked atomic.Bool
	meter   Meter
}

func (t *Tracker) Track(n int) {
	if !t.tracked.Load() {
		t.meter.Add(n)
		t.tracked.Store(true) // want "non-atomic|lost-update"
	}
}

// TrackRight decides before it counts.
//
//mapatom:atomic
func (t *Tracker) TrackRight(n int) {
	if t.tracked.CompareAndSwap(false, true) {
		t.meter.Add(n)
	}
}

// Quiet only says what it does.
type Quiet struct{ tracked atomic.Bool }

//mapatom:atomic
func (q *Quiet) Track() {
	if !q.tracked.Load() {
		log.Println("tracked")
		q.tracked.Store(true)
	}
}

// Names fills a new object, of which one is kept.
type Names struct{ m sync.Map }

type name struct {
	mu   sync.Mutex
	text string
}

//mapatom:atomic
func (n *Names) Get(k string, fill func(*name)) *name {
	if v, ok := n.m.Load(k); ok {
		return v.(*name)
	}
	v := &name{}
	fill(v)
	w, _ := n.m.LoadOrStore(k, v)
	return w.(*name)
}
