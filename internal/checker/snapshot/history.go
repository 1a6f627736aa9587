package snapshot

import (
	"cmp"
	"context"
	"slices"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
)

// A Cell is a value in a segment. Both are numbers; a History has the texts.
type Cell struct {
	Segment int32
	Value   int32
}

// Absent is the value of a segment that has none: a key that is not there.
const Absent int32 = 0

// An Operation reads some segments and then writes some, all at once: an update
// writes one, a scan reads several, and a swap does both. Each list is in order
// of segments and has each segment at most once.
type Operation struct {
	Thread       int32
	Reads        []Cell
	Writes       []Cell
	Call, Return int64 // Return is history.Pending if it did not return
}

// Pending reports whether the operation did not return. Then it may have taken
// effect, if its Reads, where they are known, were what there was.
func (o *Operation) Pending() bool { return o.Return == history.Pending }

// A History is what was observed of a snapshot object.
type History struct {
	Segments   []string // their names
	Threads    []string
	Values     []history.Value // their texts; Values[Absent] is the text of none
	Initial    []int32         // by segment
	Operations []Operation
}

// A Method is how a history was decided.
type Method uint8

// The methods, from the fastest on.
const (
	ByAutomata Method = iota
	ByOrder
	BySearch
)

// String gives the method as reports spell it.
func (m Method) String() string { return [...]string{"automata", "order", "search"}[m] }

// A Result is an answer and what stands behind it. Numbers are those of
// operations.
type Result struct {
	_ struct{}

	Verdict search.HistoryVerdict
	Reason  search.Reason // why the verdict is Unknown
	Method  Method
	// Why says, if it was neither simple nor ordered, which operations it is
	// that only a search can tell the order of.
	Why *Ambiguity
	// Property is the one that a violation breaks, None if that is not known.
	Property Property
	// Order is, if the history is linearizable and the method is not
	// ByAutomata, an order in which the operations took effect.
	Order []int32
	// Core has operations that are not linearizable by themselves, ascending.
	Core []int32
}

// An Ambiguity is a pair of operations, which may be the same, that keeps a
// history from being decided by order.
type Ambiguity struct {
	Operations [2]int32
	Why        string
}

// Check decides whether the history is linearizable, by the fastest method that
// can. The options bound the search, if it comes to that.
func (h *History) Check(ctx context.Context, o search.Options) (Result, error) {
	if simple, calls := h.simple(); simple != nil {
		return simple.result(calls), nil
	}
	if g, why := h.order(); why == nil {
		return g.decide(), nil
	} else {
		r, err := h.search(ctx, o)
		r.Why = why
		return r, err
	}
}

// result is the answer of the automata. calls has the operation of each
// invocation.
func (h *Simple) result(calls []int32) Result {
	r := Result{Verdict: search.Linearizable, Method: ByAutomata}
	if v := h.Test(); v != nil {
		r.Verdict, r.Property = search.Violation, v.Property
		for _, at := range v.Core {
			r.Core = append(r.Core, calls[at])
		}
		slices.Sort(r.Core)
	}
	return r
}

// A moment is a call or a return.
type moment struct {
	op      int32
	returns bool
}

// moments gives calls and returns in the order in which they count: operations
// that share an instant are concurrent, and so calls come first.
func (h *History) moments() []moment {
	all := make([]moment, 0, 2*len(h.Operations))
	for i := range h.Operations {
		all = append(all, moment{int32(i), false})
		if !h.Operations[i].Pending() {
			all = append(all, moment{int32(i), true})
		}
	}
	when := func(m moment) int64 {
		if m.returns {
			return h.Operations[m.op].Return
		}
		return h.Operations[m.op].Call
	}
	slices.SortStableFunc(all, func(a, b moment) int {
		if c := cmp.Compare(when(a), when(b)); c != 0 || a.returns == b.returns {
			return c
		} else if b.returns {
			return -1
		}
		return 1
	})
	return all
}
