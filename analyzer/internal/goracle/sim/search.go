package sim

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
)

// Request asks whether a function can be interrupted such that no atomic
// call explains what happened.
type Request struct {
	Unit, Func string
	// Package says that the environment calls the unit's functions;
	// otherwise it does anything to the cells that a client could do.
	Package bool
	// Loose are functions that are no single step: in the environment others
	// come between their operations.
	Loose []Loose
	// Runs is how many runs of the function are tried at most.
	Runs int
	Seed uint64
	// Script is a run to be made instead of a search.
	Script *Script `json:",omitempty"`
	// Far has contents tried that are many calls away from the start, and
	// arguments that are nil although the function does not ask.
	Far bool
	// Apart says that no function is a single step: others come between all of its operations, as they do when it is
	// compiled.
	Apart bool
	// More has entries tried under a key more than those that the functions are given: whether there are more of them than a
	// number can matter.
	More bool
	// Small says that no number with a sign, of 32 bits or more, is so large that anybody counts to the end of its type.
	Small bool
	// OwnEntry says that others may see what the call puts somewhere and takes
	// away again: what they are shown explains itself. They put no equal value there, which it would take for its own.
	OwnEntry bool
	// Locked says that whoever comes to the cells holds a lock: nobody looks at them besides.
	Locked bool
	// Story are the functions that somebody has others call, in order: half of the random runs go by it.
	Story []Told
	// Ints and Strings are values to try besides those of the pools.
	Ints    []int64
	Strings []string
}

// Told is a function that others call, perhaps before the call begins.
type Told struct {
	Func   string
	Before bool
}

// Loose is a function that makes several steps. Operations at the lines of one
// of Steps are one of them; any other operation is a step of its own.
type Loose struct {
	Func  string
	Steps [][]int
	// Sequences are Steps without what only comes between the operations of one.
	Sequences [][]int
	// Deferred are the lines of deferred operations, and Ends those where they are made.
	Deferred, Ends []int
	// Looks are the lines of operations that are of no step and only read: it does not matter
	// when they are made.
	Looks []int
	// Perhaps says that it may be one step all the same.
	Perhaps bool
}

// Answer is what a search found.
type Answer struct {
	Err string `json:",omitempty"`
	// Runs are those that ended; Explored says that all runs with two steps
	// of the environment and the first values of the pools are among them.
	Runs     int
	Explored bool
	// Breaking is a run that no atomic call explains. Lenient is one that
	// none explains even if a compare-and-swap may give up in it.
	Breaking, Lenient string `json:",omitempty"`
	// Replay says what of a Script does not happen as it is told.
	Replay string `json:",omitempty"`
}

// search looks for a breaking run of one function.
type search struct {
	Request
	unit *Unit
	fn   *Func
	tape *tape
	// depth is how many steps the environment makes at most, during the
	// call and, for Package, before it; width how many values of each pool
	// are tried.
	depth, before, width int
	// telling says that the run goes by the story, of which left is what others are still to do.
	telling bool
	left    []Told
	// pasts are by what they have led to, and led is that in order.
	pasts  map[string][]past
	led    []string
	answer Answer
}

// Do searches: first all runs with few steps and few values, then random
// runs with more of them.
func (q Request) Do() Answer {
	if q.Script != nil {
		return q.replay()
	}
	s := &search{Request: q}
	if err := s.find(); err != nil {
		return Answer{Err: err.Error()}
	}
	s.exhaust(1, 1, 3, q.Runs/4)
	s.answer.Explored = s.exhaust(2, 2, 3, q.Runs/2)
	s.sample()
	return s.answer
}

func (s *search) find() error {
	for _, u := range Units {
		if u.Name == s.Unit {
			s.unit = s.extended(u)
		}
	}
	if s.unit == nil {
		return fmt.Errorf("no unit %s", s.Unit)
	}
	if s.fn = s.function(s.Func); s.fn == nil {
		return fmt.Errorf("no function %s of %s", s.Func, s.Unit)
	}
	s.Story = slices.DeleteFunc(s.Story, func(t Told) bool { return s.function(t.Func) == nil })
	return nil
}

// function is the function of a name, or nil.
func (s *search) function(name string) *Func {
	for i := range s.unit.Funcs {
		if s.unit.Funcs[i].Name == name {
			return &s.unit.Funcs[i]
		}
	}
	return nil
}

// extended is the unit with the request's values in front of its pools.
func (s *search) extended(u *Unit) *Unit {
	c := *u
	c.Kinds = slices.Clone(u.Kinds)
	for i := range c.Kinds {
		s.extend(&c.Kinds[i])
	}
	c.Funcs = slices.Clone(u.Funcs)
	for i := range c.Funcs {
		c.Funcs[i].Params = slices.Clone(c.Funcs[i].Params)
		for k := range c.Funcs[i].Params {
			p := &c.Funcs[i].Params[k]
			if s.extend(p); s.Far && p.isMixed() {
				p.Pool = append(p.Pool, nil)
			}
		}
	}
	return &c
}

