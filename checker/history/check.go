package history

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// LineOf gives the line of the file that a row stands on.
func (l *Log) LineOf(row int) int {
	if l.Line != nil {
		return int(l.Line[row])
	}
	return l.FirstLine + row
}

// InCallOrder reports whether no operation is called before the one of the
// row above it.
func (l *Log) InCallOrder() bool { return slices.IsSorted(l.Call) }

// PendingRows counts the operations that did not return.
func (l *Log) PendingRows() int {
	n := 0
	for _, end := range l.Return {
		if end == Pending {
			n++
		}
	}
	return n
}

// Check reports whether a log that a program has made is well formed: its
// columns agree, its methods are of its kind, no time is negative, none
// returns before its call, and no thread has two operations at once. Logs
// that a reader has given are.
func (l *Log) Check() error {
	if err := l.checkColumns(); err != nil {
		return err
	}
	allowed := [len(methodNames)]bool{}
	for _, m := range kindMethods[l.Kind] {
		allowed[m] = true
	}
	for i, m := range l.Method {
		if err := l.checkRow(i, int(m) < len(allowed) && allowed[m]); err != nil {
			return fmt.Errorf("operation %d: %w", i+1, err)
		}
	}
	if _, err := l.twoOpen(); err != nil {
		return err
	}
	return nil
}

// checkColumns reports whether the columns have one length, and whether those
// are there that the kind needs.
func (l *Log) checkColumns() error {
	if l.Kind == Unknown {
		return fmt.Errorf("log of an unknown kind of object")
	}
	n := l.Len()
	if len(l.Value) != n || len(l.Call) != n || len(l.Return) != n {
		return fmt.Errorf("columns of %d methods, %d values, %d calls and %d returns",
			n, len(l.Value), len(l.Call), len(l.Return))
	}
	if l.Kind == Map && len(l.Key) != n || l.Kind != Map && l.Key != nil {
		return fmt.Errorf("%d keys for %d operations of a %s", len(l.Key), n, l.Kind)
	}
	if l.Second != nil && len(l.Second) != n || l.Thread != nil && len(l.Thread) != n || l.Line != nil && len(l.Line) != n {
		return fmt.Errorf("columns of %d operations, %d second values, %d threads and %d lines",
			n, len(l.Second), len(l.Thread), len(l.Line))
	}
	return nil
}

// checkRow checks what one operation says by itself.
func (l *Log) checkRow(i int, allowed bool) error {
	m := l.Method[i]
	switch {
	case !allowed:
		return fmt.Errorf("%s is no method of a %s", m, l.Kind)
	case l.Call[i] < 0 || l.Call[i] == Pending:
		return fmt.Errorf("called at %d", l.Call[i])
	case l.Return[i] < l.Call[i]:
		return fmt.Errorf("returns at %d, before its call at %d", l.Return[i], l.Call[i])
	case l.Return[i] == Pending && m.ended():
		return fmt.Errorf("%s did not return, and yet is known to have ended that way", m)
	case m.hasSecond() && l.Second == nil:
		return fmt.Errorf("%s without a second value", m)
	case l.Thread != nil && (l.Thread[i] < 0 || int(l.Thread[i]) >= len(l.Threads)):
		return fmt.Errorf("thread %d of %d", l.Thread[i], len(l.Threads))
	}
	// Names are numbers, and one that is out of range would be printed as if
	// it were an integer of the program's.
	columns := [][]int64{l.Value, l.Second, l.Key}
	for _, column := range columns {
		if column != nil && l.isName(column[i]) && column[i]-FirstName >= int64(len(l.Names)) {
			return fmt.Errorf("name %d of %d", column[i]-FirstName, len(l.Names))
		}
	}
	return nil
}

// ended reports whether the method is one that only a call that returned can
// have.
func (m Method) ended() bool {
	switch m {
	case RemoveEmpty, PeekEmpty, AddFailed, TakeFailed, ContainsFalse, CASFailed:
		return true
	}
	return false
}

// twoOpen looks for a thread that has called an operation before the one
// before it returned, and says so about the row of the later call. Rows are
// looked at in order of call; that needs sorting only where a thread's own
// rows are not in order.
func (l *Log) twoOpen() (row int, err *Error) {
	if l.Thread == nil {
		return 0, nil
	}
	last := make([]int32, len(l.Threads)) // row+1 of the thread's last call
	for i, t := range l.Thread {
		before := last[t] - 1
		if before >= 0 && l.Call[i] < l.Return[before] {
			if l.Return[i] <= l.Call[before] {
				return l.twoOpenSorted()
			}
			return l.twoOpenAt(int(before), i)
		}
		last[t] = int32(i) + 1
	}
	return 0, nil
}

