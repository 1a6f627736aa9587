package sched

import (
	"math"
	"slices"
	"unsafe"
)

// DPOR enumerates the schedules up to the order of steps that commute: of
// those that differ only in that, one is run to its end. Two steps commute if
// they act on different objects, or if neither changes anything.
//
// It is dynamic partial order reduction (Flanagan and Godefroid, POPL'05):
// after an execution, for each two steps that could have come the other way
// round, the thread of the later one is to be tried at the earlier one. Sleep
// sets (Godefroid, LNCS 1032) see to it that what has been tried is not
// completed again. It takes for granted that code between two steps touches
// nothing that others do: that of programs with data races may show less than
// under [DepthFirst].
//
// A thread that begins an operation of a test goes on to its first step, as
// under [LateCalls]; which operations return before which others begin
// ([Called], [Returned]) is kept apart.
type DPOR struct {
	// Stands is how many schedules those that were run to their end stand for,
	// themselves included, where that could be counted; Uncounted is how many
	// of those that were run are not in it.
	Stands    float64
	Uncounted int
	// Runs counts the executions that were run to their end, and learned from;
	// Ended counts those that were given up: what they were about to do was done
	// before.
	Runs, Ended int

	run     *run
	path    []node
	depth   int     // how much of the path the execution has followed
	chosen  int     // the choice that the next step is, -1 if there was none
	events  []event // of this execution; the first ones have their clocks
	n       int     // how many there are so far
	fresh   int     // events before this one are as in the last execution
	threads []lane
	objects []unsafe.Pointer // by number
	asleep  []sleeper
	waiting []event // what threads were about to do in the end
	began   bool
	given   bool // the execution was given up
}

// lane is what is known of a thread in this execution; that of the clock is
// the first, that of thread 0 the second.
type lane struct {
	own    []int // its events
	parent int   // the event in which it was started, -1 if none
}

// event is the steps that a thread takes without being asked in between: one,
// or the beginning of an operation and its first.
type event struct {
	thread           int
	actions          []action
	called, returned bool
	node             int // the choice it was, -1 if there was none
	// clock is how many events of each lane come before it, itself included.
	clock []int
}

// node is a place where there was a choice.
type node struct {
	at      int // events before it
	objects int // that had been seen
	enabled []int
	chosen  int
	asleep  []sleeper // when it is reached
	tried   []sleeper
	todo    []int // who is to be tried
}

// sleeper is a thread that need not go on, since what it would do was tried
// before, until another one does something that does not commute with that.
type sleeper struct {
	event
	objects int // those that had been seen when it fell asleep
}

// Begin goes back to the last choice at which a thread is left to try.
func (s *DPOR) Begin() bool {
	if s.began {
		s.learn()
		if !s.back() {
			return false
		}
		s.fresh = s.path[len(s.path)-1].at
	}
	s.began = true
	s.depth, s.chosen, s.n, s.given = 0, -1, 0, false
	s.events = s.events[:s.fresh]
	s.asleep, s.waiting, s.threads, s.objects = s.asleep[:0], nil, s.threads[:0], s.objects[:0]
	return true
}

// back removes the choices that are done with, and takes the next thread at
// the last one that is left.
func (s *DPOR) back() bool {
	for len(s.path) > 0 {
		n := &s.path[len(s.path)-1]
		tried := s.events[n.at]
		tried.actions = slices.Clone(tried.actions)
		n.tried = append(n.tried, sleeper{tried, n.objects})
		for _, id := range n.todo {
			if !sleeps(n.tried, id) && !sleeps(n.asleep, id) {
				n.chosen = id
				return true
			}
		}
		s.path = s.path[:len(s.path)-1]
	}
	return false
}

func sleeps(all []sleeper, thread int) bool {
	return slices.ContainsFunc(all, func(z sleeper) bool { return z.thread == thread })
}

// Choose follows the path, and adds to it.
func (s *DPOR) Choose(d *Decision) int {
	if d.entered() {
		return d.Current
	}
	if s.depth == len(s.path) {
		id := s.awake(d)
		if id == Halt {
			s.given = true
			s.Ended++
			return Halt
		}
		s.path = append(s.path, node{
			at: s.n, objects: len(s.objects), enabled: slices.Clone(d.Enabled), chosen: id,
			asleep: slices.Clone(s.asleep), todo: []int{id},
		})
	}
	n := &s.path[s.depth]
	s.asleep = append(append(s.asleep[:0], n.asleep...), n.tried...)
	s.chosen = s.depth
	s.depth++
	return n.chosen
}

// awake is a thread that does not sleep: the one that preempts nobody, if that
// is one.
func (s *DPOR) awake(d *Decision) int {
	if id := d.def(); !sleeps(s.asleep, id) {
		return id
	}
	for _, id := range d.Enabled {
		if !sleeps(s.asleep, id) {
			return id
		}
	}
	return Halt
}

