package lineup

import (
	"slices"
	"sync"
	"sync/atomic"
)

// LinkedList is a list with two ends behind one lock.
type LinkedList struct {
	mu    sync.Mutex
	items []int
	count atomic.Int32
}

func (l *LinkedList) AddFirst(v int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.items = slices.Insert(l.items, 0, v)
	l.count.Add(1)
}

func (l *LinkedList) AddLast(v int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.items = append(l.items, v)
	l.count.Add(1)
}

func (l *LinkedList) RemoveFirst() (v int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.removeAt(0)
}

func (l *LinkedList) RemoveLast() (v int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.removeAt(len(l.items) - 1)
}

// removeAt needs the lock.
func (l *LinkedList) removeAt(i int) (v int, ok bool) {
	if len(l.items) == 0 {
		return 0, false
	}
	v = l.items[i]
	l.items = slices.Delete(l.items, i, i+1)
	l.count.Add(-1)
	return v, true
}

// RemoveList takes everything.
func (l *LinkedList) RemoveList() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.items
	l.items = nil
	l.count.Store(0)
	return all
}

func (l *LinkedList) Count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return int(l.count.Load())
}

// LinkedListPre looks at the list before it takes the lock, and believes what
// it saw (root cause C): of two that remove the last item, the second finds
// none although it was sure, and reports an item that is the zero value.
//
//	AddFirst(10) RemoveFirst() | RemoveLast()
type LinkedListPre struct{ LinkedList }

func (l *LinkedListPre) RemoveFirst() (v int, ok bool) { return l.remove(l.LinkedList.RemoveFirst) }
func (l *LinkedListPre) RemoveLast() (v int, ok bool)  { return l.remove(l.LinkedList.RemoveLast) }

func (l *LinkedListPre) remove(end func() (int, bool)) (v int, ok bool) {
	if l.count.Load() == 0 {
		return 0, false
	}
	v, _ = end()
	return v, true
}
