package monitor

import (
	"slices"

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