// stepped notes the step, and wakes those with whose steps it does not
// commute.
func (s *DPOR) stepped(r *run, t *Thread) {
	s.run = r
	a := r.actionOf(t)
	if int(a.number) > len(s.objects) {
		s.objects = append(s.objects, a.object)
	}
	e := s.event(t.id, &a)
	e.actions = append(e.actions, a)
	s.asleep = slices.DeleteFunc(s.asleep, func(z sleeper) bool { return z.thread == t.id || !s.unaffected(&z, e) })
}

// event is the one that an action of the thread belongs to.
func (s *DPOR) event(thread int, a *action) *event {
	if s.n > 0 {
		e := &s.events[s.n-1]
		if e.thread == thread && len(e.actions) == 1 && begins(e.actions[0].kind) && !marks(a.kind) {
			return e
		}
	}
	if s.n == len(s.events) {
		s.events = append(s.events, event{})
	}
	e := &s.events[s.n]
	*e = event{thread: thread, actions: e.actions[:0], node: s.chosen, clock: e.clock}
	s.chosen = -1
	l := s.lane(thread)
	l.own = append(l.own, s.n)
	s.n++
	return e
}

// begins reports whether a step of the kind begins an operation of a test.
func begins(k Kind) bool { return k == Start || k == Boundary }

func (s *DPOR) lane(thread int) *lane {
	for len(s.threads) <= thread+1 {
		s.threads = append(s.threads, lane{parent: -1})
	}
	return &s.threads[thread+1]
}

// latest is the last event of a thread, nil if it has none.
func (s *DPOR) latest(thread int) *event {
	own := s.lane(thread).own
	if len(own) == 0 {
		return nil
	}
	return &s.events[own[len(own)-1]]
}

func (s *DPOR) quiet(thread int) {
	if e := s.latest(thread); thread >= 0 && e != nil {
		e.actions[len(e.actions)-1].quiet = true
	}
}

// edge wakes those that begin an operation where another ends, and the other
// way round.
func (s *DPOR) edge(thread int, returned bool) {
	e := s.latest(thread)
	if thread < 0 || e == nil {
		return
	}
	if returned {
		e.returned = true
	} else {
		e.called = true
	}
	s.asleep = slices.DeleteFunc(s.asleep, func(z sleeper) bool { return !s.unaffected(&z, e) })
}

func (s *DPOR) spawned(parent, child int) {
	if parent >= 0 {
		own := s.lane(parent).own
		s.lane(child).parent = own[len(own)-1]
	}
}

// unaffected reports whether what a sleeper would do commutes with an event of
// this execution. Its own actions are those of another execution: an object
// that both had seen has the same number, any other may be any.
func (s *DPOR) unaffected(z *sleeper, e *event) bool {
	if z.called && e.returned || z.returned && e.called {
		return false
	}
	for _, a := range z.actions {
		known := a.object == nil || int(a.number) <= z.objects || len(z.actions) == 1
		switch {
		case len(z.actions) == 1:
			a.object = s.run.thread(z.thread).key // it stands there
		case known && a.object != nil:
			a.object = s.objects[a.number-1]
		}
		for i := range e.actions {
			b := &e.actions[i]
			switch {
			case known:
			case int(b.number) > z.objects, a.size > word || b.size > word:
				a.object, a.key = b.object, nil // they may be the same, or overlap
			default:
				a.object = unsafe.Pointer(&a) // any other than b's
			}
			if !a.commutes(b) {
				return false
			}
		}
	}
	return true
}

// word is the size up to which two variables are the same or apart.
const word = unsafe.Sizeof(uintptr(0))

// ended notes what the threads that are left were about to do: it may be what
// others kept them from.
func (s *DPOR) ended(r *run) {
	if s.given {
		return
	}
	for _, t := range r.threads {
		if t.phase == ready {
			s.waiting = append(s.waiting, event{thread: t.id, actions: []action{r.actionOf(t)}})
		}
	}
}

// learn finds the events that could have come the other way round, and has the
// later one's thread tried where the earlier one was chosen.
func (s *DPOR) learn() {
	for k := s.fresh; k < s.n; k++ {
		s.order(k)
	}
	for i := range s.waiting {
		e := &s.waiting[i]
		s.races(e, s.n, s.before(e.thread, s.n))
	}
	if !s.given {
		s.Runs++
		s.count()
	}
}

// before is the clock of a thread when events before k have taken place. It
// may be changed.
func (s *DPOR) before(thread, k int) []int {
	clock := make([]int, len(s.threads))
	l := s.lane(thread)
	from := l.parent
	for _, i := range l.own {
		if i < k {
			from = i
		}
	}
	if from >= 0 {
		copy(clock, s.events[from].clock)
	}
	return clock
}

