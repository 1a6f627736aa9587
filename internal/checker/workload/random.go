package workload

import (
	"math/rand/v2"

	"github.com/mapatom/mapatom/checker/history"
)

// Random makes a small history of n operations of any kind: most have the results that an
// order of points in time gives them, and then some are spoilt.
func Random(r *rand.Rand, kind history.Kind, n int) *history.Log {
	l := &history.Log{Kind: kind, Initial: int64(r.IntN(2)), Second: make([]int64, n), MinFirst: r.IntN(2) == 0}
	if kind == history.Register && r.IntN(2) == 0 {
		l.Initial = history.Absent
	}
	object, width, values := NewObject(l), 1+r.IntN(1+r.IntN(40)), 2+r.IntN(4)
	pend := r.IntN(6) - 3 // of 8 operations, how many are cut off
	for i := range n {
		point := int64(100 + 5*i + r.IntN(5))
		l.Call = append(l.Call, point-int64(r.IntN(width)))
		l.Return = append(l.Return, point+int64(r.IntN(width)))
		l.Value = append(l.Value, int64(r.IntN(values)))
		l.Second[i] = int64(r.IntN(values))
		if kind == history.Map {
			l.Key = append(l.Key, int64(r.IntN(2)))
		}
		l.Method = append(l.Method, 0)
		object = happen(r, l, object, i)
		if r.IntN(8) < pend {
			CutOff(l, i)
		}
	}
	for range min(r.IntN(6), 1) * (n + r.IntN(2*n)) {
		Change(r, l, r.IntN(n), values)
	}
	mixUp(r, l)
	return l
}

// Long makes a history of n operations, of which up to width overlap at
// any time.
func Long(r *rand.Rand, kind history.Kind, n, width int) *history.Log {
	l := &history.Log{Kind: kind, Initial: 0, Second: make([]int64, n)}
	object := NewObject(l)
	for i := range n {
		point := int64(10 * (i + width))
		l.Method, l.Value = append(l.Method, 0), append(l.Value, int64(i%7))
		l.Second[i] = int64(i % 5)
		l.Call, l.Return = append(l.Call, point-int64(r.IntN(5*width))), append(l.Return, point+int64(r.IntN(5*width)))
		if kind == history.Map {
			l.Key = append(l.Key, int64(r.IntN(3)))
		}
		object = happen(r, l, object, i)
	}
	return l
}

// happen chooses a method for row i, and results that fit the object.
func happen(r *rand.Rand, l *history.Log, o Object, i int) Object {
	methods := l.Kind.Methods()
	v, w := l.Value[i], l.Second[i]
	for range 200 {
		l.Method[i] = methods[r.IntN(len(methods))%(1+r.IntN(len(methods)))]
		l.Value[i], l.Second[i] = int64(r.IntN(int(v)+2)), int64(r.IntN(int(w)+2))
		switch m := l.Method[i]; {
		case m == history.RemoveEmpty, m == history.PeekEmpty, r.IntN(6) == 0 && m == history.Read:
			l.Value[i] = history.Absent
		case m == history.GetOrPut && r.IntN(2) == 0, r.IntN(6) == 0 && m == history.Swap:
			l.Second[i] = history.Absent
		}
		if next, ok := o.Step(l, i); ok {
			return next
		}
	}
	l.Method[i], l.Value[i] = methods[0], v // always possible, but for a set
	next, _ := o.Step(l, i)
	return next
}

// Change changes something about a row, whose values are below a bound.
func Change(r *rand.Rand, l *history.Log, i, values int) {
	if l.Return[i] == history.Pending {
		return
	}
	switch r.IntN(4) {
	case 0:
		if l.Value[i] != history.Absent {
			l.Value[i] = int64(r.IntN(values))
		}
		if l.Second[i] != history.Absent {
			l.Second[i] = int64(r.IntN(values))
		}
	case 1:
		l.Call[i] = min(l.Return[i], l.Call[i]+int64(r.IntN(10)))
		l.Return[i] = max(l.Call[i], l.Return[i]-int64(r.IntN(10)))
	case 2:
		by := min(int64(r.IntN(20)), l.Call[i])
		l.Call[i], l.Return[i] = l.Call[i]-by, l.Return[i]-by
	case 3:
		k := r.IntN(l.Len())
		if l.Return[k] != history.Pending {
			l.Value[i], l.Value[k] = l.Value[k], l.Value[i]
			l.Method[i], l.Method[k] = l.Method[k], l.Method[i]
			l.Second[i], l.Second[k] = l.Second[k], l.Second[i]
		}
	}
}

// mixUp puts the rows in no order.
func mixUp(r *rand.Rand, l *history.Log) {
	r.Shuffle(l.Len(), func(a, b int) {
		for _, c := range [][]int64{l.Key, l.Value, l.Second, l.Call, l.Return} {
			if c != nil {
				c[a], c[b] = c[b], c[a]
			}
		}
		l.Method[a], l.Method[b] = l.Method[b], l.Method[a]
	})
}
