package search

import (
	"context"
	"slices"
)

// A failure says how far a part can be linearized.
type failure struct {
	reached  int32 // row whose return the search did not get past; -1 if not known
	earliest int32 // row whose return ends the shortest bad prefix; -1 if not known
	longest  []int32
}

// failure tells how far the engine came, after a search that found nothing.
func (g *engine[S]) failure() failure {
	f := failure{reached: -1, earliest: -1}
	if g.best.event > 0 {
		f.reached = g.rows[^g.op[g.best.event]]
		f.longest = g.linearization(g.best.steps)
	}
	return f
}

// explain fills in what a task without a linearization shows.
func (j *job[S]) explain(ctx context.Context, bad int, r *Result) {
	t := &j.tasks[bad]
	r.Part = t.part
	if t.blocked >= 0 {
		r.Unjustified = t.blocked
		r.Core = append(slices.Clone(t.rows), t.blocked)
		slices.Sort(r.Core)
		return
	}
	r.Earliest, r.Longest = t.fell.earliest, t.fell.longest
	r.Core = j.prefix(t)
	if j.options.Shrink {
		r.Core = j.shrink(newEngine(ctx, j.sp, j.options), r.Core)
	}
	slices.Sort(r.Core)
}

// prefix gives the rows of the task's part that are called before the search
// failed. They are not linearizable by themselves: the history up to the
// earliest failure is not, even if what has not returned by then could return
// anything, and without the rules R5 and R6, which look ahead, the search
// itself would have gone no further with these rows alone.
func (j *job[S]) prefix(t *task[S]) (rows []int32) {
	last := t.fell.earliest
	if last < 0 && j.sp.flow == nil && j.sp.content == nil {
		last = t.fell.reached
	}
	for n := range j.tasks {
		if other := &j.tasks[n]; other.part != t.part || other.blocked >= 0 {
			continue
		}
		for _, row := range j.tasks[n].rows {
			if last < 0 || j.sp.call[row] <= j.sp.ret[last] {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// locate makes the failure exact: it looks for the shortest prefix without a
// linearization by halving; a prefix of a history that is linearizable is
// linearizable. How far the search came says where to begin, but no more:
// rules R5 and R6 give up before the history does, and the search knows results of
// operations that have not returned yet. A queue is empty although 1 was put
// in; a call that later finds it empty is open, and may have removed 1 for
// all that is known then.
func (j *job[S]) locate(ctx context.Context, bad int) {
	t := &j.tasks[bad]
	if t.blocked >= 0 {
		return
	}
	if j.sp.effects == nil {
		t.fell.earliest = t.fell.reached
	} else {
		j.halve(newEngine(ctx, j.sp, j.options), t)
	}
	// The part begins with stretches that were searched by themselves.
	var before []int32
	for n := range bad {
		switch other := &j.tasks[n]; {
		case other.part != t.part:
		case other.outcome != found:
			t.fell = failure{reached: -1, earliest: -1}
			return
		default:
			before = append(before, other.linearization...)
		}
	}
	if t.fell.earliest >= 0 {
		t.fell.longest = append(before, t.fell.longest...)
	}
}

// halve looks for the earliest failure within the rows of the task.
func (j *job[S]) halve(g *engine[S], t *task[S]) {
	build(&g.order, j.sp, t.rows, wholeHistory)
	returns := make([]int32, len(g.byReturn))
	for i, op := range g.byReturn {
		returns[i] = g.rows[op]
	}
	// The prefix with good returns is linearizable, the one with bad is not.
	good, bad := 0, len(returns)
	if t.fell.reached >= 0 {
		good = slices.Index(returns, t.fell.reached)
	}
	for bad-good > 1 {
		k := good + (bad-good)/2
		last := returns[k-1]
		switch g.run(t.rows, cut{at: j.sp.ret[last], row: last}, t.inits) {
		case found:
			good, t.fell.longest = k, g.linearization(g.steps)
		case exhausted:
			bad = k
		default:
			t.fell = failure{reached: -1, earliest: -1}
			return
		}
	}
	// Before the first return everything is linearizable, by nothing.
	if good == 0 {
		t.fell.longest = nil
	}
	t.fell.earliest = returns[bad-1]
}
