package explore

// A successor is a state one step further, before it got its canonical form.
// It is overwritten by the next one.
type successor struct {
	state    []byte
	observer int32
	thread   int
	wrong    bool // no right object has the history
	complete bool // every thread is done
}

// An expander finds the successors of states. It belongs to one goroutine.
type expander struct {
	m        *Model
	observer Observer
	renamer  Renamer // the observer, if it is one
	cache    map[nextKey]int32
	x        Thread
	out      successor
	log      *stepLog // of what is executed, if not nil
	merge    bool     // a call and private steps are taken together with an atomic one
	naming   naming
	given    int // fresh values so far, for inOrder
}

// nextKey is what Observer.Next depends on.
type nextKey struct {
	state int32
	event Event
}

// maxCache is how much a goroutine remembers of what the observer said. An
// observer with few states fits; one that knows each history does not, and
// remembers itself.
const maxCache = 1 << 16

// A stepLog is what was executed in one step of the exploration.
type stepLog struct {
	call    *Call
	choices []branch
	steps   []Label
	events  []Event
}

// A naming is how fresh values are chosen.
type naming uint8

const (
	leastUnused naming = iota // names of values that are gone are used again
	byCalls                   // by the number of calls so far: no name is used twice
	inOrder                   // the n-th is n, for people
)

func newExpander(m *Model, o Observer, merge bool) *expander {
	e := &expander{m: m, observer: o, cache: map[nextKey]int32{}, merge: merge}
	e.renamer, _ = o.(Renamer)
	if e.renamer == nil || !merge {
		e.naming = byCalls
	}
	e.x.m = m
	e.out.state = make([]byte, m.base(m.Bounds.Threads))
	return e
}

// expand gives every successor to emit: in order of threads, then of calls,
// then of choices.
func (e *expander) expand(state []byte, observer int32, emit func(*successor)) {
	for t := range e.m.Bounds.Threads {
		e.expandThread(state, observer, t, emit)
	}
}

func (e *expander) expandThread(state []byte, observer int32, t int, emit func(*successor)) {
	base := e.m.base(t)
	if state[base+headerPC] != 0 {
		e.branches(state, observer, t, nil, emit)
		return
	}
	calls := e.m.mayCall(t, int(state[base+headerCalled]))
	for i := range calls {
		e.branches(state, observer, t, &calls[i], emit)
	}
}

// branches runs one step of a thread in every way that its choices allow.
func (e *expander) branches(state []byte, observer int32, t int, call *Call, emit func(*successor)) {
	x := &e.x
	x.choices = x.choices[:0]
	for {
		copy(e.out.state, state)
		if e.run(observer, t, call) {
			emit(&e.out)
		}
		last := len(x.choices) - 1
		for last >= 0 && x.choices[last].taken+1 == x.choices[last].of {
			last--
		}
		if x.choices = x.choices[:last+1]; last < 0 {
			return
		}
		x.choices[last].taken++
	}
}

// maxPrivateSteps is how many private steps may follow each other.
const maxPrivateSteps = 1000

// run takes one step of a thread in e.out.state. If steps are merged, it is a
// call, private steps, one atomic step, and private steps up to the next
// atomic one, as far as they are there. It reports whether the step was
// enabled.
func (e *expander) run(observer int32, t int, call *Call) bool {
	x := &e.x
	x.state, x.id, x.base, x.chosen = e.out.state, t, e.m.base(t), 0
	e.out.thread, e.out.observer, e.out.wrong, e.out.complete = t, observer, false, false
	if e.log != nil {
		*e.log = stepLog{call: call}
		defer func() { e.log.choices = x.choices }()
	}
	if call != nil {
		e.call(call)
		if !e.merge {
			return true
		}
	}
	atomic := false
	for n := 0; !e.out.wrong && x.state[x.base+headerPC] != 0; n++ {
		x.step = Label(x.state[x.base+headerPC])
		if n == maxPrivateSteps {
			x.wrong("private steps go round in a circle")
		}
		if e.m.program[x.step].atomic {
			if atomic {
				break
			}
			atomic = true
		}
		if !e.execute() {
			return false
		}
		if !e.merge {
			break
		}
	}
	e.out.complete = e.m.complete(x.state)
	return true
}

