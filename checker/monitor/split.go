package monitor

import (
	"slices"

	"github.com/mapatom/mapatom/checker/history"
)

// Split gives parts of a history, each a history by itself, that are all
// linearizable if and only if the whole is: they can be decided apart, on other
// machines. They are cut by key, and at moments of F1 and F2 of Stream, not
// more often than after some number of operations.
func Split(l *history.Log, least int) []*history.Log {
	order := allRows(l)
	slices.SortStableFunc(order, func(a, b int32) int { return compare(l.Call[a], l.Call[b]) })
	s := l.Select(order)
	if l.Line == nil {
		for _, row := range order {
			s.Line = append(s.Line, int32(l.LineOf(int(row))))
		}
	}
	if !hasKeys(l.Kind) {
		return splitContainer(s, least)
	}
	p := allOneKey(s)
	if keys := keysOf(s); keys != nil {
		p = split(keys)
	}
	var parts []*history.Log
	for part := range p.len() {
		if ops := p.of(part); len(ops) > 0 {
			parts = append(parts, splitKey(s, ops, least)...)
		}
	}
	return parts
}

// splitContainer cuts where nothing is open and nothing inside.
func splitContainer(l *history.Log, least int) (parts []*history.Log) {
	in, end, from := 0, int64(-1), 0
	for n := 0; n <= l.Len(); n++ {
		last := n == l.Len()
		if last || n-from >= max(least, 1) && in == 0 && end < l.Call[n] {
			parts = append(parts, l.Select(allRows(l)[from:n]))
			from = n
		}
		if last {
			break
		}
		end = max(end, l.Return[n])
		switch l.Method[n] {
		case history.Insert:
			in++
		case history.Remove:
			in--
		}
	}
	return parts
}

// splitKey cuts the operations of a key where nothing is open and its value is
// certain. A part then begins with that value.
func splitKey(l *history.Log, ops []int32, least int) (parts []*history.Log) {
	known := quiet{last: -1}
	begin, from, end := 0, 0, int64(-1)
	var first *quiet // the value that the part begins with
	for n := 0; n <= len(ops); n++ {
		if n > begin && n < len(ops) && end < l.Call[ops[n]] {
			known = certain(l, ops[begin:n], known)
			begin = n
			if known.last >= 0 && n-from >= max(least, 1) {
				parts = append(parts, beginning(l, ops[from:n], first))
				cut := known
				cut.time = end
				first, from = &cut, n
			}
		}
		if n < len(ops) {
			end = max(end, l.Return[ops[n]])
		}
	}
	return append(parts, beginning(l, ops[from:], first))
}

// beginning gives some operations of a key, after one that gives it a value.
func beginning(l *history.Log, ops []int32, first *quiet) *history.Log {
	if first == nil || first.value == initialOf(l) {
		return l.Select(ops)
	}
	part := l.Select(slices.Concat([]int32{first.last}, ops))
	part.Call[0], part.Return[0] = first.time, first.time
	if l.Kind == history.Set {
		part.Method[0] = history.Add
		return part
	}
	part.Method[0], part.Value[0] = history.Write, first.value
	if part.Second != nil {
		part.Second[0] = history.Absent
	}
	return part
}
