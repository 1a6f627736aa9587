package lineup

import (
	"runtime"
	"slices"
	"sync"
)

// Queue is a first-in first-out queue behind one lock.
type Queue struct {
	mu    sync.Mutex
	items []int
}

func (q *Queue) Enqueue(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, v)
}

// TryDequeue takes the oldest item. It fails only if there is none.
func (q *Queue) TryDequeue() (v int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.take()
}

// take needs the lock.
func (q *Queue) take() (v int, ok bool) {
	if len(q.items) == 0 {
		return 0, false
	}
	v = q.items[0]
	q.items = q.items[1:]
	return v, true
}

func (q *Queue) TryPeek() (v int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return 0, false
	}
	return q.items[0], true
}

func (q *Queue) Count() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.items)
}

func (q *Queue) IsEmpty() bool { return q.Count() == 0 }

func (q *Queue) ToArray() []int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.items)
}

// QueuePre is the queue of Figure 1 (root cause B): TryDequeue waits for the
// lock only for a while, and then says that the queue is empty.
//
//	Enqueue(10) TryDequeue() | Enqueue(20) TryDequeue()
type QueuePre struct{ Queue }

// patience is how often a lock is tried for.
const patience = 2

func (q *QueuePre) TryDequeue() (v int, ok bool) {
	for range patience {
		if q.mu.TryLock() {
			defer q.mu.Unlock()
			return q.take()
		}
		runtime.Gosched()
	}
	return 0, false
}
