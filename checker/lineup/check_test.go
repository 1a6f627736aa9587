package lineup_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/lineup"
	"github.com/mapatom/mapatom/checker/sched/sync"
)

type queue struct {
	mu    sync.Mutex
	items []int
}

func (q *queue) Add(v int) { q.mu.Lock(); defer q.mu.Unlock(); q.items = append(q.items, v) }
func (q *queue) TryTake() (int, bool) {
	if !q.mu.TryLock() {
		return 0, false
	}
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return 0, false
	}
	v := q.items[0]
	q.items = q.items[1:]
	return v, true
}

func TestQueue(t *testing.T) {
	s := lineup.Subject{Name: "queue", New: func() any { return &queue{} }, Invocations: []lineup.Invocation{
		lineup.Invoke("Add", 200), lineup.Invoke("Add", 400), lineup.Invoke("TryTake"),
	}}
	c, err := lineup.NewChecker(t, s)
	require.NoError(t, err)
	m, err := lineup.ParseTest("Add(200) TryTake() TryTake() | Add(400) TryTake() Add(200) | Add(200) Add(200) TryTake()")
	require.NoError(t, err)
	r, err := c.Check(t.Context(), m)
	require.NoError(t, err)
	t.Logf("%+v %+v", r, r.Failure)
}

func TestSpeed(t *testing.T) {
	s := lineup.Subject{Name: "queue", New: func() any { return &queue{} }, Invocations: []lineup.Invocation{
		{Call: lineup.Call{Method: "Add", Args: []string{"200"}}, Do: func(x any) []any { x.(*queue).Add(200); return nil }},
		{Call: lineup.Call{Method: "Take"}, Do: func(x any) []any { x.(*queue).mu.Lock(); x.(*queue).mu.Unlock(); return nil }},
	}}
	c, err := lineup.NewChecker(t, s)
	require.NoError(t, err)
	c.Options.MaxExecutions = 100000
	m, err := lineup.ParseTest("Add(200) Add(200) Take() | Add(200) Take() Add(200) | Take() Add(200) Take()")
	require.NoError(t, err)
	r, err := c.Check(t.Context(), m)
	require.NoError(t, err)
	t.Logf("%+v", r)
	c.Options.Preemptions = lineup.Unbounded
	m, err = lineup.ParseTest("Add(200)| Take()")
	for range 5 {
		r, err = c.Check(t.Context(), m)
		require.NoError(t, err)
		t.Logf("%+v", r)
	}
}
