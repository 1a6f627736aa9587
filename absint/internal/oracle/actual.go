package oracle

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// The actual run: the program is interrupted by the environment.

// question asks for a value that the programs leave open.
type question struct {
	kind  questionKind
	index int // of the argument, cell, answer or identity
	app   *Application
	// boolean asks for true or false, absent allows an absent cell.
	boolean, absent bool
	// among are the answers, "" for any; nil is any.
	among []register.Value
	// allow tells which existing values the answer may equal.
	allow func(*entry) bool
}

type questionKind int

const (
	askArgument questionKind = iota
	askContent
	askApplication
	askUnknown
)

// source makes the choices of an actual run.
type source interface {
	answer(r *run, q question) (register.Value, error)
	// identity is the name of the nth identity, "" for the usual one.
	identity(nth int) register.Value
	// act performs, by r.apply, the environment's steps at a point.
	act(r *run, at register.Point) error
}

// Ends of an actual run that are not its own.
var (
	// errStop ends it where the history does.
	errStop = errors.New("the history ends here")
	// errDropped ends a run in which the environment's step never ends, and
	// errRepeats one that waits for nothing.
	errDropped = errors.New("a step does not end")
	errRepeats = errors.New("the run repeats itself")
)

// run is one actual run.
type run struct {
	pr    *Problem
	bools *bools
	from  source

	pool  pool
	h     History
	world map[string]register.Value // applications in h.World
	cells []register.Value
	saw   []string // what the environment saw in each step of h.Steps

	// outcome is what the program gave, unless h.Pending. before counts the
	// environment's steps while it ran.
	outcome register.Outcome
	before  int

	runs    int   // RunStep steps so far
	changes int   // of cells
	err     error // of a method that returns none
}

// execute performs the actual run. An error means that the history is
// impossible or the program bad; all else ends with a run that can be
// checked.
func (r *run) execute(lits []register.Value) error {
	r.pool.entries = make([]entry, 0, 16)
	for _, v := range lits {
		r.pool.add(v)
	}
	r.h.Steps, r.saw = make([]EnvStep, 0, 8), make([]string, 0, 8)
	r.world = map[string]register.Value{}
	if err := r.begin(); err != nil {
		return err
	}
	args, cells := r.h.Args, r.cells
	out, err := register.Run(r.pr.Program, args, cells, r, r.yield, r.pr.Bounds.Run)
	if r.err != nil {
		err = r.err
	}
	switch {
	case err == nil:
		r.outcome = out
		return nil
	case errors.Is(err, errStop), errors.Is(err, errDropped), errors.Is(err, errRepeats),
		errors.Is(err, register.ErrDiverges):
		r.h.Pending, r.before = true, len(r.h.Steps)
		return nil
	}
	return err
}

// begin chooses the arguments and the initial contents.
func (r *run) begin() error {
	p := r.pr.Program
	for i, l := range p.Params {
		v, err := r.ask(question{kind: askArgument, index: i,
			boolean: r.bools.has(localClass(-1, l)), allow: passable(p, l)})
		if err != nil {
			return err
		}
		r.h.Args = append(r.h.Args, v)
	}
	for i, c := range p.Cells {
		v, err := r.initial(i, c)
		if err != nil {
			return err
		}
		r.h.Initial = append(r.h.Initial, v)
		r.pool.see(v)
	}
	r.cells = append([]register.Value(nil), r.h.Initial...)
	return nil
}

func (r *run) initial(i int, c register.Cell) (register.Value, error) {
	q := question{kind: askContent, index: i, boolean: r.bools.has(cellClass(i)),
		absent: c.Kind != register.Atomic, allow: r.content(i)}
	if r.pr.Env == Package {
		unused := register.Value(register.LitAbsent)
		if c.Kind == register.Atomic {
			unused = register.Value(c.Zero)
		}
		if r.pr.Initial == nil || len(r.pr.Initial[i]) == 0 {
			return unused, nil
		}
		q.among = append([]register.Value{unused}, r.pr.Initial[i]...)
	}
	return r.ask(q)
}

