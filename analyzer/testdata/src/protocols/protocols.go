// Package protocols has calls whose intermediate states others are meant to see,
// and looks that only tell how things are.
package protocols

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
)

// Transaction is opened once and ended once.
type Transaction struct {
	state atomic.Int32
	last  string
}

func (t *Transaction) Commit() error {
	if !t.state.CompareAndSwap(1, 2) {
		return fmt.Errorf("transaction is in state %d", t.state.Load())
	}
	return nil
}

type stateError struct{ text string }

func (e *stateError) Error() string { return e.text }

func newStateError(text string) error { return &stateError{text: text} }

func (t *Transaction) Abort() error {
	if !t.state.CompareAndSwap(1, 3) {
		return newStateError("transaction is in state " + strconv.Itoa(int(t.state.Load())))
	}
	return nil
}

// End returns the state itself, which need not be the one that stood in the way.
func (t *Transaction) End() int32 {
	if !t.state.CompareAndSwap(1, 4) {
		return t.state.Load() // want "inconsistent-read"
	}
	return 4
}

func (t *Transaction) Begin() { t.state.Store(1) }

// Queue counts messages, and elsewhere on the way looks at how many there are.
type Queue struct {
	n, max atomic.Int64
	hint   atomic.Bool
	work   chan int
}

func (q *Queue) Receive(m int) {
	q.n.Add(1)
	q.work <- m
	q.hint.Store(q.n.Load() >= q.max.Load())
}

func (q *Queue) Done() { q.n.Add(-1) }

// Tickets are numbered. What is read back at once is meant to be the number that
// was just made.
type Tickets struct{ n atomic.Int64 }

func (t *Tickets) Next() string {
	t.n.Add(1)
	return strconv.FormatInt(t.n.Load(), 10) // want "inconsistent-read"
}

// Resource is used by those who hold a reference.
type Resource struct {
	refs atomic.Int32
	max  int32
}

func (r *Resource) TryHold() bool {
	for {
		n := r.refs.Load()
		if n <= 0 {
			return false
		}
		if r.refs.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (r *Resource) Release() { r.refs.Add(-1) }

// Use gives the reference back if it fails. That others see it in the meantime is
// what it is there for.
func (r *Resource) Use(open func() error) error {
	if !r.TryHold() {
		return errors.New("gone")
	}
	if err := open(); err != nil {
		r.Release()
		return err
	}
	return nil
}

// Limit looks first and then counts, which lets in too many. That each one is
// counted off again does not help.
func (r *Resource) Limit(work func()) bool {
	if r.refs.Load() >= r.max {
		return false
	}
	r.refs.Add(1) // want "non-atomic"
	work()
	r.refs.Add(-1)
	return true
}

// Manager goes idle if there are no calls: it takes all calls there can be, looks
// whether one came in, and gives them back.
type Manager struct {
	mu    sync.Mutex
	calls atomic.Int32
	idle  bool
}

const all = 1 << 30

func (m *Manager) Begin() bool { return m.calls.Add(1) > 0 }

func (m *Manager) End() { m.calls.Add(-1) }

func (m *Manager) TryIdle() bool {
	if !m.calls.CompareAndSwap(0, -all) {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.calls.Load() != -all {
		m.calls.Add(all)
		return false
	}
	m.idle = true
	return true
}

// Lifecycle ends in two steps: others see that it is retiring, and leave.
type Lifecycle struct {
	mu    sync.Mutex
	state atomic.Int32
	users atomic.Int32
}

const (
	active = iota
	retiring
	retired
)

func (l *Lifecycle) Retire() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state.Load() == retired {
		return
	}
	l.state.Store(retiring)
	for l.users.Load() != 0 {
		runtime.Gosched()
	}
	l.state.Store(retired)
}

func (l *Lifecycle) Enter() bool {
	l.users.Add(1)
	if l.state.Load() != active {
		l.users.Add(-1)
		return false
	}
	return true
}

func (l *Lifecycle) Leave() { l.users.Add(-1) }

// Switch waits before it writes for the first time: what it found may not hold any
// more.
type Switch struct {
	level atomic.Int32
	users atomic.Int32
}

func (s *Switch) Raise() {
	level := s.level.Load()
	for s.users.Load() != 0 {
		runtime.Gosched()
	}
	s.level.Store(level + 1) // want "lost-update"
}
