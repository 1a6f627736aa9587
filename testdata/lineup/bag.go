package lineup

import (
	"sync"
	"sync/atomic"
)

// A Bag keeps its items in shelves with a lock each. Who comes is sent to a
// shelf in turn, and looks at the others if there is nothing on it. TryTake
// gives any item, by intention (root cause J): which one depends on who came
// first to be sent to a shelf and not on the order of the calls.
//
//	Add(10) TryTake() | Add(20) TryTake()
type Bag struct {
	next    atomic.Uint32
	changes atomic.Uint32 // counts Adds
	shelves [2]shelf
}

type shelf struct {
	mu    sync.Mutex
	items []int
}

// add puts an item on the shelf, and counts it before anybody can see it.
func (s *shelf) add(v int, changes *atomic.Uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = append(s.items, v)
	changes.Add(1)
}

func (s *shelf) last(remove bool) (v int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.items)
	if n == 0 {
		return 0, false
	}
	v = s.items[n-1]
	if remove {
		s.items = s.items[:n-1]
	}
	return v, true
}

// mine is the shelf that the caller is sent to.
func (b *Bag) mine() int { return int(b.next.Add(1)) % len(b.shelves) }

func (b *Bag) Add(v int) { b.shelves[b.mine()].add(v, &b.changes) }

func (b *Bag) TryTake() (v int, ok bool) { return b.find(true) }
func (b *Bag) TryPeek() (v int, ok bool) { return b.find(false) }

// find looks at all shelves, and again if something was added meanwhile: it
// may have come to a shelf that was already passed.
func (b *Bag) find(remove bool) (v int, ok bool) {
	for {
		before := b.changes.Load()
		if v, ok := b.pass(remove); ok {
			return v, true
		}
		if b.changes.Load() == before {
			return 0, false
		}
	}
}

// pass looks at each shelf once.
func (b *Bag) pass(remove bool) (v int, ok bool) {
	first := b.mine()
	for i := range b.shelves {
		if v, ok := b.shelves[(first+i)%len(b.shelves)].last(remove); ok {
			return v, true
		}
	}
	return 0, false
}

// freeze runs f while nobody adds or takes.
func (b *Bag) freeze(f func()) {
	for i := range b.shelves {
		b.shelves[i].mu.Lock()
		defer b.shelves[i].mu.Unlock()
	}
	f()
}

func (b *Bag) ToArray() []int {
	var all []int
	b.freeze(func() {
		for i := range b.shelves {
			all = append(all, b.shelves[i].items...)
		}
	})
	return all
}

func (b *Bag) Count() int    { return len(b.ToArray()) }
func (b *Bag) IsEmpty() bool { return b.Count() == 0 }

// BagPre counts and takes shelf by shelf (root cause E): an item that comes
// to a shelf already passed, while one that was there all the time is taken
// from a shelf still to come, makes a bag look empty that never was.
//
//	Add(10) TryTake() | Add(10) Count()
type BagPre struct{ Bag }

func (b *BagPre) TryTake() (v int, ok bool) { return b.pass(true) }
func (b *BagPre) TryPeek() (v int, ok bool) { return b.pass(false) }

func (b *BagPre) ToArray() []int {
	var all []int
	for i := range b.shelves {
		s := &b.shelves[i]
		s.mu.Lock()
		all = append(all, s.items...)
		s.mu.Unlock()
	}
	return all
}

func (b *BagPre) Count() int    { return len(b.ToArray()) }
func (b *BagPre) IsEmpty() bool { return b.Count() == 0 }
