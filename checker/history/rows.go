package history

import (
	"container/heap"
	"slices"
	"strconv"
)

// History gives the log as operations: operation i is row i. Where the log
// does not say which threads there were, operations get lanes: numbered from
// 1, the first one free, so that none has two operations at once.
func (l *Log) History() *History {
	h := &History{Kind: l.Kind, Threads: l.Threads, Operations: make([]Operation, l.Len()), MinFirst: l.MinFirst}
	if l.Initial != Absent {
		h.Initial = l.NameOf(l.Initial)
	}
	var lanes []int32
	if l.Thread == nil {
		lanes, h.Threads = l.lanes()
	}
	view := l.view()
	for i := range h.Operations {
		h.Operations[i] = view.operation(i)
		if lanes != nil {
			h.Operations[i].Thread = int(lanes[i])
		}
	}
	return h
}

// Operation gives one row as an operation. Its thread is 0 if the log does
// not say.
func (l *Log) Operation(row int) Operation { return l.view().operation(row) }

// A rowView says rows in the words of a program.
type rowView struct {
	*Log
	// presence says that a second result tells whether there was a value,
	// since null is one.
	presence bool
}

// view looks at the names once for all rows.
func (l *Log) view() rowView { return rowView{l, slices.Contains(l.Names, "null")} }

// operation gives the row as the call and the results that Logs would make
// the row of.
func (v rowView) operation(i int) Operation {
	o := Operation{Object: v.Object, Call: v.Call[i], Return: v.Return[i], Line: int32(v.LineOf(i))}
	if v.Thread != nil {
		o.Thread = int(v.Thread[i])
	}
	s := v.spelling(i)
	o.Method = s.word
	o.Args = make([]Value, 0, 3)
	if v.Key != nil {
		o.Args = append(o.Args, v.NameOf(v.Key[i]))
	}
	o.Args = append(o.Args, v.args(s, i)...)
	if !o.Pending() {
		o.Results = v.results(s, i)
	}
	return o
}

// spelling gives the word for a row. Writing Absent into a map is erasing,
// which has words of its own.
func (v rowView) spelling(i int) spelling {
	m := v.Method[i]
	switch {
	case v.Kind != Map:
	case m == Write && v.Value[i] == Absent:
		return spelling{"delete", Write, Write, shapeErase}
	case m == Swap && v.Value[i] == Absent:
		return spelling{"load_and_delete", Swap, Swap, shapeTake}
	case (m == CAS || m == CASFailed) && v.Log.Second[i] == Absent:
		return spelling{"compare_and_delete", CAS, CASFailed, shapeCASOut}
	}
	s := canonicalOf(v.Kind, m)
	s.method = m
	return s
}

// args gives what a call took, its key left out.
func (v rowView) args(s spelling, i int) []Value {
	switch s.shape {
	case shapeOut, shapeRead, shapeErase, shapeTake:
		return nil
	case shapeCAS:
		return []Value{v.NameOf(v.Value[i]), v.NameOf(v.Log.Second[i])}
	}
	return []Value{v.NameOf(v.Value[i])}
}

// results gives what a call that returned gave.
func (v rowView) results(s spelling, i int) []Value {
	switch s.shape {
	case shapeOut, shapeRead:
		return v.result(v.Value[i])
	case shapeTest, shapeCAS, shapeCASOut:
		if v.Method[i].ended() {
			return []Value{"false"}
		}
		return []Value{"true"}
	case shapeSwap, shapeTake:
		return v.result(v.Log.Second[i])
	}
	return []Value{}
}

// result gives a value that may be missing, as the history says that.
func (v rowView) result(x int64) []Value {
	switch {
	case !v.presence:
		return []Value{v.NameOf(x)}
	case x == Absent:
		return []Value{"null", "false"}
	}
	return []Value{v.NameOf(x), "true"}
}

// lanes gives every row the lowest lane that is free when it is called.
func (l *Log) lanes() ([]int32, []string) {
	order := l.byCall()
	lanes := make([]int32, l.Len())
	var busy laneHeap // by when they are free
	var free freeLanes
	count := int32(0)
	for _, row := range order {
		// Operations that share an instant are concurrent, and concurrent
		// operations are not in one lane: the comparison is strict.
		for len(busy) > 0 && busy[0].until < l.Call[row] {
			heap.Push(&free, heap.Pop(&busy).(busyLane).lane)
		}
		if len(free) == 0 {
			heap.Push(&free, count)
			count++
		}
		lanes[row] = heap.Pop(&free).(int32)
		heap.Push(&busy, busyLane{l.Return[row], lanes[row]})
	}
	names := make([]string, count)
	for i := range names {
		names[i] = strconv.Itoa(i + 1)
	}
	return lanes, names
}

// byCall gives the rows in order of their calls.
func (l *Log) byCall() []int32 {
	order := make([]int32, l.Len())
	for i := range order {
		order[i] = int32(i)
	}
	if !l.InCallOrder() {
		slices.SortStableFunc(order, func(a, b int32) int {
			switch {
			case l.Call[a] < l.Call[b]:
				return -1
			case l.Call[a] > l.Call[b]:
				return 1
			}
			return 0
		})
	}
	return order
}

// A busyLane is a lane with the time from which it is free.
type busyLane struct {
	until int64
	lane  int32
}

// A laneHeap has the lane on top that is free first.
type laneHeap []busyLane

func (h laneHeap) Len() int           { return len(h) }
func (h laneHeap) Less(i, j int) bool { return h[i].until < h[j].until }
func (h laneHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *laneHeap) Push(x any)        { *h = append(*h, x.(busyLane)) }
func (h *laneHeap) Pop() any {
	x := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return x
}

// freeLanes has the lowest on top, so that pictures fill from the left.
type freeLanes []int32

func (h freeLanes) Len() int           { return len(h) }
func (h freeLanes) Less(i, j int) bool { return h[i] < h[j] }
func (h freeLanes) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *freeLanes) Push(x any)        { *h = append(*h, x.(int32)) }
func (h *freeLanes) Pop() any {
	x := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return x
}
