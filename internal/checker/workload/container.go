package workload

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/mapatom/mapatom/checker/history"
)

// Container makes a small history of a queue, stack or priority queue: an
// execution of a correct one by threads that are interrupted anywhere, or a heap of
// operations at any times; many of them with something changed afterwards. Size is how
// many operations it has, nearly.
func Container(r *rand.Rand, kind history.Kind, size int) *history.Log {
	return chance{r}.log(kind, size)
}

// A chance makes what Container does.
type chance struct{ *rand.Rand }

func (r chance) one(percent int) bool { return r.IntN(100) < percent }

func (r chance) log(kind history.Kind, largest int) *history.Log {
	l := &history.Log{Kind: kind, MinFirst: kind == history.PriorityQueue && r.one(50)}
	size := 3 + r.IntN(largest-2)
	if r.one(75) {
		r.heap(l, size)
	} else {
		r.execution(l, size)
		for r.one(45) {
			r.spoil(l)
		}
	}
	if r.one(30) {
		for i, m := range l.Method {
			if m != history.Insert && r.one(30) {
				CutOff(l, i)
			}
		}
	}
	r.shuffle(l)
	return l
}

// execution runs threads on an object.
func (r chance) execution(l *history.Log, size int) {
	o := NewObject(l)
	open := make([]int, 2+r.IntN(3)) // row+1 of each thread's operation
	applied := map[int]bool{}
	now, fresh, peeks, removes := int64(1), r.Perm(2*size), 10+r.IntN(30), 30+r.IntN(30)
	for l.Len() < size || r.one(70) {
		now += int64(r.IntN(2))
		t := r.IntN(len(open))
		row := open[t] - 1
		switch {
		case row < 0 && l.Len() < size:
			r.call(l, now, fresh, peeks, removes)
			open[t] = l.Len()
		case row < 0:
		case !applied[row]:
			o, applied[row] = r.apply(o, l, row), true
		default:
			l.Return[row], open[t] = now, 0
		}
	}
	for _, o := range open {
		if row := o - 1; row >= 0 && l.Method[row] != history.Insert {
			CutOff(l, row)
		}
	}
}

func (r chance) call(l *history.Log, now int64, fresh []int, peeks, removes int) {
	m, value := history.Insert, int64(fresh[l.Len()])
	if p := r.IntN(100); p < peeks {
		m = history.Peek
	} else if p < peeks+removes {
		m = history.Remove
	}
	Add(l, m, value, now, history.Pending)
}

// apply lets a row take effect.
func (r chance) apply(o Object, l *history.Log, row int) Object {
	if l.Method[row] != history.Insert {
		v, ok := o.Next()
		if !ok {
			l.Value[row] = history.Absent
			l.Method[row]++ // from Remove to RemoveEmpty, from Peek to PeekEmpty
			return o
		}
		l.Value[row] = v
	}
	o, _ = o.Step(l, row)
	return o
}

// heap makes operations at random times, so that none on a value returns
// before the value goes in, and none is called after it has gone out.
func (r chance) heap(l *history.Log, size int) {
	span, length := 3+r.IntN(3*size), 1+r.IntN(size)
	if l.Kind == history.Stack {
		// A stack leaves more freedom; what does not overlap leaves less.
		span, length = 2*size+r.IntN(3*size), 1+r.IntN(size/2)
	}
	for value := int64(0); l.Len() < size; value++ {
		if r.one(10) {
			call := int64(r.IntN(span))
			m := []history.Method{history.RemoveEmpty, history.PeekEmpty}[r.IntN(2)]
			Add(l, m, history.Absent, call, call+int64(r.IntN(length)))
			continue
		}
		call := int64(r.IntN(span))
		Add(l, history.Insert, value, call, call+int64(r.IntN(length)))
		last := int64(span + length)
		if r.one(80) {
			out := call + int64(r.IntN(span-int(call)+1))
			last = out + int64(r.IntN(length))
			Add(l, history.Remove, value, out, last)
		}
		for r.one(25) {
			seen := min(last, call+int64(r.IntN(span)))
			Add(l, history.Peek, value, seen, max(call, seen+int64(r.IntN(length))))
		}
	}
	for r.one(20) {
		r.spoil(l)
	}
}

// spoil changes something.
func (r chance) spoil(l *history.Log) {
	i, j := r.IntN(l.Len()), r.IntN(l.Len())
	pending := l.Return[i] == history.Pending || l.Return[j] == history.Pending
	values := l.Method[i] != history.Insert && l.Method[j] != history.Insert
	switch r.IntN(5) {
	case 0:
		if values && !pending {
			l.Method[i], l.Method[j] = l.Method[j], l.Method[i]
			l.Value[i], l.Value[j] = l.Value[j], l.Value[i]
		}
	case 1:
		if !pending && values {
			l.Value[i], l.Method[i] = history.Absent, history.RemoveEmpty
		}
	case 2:
		l.Call[i] = max(0, l.Call[i]-int64(r.IntN(4)))
	case 3:
		if l.Return[i] != history.Pending {
			l.Call[i] += int64(r.IntN(4))
			l.Return[i] = max(l.Call[i], l.Return[i]+int64(r.IntN(5))-2)
		}
	case 4:
		if l.Method[i] != history.Insert && r.one(50) {
			CutOff(l, i)
		} else if l.Method[i] == history.Insert && r.one(50) {
			l.Return[i] = history.Pending
		}
	}
}

// shuffle puts the rows in another order, mostly that of their calls.
func (r chance) shuffle(l *history.Log) {
	rows := make([]int32, l.Len())
	for i, row := range r.Perm(l.Len()) {
		rows[i] = int32(row)
	}
	if r.one(70) {
		slices.SortFunc(rows, func(a, b int32) int { return cmp.Compare(l.Call[a], l.Call[b]) })
	}
	*l = *l.Select(rows)
}
