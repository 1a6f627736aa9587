package monitor

import "github.com/mapatom/mapatom/checker/history"

// A walk decides the history of a cell whose every state has one next state
// at most: an element of a set, which is out, in, out, in; a counter that
// one number is added to; a chain of compare-and-swaps. Nothing is written
// blindly, and values may come again as often as they like.
//
// Then the order of the states is known, and only who makes each step is
// not. Operations that find the same and leave the same can change places,
// so that of those that have been called the one that returns first goes
// first, and those that did not return go last (the exchange keeps every
// deadline). What only looks takes effect as soon as it is called and sees
// what it saw. The cell moves on when an operation returns that could not
// take effect before: every linearization has moved on by then. So there is
// never a choice, and the walk takes O(log n) an operation.
type walk struct {
	call, ret []int64
	// finds is the state that an operation needs, makes the one that it
	// leaves; -1 if it does not change the state. avoids, if not nil, is a
	// state in which the operation cannot take effect, and -1 for most. An
	// operation with none of the three can be left out.
	finds, makes, avoids []int32
	// adds are pending additions, which find any number, in order of call:
	// all of the number by. They need values of the states.
	adds  []int32
	by    int64
	value func(op int32) int64 // that makes[op] stands for
	ids   *numbering

	states  int
	initial int32 // state
	first   int64 // its value

	at []int32 // events in order of time: an operation's call, or the complement for its return

	// Results: the operations that took effect, in order; the one that could
	// not have taken effect when it returned, or -1; and those whose return
	// made the cell move on.
	order  []int32
	stuck  int32
	forced []int32

	now      int32   // state
	nowValue int64   // of the state, if there are additions
	done     []bool  // by operation
	looking  []int32 // by state: list of operations that wait to see it
	avoiding int32   // list of operations that wait to see another one than now
	moving   []int32 // by state: heap of operations that could change it
	left     []int32 // next in a list, or left child in a heap
	right    []int32
	dist     []uint8 // to the nearest missing child, plus 1
	added    int     // pending additions that took effect
	waiting  int     // pending additions that were called
}

// reset makes room for n operations. Who calls it fills in call and ret and
// the states; nothing finds or makes anything before.
func (w *walk) reset(n, states int, initial int32) {
	w.call, w.ret = resize(w.call, n), resize(w.ret, n)
	w.finds, w.makes = fill(w.finds, n, -1), fill(w.makes, n, -1)
	w.avoids, w.adds = nil, w.adds[:0]
	w.states, w.initial = states, initial
}

// run decides, and reports whether there is a linearization.
func (w *walk) run() bool {
	n := len(w.call)
	w.sortEvents()
	w.done = fill(w.done, n, false)
	w.left, w.right, w.dist = resize(w.left, n), resize(w.right, n), resize(w.dist, n)
	w.looking, w.moving = fill(w.looking, w.states, -1), fill(w.moving, w.states, -1)
	w.order, w.forced, w.avoiding = w.order[:0], w.forced[:0], -1
	w.now, w.nowValue, w.added, w.waiting, w.stuck = w.initial, w.first, 0, 0, -1
	for _, e := range w.at {
		if e >= 0 {
			w.called(e)
		} else if !w.returned(^e) {
			w.stuck = ^e
			return false
		}
	}
	return true
}

// called lets an operation that only looks take effect if it can, and keeps
// every other one for later.
func (w *walk) called(op int32) {
	switch {
	case w.isAddition(op):
		w.waiting++
	case w.makes[op] >= 0:
		w.left[op], w.right[op], w.dist[op] = -1, -1, 1
		w.moving[w.finds[op]] = w.meld(w.moving[w.finds[op]], op)
	case w.finds[op] == w.now && w.finds[op] >= 0:
		w.take(op)
	case w.finds[op] >= 0:
		w.left[op], w.looking[w.finds[op]] = w.looking[w.finds[op]], op
	case w.avoids == nil || w.avoids[op] < 0:
	case w.avoids[op] != w.now:
		w.take(op)
	default:
		w.left[op], w.avoiding = w.avoiding, op
	}
}

// isAddition reports whether op is the next of the pending additions.
func (w *walk) isAddition(op int32) bool {
	return w.waiting < len(w.adds) && w.adds[w.waiting] == op
}