// order gives event k its clock.
func (s *DPOR) order(k int) {
	e := &s.events[k]
	e.clock = s.races(e, k, s.before(e.thread, k))
	e.clock[e.thread+1]++
}

// races has the races tried in which the event, which comes when k others have
// taken place, is the later one. It returns its clock, given that of its
// thread before it.
func (s *DPOR) races(e *event, k int, before []int) []int {
	clock := slices.Clone(before)
	for i := k - 1; i >= 0; i-- {
		f := &s.events[i]
		if f.thread == e.thread {
			continue
		}
		depends, reversible := f.conflict(e)
		if !depends {
			continue
		}
		if reversible && !s.ordered(i, before) {
			s.reverse(i, k, e, before)
		}
		for t, n := range f.clock {
			clock[t] = max(clock[t], n)
		}
	}
	return clock
}

// ordered reports whether event i is among those of a clock.
func (s *DPOR) ordered(i int, clock []int) bool {
	return s.events[i].clock[s.events[i].thread+1] <= clock[s.events[i].thread+1]
}

// conflict reports whether two events of different threads do not commute, and
// whether the second could have come first.
func (e *event) conflict(f *event) (depends, reversible bool) {
	if e.called && f.returned || e.returned && f.called {
		return true, true
	}
	for i := range e.actions {
		for j := range f.actions {
			a, b := &e.actions[i], &f.actions[j]
			if !a.commutes(b) {
				depends, reversible = true, reversible || !a.excludes(b)
			}
		}
	}
	return depends, reversible
}

// reverse has the event, which comes when k others have taken place, tried
// before event i: whoever can begin what has to come before it, event i and
// what follows from that left out, is to be tried in its place. If one of these
// sleeps, it has been.
func (s *DPOR) reverse(i, k int, e *event, before []int) {
	if s.events[i].node < 0 {
		return
	}
	n := &s.path[s.events[i].node]
	first := s.initials(i, k, e, before)
	if slices.ContainsFunc(first, func(id int) bool { return slices.Contains(n.todo, id) || sleeps(n.asleep, id) }) {
		return
	}
	for _, id := range first {
		if slices.Contains(n.enabled, id) {
			n.todo = append(n.todo, id)
			return
		}
	}
	for _, id := range n.enabled {
		if !slices.Contains(n.todo, id) {
			n.todo = append(n.todo, id)
		}
	}
}

// initials are the threads that can come first in the events between i and k
// that do not follow from i, and the event after these (the set I of Abdulla
// et al., POPL'14).
func (s *DPOR) initials(i, k int, e *event, before []int) []int {
	var first []int
	least := make([]int, len(s.threads)) // events of each lane that are not among these
	for t := range least {
		least[t] = math.MaxInt
	}
	among := func(clock []int) bool {
		for t, n := range clock {
			if n >= least[t] {
				return true
			}
		}
		return false
	}
	after := true // the event needs none of them
	for j := i + 1; j < k; j++ {
		f := &s.events[j]
		if s.ordered(i, f.clock) {
			continue
		}
		lane := f.thread + 1
		if !among(f.clock) {
			first = append(first, f.thread)
		}
		least[lane] = min(least[lane], f.clock[lane])
		if depends, _ := f.conflict(e); f.thread == e.thread || depends {
			after = false
		}
	}
	if after && !among(before) {
		first = append(first, e.thread)
	}
	return first
}

// maxCounted bounds the sets of events that are looked at for counting the
// schedules that an execution stands for.
const maxCounted = 4096

// count adds the schedules that the execution stands for: the orders of its
// events that keep those apart that do not commute.
func (s *DPOR) count() {
	sets := 1
	for i := range s.threads {
		if sets *= len(s.threads[i].own) + 1; sets > maxCounted {
			s.Uncounted++
			return
		}
	}
	orders := make([]float64, sets)
	orders[0] = 1
	done := make([]int, len(s.threads))
	for set := range orders {
		stride := 1
		for t := range s.threads {
			own := s.threads[t].own
			if done[t] < len(own) && s.follows(&s.events[own[done[t]]], done) {
				orders[set+stride] += orders[set]
			}
			stride *= len(own) + 1
		}
		s.advance(done)
	}
	s.Stands += orders[sets-1]
}

// follows reports whether all that an event needs to come after has taken
// place.
func (s *DPOR) follows(e *event, done []int) bool {
	for t, n := range e.clock {
		if t == e.thread+1 {
			n--
		}
		if n > done[t] {
			return false
		}
	}
	return true
}

// advance counts up: the first lane is the lowest digit.
func (s *DPOR) advance(done []int) {
	for t := range done {
		if done[t]++; done[t] <= len(s.threads[t].own) {
			return
		}
		done[t] = 0
	}
}
