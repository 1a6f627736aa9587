package monitor

import (
	"slices"
	"sort"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
)

// explain makes the core of a violation small, has the general search look
// at it, and finds where the violation is if that is asked for.
func (c *check) explain(l *history.Log, res *Result) error {
	slices.Sort(res.Core)
	res.Core = slices.Compact(res.Core)
	res.Core = c.shrink(l, res.Core)
	if err := c.confirm(l, res); err != nil {
		return err
	}
	if c.options.Earliest && res.Verdict == search.Violation {
		return c.findEarliest(l, res)
	}
	return nil
}

// confirmNodes bounds the search that looks at a core, which for a core of
// some tens of operations is far too much.
const confirmNodes = 1 << 20

// confirm asks the general search about the core. If it does not agree, the
// answer is the search's about the whole log: a monitor is not believed
// against it.
func (c *check) confirm(l *history.Log, res *Result) error {
	found, err := search.Rows(c.ctx, l, res.Core, search.Options{Workers: 1, Nodes: confirmNodes})
	if err != nil {
		return err
	}
	switch found.Verdict {
	case search.Violation:
		res.Confirmed = true
	case search.Linearizable:
		whole, err := c.search(l, answer{})
		if err != nil {
			return err
		}
		*res = whole
		res.Confirmed = res.Verdict == search.Violation
	}
	return nil
}

// shrinkBudget bounds the rows that all tries to leave something out look at
// together.
const shrinkBudget = 5_000_000

// A shrinker leaves out of a core what can be left out, in such a way that
// the history is not linearizable because the core is not: first everything
// about a value, since a container without a value is a history of the
// container; then one by one what only looks.
type shrinker struct {
	*check
	log    *history.Log
	kept   []int32 // rows that stay
	budget int
}

// small is the size up to which a core with a failed compare-and-swap is left
// as the monitor gave it: what only looks says there that the value cannot
// have changed.
const small = 64

func (c *check) shrink(l *history.Log, core []int32) []int32 {
	s := shrinker{check: c, log: l, budget: shrinkBudget}
	u := newUnits(l, core)
	if u.fixed {
		core, u = s.withoutFailures(core, u)
	}
	if u.fixed && len(core) <= small {
		return s.withoutLate(core)
	}
	byValue, kept := u.byValue(core)
	s.kept = kept
	rows := s.reduce(byValue)
	one, kept := looksOnly(l, rows)
	s.kept = kept
	return s.withoutLate(s.reduce(one))
}

// withoutFailures leaves out all failed compare-and-swaps, if that can be.
// If it cannot, no value can be left out: the register must have had another
// one than they ask for.
func (s *shrinker) withoutFailures(core []int32, u *units) ([]int32, *units) {
	some := slices.DeleteFunc(slices.Clone(core), func(row int32) bool { return s.log.Method[row] == history.CASFailed })
	if len(some) < len(core) && len(some) > 0 && s.isViolation(s.log, some) {
		return some, newUnits(s.log, some)
	}
	return core, u
}

// withoutLate leaves out pending operations that were called when all others
// had returned.
func (s *shrinker) withoutLate(rows []int32) []int32 {
	last := int64(-1)
	for _, row := range rows {
		if ret := s.log.Return[row]; ret != history.Pending {
			last = max(last, ret)
		}
	}
	return slices.DeleteFunc(rows, func(row int32) bool { return s.log.Call[row] > last })
}

// reduce leaves out units, halves of all first, then smaller and smaller
// runs of them, as long as the rest is not linearizable.
func (s *shrinker) reduce(units [][]int32) []int32 {
	for size := len(units); size > 0; size /= 2 {
		for from := 0; from < len(units); {
			rest := append(slices.Clone(units[:from]), units[min(len(units), from+size):]...)
			rows := s.flatten(rest)
			if s.budget -= len(rows); s.budget < 0 || s.ctx.Err() != nil {
				return s.flatten(units)
			}
			if len(rows) > 0 && s.isViolation(s.log, rows) {
				units = rest
			} else {
				from += size
			}
		}
	}
	return s.flatten(units)
}

// flatten gives the rows of units and those that stay, in order.
func (s *shrinker) flatten(units [][]int32) []int32 {
	rows := slices.Clone(s.kept)
	for _, u := range units {
		rows = append(rows, u...)
	}
	slices.Sort(rows)
	return rows
}