// returned makes the cell move on until op has taken effect, and reports
// whether it has.
func (w *walk) returned(op int32) bool {
	if w.done[op] {
		return true
	}
	w.forced = append(w.forced, op)
	for !w.done[op] {
		if !w.move() {
			return false
		}
	}
	return true
}

// move changes the state, if any operation that has been called can.
func (w *walk) move() bool {
	if w.now >= 0 && w.moving[w.now] >= 0 {
		op := w.moving[w.now]
		w.moving[w.now] = w.meld(w.left[op], w.right[op])
		w.take(op)
		if w.value != nil {
			w.nowValue = w.value(op)
		}
		w.enter(w.makes[op])
		return true
	}
	if w.added == w.waiting || w.nowValue == history.Absent {
		return false
	}
	w.take(w.adds[w.added])
	w.added++
	w.nowValue += w.by
	w.enter(w.ids.of(w.nowValue))
	return true
}

// enter lets those that waited for a change take effect. The state is -1 if
// nobody has seen its value.
func (w *walk) enter(state int32) {
	was := w.now
	w.now = state
	if was == state {
		return
	}
	for op := w.avoiding; op >= 0; op = w.left[op] {
		w.take(op)
	}
	w.avoiding = -1
	if state < 0 {
		return
	}
	for op := w.looking[state]; op >= 0; op = w.left[op] {
		w.take(op)
	}
	w.looking[state] = -1
}

func (w *walk) take(op int32) {
	w.done[op] = true
	w.order = append(w.order, op)
}

// meld puts two leftist heaps together; -1 is the empty one. The operation
// that returns first is on top.
func (w *walk) meld(a, b int32) int32 {
	if a < 0 {
		return b
	}
	if b < 0 {
		return a
	}
	if w.ret[b] < w.ret[a] || w.ret[b] == w.ret[a] && b < a {
		a, b = b, a
	}
	w.right[a] = w.meld(w.right[a], b)
	if w.distance(w.left[a]) < w.distance(w.right[a]) {
		w.left[a], w.right[a] = w.right[a], w.left[a]
	}
	w.dist[a] = w.distance(w.right[a]) + 1
	return a
}

func (w *walk) distance(op int32) uint8 {
	if op < 0 {
		return 0
	}
	return w.dist[op]
}

// few is the number of events up to which they are sorted by insertion.
const few = 64

// sortEvents puts the events in order, calls before returns at the same time.
func (w *walk) sortEvents() {
	if 2*len(w.call) > few {
		w.at = rank(w.call, w.ret).at
		return
	}
	w.at = w.at[:0]
	for op := range int32(len(w.call)) {
		w.insertEvent(op, w.call[op])
		if w.ret[op] != history.Pending {
			w.insertEvent(^op, w.ret[op])
		}
	}
}

func (w *walk) insertEvent(event int32, t int64) {
	w.at = append(w.at, event)
	i := len(w.at) - 1
	for ; i > 0; i-- {
		e := w.at[i-1]
		if e >= 0 && w.call[e] <= t || e < 0 && (w.ret[^e] < t || w.ret[^e] == t && event < 0) {
			break
		}
		w.at[i] = e
	}
	w.at[i] = event
}

// core gives the operations that led to where the walk was stuck: without
// the others it would have gone the same way. One that leaves what the stuck
// operation needed is there too, for a reader to see why it was no use. Some
// results of the walk are lost.
func (w *walk) core() []int32 {
	maker := w.unusedMaker()
	needed := w.done
	for op := range needed {
		needed[op] = false
	}
	for _, op := range w.order {
		needed[op] = w.makes[op] >= 0
	}
	for _, op := range w.adds[:w.added] {
		needed[op] = true
	}
	for _, op := range w.forced {
		needed[op] = true
	}
	if maker >= 0 {
		needed[maker] = true
	}
	var core []int32
	for op, is := range needed {
		if is {
			core = append(core, int32(op))
		}
	}
	return core
}

// unusedMaker gives, of the operations that leave what the stuck one needs
// and have not taken effect, the one that was called first; -1 if there is
// none.
func (w *walk) unusedMaker() int32 {
	first := int32(-1)
	for op, m := range w.makes {
		if m < 0 || m != w.finds[w.stuck] || w.done[op] || int32(op) == w.stuck {
			continue
		}
		if first < 0 || w.call[op] < w.call[first] {
			first = int32(op)
		}
	}
	return first
}
