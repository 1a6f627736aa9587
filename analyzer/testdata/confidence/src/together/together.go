// Package together has functions that several goroutines run, and beside them some that
// may have one for themselves.
package together

import (
	"sync"
	"sync/atomic"
)

type Load struct {
	running atomic.Int64
	total   atomic.Int64
	newest  atomic.Int64
	last    atomic.Int64
}

// HighBeside is one of several, or it need not add.
func (l *Load) HighBeside(took int64) {
	l.running.Add(-1)
	l.total.Store(l.total.Load() + took)
}

// MediumAlone may be the only one that sets the newest.
func (l *Load) MediumAlone(took int64) { l.newest.Store((9*l.newest.Load() + took) / 10) }

func (l *Load) Reset() {
	l.total.Store(0)
	l.newest.Store(0)
}

type List struct {
	head  *node
	size  atomic.Int64
	slots atomic.Int64
	max   int64
}

type node struct{ next *node }

// MediumPlain changes its object without a lock, which two must not do.
func (l *List) MediumPlain() bool {
	if l.size.Load() >= l.max {
		return false
	}
	l.size.Add(1)
	l.head = &node{l.head}
	return true
}

func (l *List) Leave() { l.size.Add(-1) }

// HighLimit counts those who are in, until they leave.
func (l *List) HighLimit() bool {
	if l.slots.Load() >= l.max {
		return false
	}
	l.slots.Add(1)
	return true
}

func (l *List) Free() { l.slots.Add(-1) }

type Tree struct {
	mu    sync.Mutex
	nodes []*leaf
	limit int64
}

type leaf struct{ size atomic.Int64 }

// MediumLock takes the lock of the tree on the way to a leaf, and it may be for others that
// there is one.
func (t *Tree) MediumLock(i int, by int64) bool {
	n := t.leaf(i)
	size := n.size.Load()
	if size+by > t.limit {
		return false
	}
	n.size.Store(size + by)
	return true
}

func (l *leaf) Size() int64 { return l.size.Load() }

func (t *Tree) leaf(i int) *leaf {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.nodes[i]
}

type File struct {
	at, end int64
	read    atomic.Int64
	from    func(at int64, p []byte) int
}

// Read shows nothing of several, as it goes on where the last one stopped: whoever reads from a file has it for himself, and
// others look how far he has come.
func (f *File) Read(p []byte) (int, error) {
	if f.read.Load() >= f.end {
		return 0, nil
	}
	n := f.from(f.read.Load(), p)
	f.read.Add(int64(n))
	return n, nil
}

// MediumTaken is Read under another name; that it adds does not say who else comes here.
func (f *File) MediumTaken(p []byte) (int, error) {
	if f.read.Load() >= f.end {
		return 0, nil
	}
	n := f.from(f.read.Load(), p)
	f.read.Add(int64(n))
	return n, nil
}

func (f *File) Rewind() { f.read.Add(-f.read.Load()) }

type Stats struct {
	sum, low, samples atomic.Int64
}

// HighMerge adds to other atomics by the methods of its object.
func (s *Stats) HighMerge(o *Stats) {
	s.add(o.samples.Load())
	s.sum.Store(s.sum.Load() + o.sum.Load())
}

func (s *Stats) add(n int64) { s.samples.Add(n) }

type Workers struct {
	done, started, port atomic.Int64
	jobs                chan int64
	listen              func() int64
}

// Start has several work on one object.
func (w *Workers) Start(n int) {
	for range n {
		go w.HighLoop()
	}
}

// HighLoop is run by all of them.
func (w *Workers) HighLoop() {
	for j := range w.jobs {
		w.done.Store(w.done.Load() + j)
	}
}

// Listen could be called twice, and nobody does.
func (w *Workers) Listen(n int) { go w.mediumListen(n) }

// MediumListen serves a port.
func (w *Workers) mediumListen(n int) {
	if w.port.Load() < 0 {
		return
	}
	w.port.Store(w.port.Load() + w.listen() + int64(n))
}

// Port is for everybody.
func (w *Workers) Port() int64 { return w.port.Load() + w.done.Load() }
