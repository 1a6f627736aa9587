package search

import (
	"slices"

	"github.com/mapatom/mapatom/checker/history"
)

// bruteForce decides a tiny log by trying every order of its operations, with
// every choice of pending ones. It shares nothing with the package.
func bruteForce(l *history.Log) bool {
	rows := make([]int, l.Len())
	for i := range rows {
		rows[i] = i
	}
	return bruteOrders(l, bruteStart(l), rows)
}

func bruteStart(l *history.Log) []int64 {
	if l.Kind == history.Register {
		return []int64{l.Initial}
	}
	return nil
}

// bruteOrders tries every row that is left as the next one: no other row
// that is left may have returned before it was called.
func bruteOrders(l *history.Log, state []int64, left []int) bool {
	if !slices.ContainsFunc(left, func(i int) bool { return l.Return[i] != history.Pending }) {
		return true
	}
	for at, i := range left {
		if slices.ContainsFunc(left, func(k int) bool { return l.Return[k] < l.Call[i] }) {
			continue
		}
		if next, ok := bruteStep(l, state, i); ok {
			if bruteOrders(l, next, slices.Delete(slices.Clone(left), at, at+1)) {
				return true
			}
		}
	}
	return false
}

// bruteStep does a row's operation on the state: the values of a container,
// oldest first; the elements of a set; the one value of a register; pairs of
// keys and values of a map.
func bruteStep(l *history.Log, state []int64, i int) ([]int64, bool) {
	switch l.Kind {
	case history.Stack, history.Queue, history.PriorityQueue:
		return bruteContainer(l, state, i)
	case history.Set:
		return bruteSet(l, state, i)
	case history.Register:
		v, ok := bruteCell(l, state[0], i)
		return []int64{v}, ok
	}
	for k := 0; k < len(state); k += 2 {
		if state[k] == l.Key[i] {
			v, ok := bruteCell(l, state[k+1], i)
			next := slices.Clone(state)
			next[k+1] = v
			return next, ok
		}
	}
	v, ok := bruteCell(l, history.Absent, i)
	return append(slices.Clone(state), l.Key[i], v), ok
}

func bruteContainer(l *history.Log, state []int64, i int) ([]int64, bool) {
	known := l.Return[i] != history.Pending
	at := 0 // of the value that is next
	switch {
	case len(state) == 0:
		at = -1
	case l.Kind == history.Stack:
		at = len(state) - 1
	case l.Kind == history.PriorityQueue && l.MinFirst:
		at = slices.Index(state, slices.Min(state))
	case l.Kind == history.PriorityQueue:
		at = slices.Index(state, slices.Max(state))
	}
	switch l.Method[i] {
	case history.Insert:
		return append(slices.Clone(state), l.Value[i]), true
	case history.Remove:
		if at < 0 {
			return state, !known
		}
		return slices.Delete(slices.Clone(state), at, at+1), !known || state[at] == l.Value[i]
	case history.Peek:
		return state, !known || at >= 0 && state[at] == l.Value[i]
	}
	return state, at < 0
}

func bruteSet(l *history.Log, state []int64, i int) ([]int64, bool) {
	v, known := l.Value[i], l.Return[i] != history.Pending
	in := slices.Contains(state, v)
	with, rest := append(slices.Clone(state), v), slices.DeleteFunc(slices.Clone(state), func(x int64) bool { return x == v })
	switch l.Method[i] {
	case history.Add:
		if in {
			return state, !known
		}
		return with, true
	case history.Take:
		return rest, in || !known
	case history.AddFailed, history.ContainsTrue:
		return state, in || !known
	}
	return state, !in
}

func bruteCell(l *history.Log, now int64, i int) (int64, bool) {
	known := l.Return[i] != history.Pending
	v, w := l.Value[i], l.Second[i]
	switch l.Method[i] {
	case history.Write:
		return v, true
	case history.Read:
		return now, !known || now == v
	case history.CAS:
		if now == v {
			return w, true
		}
		return now, !known
	case history.CASFailed:
		return now, now != v
	case history.Swap:
		return v, !known || now == w
	case history.FetchAdd:
		if now == history.Absent {
			return now, !known
		}
		return now + v, !known || now == w
	}
	// GetOrPut.
	if now == history.Absent {
		return v, !known || w == history.Absent
	}
	return now, !known || now == w
}
