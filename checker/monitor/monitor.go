package monitor

import (
	"context"
	"fmt"
	"sync"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
)

// Options say how much a caller wants to know.
type Options struct {
	_ struct{}

	// Order asks for a linearization if there is one.
	Order bool
	// Earliest asks where the history stops being linearizable. It takes
	// about as long as twenty questions whether it is.
	Earliest bool
	// Workers is the number of parts that are looked at at once; 0 means
	// GOMAXPROCS. It does not change the answer.
	Workers int
	// Search bounds the general search where that is needed.
	Search search.Options

	memory *memory // nil for none
}

// memory is what a check may use that comes after another one.
type memory struct{ cells []cell }

// cellsFor gives cells of any contents.
func (o *Options) cellsFor(n int) []cell {
	if o.memory == nil {
		return make([]cell, n)
	}
	if more := n - len(o.memory.cells); more > 0 {
		o.memory.cells = append(o.memory.cells, make([]cell, more)...)
	}
	return o.memory.cells[:n]
}

// The values of Result.Method.
const (
	ByMonitor = "monitor"
	BySearch  = "search"
)

// A Result is an answer and what stands behind it. Rows are rows of the log.
type Result struct {
	_ struct{}

	Verdict search.HistoryVerdict
	// Method says who gave the answer: ByMonitor or BySearch.
	Method string
	// Reason is why the verdict is Unknown; "" if it is not.
	Reason string
	// Order is, if the verdict is Linearizable and it was asked for, an
	// order in which the operations can have taken effect: every one that
	// returned, and those pending ones that the others need.
	Order []int32
	// Core is, if the verdict is Violation, a small set of rows, ascending,
	// that are not linearizable by themselves and of which no one that
	// only looks, and no value, can be left out. It is never empty.
	Core []int32
	// Confirmed says that the general search has looked at the core and
	// found the same. It has not if the core is too large for it.
	Confirmed bool
	// Earliest is, if the verdict is Violation and it was asked for, the
	// row of the operation whose return ends the shortest prefix that is
	// not linearizable; else -1, and also where a search on the way to it
	// had no answer. Returns at the same time are in the order of rows.
	Earliest int32
	// Ambiguous is why the monitor could not decide, if Method is BySearch.
	Ambiguous *Ambiguity
}

// An Ambiguity names two operations that a monitor cannot tell apart.
type Ambiguity struct {
	Rows [2]int32
	Why  string // a phrase about the two, such as "both put in the value 7"
}

// Check decides whether a log is linearizable. The error is about a log that
// is not well formed; what is wrong with the object under test is in the
// result.
func Check(ctx context.Context, l *history.Log, o Options) (Result, error) {
	if err := wellFormed(l); err != nil {
		return Result{}, err
	}
	r := check{ctx: ctx, options: o}
	res, err := r.decide(l)
	if err != nil || res.Verdict != search.Violation {
		return res, err
	}
	if err := r.explain(l, &res); err != nil {
		return Result{}, err
	}
	return res, nil
}

// A check is one run of Check.
type check struct {
	ctx     context.Context
	options Options
}

// decide gives the verdict, with a core that may be large.
func (c *check) decide(l *history.Log) (Result, error) {
	a := c.answer(l)
	if a.reason != "" {
		return c.search(l, a)
	}
	res := Result{Method: ByMonitor, Earliest: -1}
	if a.ok {
		res.Verdict, res.Order = search.Linearizable, a.order
	} else {
		res.Verdict, res.Core = search.Violation, a.core
	}
	return res, nil
}