// content tells which values the environment may put in a cell: by
// assumption, Map and Latch cells do not hold nil.
func (r *run) content(cell int) func(*entry) bool {
	return func(e *entry) bool {
		return e.value != register.LitNil || r.pr.Program.Cells[cell].Kind == register.Atomic
	}
}

// ask gets a value, and lets it exist.
func (r *run) ask(q question) (register.Value, error) {
	v, err := r.from.answer(r, q)
	if err != nil {
		return "", err
	}
	e := r.pool.find(v)
	if e == nil {
		e = &entry{value: v}
	}
	if q.allow != nil && !q.allow(e) {
		return "", fmt.Errorf("%w: %s cannot appear here", errBroken, v)
	}
	r.pool.add(v)
	return v, nil
}

// Pure implements reduce.Host for the interrupted program and for steps.
func (r *run) Pure(name string, result int, args []register.Value) register.Value {
	return r.application(Application{Name: name, Result: result, Args: args}, pureClass(name, result),
		func(e *entry) bool { return !e.alloc || r.pool.reachable(e.value, args) })
}

// application looks up the result of an application, or asks for it the first time.
func (r *run) application(a Application, result class, allow func(*entry) bool) register.Value {
	key := a.key()
	if v, ok := r.world[key]; ok {
		return v
	}
	v, err := r.ask(question{kind: askApplication, app: &a, boolean: r.bools.has(result), allow: allow})
	if err != nil {
		return r.fail(err)
	}
	a.Value = v
	r.world[key] = v
	r.h.World = append(r.h.World, a)
	return v
}

// fail keeps an error for where it can be returned.
func (r *run) fail(err error) register.Value {
	if r.err == nil {
		r.err = err
	}
	return register.LitNil
}

// Unknown implements reduce.Host for the interrupted program. What nobody else can
// have got hold of is not given back to it.
func (r *run) Unknown(site string, result int, _ []register.Value) register.Value {
	v, err := r.ask(question{kind: askUnknown, index: len(r.h.Unknown),
		boolean: r.bools.has(unknownClass(-1, site, result)),
		allow:   func(e *entry) bool { return known(e) || r.pool.reachable(e.value, r.cells) }})
	if err != nil {
		return r.fail(err)
	}
	r.h.Unknown = append(r.h.Unknown, v)
	return v
}

// Fresh implements reduce.Host for the interrupted program.
func (r *run) Fresh(site string, contents []register.Value) register.Value {
	typ := typeOf(site)
	v := r.from.identity(len(r.h.Fresh))
	if v == "" {
		v = r.pool.newName(typ + "#")
	}
	if v.IsLit() || r.pool.find(v) != nil {
		return r.fail(fmt.Errorf("%w: new identity %s exists already", errBroken, v))
	}
	r.pool.entries = append(r.pool.entries,
		entry{value: v, alloc: true, typ: typ, contents: contents, own: true})
	r.h.Fresh = append(r.h.Fresh, v)
	return v
}

// Trace implements reduce.Tracer: it counts what may change the cells.
func (r *run) Trace(e register.Event) {
	if e.Op == register.Write || e.Op == register.CAS && e.Results[1] == register.LitTrue {
		r.changes++
	}
}

// yield lets the environment act.
func (r *run) yield(at register.Point) error {
	if r.err != nil {
		return r.err
	}
	if at.Exit {
		r.before = len(r.h.Steps)
	}
	return r.from.act(r, at)
}

// apply performs one step of the environment, if it is possible.
func (r *run) apply(s EnvStep) error {
	if err := r.possible(s); err != nil {
		return err
	}
	n := len(r.h.Steps)
	r.h.Steps = append(r.h.Steps, s)
	if s.Kind == RunStep {
		r.runs++
	}
	saw, err := perform(r.pr, s, r.runs, r.cells, r)
	switch {
	case r.err != nil:
		return r.err
	case errors.Is(err, register.ErrDiverges):
		r.h.Steps = r.h.Steps[:n]
		return errDropped
	case err != nil:
		return err
	}
	if s.Kind != Observe {
		r.changes++
	}
	r.saw = append(r.saw, saw)
	return nil
}