func (s *search) extend(k *Kind) {
	var pool []any
	add := func(v any) {
		if !slices.Contains(pool, v) {
			pool = append(pool, v)
		}
	}
	for _, i := range s.Ints {
		if k.Int != nil {
			add(k.Int(i))
		}
	}
	for _, t := range s.Strings {
		if k.String != nil {
			add(k.String(t))
		}
	}
	for _, v := range k.Pool {
		if !s.Small || !isLarge(v) {
			add(v)
		}
	}
	if s.Far && k.Nil != nil {
		add(k.Nil)
	}
	if s.Far && slices.Contains(pool, any(Object(0))) {
		add(Object(-1)) // what is in it is none of the others' numbers
	}
	if s.More && k.isKey() {
		add(moreKey)
	}
	if s.More && k.Keys != nil {
		k.Keys = append(slices.Clone(k.Keys), moreKey)
	}
	k.Pool = pool
}

// isLarge reports whether a value is a number with a sign, of 32 bits or more, and near to the end of its type.
func isLarge(v any) bool {
	const large = 1 << 30
	n := reflect.ValueOf(v)
	return n.CanInt() && n.Type().Bits() >= 32 && (n.Int() > large || n.Int() < -large)
}

// moreKey is a key that is none of those in the units.
const moreKey = "c"

func (s *search) done() bool { return s.answer.Lenient != "" }

// exhaust tries all runs; it reports whether it came to the end.
func (s *search) exhaust(depth, before, width, runs int) bool {
	s.depth, s.before, s.width = depth, before, width
	s.tape = &tape{}
	for range runs {
		s.once()
		if s.done() || !s.tape.next() {
			return true
		}
	}
	return false
}

// sample tries random runs.
func (s *search) sample() {
	r := rand.New(rand.NewPCG(s.Seed, 0))
	for n := 0; n < s.Runs/4 && !s.done(); n++ {
		s.depth, s.before, s.width = 1+r.IntN(4), r.IntN(6), 2+r.IntN(maxWidth-2)
		s.tape = &tape{random: r}
		if s.left, s.telling = nil, n%2 == 1 && len(s.Story) > 0; s.telling {
			s.left, s.width = s.Story, maxWidth
			s.depth += 2 * len(s.Story)
		}
		s.once()
	}
}

// maxWidth is how many values are tried of each pool at most.
const maxWidth = 14

// once makes one run with choices of the tape, and judges it.
func (s *search) once() { s.bubble(s.one) }

// bubble runs f where the goroutines that it starts can be scheduled, if it starts any.
func (s *search) bubble(f func()) {
	if s.unit.Threads {
		Bubble(f)
		return
	}
	f()
}

func (s *search) one() {
	p := &plan{world: newWorld()}
	x := s.execution(p)
	s.prepare(x, p)
	p.args = s.args(x, s.fn)
	cur.ask = p.world.actual(s.tape)
	left, at := s.depth, -1
	cur.before = func() {
		if at++; at == 0 {
			return // what is done before the first step is a matter of prepare
		}
		for left > 0 {
			st, ok := s.choose(x, at)
			if !ok {
				return
			}
			left--
			p.steps = append(p.steps, st)
			x.perform(st)
		}
	}
	x.call(p)
	x.finish()
	x.stop()
	if x.broken || x.mistyped || len(p.steps) == 0 {
		return
	}
	s.answer.Runs++
	s.judge(x, p)
}

// judge looks for an atomic call that explains the run.
func (s *search) judge(x *execution, p *plan) {
	strict := s.explained(x, p, false)
	if strict {
		return
	}
	if s.answer.Breaking == "" {
		s.answer.Breaking = s.describe(x, p)
	}
	if !p.world.changed && !s.explained(x, p, true) {
		s.answer.Lenient = s.describe(x, p)
	}
}

// maxGivenUp bounds how often an atomic call gives up: a loop could do nothing else.
const maxGivenUp = 2

// maxInner bounds what the choices of one atomic call are tried.
const maxInner = 200

// explained reports whether the call at some place among the environment's
// steps gives what x gave.
func (s *search) explained(x *execution, p *plan, lenient bool) bool {
	for at := 0; at <= len(p.steps); at++ {
		if s.fits(x, at, lenient) {
			return true
		}
	}
	return false
}

// fits reports whether the call after at steps does, whatever is answered to
// questions that the actual call did not ask.
func (s *search) fits(x *execution, at int, lenient bool) bool {
	demon := &tape{}
	for {
		if !s.fitsSome(x, at, lenient, demon) {
			return false
		}
		if !demon.next() {
			return true
		}
	}
}

// fitsSome reports whether there are choices inside the call with which it does.
func (s *search) fitsSome(x *execution, at int, lenient bool, demon *tape) bool {
	inner := &tape{}
	for range maxInner {
		demon.at = 0
		y := s.atomic(x, at, lenient, inner, demon)
		if y.mistyped || !y.broken && y.same(x, lenient) {
			return true
		}
		if !inner.next() {
			return false
		}
	}
	return false
}

// atomic makes the call at once, after at steps of the environment.
func (s *search) atomic(x *execution, at int, lenient bool, inner, demon *tape) *execution {
	p := x.plan
	y := s.execution(p)
	y.expect = x.seen
	for _, st := range p.initial {
		y.start(st)
	}
	for _, st := range p.steps[:at] {
		y.perform(st)
	}
	cur.order, cur.ask = inner.choose, p.world.atomic(inner, demon, !lenient)
	if lenient {
		left := maxGivenUp
		cur.giveUp = func() bool {
			if left == 0 || inner.choose(2) == 0 {
				return false
			}
			left--
			return true
		}
	}
	y.call(p)
	cur.giveUp, cur.order, cur.ask = nil, nil, nil
	for _, st := range p.steps[at:] {
		y.perform(st)
	}
	y.finish()
	y.stop()
	return y
}
