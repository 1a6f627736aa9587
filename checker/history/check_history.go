package history

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

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
