package search

import (
	"context"
	"fmt"

	"github.com/mapatom/mapatom/checker/history"
)

// Log decides by search whether the history of an object of a known kind is
// linearizable. Its values need not be unique. A set is split by elements
// and a map by keys. It fails if the log is not well formed.
func Log(ctx context.Context, l *history.Log, o Options) (Result, error) {
	if err := l.Check(); err != nil {
		return Result{}, err
	}
	switch l.Kind {
	case history.Stack:
		return checkRows(ctx, l, stackSpec(l), o), nil
	case history.Queue:
		return checkRows(ctx, l, queueSpec(l), o), nil
	case history.PriorityQueue:
		return checkRows(ctx, l, heapSpec(l), o), nil
	case history.Set, history.Register, history.Map:
		return checkRows(ctx, l, cellSpec(l), o), nil
	}
	return Result{}, fmt.Errorf("no model of a %s", l.Kind)
}

// Rows is Log for some of the rows only, as if the others had never been.
// Rows in the result are rows of the log. Its cost does not depend on the
// rows that are left out.
func Rows(ctx context.Context, l *history.Log, rows []int32, o Options) (Result, error) {
	for i, row := range rows {
		if row < 0 || int(row) >= l.Len() {
			return Result{}, fmt.Errorf("there is no row %d in a log of %d", row, l.Len())
		}
		if i > 0 && row <= rows[i-1] {
			return Result{}, fmt.Errorf("row %d is asked for after row %d", row, rows[i-1])
		}
	}
	r, err := Log(ctx, l.Select(rows), o)
	for _, list := range [][]int32{r.Linearization, r.Core, r.Longest} {
		for i, row := range list {
			list[i] = rows[row]
		}
	}
	if r.Earliest >= 0 && r.Verdict == Violation {
		r.Earliest = rows[r.Earliest]
	}
	return r, err
}

// checkRows searches the parts of the log.
func checkRows[S any](ctx context.Context, l *history.Log, sp *spec[S], o Options) Result {
	j := newJob(sp, partsOf(l), o)
	j.run(ctx)
	return j.result(ctx)
}

// partsOf splits the rows of sets by their elements and those of maps by
// their keys, in the order in which these come up first.
func partsOf(l *history.Log) [][]int32 {
	all := make([]int32, l.Len())
	by := l.Key
	switch l.Kind {
	case history.Set:
		by = l.Value
	case history.Map:
	default:
		for row := range all {
			all[row] = int32(row)
		}
		return [][]int32{all}
	}
	number := make(map[int64]int32)
	var sizes []int
	for _, v := range by {
		n, ok := number[v]
		if !ok {
			n = int32(len(sizes))
			number[v], sizes = n, append(sizes, 0)
		}
		sizes[n]++
	}
	// One array holds all parts: a set may have a million elements.
	parts := make([][]int32, len(sizes))
	for n, size := range sizes {
		parts[n], all = all[:0:size], all[size:]
	}
	for row, v := range by {
		n := number[v]
		parts[n] = append(parts[n], int32(row))
	}
	return parts
}

// alikeRows compares rows by what they say, and pending ones by what they
// ask.
func alikeRows(l *history.Log) *alike {
	ask := func(row int32) (history.Method, int64, int64) {
		m := l.Method[row].Called()
		switch m {
		case history.Remove, history.Peek, history.Read:
			return m, 0, 0
		case history.CAS:
			return m, l.Value[row], l.Second[row]
		}
		return m, l.Value[row], 0
	}
	say := func(row int32) (history.Method, int64, int64) {
		if l.Second == nil {
			return l.Method[row], l.Value[row], 0
		}
		return l.Method[row], l.Value[row], l.Second[row]
	}
	key := func(row int32, isPending bool) (history.Method, int64, int64) {
		if isPending {
			return ask(row)
		}
		return say(row)
	}
	return &alike{
		hash: func(row int32, isPending bool) uint64 {
			m, v, w := key(row, isPending)
			return mix(mix(uint64(v))+uint64(w)) + uint64(m)
		},
		same: func(a, b int32, isPending bool) bool {
			m, v, w := key(a, isPending)
			n, x, y := key(b, isPending)
			return m == n && v == x && w == y
		},
	}
}
