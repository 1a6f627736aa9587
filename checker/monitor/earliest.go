package monitor

import (
	"slices"
	"sort"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
)

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
