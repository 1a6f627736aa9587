package lineup_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/lineup"
	"github.com/mapatom/mapatom/checker/sched/sync"
)

// hasty is a queue that gives up where it would have to wait.
type hasty struct {
	mu    sync.Mutex
	items []int
	lazy  bool // it gives up by itself too
}

func (q *hasty) Add(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, v)
}

func (q *hasty) TryTake() (int, bool) {
	if !q.mu.TryLock() {
		return 0, false
	}
	defer q.mu.Unlock()
	if len(q.items) == 0 || q.lazy && len(q.items) == 1 {
		return 0, false
	}
	v := q.items[0]
	q.items = q.items[1:]
	return v, true
}

// queue is the specification of it.
type queueModel struct{ items []int }

func (q *queueModel) Add(v int) { q.items = append(q.items, v) }

func (q *queueModel) TryTake() (int, bool) {
	if len(q.items) == 0 {
		return 0, false
	}
	v := q.items[0]
	q.items = q.items[1:]
	return v, true
}

// TestMayRefuse has a method that may refuse while another is under way, and
// not by itself.
func TestMayRefuse(t *testing.T) {
	take := lineup.Invoke("TryTake")
	add := []lineup.Invocation{lineup.Invoke("Add", 1), lineup.Invoke("Add", 2)}
	model := &lineup.Subject{Name: "queue", New: func() any { return new(queueModel) }, Invocations: append(add, take)}
	for _, test := range []struct {
		name  string
		lazy  bool
		take  lineup.Invocation
		test  string
		model *lineup.Subject
		want  lineup.TestVerdict
	}{
		{"refuses", false, take, "Add(1) TryTake() | Add(2)", nil, lineup.Failed},
		{"may refuse", false, take.MayRefuse(0, false), "Add(1) TryTake() | Add(2)", nil, lineup.Passed},
		{"may refuse, both", false, take.MayRefuse(0, false), "Add(1) TryTake() | Add(2) TryTake()", nil, lineup.Passed},
		{"another refusal", false, take.MayRefuse(7, false), "Add(1) TryTake() | Add(2)", nil, lineup.Failed},
		{"with a model", false, take.MayRefuse(0, false), "Add(1) TryTake() | Add(2)", model, lineup.Passed},
		{"refuses by itself", true, take.MayRefuse(0, false), "Add(1) TryTake() | TryTake()", model, lineup.Failed},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := lineup.NewChecker(t, lineup.Subject{
				Name: "hasty", New: func() any { return &hasty{lazy: test.lazy} }, Invocations: append(add[:2:2], test.take),
			})
			require.NoError(t, err)
			c.Model = test.model
			r, err := c.Check(t.Context(), parse(t, test.test))
			require.NoError(t, err)
			require.Equal(t, test.want, r.Verdict, "%s", r)
		})
	}
}

// logger is a log whose lines are written by the next call, as a buffer's are.
type logger struct {
	mu      sync.Mutex
	held    []int // not written yet
	written []int
	loses   bool
}

func (l *logger) Print(v int) {
	l.mu.Lock()
	l.held = append(l.held, v)
	l.mu.Unlock()
}

func (l *logger) Flush() {
	l.mu.Lock()
	l.written = append(l.written, l.held...)
	if l.loses && len(l.held) > 1 {
		l.written = l.written[:len(l.written)-1]
	}
	l.held = nil
	l.mu.Unlock()
}

func (l *logger) Lines() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]int{}, l.written...)
}

// pages is the specification: what is printed is written.
type pages struct{ lines []int }

func (p *pages) Print(v int)  { p.lines = append(p.lines, v) }
func (p *pages) Flush()       {}
func (p *pages) Lines() []int { return append([]int{}, p.lines...) }

// TestAsync has a method that takes effect after it has returned, and at the
// latest when another one does.
func TestAsync(t *testing.T) {
	flush, lines := lineup.Invoke("Flush"), lineup.Invoke("Lines")
	prints := []lineup.Invocation{lineup.Invoke("Print", 1), lineup.Invoke("Print", 2)}
	model := lineup.Subject{Name: "pages", New: func() any { return new(pages) }, Invocations: append(prints[:2:2], flush, lines)}
	for _, test := range []struct {
		name  string
		loses bool
		async bool
		test  string
		want  lineup.TestVerdict
	}{
		{"as if at once", false, false, "Print(1) Lines() | Print(2) Flush()", lineup.Failed},
		{"asynchronous", false, true, "Print(1) Lines() | Print(2) Flush()", lineup.Passed},
		{"flushed", false, true, "Print(1) Flush() Lines() | Print(2)", lineup.Passed},
		{"in order", false, true, "Print(1) Print(2) Flush() | Lines()", lineup.Passed},
		{"lost", true, true, "Print(1) Flush() Lines() | Print(2) Flush() Lines()", lineup.Failed},
	} {
		t.Run(test.name, func(t *testing.T) {
			calls := []lineup.Invocation{flush, lines}
			for _, p := range prints {
				if test.async {
					p = p.Async("Flush")
				}
				calls = append(calls, p)
			}
			c, err := lineup.NewChecker(t, lineup.Subject{Name: "logger", New: func() any { return &logger{loses: test.loses} }, Invocations: calls})
			require.NoError(t, err)
			c.Model = &model
			r, err := c.Check(t.Context(), parse(t, test.test))
			require.NoError(t, err)
			require.Equal(t, test.want, r.Verdict, "%s", r)
		})
	}
}

// bag gives any of its items.
type bag struct {
	lineup.Choices
	items []int
}

func (b *bag) Add(v int) { b.items = append(b.items, v) }

func (b *bag) TryTake() (int, bool) {
	if len(b.items) == 0 {
		return 0, false
	}
	i := b.Choose(len(b.items))
	v := b.items[i]
	b.items = append(b.items[:i:i], b.items[i+1:]...)
	return v, true
}

// TestChoices has a stack and a queue be bags, and something that is none.
func TestChoices(t *testing.T) {
	calls := []lineup.Invocation{lineup.Invoke("Add", 1), lineup.Invoke("Add", 2), lineup.Invoke("TryTake")}
	model := lineup.Subject{Name: "bag", New: func() any { return new(bag) }, Invocations: calls}
	for _, test := range []struct {
		name string
		new  func() any
		want lineup.TestVerdict
	}{
		{"last", func() any { return &taker{at: func(n int) int { return n - 1 }} }, lineup.Passed},
		{"first", func() any { return &taker{at: func(int) int { return 0 }} }, lineup.Passed},
		{"twice", func() any { return &taker{at: func(int) int { return 0 }, keeps: true} }, lineup.Failed},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := lineup.NewChecker(t, lineup.Subject{Name: test.name, New: test.new, Invocations: calls})
			require.NoError(t, err)
			c.Model = &model
			r, err := c.Check(t.Context(), parse(t, "Add(1) TryTake() | Add(2) TryTake()"))
			require.NoError(t, err)
			require.Equal(t, test.want, r.Verdict, "%s", r)
		})
	}
}

// taker takes one of its items.
type taker struct {
	mu    sync.Mutex
	items []int
	at    func(n int) int
	keeps bool
}

func (q *taker) Add(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, v)
}

func (q *taker) TryTake() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return 0, false
	}
	i := q.at(len(q.items))
	v := q.items[i]
	if !q.keeps {
		q.items = append(q.items[:i:i], q.items[i+1:]...)
	}
	return v, true
}
