// Package sim runs a compiled function step by step. Packages sim/sync and
// sim/atomic stand in for the real ones: each of their operations is one
// step, before which Before lets an environment act. Search enumerates what
// an environment can do, and decides for each run, by running the same
// function again, whether the whole call could have happened at once.
//
// There is one thread of control at a time, so nothing here is locked. The
// package is copied into a module of its own and compiled together with the
// functions that it runs; it uses the standard library only.
package sim

import (
	"fmt"
	"slices"
)

// run is one execution of a call together with its environment.
type run struct {
	// before is called before each step of the call; nil while the
	// environment acts, whose steps are atomic.
	before func()
	// giveUp decides whether a compare-and-swap that would succeed fails.
	giveUp func() bool
	// order decides which of n entries a Range visits next.
	order func(n int) int
	// steps counts those of the call and of the environment alike: a call
	// that spins is cut off.
	steps   int
	endless bool
	effects []effect
	// touched are the values that were in cells, or are arguments of the call.
	touched []any
	// objects are those of the environment, and asked other ones that questions are about.
	objects map[Object]any
	asked   []Node
	// contents are what the built-in maps hold, of which no operation is told.
	contents func() []any
	// found is told what each operation of the call finds; it may be nil.
	found func(found)
	// ask answers for functions of which nothing is known, which also panic if panics is set.
	ask    func(question) any
	panics bool
	unit   *Unit
	// file is in which the places are of interest where threads stop, if they are.
	file string
	// threads are set while a call that starts goroutines is under way.
	threads *threads
}

// cur is the run under way.
var cur = &run{}

// maxSteps is far more than a call makes that ends.
const maxSteps = 200

// endless is the panic that ends a call that spins.
type endless struct{}

// Before is called by each operation of the stand-ins before it acts.
func Before() {
	if cur.threads != nil {
		cur.threads.park()
		return
	}
	if cur.steps++; cur.steps > maxSteps || cur.endless {
		cur.endless = true
		panic(endless{})
	}
	cur.settle()
	cur.interrupt()
}

// interrupt lets the environment act, if there is one.
func (r *run) interrupt() {
	if hook := r.before; hook != nil {
		r.before = nil
		hook()
		r.before = hook
	}
}

// Found is called by each operation of the stand-ins: what was in the cell
// before it, and whether the operation writes.
func Found(old any, had, writes bool) {
	tell(found{old: old, had: had, writes: writes})
}

// Wrote is called by each operation that writes, with what is in the cell then.
func Wrote(v any) { cur.touch(v) }

// FoundAt is called where an operation on all of a map comes to a key.
func FoundAt(key, old any, had bool) { tell(found{old: old, had: had, key: key}) }

// FoundAll is called by an operation that removes all entries.
func FoundAll(get func(key any) (any, bool)) { tell(found{writes: true, get: get}) }

func tell(f found) {
	if f.had {
		cur.touch(f.old)
	}
	if cur.found != nil && cur.before != nil {
		cur.found(f)
	}
}

// found is what an operation came upon: at key, if that is not nil; and if it removes
// all entries, what get says.
type found struct {
	old         any
	had, writes bool
	key         any
	get         func(key any) (any, bool)
}

// GiveUp is asked by a compare-and-swap that would succeed; if it is true,
// the operation fails instead.
func GiveUp() bool { return cur.giveUp != nil && cur.giveUp() }

// Next chooses one of n entries.
func Next(n int) int {
	if n < 2 || cur.order == nil {
		return 0
	}
	return cur.order(n)
}

// Effect records that a function was called for its effect, which is an outcome
// of the call.
func Effect(name string, args ...any) {
	cur.effects = append(cur.effects, effect{name: name, args: args})
	if cur.panics {
		mayPanic(name, args)
	}
}

// mayPanic has a function panic, or do nothing.
func mayPanic(name string, args []any) { give(name, []any{nil}, args) }

// effect is one of a call.
type effect struct {
	name string
	args []any
	// asked says that it is a question, which is an effect as well if it is about
	// something that is or was in a cell, and that the program has not written down, or
	// comes after the last operation: tail says that it is one only then, and past that
	// it is none. Written is one that is given constants only. Followed is any that an operation comes after.
	asked, tail, past, written, followed bool
}

// settle has the effects be followed by an operation, and the questions be past that were none of the tail.
func (r *run) settle() {
	for i := range r.effects {
		r.effects[i].followed = true
		r.effects[i].past = r.effects[i].past || r.effects[i].tail
	}
}

// touch notes that a value was in a cell.
func (r *run) touch(v any) { r.touched = append(r.touched, v) }

// touchContents notes what was in the built-in maps.
func (r *run) touchContents() {
	for _, v := range r.contents() {
		r.touch(v)
	}
}

// wasTouched reports whether v was in a cell, as a number perhaps of another type.
func (r *run) wasTouched(v any) bool {
	return slices.ContainsFunc(r.touched, func(w any) bool {
		_, object := v.(Node)
		return v == w || !object && fmt.Sprint(v) == fmt.Sprint(w)
	})
}

// Object stands for an object that the environment has made: the number
// tells several of them apart. It is replaced by a real one, made anew for
// each run, wherever it is passed to the program.
type Object int

// Alien is a value of a type that the program does not know.
type Alien int

// Node is an object of the program. The methods are generated.
type Node interface {
	// SimFields are the values of its fields.
	SimFields() []any
	// SimNil reports whether it is a nil pointer.
	SimNil() bool
}

// Cells are what the stand-ins are to an environment and an observer.
type (
	// MapCell is a map. Its contents are in the order of insertion.
	MapCell interface {
		SimGet(key any) (any, bool)
		SimPut(key, value any)
		SimDrop(key any)
		SimKeys() []any
	}
	// AtomicCell is a single variable.
	AtomicCell interface {
		SimLoad() any
		SimStore(value any)
	}
)

// Unit is a type of the program, its variables and its functions.
type Unit struct {
	Name string
	// Threads says that its functions start goroutines.
	Threads bool
	// Written are the lines at which a function of which nothing is known is given constants
	// only, and Unused those at which nobody uses what it gives: it is called for its effect.
	Written, Unused []int
	// Ranges are the lines of those over all of a map.
	Ranges []int
	// New makes the zero object, Make an object that the environment gives
	// to the program.
	New  func() any
	Make func(n int) any
	// Cells are the maps and atomics of an object.
	Cells func(self any) []any
	Kinds []Kind   // of the cells
	Paths []string // to the cells, as in "m" and "m.m"
	Funcs []Func
}

// Kind is what a cell or a parameter can hold.
type Kind struct {
	// Pool are values worth trying, the most promising ones first.
	Pool []any
	// Int and String convert a value that somebody else suggests; nil if
	// it cannot be one of this kind.
	Int    func(int64) any
	String func(string) any
	// Nil is the nil pointer that it can hold, if it can.
	Nil any
	// Keys are the keys of a map; nil for an atomic.
	Keys []any
}

// Func is a function of a unit.
type Func struct {
	Name   string
	Params []Kind
	Names  []string // of the parameters
	// Own says of each parameter that the function has it for other functions only: it compares it, tells it, or gives
	// it back, and puts it nowhere.
	Own  []bool
	Call func(self any, args []any) []any
}

// Units are all there are; generated code adds to them.
var Units []*Unit

// As converts an argument; nil is the zero value of an interface.
func As[T any](v any) T {
	t, _ := v.(T)
	return t
}
