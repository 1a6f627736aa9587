package workload

import (
	"container/heap"
	"math/rand/v2"
	"strconv"

	"github.com/mapatom/mapatom/checker/history"
)

// Threads call a correct object, which takes each operation at some moment
// between its call and its return: Log is what they observe.
type Threads struct {
	Kind       history.Kind
	Operations int
	Number     int    // of threads; 0 means 40; half of them put something in, the others take it out or look
	Keys       int    // of a Map; 0 means 10
	Seed       uint64 // the same seed gives the same history
	// Broken gives one operation near the end a result that it cannot have.
	// A history of a few operations may have none that can be spoiled.
	Broken bool
	// Pending is the number of operations at the end that do not return, at
	// most one a thread.
	Pending int

	// Of containers:

	// Fill is for how many of the operations, of a hundred, values are only put
	// in at first.
	Fill int
	// Peeks is how many of ten operations that put nothing in are to look; 0 means 1.
	Peeks int
	// Spread has values be far from each other.
	Spread bool
}

// Log makes the history. Its rows are in order of call, and its values are
// put in once.
func (g Threads) Log() *history.Log {
	if g.Number <= 0 {
		g.Number = 40
	}
	if g.Keys <= 0 {
		g.Keys = 10
	}
	if g.Peeks <= 0 {
		g.Peeks = 1
	}
	gen := &generation{Threads: g, r: rand.New(rand.NewPCG(g.Seed, uint64(g.Kind))), log: &history.Log{Kind: g.Kind, Initial: history.Absent}}
	for t := range g.Number {
		gen.log.Threads = append(gen.log.Threads, strconv.Itoa(t+1))
	}
	gen.run()
	if g.Broken {
		gen.spoil()
	}
	return gen.log
}

// A generation is one run of the threads.
type generation struct {
	Threads
	r   *rand.Rand
	log *history.Log
	now int64
	at  []threadAt
	obj running
	// fresh is the next value to put in; recent are values put in of late.
	fresh  int64
	recent []int64

	insertOf map[int64]int // row that put a value in, while spoiling
}

// A threadAt is where a thread is: the row of its operation, and whether
// that has taken effect.
type threadAt struct {
	row  int32 // -1 between operations
	done bool
}

// run lets a thread take a step, again and again: call an operation, let it
// take effect, or return.
func (g *generation) run() {
	g.at = make([]threadAt, g.Number)
	for t := range g.at {
		g.at[t].row = -1
	}
	g.obj = newRunning(g.Kind)
	open := 0
	for g.log.Len() < g.Operations || open > g.Pending {
		t := g.r.IntN(g.Number)
		if g.log.Len() < g.Operations/100*g.Fill {
			t /= 2 // of those that put in
		}
		th := &g.at[t]
		switch {
		case th.row < 0 && g.log.Len() < g.Operations:
			g.call(int32(t))
			open++
		case th.row < 0:
		case !th.done:
			th.done = g.takeEffect(int(th.row))
		default:
			g.log.Return[th.row], th.row, th.done = g.now, -1, false
			g.now++
			open--
		}
	}
	for _, th := range g.at {
		if th.row >= 0 {
			CutOff(g.log, int(th.row))
		}
	}
}

// call appends the row of an operation.
func (g *generation) call(thread int32) {
	l := g.log
	m, key, value, second := g.choose(int(thread) < (g.Number+1)/2)
	g.at[thread].row = int32(l.Len())
	l.Method, l.Value, l.Thread = append(l.Method, m), append(l.Value, value), append(l.Thread, thread)
	if g.Kind == history.Map {
		l.Key, l.Second = append(l.Key, key), append(l.Second, second)
	}
	l.Call, l.Return = append(l.Call, g.now), append(l.Return, history.Pending)
	g.now++
}

// choose draws an operation as it is called.
func (g *generation) choose(putsIn bool) (m history.Method, key, value, second int64) {
	second = history.Absent
	switch g.Kind {
	case history.Set:
		return g.chooseElement(putsIn)
	case history.Register:
		if putsIn {
			return history.Write, 0, g.next(), second
		}
		return history.Read, 0, history.Absent, second
	case history.Map:
		return g.chooseCell(putsIn)
	}
	switch {
	case putsIn:
		return history.Insert, 0, g.next(), second
	case g.r.IntN(10) < g.Peeks:
		return history.Peek, 0, history.Absent, second
	}
	return history.Remove, 0, history.Absent, second
}

// next gives a value that was not put in before.
func (g *generation) next() int64 {
	v := g.number()
	if g.Spread {
		v *= 1e9
	}
	return v
}

// number counts; but of a priority queue in no order.
func (g *generation) number() int64 {
	g.fresh++
	if g.Kind == history.PriorityQueue {
		const odd = 0x9e3779b1 // prime to every power of two
		size := int64(1)
		for size <= int64(g.Operations) {
			size *= 2
		}
		return g.fresh * odd % size
	}
	return g.fresh
}

