package search

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/mapatom/mapatom/checker/history"
)

// A job is a whole check: parts that do not influence each other, each cut
// into tasks that can be searched by themselves.
type job[S any] struct {
	sp      *spec[S]
	options Options
	tasks   []task[S]
	parts   int
	// violated is the first task known to have no linearization; later ones
	// are not wanted any more, unless the earliest violation is asked for.
	violated atomic.Int64
}

// A task is a stretch of one part, from a state that is known to one at which
// the part's history begins anew.
type task[S any] struct {
	part  int
	rows  []int32
	inits []S
	// blocked is the row of a pending operation that has to be blocked in
	// the end; -1 if nothing is asked of the end.
	blocked int32

	outcome       outcome
	linearization []int32
	nodes         int64
	// fell is what a task without a linearization says of why.
	fell failure
}

// newJob splits the parts into tasks.
func newJob[S any](sp *spec[S], parts [][]int32, o Options) *job[S] {
	j := &job[S]{sp: sp, options: o, parts: len(parts)}
	// A model's first states are asked for once: its Init may be costly.
	inits := sp.init()
	for p, rows := range parts {
		sortByCall(rows, sp.call)
		from, until := 0, inits
		for i := range settled(sp, rows, cmp.Or(o.leastTask, minTask)) {
			j.tasks = append(j.tasks, task[S]{part: p, rows: rows[from : i+1], inits: until, blocked: -1})
			s, _ := sp.settles(rows[i])
			from, until = i+1, []S{s}
		}
		j.tasks = append(j.tasks, task[S]{part: p, rows: rows[from:], inits: until, blocked: -1})
	}
	return j
}

// minTask is the least number of operations that are worth a task.
const minTask = 64

// settled yields the indices of operations that overlap with no other one
// and leave a state that their result tells. What comes after such an
// operation can be searched without what comes before.
func settled[S any](sp *spec[S], rows []int32, least int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		if sp.settles == nil {
			return
		}
		from, busy := 0, int64(-1) // busy until then
		for i, row := range rows[:max(0, len(rows)-1)] {
			alone := busy < sp.call[row]
			busy = max(busy, sp.ret[row])
			if !alone || i-from+1 < least || busy == history.Pending || busy >= sp.call[rows[i+1]] {
				continue
			}
			if _, ok := sp.settles(row); !ok {
				continue
			}
			if !yield(i) {
				return
			}
			from = i + 1
		}
	}
}

// run searches the tasks in rounds: first each of them with a small budget,
// then those that were not finished with a larger one, from the beginning.
// So a violation that is easy to find is not waiting for a part that is hard;
// and the answer, with the first task that fails in the first round in which
// one does, does not depend on how the workers share the tasks.
func (j *job[S]) run(ctx context.Context) {
	j.violated.Store(int64(len(j.tasks)))
	open := make([]int32, len(j.tasks))
	for n := range open {
		open[n] = int32(n)
	}
	alone := len(open) == 1 && (j.sp.alike == nil || !j.sp.alike.costly)
	for budget := int64(firstBudget); len(open) > 0; budget *= 16 {
		last := alone || budget >= lastBudget || j.options.Nodes > 0 && budget >= j.options.Nodes
		if last {
			budget = j.options.Nodes
		}
		j.round(ctx, open, round{nodes: budget, quick: budget == firstBudget, last: last})
		if last || ctx.Err() != nil || !j.options.Earliest && j.violated.Load() < int64(len(j.tasks)) {
			return
		}
		open = slices.DeleteFunc(open, func(n int32) bool { return j.tasks[n].outcome != outOfNodes })
	}
}

const (
	firstBudget = 1 << 12
	lastBudget  = 1 << 24
)

// A round is how the open tasks are searched.
type round struct {
	nodes int64 // for each; 0 if there is no bound
	quick bool
	last  bool
}

// round searches the open tasks, as many at once as there are workers.
func (j *job[S]) round(ctx context.Context, open []int32, r round) {
	workers := j.options.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var turn atomic.Int64
	if workers = min(workers, len(open)); workers <= 1 {
		j.work(ctx, open, &turn, r)
		return
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() { j.work(ctx, open, &turn, r) })
	}
	wg.Wait()
}

// work takes the tasks whose turn it is, in order.
func (j *job[S]) work(ctx context.Context, open []int32, turn *atomic.Int64, r round) {
	g := newEngine(ctx, j.sp, j.options)
	g.quick = r.quick
	for {
		i := turn.Add(1) - 1
		if i >= int64(len(open)) {
			return
		}
		n := int64(open[i])
		g.unwanted = func() bool { return !j.options.Earliest && n > j.violated.Load() }
		if g.unwanted() {
			return
		}
		// A search that goes straight ahead takes a step for each operation.
		g.limit.nodes = r.nodes
		if !r.last {
			g.limit.nodes += 2 * int64(len(j.tasks[n].rows))
		}
		j.search(g, &j.tasks[n])
		if j.tasks[n].outcome == exhausted {
			lower(&j.violated, n)
		}
	}
}

// newEngine makes an engine for a worker, or for what comes after the search.
func newEngine[S any](ctx context.Context, sp *spec[S], o Options) *engine[S] {
	g := &engine[S]{sp: sp, ctx: ctx, limit: budget{nodes: o.Nodes, memory: o.Memory}}
	if o.Memory <= 0 {
		g.limit.memory = defaultMemory
	}
	return g
}