// isViolation reports whether rows are known not to be linearizable by
// themselves.
func (c *check) isViolation(l *history.Log, rows []int32) bool {
	some := l.Select(rows)
	silent := check{ctx: c.ctx}
	a := silent.answer(some)
	if a.reason == "" {
		return !a.ok
	}
	found, err := search.Log(c.ctx, some, search.Options{Workers: 1, Nodes: confirmNodes / 64})
	return err == nil && found.Verdict == search.Violation
}

// findEarliest finds the shortest prefix that is not linearizable. Every
// longer one is not linearizable either, so that it is found by trying some.
// The core mostly says where it ends: not always, since what failed in the
// end is in a prefix an operation that may yet succeed, and since another
// violation may be earlier. So the tries begin there, and go in steps that
// grow until they have the place between them.
func (c *check) findEarliest(l *history.Log, res *Result) error {
	inCore := c.tries(l.Select(res.Core))
	at, err := inCore.first(0, len(inCore.returns))
	if err != nil {
		return err
	}
	all := c.tries(l)
	near := len(all.returns) - 1
	if at >= 0 {
		near = slices.Index(all.returns, res.Core[inCore.returns[at]])
	}
	if at, err = all.around(near); at >= 0 {
		res.Earliest = all.returns[at]
	}
	return err
}

// tries are prefixes of a log to be decided, one for each return.
type tries struct {
	*check
	log     *history.Log
	returns []int32 // rows in order of return
	unknown bool
	err     error
}

func (c *check) tries(l *history.Log) *tries {
	t := &tries{log: l, check: &check{ctx: c.ctx, options: Options{Workers: c.options.Workers, Search: c.options.Search}}}
	for _, e := range newEvents(l).at {
		if e < 0 {
			t.returns = append(t.returns, ^e)
		}
	}
	return t
}

// fails reports whether the prefix up to a return is not linearizable. Once
// there is no answer it says so of every prefix.
func (t *tries) fails(at int) bool {
	if t.err != nil || t.unknown {
		return true
	}
	r, err := t.decide(prefix(t.log, t.returns[at]))
	t.err, t.unknown = err, r.Verdict == search.Unknown
	return r.Verdict == search.Violation
}

// first gives the first return, from one to before another, that ends a
// prefix which is not linearizable; -1 if there is none or no answer.
func (t *tries) first(from, to int) (int, error) {
	at := from + sort.Search(to-from, func(i int) bool { return t.fails(from + i) })
	if t.err != nil || t.unknown || at == to {
		return -1, t.err
	}
	return at, nil
}

// around is first for all returns, with the tries near one of them.
func (t *tries) around(near int) (int, error) {
	if !t.fails(near) {
		return t.first(near+1, len(t.returns))
	}
	failing, step := near, 1
	for failing > 0 {
		try := max(0, failing-step)
		if !t.fails(try) {
			at, err := t.first(try+1, failing)
			if at < 0 && err == nil && !t.unknown {
				at = failing
			}
			return at, err
		}
		failing, step = try, 4*step
	}
	if t.unknown || t.err != nil {
		return -1, t.err
	}
	return failing, nil
}

// prefix gives what was known when a row returned: the operations that had
// been called, those that had not returned as pending ones. Of returns at
// the same time those of lower rows are first.
func prefix(l *history.Log, end int32) *history.Log {
	at := l.Return[end]
	var rows []int32
	for row, call := range l.Call {
		if call <= at {
			rows = append(rows, int32(row))
		}
	}
	p := l.Select(rows)
	for i, row := range rows {
		if r := l.Return[row]; r > at || r == at && row > end {
			p.Return[i] = history.Pending
			p.Method[i] = p.Method[i].Called()
			hideResult(p, i)
		}
	}
	return p
}

// hideResult makes the result of an operation unknown.
func hideResult(l *history.Log, i int) {
	switch l.Method[i] {
	case history.Remove, history.Peek, history.Read:
		l.Value[i] = history.Unknowable
	case history.Swap, history.FetchAdd, history.GetOrPut:
		l.Second[i] = history.Unknowable
	}
}
