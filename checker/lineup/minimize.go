package lineup

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// maxCandidates bounds how many smaller tests a minimization tries. It is
// enough for every test that is part of a 3x3 one.
const maxCandidates = 1 << 9

// Minimize looks for the smallest test that fails among the parts of one that
// does: the fewest calls, and of those the fewest threads. Its result has the
// failing history with the fewest preemptions.
//
// It first drops calls one by one, which shows how small a test can be at
// least, and then tries the smaller ones, the smallest first. If the context
// ends, the smallest that was found is given.
func (c *Checker) Minimize(ctx context.Context, failing *Result) (*Result, error) {
	quick := *c
	quick.Options.MaxExecutions, quick.Options.Time = c.Options.enough(failing.Concurrent.Executions), 0
	if quick.Options.Preemptions == 0 {
		quick.Options.Preemptions = max(DefaultPreemptions, failing.Failure.Preemptions)
	}
	m := &minimization{checker: &quick, ctx: ctx, best: failing, tried: map[string]bool{}}
	m.drop()
	for _, part := range parts(failing.Test, size(m.best.Test)) {
		if len(m.tried) >= maxCandidates || m.try(part) {
			break
		}
	}
	if m.err != nil {
		return nil, m.err
	}
	return quick.simplest(ctx, m.best)
}

// enough is how many executions a part of a test gets that failed after some:
// one that fails at all mostly does so sooner, and one that does not may have
// no end of them.
func (o Options) enough(executions int) int {
	n := max(4*executions, DefaultExecutions)
	if o.MaxExecutions > 0 {
		n = min(n, o.MaxExecutions)
	}
	return n
}

// minimization is one search for a smaller test.
type minimization struct {
	checker *Checker
	ctx     context.Context
	best    *Result
	tried   map[string]bool
	err     error
}

// try checks a test and keeps it if it fails.
func (m *minimization) try(test Test) bool {
	if m.err != nil || m.ctx.Err() != nil || len(test.Threads) == 0 {
		return false
	}
	key := form(test)
	if m.tried[key] {
		return false
	}
	m.tried[key] = true
	r, err := m.checker.Check(m.ctx, test)
	if err != nil {
		m.err = err
		return false
	}
	if r.Verdict == Failed {
		m.best = r
	}
	return r.Verdict == Failed
}

// drop leaves out single calls as long as the test still fails.
func (m *minimization) drop() {
	for smaller := true; smaller; {
		smaller = false
		for i := range m.best.Test.Calls() {
			if m.try(m.best.Test.part(func(call int) bool { return call != i })) {
				smaller = true
				break
			}
		}
	}
}

// simplest checks a failing test again with ever more preemptions, so that
// the history that is shown is as plain as any.
func (c *Checker) simplest(ctx context.Context, failing *Result) (*Result, error) {
	plain := *c
	for n := range failing.Failure.Preemptions {
		plain.Options.Preemptions = n
		if n == 0 {
			plain.Options.Preemptions = NoPreemptions
		}
		if r, err := plain.Check(ctx, failing.Test); err != nil || r.Verdict == Failed {
			return r, err
		}
	}
	return failing, nil
}

// part is the test with the calls that keep says, numbered through the
// initial ones, the threads and the final ones. Threads that call nothing are
// left out.
func (m Test) part(keep func(call int) bool) Test {
	call := -1
	choose := func(calls []Call) []Call {
		var chosen []Call
		for _, c := range calls {
			if call++; keep(call) {
				chosen = append(chosen, c)
			}
		}
		return chosen
	}
	p := Test{Initial: choose(m.Initial)}
	for _, calls := range m.Threads {
		if chosen := choose(calls); chosen != nil {
			p.Threads = append(p.Threads, chosen)
		}
	}
	p.Final = choose(m.Final)
	return p
}

// size is what is to be small: calls, then threads.
func size(m Test) [2]int { return [2]int{m.Calls(), len(m.Threads)} }

func smaller(a, b [2]int) bool { return a[0] < b[0] || a[0] == b[0] && a[1] < b[1] }

// parts are the tests that a test consists of and that are smaller than a
// bound, the smallest first. Of those that differ only in which thread is
// which, there is one. There are at most a few times maxCandidates.
func parts(m Test, bound [2]int) []Test {
	n := m.Calls()
	var all []Test
	seen := map[string]bool{}
	for k := 1; k <= bound[0] && len(all) < maxCandidates; k++ {
		combinations(n, k, func(chosen []int) bool {
			p := m.part(func(call int) bool { return slices.Contains(chosen, call) })
			if key := form(p); !seen[key] && len(p.Threads) > 0 && smaller(size(p), bound) {
				seen[key] = true
				all = append(all, p)
			}
			return len(seen) < 4*maxCandidates
		})
	}
	slices.SortStableFunc(all, func(a, b Test) int {
		x, y := size(a), size(b)
		return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]))
	})
	return all
}

// combinations gives each choice of k of the numbers below n, in
// lexicographic order, until more says that it is enough.
func combinations(n, k int, more func([]int) bool) {
	at := make([]int, k)
	for i := range at {
		at[i] = i
	}
	for k <= n && more(at) {
		i := k - 1
		for i >= 0 && at[i] == n-k+i {
			i--
		}
		if i < 0 {
			return
		}
		at[i]++
		for j := i + 1; j < k; j++ {
			at[j] = at[j-1] + 1
		}
	}
}

// form is the same for two tests that differ only in the order of threads.
func form(m Test) string {
	threads := make([]string, len(m.Threads))
	for i, calls := range m.Threads {
		threads[i] = joinCalls(calls)
	}
	slices.Sort(threads)
	return joinCalls(m.Initial) + "->" + strings.Join(threads, "|") + "->" + joinCalls(m.Final)
}
