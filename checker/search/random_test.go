package search

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/mapatom/mapatom/checker/history"
)

// randomLog makes a history of n operations: most have the results that an
// order of points in time gives them, and then some are spoilt.
func randomLog(r *rand.Rand, kind history.Kind, n int) *history.Log {
	l := &history.Log{Kind: kind, Initial: int64(r.IntN(2)), Second: make([]int64, n), MinFirst: r.IntN(2) == 0}
	if kind == history.Register && r.IntN(2) == 0 {
		l.Initial = history.Absent
	}
	state, width, values := bruteStart(l), 1+r.IntN(1+r.IntN(40)), 2+r.IntN(4)
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
		state = happen(r, l, state, i)
		if r.IntN(8) < pend {
			cutOff(l, i)
		}
	}
	for range min(r.IntN(6), 1) * (n + r.IntN(2*n)) {
		spoil(r, l, r.IntN(n), values)
	}
	shuffle(r, l)
	return l
}

// happen chooses a method for row i, and results that fit the state.
func happen(r *rand.Rand, l *history.Log, state []int64, i int) []int64 {
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
		if next, ok := bruteStep(l, state, i); ok {
			return next
		}
	}
	l.Method[i], l.Value[i] = methods[0], v // always possible, but for a set
	next, _ := bruteStep(l, state, i)
	return next
}

// cutOff makes row i pending.
func cutOff(l *history.Log, i int) {
	l.Return[i] = history.Pending
	l.Method[i] = l.Method[i].Called()
	switch l.Method[i] {
	case history.Remove, history.Peek, history.Read:
		l.Value[i] = history.Unknowable
	case history.Swap, history.FetchAdd, history.GetOrPut:
		l.Second[i] = history.Unknowable
	}
}

// spoil changes something about a row.
func spoil(r *rand.Rand, l *history.Log, i, values int) {
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

func shuffle(r *rand.Rand, l *history.Log) {
	r.Shuffle(l.Len(), func(a, b int) {
		for _, c := range [][]int64{l.Key, l.Value, l.Second, l.Call, l.Return} {
			if c != nil {
				c[a], c[b] = c[b], c[a]
			}
		}
		l.Method[a], l.Method[b] = l.Method[b], l.Method[a]
	})
}

// draw writes a log for a failure's message.
func draw(l *history.Log) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, initially %d, min first %t\n", l.Kind, l.Initial, l.MinFirst)
	for i := range l.Method {
		fmt.Fprintf(&b, "%3d %-12s %d %d  %d..%d", i, l.Method[i], l.Value[i], l.Second[i], l.Call[i], l.Return[i])
		if l.Key != nil {
			fmt.Fprintf(&b, " key %d", l.Key[i])
		}
		b.WriteByte('\n')
	}
	return b.String()
}