// twoOpenSorted is twoOpen for rows in any order.
func (l *Log) twoOpenSorted() (row int, err *Error) {
	order := make([]int32, l.Len())
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(l.Thread[a], l.Thread[b]), cmp.Compare(l.Call[a], l.Call[b]),
			cmp.Compare(l.Return[a], l.Return[b]), cmp.Compare(a, b))
	})
	for i := 1; i < len(order); i++ {
		a, b := order[i-1], order[i]
		if l.Thread[a] == l.Thread[b] && l.Call[b] < l.Return[a] {
			return l.twoOpenAt(int(a), int(b))
		}
	}
	return 0, nil
}

// twoOpenAt says that two rows of a thread overlap. The message is about the
// later line, since that is the one that could not be taken up.
func (l *Log) twoOpenAt(a, b int) (int, *Error) {
	if l.LineOf(a) > l.LineOf(b) {
		a, b = b, a
	}
	thread := quote([]byte(l.Threads[l.Thread[a]]))
	what := "thread " + thread + " has two operations at once, from " + span(l.Call[a], l.Return[a]) +
		" on line " + strconv.Itoa(l.LineOf(a)) + " and from " + span(l.Call[b], l.Return[b])
	return b, found(what, "one after the other")
}

// span writes an interval for a message.
func span(call, ret int64) string {
	if ret == Pending {
		return fmt.Sprintf("%d on", call)
	}
	return fmt.Sprintf("%d to %d", call, ret)
}

// Check reports whether a history that a program has made is well formed:
// every operation has a thread, a method, canonical values and results if it
// returned, none returns before its call, and no thread has two operations
// open at once. Histories that a reader has given are.
//
// A call that never returned is well formed, alone or not; a history that is
// marked as stuck has one.
func (h *History) Check() error {
	pending := false
	for i := range h.Operations {
		if err := h.checkOperation(&h.Operations[i]); err != nil {
			return fmt.Errorf("operation %d: %w", i+1, err)
		}
		pending = pending || h.Operations[i].Pending()
	}
	if h.Stuck && !pending {
		return errors.New("a stuck history in which every operation returned")
	}
	return h.checkThreads()
}

// checkOperation checks what one operation says by itself. Values must be
// canonical because they are compared as text everywhere else: 1 and "1 "
// would be two values.
func (h *History) checkOperation(o *Operation) error {
	switch {
	case o.Thread < 0 || o.Thread >= len(h.Threads):
		return fmt.Errorf("thread %d of %d", o.Thread, len(h.Threads))
	case o.Method == "":
		return errors.New("no method")
	case o.Call < 0 || o.Call == Pending:
		return fmt.Errorf("%s is called at %d", o.Method, o.Call)
	case o.Return < o.Call:
		return fmt.Errorf("%s returns at %d, before its call at %d", o.Method, o.Return, o.Call)
	case o.Pending() && o.Results != nil:
		return fmt.Errorf("%s has results and did not return", o.Method)
	}
	for _, values := range [][]Value{o.Args, o.Results} {
		for _, v := range values {
			if c, err := canonical([]byte(v)); err != nil || c != v {
				return fmt.Errorf("%s has the value %s, which is not canonical JSON", o.Method, quote([]byte(v)))
			}
		}
	}
	return nil
}

// checkThreads looks for a thread with two operations open.
func (h *History) checkThreads() error {
	order := make([]int32, len(h.Operations))
	for i := range order {
		order[i] = int32(i)
	}
	byCall := func(a, b int32) int {
		x, y := &h.Operations[a], &h.Operations[b]
		return cmp.Or(cmp.Compare(x.Call, y.Call), cmp.Compare(x.Return, y.Return))
	}
	if !slices.IsSortedFunc(order, byCall) {
		slices.SortStableFunc(order, byCall)
	}
	// It is enough to look at the one before: if an operation overlaps any
	// earlier one of its thread, then some two neighbours overlap.
	last := make([]int32, len(h.Threads))
	for _, i := range order {
		o := &h.Operations[i]
		if before := last[o.Thread]; before > 0 && o.Call < h.Operations[before-1].Return {
			b := &h.Operations[before-1]
			return fmt.Errorf("thread %q has two open operations: %s from %s and %s from %s",
				h.Threads[o.Thread], b.Method, span(b.Call, b.Return), o.Method, span(o.Call, o.Return))
		}
		last[o.Thread] = i + 1
	}
	return nil
}

// Objects gives the names of the objects, in order of their first operation.
func (h *History) Objects() []string {
	var all []string
	seen := map[string]bool{}
	for i := range h.Operations {
		if name := h.Operations[i].Object; !seen[name] {
			seen[name] = true
			all = append(all, name)
		}
	}
	return all
}

// Of gives the operations of one object as a history of their own, with the
// same threads and times.
func (h *History) Of(object string) *History {
	part := *h
	part.Operations = nil
	pending := false
	for _, o := range h.Operations {
		if o.Object == object {
			part.Operations = append(part.Operations, o)
			pending = pending || o.Pending()
		}
	}
	part.Stuck = h.Stuck && pending
	return &part
}
