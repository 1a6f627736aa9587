package monitor

import (
	"fmt"
	"slices"

	"github.com/mapatom/mapatom/checker/history"
)

// Why says in one sentence, about values, why no order explains some
// operations that contradict each other: "2 left before 1, but 1 entered before
// 2". What is said holds of the operations; it is "" where none of the sentences
// does.
func Why(core *history.Log) string {
	w := &reasons{l: core, values: map[int64]*life{}}
	for i := range core.Len() {
		w.add(i)
	}
	slices.Sort(w.order)
	text := ""
	switch core.Kind {
	case history.Queue, history.Stack, history.PriorityQueue:
		text = w.container()
	case history.Register, history.Map:
		text = w.cell()
	case history.Set:
		text = w.element()
	}
	if text != "" && core.Kind == history.Map {
		text = fmt.Sprintf("of key %s, %s", core.NameOf(core.Key[0]), text)
	}
	return text
}

// reasons is a search for a sentence.
type reasons struct {
	l      *history.Log
	values map[int64]*life
	order  []int64 // the values, ascending
	empty  []int   // operations that found nothing
}

// A life is what the operations say of one value. Operations are -1 if there
// are none.
type life struct {
	in, out     int // that put it in and took it out, the first ones
	ins, outs   int // how often it went in and came out
	seen        int // the last that found it, or took it out
	first, last int64
}

func (w *reasons) add(i int) {
	l := w.l
	m := l.Method[i]
	if m == history.RemoveEmpty || m == history.PeekEmpty {
		w.empty = append(w.empty, i)
		return
	}
	if l.Return[i] == history.Pending && l.Method[i].Called() != m || l.Value[i] == history.Unknowable {
		return
	}
	switch m {
	case history.Insert, history.Write, history.Add:
		w.of(l.Value[i]).put(l, i)
	case history.Remove, history.Take:
		v := w.of(l.Value[i])
		v.outs++
		if v.out < 0 {
			v.out = i
		}
		v.found(l, i)
	case history.Peek, history.Read, history.ContainsTrue, history.AddFailed:
		w.of(l.Value[i]).found(l, i)
	case history.CAS, history.Swap:
		// Both have the value before and the one after, in other columns.
		before, after := l.Value[i], l.Second[i]
		if m == history.Swap {
			before, after = after, before
		}
		if before != history.Unknowable {
			w.of(before).found(l, i)
		}
		w.of(after).put(l, i)
	case history.FetchAdd:
		if before := l.Second[i]; before != history.Unknowable {
			w.of(before).found(l, i)
			w.of(before+l.Value[i]).put(l, i)
		}
	case history.GetOrPut:
		switch found := l.Second[i]; found {
		case history.Unknowable:
		case history.Absent:
			w.of(l.Value[i]).put(l, i)
			w.of(history.Absent).found(l, i)
		default:
			w.of(found).found(l, i)
		}
	}
}

func (w *reasons) of(value int64) *life {
	v := w.values[value]
	if v == nil {
		v = &life{in: -1, out: -1, seen: -1, first: history.Pending, last: -1}
		w.values[value] = v
		w.order = append(w.order, value)
	}
	return v
}

func (v *life) span(l *history.Log, i int) {
	v.first, v.last = min(v.first, l.Return[i]), max(v.last, l.Call[i])
}

func (v *life) put(l *history.Log, i int) {
	v.ins++
	if v.in < 0 {
		v.in = i
	}
	v.span(l, i)
}

func (v *life) found(l *history.Log, i int) {
	if v.seen < 0 || l.Call[i] > l.Call[v.seen] {
		v.seen = i
	}
	v.span(l, i)
}

// before reports whether one operation returned before another was called.
func (w *reasons) before(a, b int) bool { return w.l.Return[a] < w.l.Call[b] }

// inside reports whether a value was certainly there all the time of an
// operation.
func (w *reasons) inside(v *life, during int) bool {
	return v.in >= 0 && w.before(v.in, during) && (v.out < 0 || w.before(during, v.out))
}

func (w *reasons) name(v int64) string { return string(w.l.NameOf(v)) }

