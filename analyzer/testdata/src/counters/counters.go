// Package counters proves the steps on one atomic word: a limit checked and
// then taken, a number read and written back, a flag tested and then set. In
// the negatives one atomic call does it, its answer decides, or a loop retries.
package counters

import (
	"os"
	"strconv"
	"sync/atomic"
)

// Gate admits a number of users.
type Gate struct {
	n   atomic.Int64
	max int64
}

// Enter lets two users in where there is room for one.
func (g *Gate) Enter() bool {
	if g.n.Load() >= g.max {
		return false
	}
	g.n.Add(1) // want "non-atomic"
	return true
}

func (g *Gate) EnterOnce() bool {
	for {
		n := g.n.Load()
		if n >= g.max {
			return false
		}
		if g.n.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (g *Gate) Leave() { g.n.Add(-1) }

// Full only looks.
func (g *Gate) Full() bool { return g.n.Load() >= g.max }

// References are counted, and the last to go cleans up.
type References struct{ n atomic.Int32 }

func (r *References) Hold() { r.n.Add(1) }

// Release asks again how many there are: two goroutines may both find none.
func (r *References) Release() (last bool) {
	r.n.Add(-1)
	return r.n.Load() == 0 // want "inconsistent-read"
}

func (r *References) ReleaseOnce() (last bool) { return r.n.Add(-1) == 0 }

// Sequence counts up.
type Sequence struct{ n atomic.Uint64 }

func (s *Sequence) Next() uint64 {
	n := s.n.Load() + 1
	s.n.Store(n) // want "lost-update"
	return n
}

func (s *Sequence) NextOnce() uint64 { return s.n.Add(1) }

// Double makes the new number from the old one.
func (s *Sequence) Double() {
	s.n.Store(2 * s.n.Load()) // want "lost-update"
}

// Reset asks for nothing.
func (s *Sequence) Reset() { s.n.Store(0) }

// Maximum keeps the largest number seen.
type Maximum struct{ n atomic.Int64 }

func (m *Maximum) Observe(v int64) {
	if v > m.n.Load() {
		m.n.Store(v) // want "lost-update"
	}
}

func (m *Maximum) ObserveOnce(v int64) {
	for {
		old := m.n.Load()
		if v <= old || m.n.CompareAndSwap(old, v) {
			return
		}
	}
}

// Flag is set once.
type Flag struct{ set atomic.Bool }

func (f *Flag) Set() (first bool) {
	if f.set.Load() {
		return false
	}
	f.set.Store(true) // want "lost-update"
	return true
}

// FlagOnce has flags of its own: one call sets it and tells what it was.
type FlagOnce struct{ set, swapped atomic.Bool }

func (f *FlagOnce) Set() (first bool) { return f.set.CompareAndSwap(false, true) }

func (f *FlagOnce) Swap() (first bool) { return !f.swapped.Swap(true) }

func (f *FlagOnce) SetAfterLook() (first bool) {
	return !f.set.Load() && f.set.CompareAndSwap(false, true)
}

// Closer closes a channel when the flag is set, and must do so once.
type Closer struct {
	closed atomic.Bool
	done   chan struct{}
}

func (c *Closer) Close() {
	if c.closed.Load() {
		return
	}
	c.closed.Store(true) // want "lost-update"
	close(c.done)
}

// CloserOnce does.
type CloserOnce struct {
	closed atomic.Bool
	done   chan struct{}
}

func (c *CloserOnce) Close() {
	if c.closed.CompareAndSwap(false, true) {
		close(c.done)
	}
}

// Traffic has two counters that belong to one message each: nobody said that
// they must agree at all times.
type Traffic struct{ messages, bytes atomic.Int64 }

func (t *Traffic) Add(size int64) {
	t.messages.Add(1)
	t.bytes.Add(size)
}

// Words are the functions of the package sync/atomic on a plain word.
type Words struct{ n int64 }

func (w *Words) Next() int64 {
	n := atomic.LoadInt64(&w.n) + 1
	atomic.StoreInt64(&w.n, n) // want "lost-update"
	return n
}

func (w *Words) NextOnce() int64 { return atomic.AddInt64(&w.n, 1) }

// Parts counts what is missing, a bit for each: its constructor says what that
// is, so that there is something to take away.
type Parts struct{ missing atomic.Int32 }

func NewParts() *Parts {
	p := &Parts{}
	p.missing.Store(3)
	return p
}

func (p *Parts) HeadDone() {
	if p.missing.Load()&1 != 0 {
		p.missing.Add(-1) // want "non-atomic"
	}
}

func (p *Parts) HeadDoneOnce() {
	for {
		old := p.missing.Load()
		if old&1 == 0 || p.missing.CompareAndSwap(old, old-1) {
			return
		}
	}
}

// Ready is only ever set to true, and only by the constructor.
type Ready struct{ yes atomic.Bool }

func NewReady() *Ready {
	r := &Ready{}
	r.yes.Store(true)
	return r
}

func (r *Ready) Both() bool { return r.yes.Load() && r.yes.Load() }

// Run is numbered when it starts, and has much to do after that.
type Run struct{ name, in, out string }

var lastRun atomic.Int32

func (r *Run) Start(name string) {
	lastRun.Add(1)
	r.name = name + strconv.Itoa(int(lastRun.Load())) // want "inconsistent-read"
	r.in = os.Getenv(name + "_IN")
	r.out = os.Getenv(name + "_OUT")
	os.Setenv(name, r.name)
}

// Pair has its levels in objects of their own, which its constructor fills.
type Pair struct {
	name   string
	levels [2]*level
}

type level struct{ n atomic.Int32 }

func NewPair(name string) *Pair {
	p := &Pair{name: name}
	p.levels[0] = &level{}
	p.levels[1] = &level{}
	p.levels[0].n.Store(7)
	return p
}

func (p *Pair) Level() (int32, int32) {
	return p.levels[0].n.Load(), p.levels[0].n.Load()
}

// Seats has a limit that is many steps away from where it starts.
type Seats struct{ taken atomic.Int64 }

func (s *Seats) Take() bool {
	if s.taken.Load() >= 40 {
		return false
	}
	s.taken.Add(1) // want "non-atomic"
	return true
}

func (s *Seats) TakeOnce() bool {
	if s.taken.Add(1) > 40 {
		s.taken.Add(-1)
		return false
	}
	return true
}

func (s *Seats) Free() { s.taken.Add(-1) }

// Told is a count that somebody is told of, and that begins again.
type Told struct {
	n    int64
	tell func(int64)
}

func (t *Told) Add(n int64) { atomic.AddInt64(&t.n, n) }

func (t *Told) Flush() {
	t.tell(-atomic.LoadInt64(&t.n))
	atomic.StoreInt64(&t.n, 0) // want "lost-update"
}

func (t *Told) FlushAll() { t.tell(-atomic.SwapInt64(&t.n, 0)) }

// Listed takes no more than there are in a list, of which it has a copy.
type Listed struct {
	n    atomic.Int32
	list func() []string
}

func (l *Listed) Take() bool {
	c := make([]string, len(l.list()))
	if int(l.n.Load()) >= len(c) {
		return false
	}
	l.n.Add(1) // want "non-atomic"
	return true
}

func (l *Listed) TakeOnce() bool {
	c := make([]string, len(l.list()))
	if int(l.n.Add(1)) > len(c) {
		l.n.Add(-1)
		return false
	}
	return true
}