// search asks the general search what the monitor could not tell: about the
// whole log, or about the parts that are open.
func (c *check) search(l *history.Log, a answer) (Result, error) {
	res := Result{Method: BySearch, Earliest: -1}
	if len(a.unclear) == 2 {
		res.Ambiguous = &Ambiguity{Rows: [2]int32{a.unclear[0], a.unclear[1]}, Why: a.reason}
	}
	if a.open == nil {
		a.open = []openPart{{rows: allRows(l)}}
	}
	res.Verdict = search.Linearizable
	for _, part := range a.open {
		found, err := c.searchRows(l, part.rows)
		if err != nil {
			return Result{}, err
		}
		switch found.Verdict {
		case search.Violation:
			res.Verdict, res.Core, res.Reason = search.Violation, found.Core, ""
			return res, nil
		case search.Unknown:
			if res.Verdict != search.Unknown {
				res.Verdict, res.Reason = search.Unknown, found.Reason.String()
			}
		default:
			a.orders = append(a.orders, found.Linearization)
		}
	}
	if c.options.Order && res.Verdict == search.Linearizable {
		res.Order = a.orders[0]
		if len(a.orders) > 1 {
			res.Order = merge(l, a.orders)
		}
	}
	return res, nil
}

// searchRows searches some rows, which are in order.
func (c *check) searchRows(l *history.Log, rows []int32) (search.Result, error) {
	o := c.options.Search
	o.Workers = c.options.Workers
	if len(rows) == l.Len() {
		return search.Log(c.ctx, l, o)
	}
	return search.Rows(c.ctx, l, rows, o)
}

func allRows(l *history.Log) []int32 {
	rows := make([]int32, l.Len())
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

// wellFormed checks what would make an answer meaningless. It is a part of
// what history.Log.Check does, for logs that no reader has made.
func wellFormed(l *history.Log) error {
	n := l.Len()
	if l.Kind == history.Unknown {
		return fmt.Errorf("a log of an unknown kind of object has no monitor")
	}
	if len(l.Value) != n || len(l.Call) != n || len(l.Return) != n ||
		l.Second != nil && len(l.Second) != n || l.Kind == history.Map && len(l.Key) != n {
		return fmt.Errorf("log of a %s: columns of different lengths", l.Kind)
	}
	var allowed [256]bool
	for _, m := range l.Kind.Methods() {
		allowed[m] = true
	}
	for i, m := range l.Method {
		switch {
		case !allowed[m]:
			return fmt.Errorf("operation %d: %s is no method of a %s", i+1, m, l.Kind)
		case l.Call[i] < 0 || l.Call[i] == history.Pending || l.Return[i] < l.Call[i]:
			return fmt.Errorf("operation %d: called at %d and returned at %d", i+1, l.Call[i], l.Return[i])
		case l.Second == nil && (m == history.CAS || m == history.Swap || m == history.FetchAdd || m == history.GetOrPut):
			return fmt.Errorf("operation %d: %s without a second value", i+1, m)
		}
	}
	return nil
}

// answer asks the monitor of the log's kind.
func (c *check) answer(l *history.Log) answer {
	switch l.Kind {
	case history.Set:
		return setAnswer(l, c.options)
	case history.Register:
		return registerAnswer(l, c.options)
	case history.Map:
		return mapAnswer(l, c.options)
	case history.Queue:
		return c.container(l, queueAnswer)
	case history.Stack:
		return c.container(l, stackAnswer)
	}
	return c.container(l, priorityAnswer)
}

// container asks the monitor of a container whose values come out in some
// order. What can be told from the values alone is told here, so that the
// monitor can rely on it: every value that is spoken of was put in, by one
// operation, and no value came out twice.
func (c *check) container(l *history.Log, monitor func(l *history.Log, ev *events) answer) answer {
	var ev *events
	var ranking sync.WaitGroup
	if l.Len() < batch {
		ev = newEvents(l)
	} else {
		ranking.Go(func() { ev = newEvents(l) })
	}
	m := matchValues(l)
	ranking.Wait()
	if m.wrong != nil || m.unclear != nil {
		return m.answer()
	}
	ev.insertOf, ev.removeOf, ev.wantOrder = m.insertOf, m.removeOf, c.options.Order
	return monitor(l, ev)
}