// lower makes a no greater than n.
func lower(a *atomic.Int64, n int64) {
	for {
		old := a.Load()
		if old <= n || a.CompareAndSwap(old, n) {
			return
		}
	}
}

// search searches one task, and keeps what it finds.
func (j *job[S]) search(g *engine[S], t *task[S]) {
	g.goal = nil
	if t.blocked >= 0 {
		g.goal = func(s S) bool { return j.sp.blocks(s, t.blocked) }
	}
	t.outcome = g.run(t.rows, wholeHistory, t.inits)
	t.nodes += g.nodes
	switch t.outcome {
	case found:
		t.linearization = g.linearization(g.steps)
	case exhausted:
		t.fell = g.failure()
	}
}

// linearization gives the rows of the steps in the order in which they take
// effect: a hidden operation just before the step that made it free.
func (g *engine[S]) linearization(steps []step) []int32 {
	seen := make([]bool, len(g.rows))
	for _, s := range steps {
		if s.how == taken {
			seen[s.op] = true
		}
	}
	rows, free := make([]int32, 0, len(g.rows)), int32(0)
	for _, s := range steps {
		for ; free < s.free; free++ {
			if !seen[free] && g.is(free, blind) {
				rows = append(rows, g.rows[free])
			}
		}
		if s.how == taken {
			rows = append(rows, g.rows[s.op])
		}
	}
	return rows
}

// result puts the answers of the tasks together.
func (j *job[S]) result(ctx context.Context) Result {
	r := Result{Verdict: Linearizable, Earliest: -1, Part: -1, Parts: j.parts, Unjustified: -1}
	bad := j.reported(ctx)
	for n := range j.tasks {
		t := &j.tasks[n]
		if bad < 0 || n <= bad || j.options.Earliest {
			r.Nodes += t.nodes
		}
		if t.outcome != found && t.outcome != exhausted && r.Verdict == Linearizable {
			r.Verdict, r.Reason = Unknown, reasonOf(ctx, t.outcome)
		}
	}
	switch {
	case bad >= 0:
		r.Verdict, r.Reason = Violation, None
		j.explain(ctx, bad, &r)
	case r.Verdict == Linearizable:
		r.Linearization = j.merge()
	}
	return r
}

// reasonOf gives the reason for the outcome of a search that was not finished. A
// search that was stopped without the context being done was stopped because a
// violation elsewhere made it useless; then nobody asks.
func reasonOf(ctx context.Context, out outcome) Reason {
	switch {
	case out == outOfNodes:
		return NodesUsedUp
	case out == outOfMemory:
		return MemoryUsedUp
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return DeadlinePassed
	}
	return Cancelled
}

// reported is the task whose violation is reported; -1 if there is none. If
// the earliest violation is asked for, the task knows where that is.
func (j *job[S]) reported(ctx context.Context) int {
	first := int(j.violated.Load())
	if first == len(j.tasks) {
		return -1
	}
	if !j.options.Earliest {
		return first
	}
	j.locate(ctx, first)
	best := first
	for n := first + 1; n < len(j.tasks); n++ {
		// Of each part, only the first stretch that fails is the earliest.
		if t := &j.tasks[n]; t.outcome == exhausted && t.part != j.tasks[best].part && t.blocked < 0 {
			j.locate(ctx, n)
			if j.earlier(t.fell.earliest, j.tasks[best].fell.earliest) {
				best = n
			}
		}
	}
	return best
}

// earlier reports whether row a returns before row b does; a row that is not
// known is later than all others.
func (j *job[S]) earlier(a, b int32) bool {
	if a < 0 || b < 0 {
		return a >= 0
	}
	return j.sp.ret[a] < j.sp.ret[b] || j.sp.ret[a] == j.sp.ret[b] && a < b
}

// merge puts the linearizations of the tasks together. Every operation gets
// a time, the earliest that is not before its call or before the time of
// another one that takes effect before it in its part; it is not after its
// return, because nothing before it in its part is called after that. So an
// order by these times keeps to the history's order, and each part keeps its
// own.
func (j *job[S]) merge() []int32 {
	total, several := 0, false
	for n := range j.tasks {
		if j.tasks[n].blocked >= 0 {
			j.tasks[n].linearization = nil // of the same operations again
		}
		total += len(j.tasks[n].linearization)
		several = several || j.tasks[n].part != 0
	}
	rows, at := make([]int32, 0, total), make([]int64, 0, total)
	for n := range j.tasks {
		t := &j.tasks[n]
		for i, row := range t.linearization {
			when := j.sp.call[row]
			if i > 0 {
				when = max(when, at[len(at)-1])
			}
			rows, at = append(rows, row), append(at, when)
		}
		t.linearization = nil
	}
	if !several {
		return rows
	}
	index := make([]int32, total)
	for i := range index {
		index[i] = int32(i)
	}
	slices.SortFunc(index, func(a, b int32) int {
		return cmp.Or(cmp.Compare(at[a], at[b]), cmp.Compare(a, b))
	})
	for i, from := range index {
		index[i] = rows[from]
	}
	return index
}