// possible reports what a step would need that the environment cannot do.
func (r *run) possible(s EnvStep) error {
	p := r.pr.Program
	if s.Kind != RunStep && (s.Cell < 0 || s.Cell >= len(p.Cells)) {
		return fmt.Errorf("%w: no cell %d", errBroken, s.Cell)
	}
	switch s.Kind {
	case Observe:
		return nil
	case Swap:
		if r.pr.Env != Open || s.Value == register.LitAbsent {
			return fmt.Errorf("%w: %s", errBroken, s)
		}
		if !r.content(s.Cell)(&entry{value: s.Value}) {
			return fmt.Errorf("%w: nil in cell %d", errBroken, s.Cell)
		}
		return r.knows(s.Value)
	case Delete:
		c := p.Cells[s.Cell]
		if c.Kind != register.Map || r.pr.Env != Open && !c.Evicts {
			return fmt.Errorf("%w: cell %d cannot be removed", errBroken, s.Cell)
		}
		return nil
	case RunStep:
		return r.possibleArgs(s)
	}
	return fmt.Errorf("%w: unknown kind of step", errBroken)
}

func (r *run) possibleArgs(s EnvStep) error {
	if r.pr.Env != Package || s.Step < 0 || s.Step >= len(r.pr.Steps) {
		return fmt.Errorf("%w: no step %d", errBroken, s.Step)
	}
	def := r.pr.Steps[s.Step]
	bind := def.Params
	if len(s.Args) != len(bind) {
		return fmt.Errorf("%w: %d arguments for step %d", errBroken, len(s.Args), s.Step)
	}
	for i, v := range s.Args {
		switch {
		case bind[i] != Free && v != r.h.Args[bind[i]]:
			return fmt.Errorf("%w: argument %d of step %d is bound", errBroken, i, s.Step)
		case bind[i] == Free && !passable(def.Program, def.Program.Params[i])(&entry{value: v}):
			return fmt.Errorf("%w: argument %d of step %d is nil", errBroken, i, s.Step)
		}
		if err := r.knows(v); err != nil {
			return err
		}
	}
	return nil
}

// knows reports whether the environment can have v; if so, v exists.
func (r *run) knows(v register.Value) error {
	if !r.shown(v) && !r.givenAway(v) {
		return fmt.Errorf("%w: the environment never saw %s", errBroken, v)
	}
	r.pool.add(v)
	return nil
}

// shown reports whether the environment has v, or v is new to everybody.
func (r *run) shown(v register.Value) bool {
	e := r.pool.find(v)
	return e == nil || known(e)
}

// givenAway reports whether v is an argument of a function whose result the
// environment has, or part of an allocation that it has: what something is made of
// can be taken out of it.
func (r *run) givenAway(v register.Value) bool {
	return slices.ContainsFunc(r.h.World, func(a Application) bool {
		return slices.Contains(a.Args, v) && r.shown(a.Value)
	}) || slices.ContainsFunc(r.pool.entries, func(e entry) bool {
		return e.alloc && known(&e) && r.pool.reachable(v, e.contents)
	})
}

// stepUnknown answers Unknown in a step. The environment is given nothing
// that it could not know.
func (r *run) stepUnknown(call string, step int, site string, result int) register.Value {
	return r.application(Application{Name: call, Result: result}, unknownClass(step, site, result),
		func(e *entry) bool { return !e.own || e.seen })
}

// stepFresh lets an identity of a step exist.
func (r *run) stepFresh(v register.Value, typ string, contents []register.Value) {
	if r.pool.find(v) != nil {
		r.fail(fmt.Errorf("%w: new identity %s exists already", errBroken, v))
		return
	}
	r.pool.entries = append(r.pool.entries, entry{value: v, alloc: true, typ: typ, contents: contents})
}

// see implements side.
func (r *run) see(v register.Value) { r.pool.see(v) }