func (g *generation) chooseElement(putsIn bool) (m history.Method, key, value, second int64) {
	if putsIn && g.r.IntN(10) > 0 || len(g.recent) == 0 {
		v := g.next()
		g.recent = append(g.recent, v)
		return history.Add, 0, v, history.Absent
	}
	at := g.r.IntN(len(g.recent))
	v := g.recent[at]
	switch {
	case putsIn:
		return history.ContainsTrue, 0, v, history.Absent
	case g.r.IntN(4) == 0:
		return history.ContainsTrue, 0, v, history.Absent
	}
	if g.r.IntN(8) > 0 {
		g.recent[at] = g.recent[len(g.recent)-1]
		g.recent = g.recent[:len(g.recent)-1]
	}
	return history.Take, 0, v, history.Absent
}

func (g *generation) chooseCell(putsIn bool) (m history.Method, key, value, second int64) {
	key, second = g.r.Int64N(int64(g.Keys)), history.Absent
	switch n := g.r.IntN(20); {
	case putsIn && n < 2:
		return history.GetOrPut, key, g.next(), second
	case putsIn && n < 4:
		return history.Swap, key, history.Absent, second
	case putsIn:
		return history.Write, key, g.next(), second
	}
	return history.Read, key, history.Absent, second
}

// takeEffect gives an operation its result, and reports whether it has one:
// most that find a container empty wait.
func (g *generation) takeEffect(row int) bool {
	l := g.log
	m, v := l.Method[row], l.Value[row]
	switch l.Kind {
	case history.Set:
		l.Method[row] = g.obj.element(m, v)
	case history.Register:
		l.Value[row] = g.obj.cell(0, m, v)
	case history.Map:
		found := g.obj.cell(l.Key[row], m, v)
		if m == history.Read {
			l.Value[row] = found
		} else {
			l.Second[row] = found
		}
	default:
		if m == history.Insert {
			g.obj.put(v)
			return true
		}
		found, ok := g.obj.take(m == history.Remove)
		switch {
		case ok:
			l.Value[row] = found
		case g.log.Len() < g.Operations && g.r.IntN(64) > 0:
			return false
		default:
			l.Method[row] = m + 1 // RemoveEmpty or PeekEmpty
		}
	}
	return true
}

// A running object is changed by each operation, in little time.
type running struct {
	kind  history.Kind
	held  []int64 // by a container
	cells map[int64]int64
	in    map[int64]bool
}

func newRunning(k history.Kind) running {
	return running{kind: k, cells: make(map[int64]int64), in: make(map[int64]bool)}
}

func (o *running) put(v int64) {
	if o.kind == history.PriorityQueue {
		heap.Push((*largestFirst)(&o.held), v)
		return
	}
	o.held = append(o.held, v)
}

func (o *running) take(remove bool) (v int64, ok bool) {
	n := len(o.held)
	if n == 0 {
		return 0, false
	}
	v = o.held[0]
	if o.kind == history.Stack {
		v = o.held[n-1]
	}
	switch {
	case !remove:
	case o.kind == history.Stack:
		o.held = o.held[:n-1]
	case o.kind == history.Queue:
		o.held = o.held[1:]
	default:
		heap.Pop((*largestFirst)(&o.held))
	}
	return v, true
}

// element gives the method with how it ended.
func (o *running) element(m history.Method, v int64) history.Method {
	was := o.in[v]
	switch {
	case m == history.Add:
		o.in[v] = true
	case m == history.Take:
		delete(o.in, v)
	}
	if was == (m == history.Add) {
		return m + 1 // AddFailed, TakeFailed, ContainsFalse
	}
	return m
}

// cell does an operation on a register or a key, and gives what it found; of
// a write, what it wrote.
func (o *running) cell(key int64, m history.Method, v int64) int64 {
	now, is := o.cells[key]
	if !is {
		now = history.Absent
	}
	if m == history.Write || m == history.Swap || m == history.GetOrPut && now == history.Absent {
		o.cells[key] = v
	}
	if m == history.Write && o.kind == history.Register {
		return v
	}
	if m == history.Write {
		return history.Absent
	}
	return now
}

// largestFirst is a heap.
type largestFirst []int64

func (h largestFirst) Len() int           { return len(h) }
func (h largestFirst) Less(i, k int) bool { return h[i] > h[k] }
func (h largestFirst) Swap(i, k int)      { h[i], h[k] = h[k], h[i] }
func (h *largestFirst) Push(v any)        { *h = append(*h, v.(int64)) }
func (h *largestFirst) Pop() any {
	old := *h
	v := old[len(old)-1]
	*h = old[:len(old)-1]
	return v
}