// container is about values that go in and come out.
func (w *reasons) container() string {
	for _, x := range w.order {
		v := w.values[x]
		switch {
		case v.in < 0 && v.seen >= 0:
			return fmt.Sprintf("%s came out, but never went in", w.name(x))
		case v.outs > 1 && v.ins == 1:
			return fmt.Sprintf("%s left twice, but entered once", w.name(x))
		case v.ins == 1 && v.seen >= 0 && w.l.Return[v.seen] < w.l.Call[v.in]:
			return fmt.Sprintf("%s left before it entered", w.name(x))
		}
	}
	for _, x := range w.order {
		for _, y := range w.order {
			if x != y {
				if text := w.pair(x, y); text != "" {
					return text
				}
			}
		}
	}
	for _, i := range w.empty {
		for _, x := range w.order {
			if v := w.values[x]; v.ins == 1 && w.inside(v, i) {
				return fmt.Sprintf("nothing was found, but %s was there all that time", w.name(x))
			}
		}
	}
	return ""
}

// pair is about a value x that was found, or came out, before it may.
func (w *reasons) pair(x, y int64) string {
	v, other := w.values[x], w.values[y]
	if v.seen < 0 || v.ins != 1 || other.ins != 1 || !w.inside(other, v.seen) {
		return ""
	}
	left := "left"
	if v.seen != v.out {
		left = "was found"
	}
	then := fmt.Sprintf("%s %s before %s", w.name(x), left, w.name(y))
	if other.out < 0 {
		then = fmt.Sprintf("%s %s while %s was there", w.name(x), left, w.name(y))
	}
	switch w.l.Kind {
	case history.Queue:
		if w.before(other.in, v.in) {
			return fmt.Sprintf("%s, but %s entered before %s", then, w.name(y), w.name(x))
		}
	case history.Stack:
		if w.before(v.in, other.in) {
			return fmt.Sprintf("%s, but %s entered after %s", then, w.name(y), w.name(x))
		}
	case history.PriorityQueue:
		if y > x != w.l.MinFirst {
			return fmt.Sprintf("%s, but %s comes first", then, w.name(y))
		}
	}
	return ""
}

// cell is about the values of a register, or of a key.
func (w *reasons) cell() string {
	name := func(v int64) string {
		if v == history.Absent {
			return "nothing"
		}
		return w.name(v)
	}
	initial := initialOf(w.l)
	for _, x := range w.order {
		v := w.values[x]
		switch {
		case x != initial && v.in < 0 && v.seen >= 0:
			return fmt.Sprintf("%s was found, but not written", name(x))
		case x != initial && v.ins == 1 && v.seen >= 0 && w.l.Return[v.seen] < w.l.Call[v.in]:
			return fmt.Sprintf("%s was found before it was written", name(x))
		}
	}
	for _, x := range w.order {
		v := w.values[x]
		if v.seen < 0 || v.ins > 1 || v.ins > 0 && x == initial {
			continue
		}
		for _, y := range w.order {
			other := w.values[y]
			// y was written after x was, and was there before x was found.
			if y != x && other.ins == 1 && other.first < w.l.Call[v.seen] &&
				(v.in >= 0 && w.before(v.in, other.in) || v.in < 0 && x == initial) {
				return fmt.Sprintf("%s was found after it had been overwritten with %s", name(x), name(y))
			}
		}
	}
	for n, x := range w.order {
		for _, y := range w.order[n+1:] {
			v, other := w.values[x], w.values[y]
			if v.ins == 1 && other.ins == 1 && v.first < other.last && other.first < v.last {
				return fmt.Sprintf("%s was there before %s was, and %s before %s, but each was written once", name(x), name(y), name(y), name(x))
			}
		}
	}
	return ""
}

// element is about an element of a set.
func (w *reasons) element() string {
	for _, x := range w.order {
		v := w.values[x]
		switch {
		case v.in < 0 && v.seen >= 0:
			return fmt.Sprintf("%s was there, but nobody put it in", w.name(x))
		case v.ins == 1 && v.seen >= 0 && w.l.Return[v.seen] < w.l.Call[v.in]:
			return fmt.Sprintf("%s was there before it was put in", w.name(x))
		case v.ins == 1 && v.outs > 1:
			return fmt.Sprintf("%s was taken out more often than it was put in", w.name(x))
		}
	}
	return ""
}
