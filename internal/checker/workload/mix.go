package workload

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/mapatom/mapatom/checker/history"
)

// A Mix is a way to make random small histories: a sequential run on an
// object, its operations stretched to intervals that overlap, some of them
// without their return, and in most of them one result or time changed.
type Mix struct {
	Name    string
	Kind    history.Kind
	Methods []history.Method // as they are called; how they end is the object's
	Unique  bool             // no value is put in twice
	Values  int64
	Keys    int64
	Initial bool // registers begin with 0, else with Absent
	Deletes bool // values may be Absent

	Least, Most int // operations; 0 means 2 and 8
}

// Log makes a history.
func (x Mix) Log(r *rand.Rand) *history.Log {
	if x.Most == 0 {
		x.Least, x.Most = 2, 8
	}
	n := x.Least + r.IntN(x.Most-x.Least+1)
	l := &history.Log{Kind: x.Kind, Initial: history.Absent, MinFirst: x.Kind == history.PriorityQueue && r.IntN(2) == 0}
	if x.Initial {
		l.Initial = 0
	}
	s := NewObject(l)
	used := map[int64]bool{}
	at, stretch := int64(0), 1+r.Int64N(5)
	for range n {
		m, k, v, w := x.draw(r, s, used)
		at += r.Int64N(4)
		call := max(0, at-r.Int64N(stretch))
		l.Method, l.Value, l.Second = append(l.Method, m), append(l.Value, v), append(l.Second, w)
		l.Call, l.Return = append(l.Call, call), append(l.Return, at+r.Int64N(stretch))
		if x.Kind == history.Map {
			l.Key = append(l.Key, k)
		}
		if next, ok := s.Step(l, l.Len()-1); ok {
			s = next
		}
	}
	for range r.IntN(9) {
		x.spoil(r, l)
	}
	x.cutOff(r, l)
	shuffle(r, l)
	return l
}

// draw makes an operation that the model allows.
func (x Mix) draw(r *rand.Rand, s Object, used map[int64]bool) (m history.Method, k, v, w int64) {
	m = x.Methods[r.IntN(len(x.Methods))]
	k, w = r.Int64N(max(1, x.Keys)), history.Absent
	now := s.cell(k)
	switch x.Kind {
	case history.Set:
		return x.drawElement(r, s, m, used)
	case history.Register, history.Map:
		m, v, w = x.drawCell(r, m, now, used)
		return m, k, v, w
	}
	m, v = x.drawContainer(r, s, m, used)
	return m, k, v, w
}

func (x Mix) fresh(r *rand.Rand, used map[int64]bool) int64 {
	if !x.Unique {
		return r.Int64N(x.Values)
	}
	for {
		if v := 1 + r.Int64N(max(20, 3*int64(x.Most))); !used[v] {
			used[v] = true
			return v
		}
	}
}

func (x Mix) drawElement(r *rand.Rand, s Object, m history.Method, used map[int64]bool) (history.Method, int64, int64, int64) {
	v := r.Int64N(x.Values)
	in := slices.Contains(s.held, v)
	switch m {
	case history.Add:
		if in || x.Unique && used[v] {
			m = history.AddFailed
		}
		used[v] = true
	case history.Take:
		if !in {
			m = history.TakeFailed
		}
	default:
		if !in {
			m = history.ContainsFalse
		}
	}
	return m, 0, v, history.Absent
}

func (x Mix) drawContainer(r *rand.Rand, s Object, m history.Method, used map[int64]bool) (history.Method, int64) {
	if m == history.Insert {
		return m, x.fresh(r, used)
	}
	if v, ok := s.Next(); ok {
		return m, v
	}
	if m == history.Remove {
		return history.RemoveEmpty, history.Absent
	}
	return history.PeekEmpty, history.Absent
}

func (x Mix) drawCell(r *rand.Rand, m history.Method, now int64, used map[int64]bool) (history.Method, int64, int64) {
	next := func() int64 {
		if x.Deletes && r.IntN(3) == 0 {
			return history.Absent
		}
		return x.fresh(r, used)
	}
	switch m {
	case history.Read:
		return m, now, history.Absent
	case history.Write:
		return m, next(), history.Absent
	case history.CAS:
		if r.IntN(4) == 0 {
			if v := r.Int64N(20); v != now {
				return history.CASFailed, v, next()
			}
		}
		return m, now, next()
	case history.FetchAdd:
		by := int64(1)
		if len(x.Methods) > 2 {
			by = 1 + r.Int64N(3)
		}
		if now == history.Absent {
			return history.Read, now, history.Absent
		}
		used[now+by] = true
		return m, by, now
	}
	return m, next(), now // Swap, GetOrPut
}

// spoil changes a result or a time.
func (x Mix) spoil(r *rand.Rand, l *history.Log) {
	i, k := r.IntN(l.Len()), r.IntN(l.Len())
	switch r.IntN(3) {
	case 0:
		if w := l.Return[i] - l.Call[i]; true {
			l.Call[i] = max(0, l.Call[i]+r.Int64N(9)-4)
			l.Return[i] = l.Call[i] + w
		}
	case 1:
		switch l.Method[i] {
		case history.Remove, history.Peek, history.Read:
			if l.Method[k] == history.Insert || l.Method[k] == history.Write || l.Method[k] == l.Method[i] {
				l.Value[i], l.Value[k] = l.Value[k], l.Value[i]
			}
		case history.Swap, history.GetOrPut, history.CAS:
			if l.Method[k] == l.Method[i] {
				l.Second[i], l.Second[k] = l.Second[k], l.Second[i]
			}
		case history.ContainsFalse, history.ContainsTrue:
			l.Method[i] = history.ContainsFalse + history.ContainsTrue - l.Method[i]
		case history.AddFailed:
			l.Method[i] = history.ContainsFalse
		}
	case 2:
		l.Call[i], l.Return[i], l.Call[k], l.Return[k] = l.Call[k], l.Return[k], l.Call[i], l.Return[i]
	}
}

// cutOff takes the returns of some operations away.
func (x Mix) cutOff(r *rand.Rand, l *history.Log) {
	if r.IntN(3) > 0 {
		return
	}
	for i := range l.Method {
		if r.IntN(4) == 0 {
			CutOff(l, i)
		}
	}
}

// shuffle puts the rows in order of call, or half of the time in no order.
func shuffle(r *rand.Rand, l *history.Log) {
	rows := make([]int32, l.Len())
	for i := range rows {
		rows[i] = int32(i)
	}
	if r.IntN(2) == 0 {
		slices.SortStableFunc(rows, func(a, b int32) int { return cmp.Compare(l.Call[a], l.Call[b]) })
	} else {
		r.Shuffle(len(rows), func(i, k int) { rows[i], rows[k] = rows[k], rows[i] })
	}
	*l = *l.Select(rows)
}
