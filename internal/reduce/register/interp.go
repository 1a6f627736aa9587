package register

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Value is what a local or a cell holds in a concrete run, as canonical
// text: a literal as in Operand.Lit ("nil", "true", "3", `"a"`), an
// identity ("Session#1"), or any other name, such as "v1", for a value that
// is known only by being equal to itself. LitAbsent is the content of a
// cell that holds nothing; no local ever holds it. Two values are equal
// exactly when their texts are.
type Value string

// IsLit reports whether v is a literal, that is a constant of the program's
// text rather than a value that came to exist while it ran.
func (v Value) IsLit() bool {
	switch v {
	case LitNil, LitTrue, LitFalse, LitAbsent:
		return true
	case "":
		return false
	}
	return strings.IndexByte(`0123456789-"&{`, v[0]) >= 0
}

// IsNumber reports whether v is written as a number.
func (v Value) IsNumber() bool { return v != "" && strings.IndexByte("0123456789-", v[0]) >= 0 }

// Tells reports whether a literal that is found in a cell says that it was there: it is a number, and not
// the one that is found where nothing is as well.
func (v Value) Tells() bool { return v.IsNumber() && v != "0" }

// Host supplies what a program leaves open.
type Host interface {
	// Pure is result number result of the uninterpreted function name. It
	// must be a function of its arguments.
	Pure(name string, result int, args []Value) Value
	// Fresh is an identity unlike any value that exists.
	Fresh(site string, contents []Value) Value
	// Unknown is result number result of the call at site. It is asked for
	// results that are used only.
	Unknown(site string, result int, args []Value) Value
}

// Tracer may be implemented by a Host that wants to see the base operations.
type Tracer interface {
	Trace(Event)
}

// Watcher may be implemented by a Host that wants to see the effects as they
// are executed, observable or not.
type Watcher interface {
	Watch(EffectEvent)
}

// Follower may be implemented by a Host that wants to know which way a run goes at
// branches.
type Follower interface {
	Follow(block, to int)
}

// Calculator may be implemented by a Host that wants to see what is calculated.
type Calculator interface {
	Calculated(in *Instr, args []Value)
}

// Giver may be implemented by a Host that runs a specification: it says
// whether a weak CAS that could succeed gives up instead.
type Giver interface {
	GiveUp(cell int) bool
}

// Event is one base operation of a run.
type Event struct {
	Op   Op
	Cell int
	Args []Value
	// Results are old and had, or old and ok, even where nobody uses them.
	Results []Value
	Pos     Pos
}

// Point is a scheduling point: a moment at which other goroutines may act.
// There is one before each base operation, Enter and Lock outside of any
// Enter and Leave, and one when the program has ended.
type Point struct {
	// Index counts the points of the run from 0.
	Index int
	// Exit says that the program has ended; Block and Instr tell where.
	Exit         bool
	Block, Instr int
	// Locals are the locals, "" for those not yet set. They may be looked at
	// until yield returns, and not be changed.
	Locals []Value
	// Effects counts the effects executed so far.
	Effects int
}

// EffectEvent is one Effect instruction that was executed.
type EffectEvent struct {
	Name string
	Args []Value
	// Called, Beside, Asks and Counts are those of the instruction.
	Called bool
	Beside int
	Asks   bool
	Counts bool
}

// Concerns are the values that it is done to.
func (e *EffectEvent) Concerns() []Value { return e.Args[:len(e.Args)-e.Beside] }

// Outcome is what a finished run gave.
type Outcome struct {
	// Kind is Return or Panic.
	Kind  TermKind
	Label string
	Vals  []Value
	// Effects are all effects in order, observable or not: see Observed.
	Effects []EffectEvent
	// Published are the values, sorted, that this run read from a cell or
	// really stored to one. A result that nobody uses was not read, but a
	// successful CAS knows what it replaced. Of literals only those are published that
	// tell: two that are announced as found may be the same one.
	Published []Value
}

// Observed are the effects that another goroutine can notice: those with an
// argument that was published by this run, before the effect or after it, and
// those of a tail. A question is about no number.
func (o *Outcome) Observed() []EffectEvent {
	var seen []EffectEvent
	for _, e := range o.Effects {
		concerns := func(v Value) bool { return o.published(v) && !(e.Asks && v.IsNumber()) }
		if e.Counts || IsTail(e.Name) || slices.ContainsFunc(e.Concerns(), concerns) {
			seen = append(seen, e)
		}
	}
	return seen
}

func (o *Outcome) published(v Value) bool {
	_, found := slices.BinarySearch(o.Published, v)
	return found
}

// ErrDiverges is the error of a run that does not end, as far as one can
// tell: it repeats a state, or it takes more than the steps allowed.
var ErrDiverges = errors.New("does not end")

// ErrRepeats is ErrDiverges of a run that has come back to a state it was in, with nothing unpredictable in
// between: that one is certain not to end.
var ErrRepeats = fmt.Errorf("%w: it comes back to where it was", ErrDiverges)

// errBadProgram marks errors that a well-formed program cannot cause.
var errBadProgram = errors.New("bad program")

// Run executes p, which must be in region form, with the arguments args on
// the contents cells, which it changes in place. At each scheduling point it
// calls yield, if not nil, which may change cells as well; an error of yield
// ends the run. A run of more than maxSteps instructions ends with
// ErrDiverges; so does one that comes back to a state it was in, which is
// looked for when yield is nil.
func Run(p *Program, args, cells []Value, host Host, yield func(Point) error, maxSteps int) (Outcome, error) {
	m := machine{p: p, cells: cells, host: host, yield: yield, left: maxSteps}
	m.tracer, _ = host.(Tracer)
	if err := m.start(args); err != nil {
		return Outcome{}, fmt.Errorf("run %s: %w", p.Name, err)
	}
	if err := m.run(); err != nil {
		return Outcome{}, fmt.Errorf("run %s: block %d, instruction %d: %w", p.Name, m.block, m.instr, err)
	}
	return m.out, nil
}