// call starts an operation.
func (e *expander) call(c *Call) {
	x, m := &e.x, e.m
	method := &m.methods[c.Method]
	argument := c.Argument
	if method.argument.fresh {
		argument = e.fresh()
	}
	x.state[x.base+headerPC] = byte(method.entry)
	x.state[x.base+headerCalled]++
	x.state[x.base+headerArgument] = argument
	e.observe(Event{Kind: Called, Thread: uint8(x.id), Method: c.Method, Argument: argument})
}

// execute takes one small step and reports whether it was enabled.
func (e *expander) execute() bool {
	x, m := &e.x, e.m
	in := &m.program[x.step]
	x.next, x.returned, x.blocked, x.points = x.step+1, false, false, 0
	x.event = Event{Thread: uint8(x.id), Method: in.method, Argument: x.Argument()}
	in.do(x)
	if x.blocked {
		return false
	}
	if e.log != nil {
		e.log.steps = append(e.log.steps, x.step)
	}
	result := x.event.Result
	for range x.points {
		x.event.Kind, x.event.Result = TookEffect, Words{}
		e.observe(x.event)
	}
	if x.returned {
		x.event.Kind, x.event.Result = Returned, result
		e.observe(x.event)
		x.leave()
		return true
	}
	if int(x.next) >= len(m.program) || x.next == 0 || m.program[x.next].method != in.method {
		x.wrong("the step after it belongs to another method")
	}
	x.state[x.base+headerPC] = byte(x.next)
	return true
}

// leave makes the thread idle.
func (x *Thread) leave() {
	called := x.state[x.base+headerCalled]
	clear(x.state[x.base : x.base+x.m.threadSize()])
	x.state[x.base+headerCalled] = called
}

// observe lets the observer see an event.
func (e *expander) observe(event Event) {
	if e.out.wrong {
		return
	}
	if e.log != nil {
		e.log.events = append(e.log.events, event)
	}
	key := nextKey{e.out.observer, event}
	next, ok := e.cache[key]
	if !ok {
		next = e.observer.Next(key.state, event)
		if len(e.cache) < maxCache {
			e.cache[key] = next
		}
	}
	e.out.observer = next
	e.out.wrong = next == Wrong
}

// fresh is a value that is neither in the state nor in the observer's.
func (e *expander) fresh() byte {
	x, m := &e.x, e.m
	switch e.naming {
	case byCalls:
		n := m.preset + 1
		for t := range m.Bounds.Threads {
			n += int(x.state[m.base(t)+headerCalled])
		}
		return byte(n)
	case inOrder:
		return byte(m.preset + e.given + 1)
	}
	used := m.usedValues(x.state) | e.renamer.Values(e.out.observer) | 1
	v := byte(0)
	for used&(1<<v) != 0 {
		v++
	}
	return v
}

// usedValues is a mask of the values in a state.
func (m *Model) usedValues(state []byte) uint64 {
	var used uint64
	for i, k := range m.shared {
		if k == Value {
			used |= 1 << state[i]
		}
	}
	for t := range m.Bounds.Threads {
		words := state[m.base(t):]
		if m.takesFresh(words[headerPC]) {
			used |= 1 << words[headerArgument]
		}
		for i, k := range m.private {
			if k == Value {
				used |= 1 << words[headerSize+i]
			}
		}
	}
	return used
}

// takesFresh reports whether the method that a thread is in has a value as
// its argument.
func (m *Model) takesFresh(pc byte) bool {
	return pc != 0 && m.methods[m.program[pc].method].argument.fresh
}

// complete reports whether no thread has anything left to do.
func (m *Model) complete(state []byte) bool {
	for t := range m.Bounds.Threads {
		words := state[m.base(t):]
		if words[headerPC] != 0 || len(m.mayCall(t, int(words[headerCalled]))) > 0 {
			return false
		}
	}
	return true
}

// start is the state that everything starts in.
func (m *Model) start() []byte {
	state := make([]byte, m.base(m.Bounds.Threads))
	if m.initial != nil {
		m.initial(&Thread{m: m, state: state, base: m.base(0)})
	}
	return state
}
