package kept

import (
	"errors"
	"sync"
	"sync/atomic"
)

// result is filled by whoever delivers, with the lock of the queue.
type result struct {
	text    string
	pending atomic.Int32
}

// SetDone is called with the lock held, by all who call it: nobody outside has a
// result.
func (r *result) SetDone() {
	if r.pending.Load()&1 != 0 {
		r.pending.Add(-1)
	}
}

func (r *result) SetText(s string) {
	r.text = s
	if r.pending.Load()&2 != 0 {
		r.pending.Add(-2)
	}
}

// results have a lock of their own for the slots, and not for what is in them.
type results struct {
	mu    sync.RWMutex
	slots []*result
}

func newResults(n int) *results { return &results{slots: make([]*result, n)} }

func newResult() *result {
	r := &result{}
	r.pending.Store(3)
	return r
}

func (r *results) add(i int) (found *result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	found = r.slot(i)
	if found == nil {
		found = newResult()
		r.slots[i] = found
	}
	return found
}

func (r *results) slot(i int) *result {
	if i >= len(r.slots) {
		return nil
	}
	return r.slots[i]
}

var errNone = errors.New("no such slot")

func (r *results) find(i int) (*result, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	found := r.slot(i)
	if found == nil {
		return nil, errNone
	}
	return found, nil
}

// take moves the rest up.
func (r *results) take(n int) []*result {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := make([]*result, n)
	copy(taken, r.slots[:n])
	copy(r.slots, r.slots[n:])
	for i := len(r.slots) - n; i < len(r.slots); i++ {
		r.slots[i] = nil
	}
	return taken
}

// Queue has the lock.
type Queue struct {
	lock *sync.Mutex
	all  *results
}

// NewQueue makes one.
func NewQueue(n int) *Queue { return &Queue{lock: new(sync.Mutex), all: newResults(n)} }

func (q *Queue) Reserve(i int) bool {
	q.lock.Lock()
	defer q.lock.Unlock()
	return q.all.add(i).pending.Load() != 0
}

func (q *Queue) Take(n int) (texts []string) {
	q.lock.Lock()
	defer q.lock.Unlock()
	for _, r := range q.all.take(n) {
		texts = append(texts, r.text)
	}
	return texts
}

// deliver calls back with the lock held.
func (q *Queue) deliver(i int, fill func(*result)) error {
	r, err := q.all.find(i)
	if err != nil {
		return err
	}
	fill(r)
	return nil
}

func (q *Queue) Done(i int) error {
	q.lock.Lock()
	defer q.lock.Unlock()
	return q.deliver(i, func(r *result) { r.SetDone() })
}

func (q *Queue) Text(i int, s string) error {
	q.lock.Lock()
	defer q.lock.Unlock()
	return q.deliver(i, func(r *result) { r.SetText(s) })
}

// Loose has a caller that does not lock.
type Loose struct {
	lock sync.Mutex
	all  []*loose
}

type loose struct{ pending atomic.Int32 }

func (r *loose) setDone() {
	if r.pending.Load()&1 != 0 {
		r.pending.Add(-1) // want "non-atomic"
	}
}

func (q *Loose) Add() {
	q.lock.Lock()
	defer q.lock.Unlock()
	q.all = append(q.all, &loose{})
}

func (q *Loose) find(i int) *loose { return q.all[i] }

func (q *Loose) each(fill func(*loose)) {
	for _, r := range q.all {
		fill(r)
	}
}

func (q *Loose) Done() {
	q.lock.Lock()
	defer q.lock.Unlock()
	q.each(func(r *loose) { r.setDone() })
}

func (q *Loose) DoneAt(i int) { q.find(i).setDone() }

func (q *Loose) Again(i int) {
	q.lock.Lock()
	defer q.lock.Unlock()
	q.find(i).pending.Store(3)
}

// ticket can be had from outside, so that SetDone can be called without a lock.
type ticket struct{ pending atomic.Int32 }

func (r *ticket) SetDone() {
	if r.pending.Load()&1 != 0 {
		r.pending.Add(-1) // want "non-atomic"
	}
}

// Tickets hands them out.
type Tickets struct {
	lock sync.Mutex
	all  []*ticket
}

func (q *Tickets) Add() {
	q.lock.Lock()
	defer q.lock.Unlock()
	r := &ticket{}
	r.pending.Store(1)
	q.all = append(q.all, r)
}

func (q *Tickets) Done(i int) {
	q.lock.Lock()
	defer q.lock.Unlock()
	q.all[i].SetDone()
}

func (q *Tickets) At(i int) any {
	q.lock.Lock()
	defer q.lock.Unlock()
	return q.all[i]
}
