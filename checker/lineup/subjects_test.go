package lineup_test

import (
	"errors"
	"iter"
	"math/rand/v2"

	"github.com/mapatom/mapatom/checker/lineup"
	"github.com/mapatom/mapatom/checker/sched"
	"github.com/mapatom/mapatom/checker/sched/atomic"
	"github.com/mapatom/mapatom/checker/sched/sync"
)

// queue is a queue whose TryTake gives up on the lock, if impatient.
type queue struct {
	mu        sync.Mutex
	items     []int
	impatient bool
}

func (q *queue) Add(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, v)
}

func (q *queue) TryTake() (int, bool) {
	if q.impatient && !q.mu.TryLock() {
		return 0, false
	} else if !q.impatient {
		q.mu.Lock()
	}
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return 0, false
	}
	v := q.items[0]
	q.items = q.items[1:]
	return v, true
}

func queues(impatient bool) lineup.Subject {
	return lineup.Subject{
		Name:        "queue",
		New:         func() any { return &queue{impatient: impatient} },
		Invocations: []lineup.Invocation{lineup.Invoke("Add", 200), lineup.Invoke("Add", 400), lineup.Invoke("TryTake")},
	}
}

// counter is Counter2 of the paper if Get forgets to unlock, and panics on
// request.
type counter struct {
	mu      sync.Mutex
	n       int
	forgets bool
}

func (c *counter) Inc() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

func (c *counter) Get() int {
	c.mu.Lock()
	if !c.forgets {
		defer c.mu.Unlock()
	}
	return c.n
}

func (c *counter) Dec() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == 0 {
		panic(errors.New("negative"))
	}
	c.n--
	return nil
}

func counters(forgets bool) lineup.Subject {
	return lineup.Subject{
		Name:        "counter",
		New:         func() any { return &counter{forgets: forgets} },
		Invocations: []lineup.Invocation{lineup.Invoke("Inc"), lineup.Invoke("Get"), lineup.Invoke("Dec")},
	}
}

// model is a counter that blocks instead of going below zero.
type model struct{ n int }

func (c *model) Inc()     { c.n++ }
func (c *model) Get() int { return c.n }
func (c *model) Dec() error {
	if c.n == 0 {
		lineup.Block()
	}
	c.n--
	return nil
}

func models() lineup.Subject {
	s := counters(false)
	s.New = func() any { return new(model) }
	return s
}

// node is what registers of pointers hold.
type node struct{ _ int }

// pointers hands out pointers: everybody gets a new one, or the one that was
// published.
type pointers struct{ p atomic.Pointer[node] }

func (r *pointers) Publish() *node {
	n := new(node)
	r.p.Store(n)
	return n
}

func (r *pointers) Get() *node { return r.p.Load() }

// Split publishes one pointer and returns another if it is interrupted.
func (r *pointers) Split() *node {
	n := new(node)
	r.p.Store(n)
	return r.p.Load()
}

func pointerRegisters() lineup.Subject {
	return lineup.Subject{
		Name:        "pointers",
		New:         func() any { return new(pointers) },
		Invocations: []lineup.Invocation{lineup.Invoke("Publish"), lineup.Invoke("Get"), lineup.Invoke("Split"), lineup.Invoke("All")},
	}
}

// All yields the pointer twice, and can be interrupted between.
func (r *pointers) All() iter.Seq[*node] {
	return func(yield func(*node) bool) {
		if yield(r.p.Load()) {
			yield(r.p.Load())
		}
	}
}

// dice are nondeterministic.
type dice struct{}

func (dice) Roll() int { return rand.Int() }

// late does in a goroutine what it says that it has done.
type late struct{ done atomic.Bool }

func (l *late) Do()        { sched.Go(func() { l.done.Store(true) }) }
func (l *late) Done() bool { return l.done.Load() }
