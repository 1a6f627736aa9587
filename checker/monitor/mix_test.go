package monitor

import (
	"math/rand/v2"
	"slices"

	"github.com/mapatom/mapatom/checker/history"
)

// A mix is a way to make random small histories: a sequential run on a
// model, its operations stretched to intervals that overlap, some of them
// without their return, and in most of them one result or time changed.
type mix struct {
	name    string
	kind    history.Kind
	methods []history.Method // as they are called; how they end is the model's
	unique  bool             // no value is put in twice
	values  int64
	keys    int64
	initial bool // registers begin with 0, else with Absent
	deletes bool // values may be Absent
	// searchedShare is how many histories there are at least to one that is
	// left to the search.
	searchedShare int
	least, most   int // operations; 0 means 2 and 8
}

var containerMethods = []history.Method{history.Insert, history.Remove, history.Peek}

var mixes = []mix{
	{name: "set", kind: history.Set, methods: []history.Method{history.Add, history.Take, history.ContainsTrue}, values: 3, searchedShare: 1 << 30},
	{name: "set-unique", kind: history.Set, methods: []history.Method{history.Add, history.Take, history.ContainsTrue}, unique: true, values: 3, searchedShare: 1 << 30},
	{name: "register", kind: history.Register, methods: []history.Method{history.Write, history.Read}, unique: true, initial: true, searchedShare: 1000},
	{name: "register-rmw", kind: history.Register, methods: []history.Method{history.Write, history.Read, history.CAS, history.Swap, history.FetchAdd, history.GetOrPut}, unique: true, initial: true, searchedShare: 4},
	{name: "register-any", kind: history.Register, methods: []history.Method{history.Write, history.Read, history.CAS, history.Swap}, values: 3, searchedShare: 2},
	{name: "register-cas", kind: history.Register, methods: []history.Method{history.CAS, history.Read}, unique: true, initial: true, searchedShare: 20},
	{name: "counter", kind: history.Register, methods: []history.Method{history.FetchAdd, history.Read}, unique: true, initial: true, searchedShare: 1 << 30},
	{name: "map", kind: history.Map, methods: []history.Method{history.Write, history.Read, history.CAS, history.Swap, history.GetOrPut}, unique: true, keys: 2, deletes: true, searchedShare: 4},
	{name: "map-put", kind: history.Map, methods: []history.Method{history.GetOrPut, history.Read, history.CAS}, unique: true, keys: 1, deletes: true, searchedShare: 5},
	{name: "map-any", kind: history.Map, methods: []history.Method{history.Write, history.Read, history.CAS, history.Swap, history.GetOrPut}, values: 3, keys: 1, deletes: true, searchedShare: 2},
	{name: "queue", kind: history.Queue, methods: containerMethods, unique: true, searchedShare: 4},
	{name: "stack", kind: history.Stack, methods: containerMethods, unique: true, searchedShare: 4},
	{name: "priorityqueue", kind: history.PriorityQueue, methods: containerMethods, unique: true, searchedShare: 4},
}

// log makes a history.
func (x mix) log(r *rand.Rand) *history.Log {
	if x.most == 0 {
		x.least, x.most = 2, 8
	}
	n := x.least + r.IntN(x.most-x.least+1)
	l := &history.Log{Kind: x.kind, Initial: history.Absent, MinFirst: x.kind == history.PriorityQueue && r.IntN(2) == 0}
	if x.initial {
		l.Initial = 0
	}
	s := model{kind: x.kind, minFirst: l.MinFirst, register: l.Initial}
	used := map[int64]bool{}
	at, stretch := int64(0), 1+r.Int64N(5)
	for range n {
		m, k, v, w := x.draw(r, s, used)
		at += r.Int64N(4)
		call := max(0, at-r.Int64N(stretch))
		l.Method, l.Value, l.Second = append(l.Method, m), append(l.Value, v), append(l.Second, w)
		l.Call, l.Return = append(l.Call, call), append(l.Return, at+r.Int64N(stretch))
		if x.kind == history.Map {
			l.Key = append(l.Key, k)
		}
		if next, ok := s.step(l, l.Len()-1); ok {
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
func (x mix) draw(r *rand.Rand, s model, used map[int64]bool) (m history.Method, k, v, w int64) {
	m = x.methods[r.IntN(len(x.methods))]
	k, w = r.Int64N(max(1, x.keys)), history.Absent
	now := s.register
	if x.kind == history.Map {
		var is bool
		if now, is = s.cells[k]; !is {
			now = history.Absent
		}
	}
	switch x.kind {
	case history.Set:
		return x.drawElement(r, s, m, used)
	case history.Register, history.Map:
		m, v, w = x.drawCell(r, m, now, used)
		return m, k, v, w
	}
	m, v = x.drawContainer(r, s, m, used)
	return m, k, v, w
}

func (x mix) fresh(r *rand.Rand, used map[int64]bool) int64 {
	if !x.unique {
		return r.Int64N(x.values)
	}
	for {
		if v := 1 + r.Int64N(max(20, 3*int64(x.most))); !used[v] {
			used[v] = true
			return v
		}
	}
}

func (x mix) drawElement(r *rand.Rand, s model, m history.Method, used map[int64]bool) (history.Method, int64, int64, int64) {
	v := r.Int64N(x.values)
	in := slices.Contains(s.held, v)
	switch m {
	case history.Add:
		if in || x.unique && used[v] {
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

func (x mix) drawContainer(r *rand.Rand, s model, m history.Method, used map[int64]bool) (history.Method, int64) {
	if m == history.Insert {
		return m, x.fresh(r, used)
	}
	for _, v := range s.held {
		probe := &history.Log{Method: []history.Method{m}, Value: []int64{v}, Return: []int64{0}}
		if _, ok := s.step(probe, 0); ok {
			return m, v
		}
	}
	if m == history.Remove {
		return history.RemoveEmpty, history.Absent
	}
	return history.PeekEmpty, history.Absent
}

func (x mix) drawCell(r *rand.Rand, m history.Method, now int64, used map[int64]bool) (history.Method, int64, int64) {
	next := func() int64 {
		if x.deletes && r.IntN(3) == 0 {
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
		if len(x.methods) > 2 {
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
func (x mix) spoil(r *rand.Rand, l *history.Log) {
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
func (x mix) cutOff(r *rand.Rand, l *history.Log) {
	if r.IntN(3) > 0 {
		return
	}
	for i := range l.Method {
		if r.IntN(4) == 0 {
			l.Return[i], l.Method[i] = history.Pending, l.Method[i].Called()
			hideResult(l, i)
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
		sortByCall(rows, l.Call)
	} else {
		r.Shuffle(len(rows), func(i, k int) { rows[i], rows[k] = rows[k], rows[i] })
	}
	*l = *l.Select(rows)
}
