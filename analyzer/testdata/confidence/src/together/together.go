// Package together has functions that several goroutines run, and beside them some that
// may have one for themselves.
package together

import (
	"sync"
	"sync/atomic"
)

type Load struct {
	running atomic.Int64
	average atomic.Int64
	newest  atomic.Int64
	last    atomic.Int64
}

// HighBeside is one of several, or it need not add.
func (l *Load) HighBeside(took int64) {
	l.running.Add(-1)
	l.average.Store((9*l.average.Load() + took) / 10)
}

// MediumAlone may be the only one that sets the average.
func (l *Load) MediumAlone(took int64) { l.newest.Store((9*l.newest.Load() + took) / 10) }

func (l *Load) Reset() {
	l.average.Store(0)
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

// HighLimit is for several, who add.
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

// HighLock takes the lock of the tree on the way to a leaf.
func (t *Tree) HighLock(i int, by int64) bool {
	n := t.leaf(i)
	size := n.size.Load()
	if size+by > t.limit {
		return false
	}
	n.size.Store(size + by)
	return true
}

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

// HighTaken is Read for several, each of whom takes a part.
func (f *File) HighTaken(p []byte) (int, error) {
	if f.read.Load() >= f.end {
		return 0, nil
	}
	n := f.from(f.read.Load(), p)
	f.read.Add(int64(n))
	return n, nil
}
