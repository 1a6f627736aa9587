package reduce

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
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
}

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
	// successful CAS knows what it replaced. Literals are never published.
	Published []Value
}

// Observed are the effects that another goroutine can notice: those with an
// argument that was published by this run, before the effect or after it, and
// those of a tail.
func (o *Outcome) Observed() []EffectEvent {
	var seen []EffectEvent
	for _, e := range o.Effects {
		if strings.HasPrefix(e.Name, Then) || slices.ContainsFunc(e.Args, o.published) {
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

// machine is one run.
type machine struct {
	p      *Program
	cells  []Value
	locals []Value
	host   Host
	tracer Tracer
	yield  func(Point) error

	block, instr int // where the run is
	depth        int // of Enter and Leave
	points       int
	left         int      // steps
	results      [2]Value // of the last base operation
	out          Outcome

	// unknowns counts the calls of host.Unknown: a state that comes back
	// proves nothing if a different answer may lead out of the circle.
	unknowns int
	seen     map[string]int // state at a backward jump -> unknowns
}

func (m *machine) start(args []Value) error {
	if len(args) != len(m.p.Params) {
		return fmt.Errorf("%d arguments for %d parameters", len(args), len(m.p.Params))
	}
	if len(m.cells) != len(m.p.Cells) {
		return fmt.Errorf("%d contents for %d cells", len(m.cells), len(m.p.Cells))
	}
	m.locals = make([]Value, len(m.p.Names))
	for i, l := range m.p.Params {
		if err := m.set(l, args[i]); err != nil {
			return err
		}
	}
	return nil
}

// run executes blocks until one ends the program.
func (m *machine) run() error {
	for {
		if m.block < 0 || m.block >= len(m.p.Blocks) {
			return fmt.Errorf("%w: no such block", errBadProgram)
		}
		b := m.p.Blocks[m.block]
		for i := range b.Instrs {
			m.instr = i
			if err := m.step(&b.Instrs[i]); err != nil {
				return err
			}
		}
		m.instr = len(b.Instrs)
		ended, err := m.terminate(&b.Term)
		if ended || err != nil {
			return err
		}
	}
}

// tick counts a step.
func (m *machine) tick() error {
	if m.left--; m.left < 0 {
		return ErrDiverges
	}
	return nil
}

// schedule lets the other goroutines act.
func (m *machine) schedule(exit bool) error {
	if m.yield == nil {
		return nil
	}
	at := Point{Index: m.points, Exit: exit, Block: m.block, Instr: m.instr, Locals: m.locals, Effects: len(m.out.Effects)}
	m.points++
	return m.yield(at)
}

func (m *machine) step(in *Instr) error {
	if err := m.tick(); err != nil {
		return err
	}
	if in.Yields() && m.depth == 0 {
		if err := m.schedule(false); err != nil {
			return err
		}
	}
	switch in.Op {
	case Enter:
		m.depth++
	case Leave:
		if m.depth--; m.depth < 0 {
			return fmt.Errorf("%w: leave without enter", errBadProgram)
		}
	case Lock, Unlock, Blocking:
		// They mark the function form, and mean nothing here.
	case Call:
		return fmt.Errorf("%w: call of %s is not inlined", errBadProgram, in.Name)
	case Read, Write, CAS:
		return m.base(in)
	default:
		return m.local(in)
	}
	return nil
}

// local executes an instruction that touches no cell.
func (m *machine) local(in *Instr) error {
	args, err := m.eval(in.Args)
	if err != nil {
		return err
	}
	switch in.Op {
	case Copy:
		if len(args) != 1 {
			return fmt.Errorf("%w: copy of %d operands", errBadProgram, len(args))
		}
		return m.assign(in.Dst, args)
	case Fresh:
		return m.assign(in.Dst, []Value{m.host.Fresh(in.Name, args)})
	case Effect:
		ev := EffectEvent{Name: in.Name, Args: args}
		m.out.Effects = append(m.out.Effects, ev)
		if w, ok := m.host.(Watcher); ok {
			w.Watch(ev)
		}
		return nil
	case Unknown:
		m.unknowns++
		return m.ask(in.Dst, func(i int) (Value, error) { return m.host.Unknown(in.Name, i, args), nil })
	case Pure:
		return m.ask(in.Dst, func(i int) (Value, error) { return m.pure(in.Name, i, args) })
	default:
		return fmt.Errorf("%w: unknown instruction %d", errBadProgram, in.Op)
	}
}

// pure is result i of a pure function, interpreted or not.
func (m *machine) pure(name string, i int, args []Value) (Value, error) {
	if Interpreted[name] {
		if i != 0 {
			return "", fmt.Errorf("%w: %s has one result", errBadProgram, name)
		}
		if v, ok, err := Fold(name, args); ok || err != nil {
			return v, err
		}
	}
	return m.host.Pure(name, i, args), nil
}

// ask sets the locals of dst that exist to what result says.
func (m *machine) ask(dst []Local, result func(i int) (Value, error)) error {
	for i, l := range dst {
		if l == None {
			continue
		}
		v, err := result(i)
		if err != nil {
			return err
		}
		if err := m.set(l, v); err != nil {
			return err
		}
	}
	return nil
}

// base executes a base operation.
func (m *machine) base(in *Instr) error {
	if in.Cell < 0 || in.Cell >= len(m.cells) {
		return fmt.Errorf("%w: no cell %d", errBadProgram, in.Cell)
	}
	args, err := m.contents(in)
	if err != nil {
		return err
	}
	cell := &m.p.Cells[in.Cell]
	old := m.cells[in.Cell]
	had, ok := old != LitAbsent, true
	switch in.Op {
	case Write:
		err = m.store(in.Cell, args[0])
	case CAS:
		if ok = old == args[0] && !m.givesUp(in); ok {
			err = m.store(in.Cell, args[1])
		}
	}
	if err != nil {
		return err
	}
	used := len(in.Dst) > 0 && in.Dst[0] != None
	if used || in.Op == CAS && ok {
		m.publish(old)
	}
	if !had {
		old = Value(cell.Zero)
	}
	m.results = [2]Value{old, truth(had)}
	if in.Op == CAS {
		m.results[1] = truth(ok)
	}
	if m.tracer != nil {
		m.tracer.Trace(Event{Op: in.Op, Cell: in.Cell, Args: args, Results: slices.Clone(m.results[:]), Pos: in.Pos})
	}
	return m.assign(in.Dst, m.results[:])
}

// givesUp asks the host whether a weak CAS fails.
func (m *machine) givesUp(in *Instr) bool {
	giver, ok := m.host.(Giver)
	return ok && in.Name == Weak && giver.GiveUp(in.Cell)
}

// contents evaluates the operands of a base operation: unlike all others
// they may be absent.
func (m *machine) contents(in *Instr) ([]Value, error) {
	want := 0
	switch in.Op {
	case Write:
		want = 1
	case CAS:
		want = 2
	}
	if len(in.Args) != want {
		return nil, fmt.Errorf("%w: base operation with %d operands instead of %d", errBadProgram, len(in.Args), want)
	}
	if want == 0 {
		return nil, nil
	}
	args := make([]Value, want)
	for i, o := range in.Args {
		if o == Absent {
			args[i] = LitAbsent
			continue
		}
		v, err := m.value(o)
		if err != nil {
			return nil, err
		}
		args[i] = v
	}
	return args, nil
}

// store replaces the content of a cell.
func (m *machine) store(cell int, v Value) error {
	if v == LitAbsent && m.p.Cells[cell].Kind != Map {
		return fmt.Errorf("%w: cell %d cannot be removed", errBadProgram, cell)
	}
	m.cells[cell] = v
	m.publish(v)
	return nil
}

// publish adds v to the published values.
func (m *machine) publish(v Value) {
	if v.IsLit() {
		return
	}
	if i, found := slices.BinarySearch(m.out.Published, v); !found {
		m.out.Published = slices.Insert(m.out.Published, i, v)
	}
}

// terminate executes a terminator; ended says that the program has ended.
func (m *machine) terminate(t *Term) (ended bool, err error) {
	if err := m.tick(); err != nil {
		return false, err
	}
	switch t.Kind {
	case Jump:
		return false, m.jump(t, 0, 1)
	case Branch:
		c, err := m.value(t.Cond)
		if err != nil {
			return false, err
		}
		switch c {
		case LitTrue:
			return false, m.jump(t, 0, 2)
		case LitFalse:
			return false, m.jump(t, 1, 2)
		}
		return false, fmt.Errorf("branch on %s, which is neither true nor false", c)
	case Return, Panic:
		m.out.Kind, m.out.Label = t.Kind, t.Label
		if m.out.Vals, err = m.eval(t.Vals); err != nil {
			return false, err
		}
		return true, m.schedule(true)
	default:
		return false, fmt.Errorf("%w: unknown terminator %d", errBadProgram, t.Kind)
	}
}

// jump goes to successor i of want ones. A state that was there before at
// the same backward jump, with nothing unpredictable in between, repeats.
func (m *machine) jump(t *Term, i, want int) error {
	if len(t.To) != want {
		return fmt.Errorf("%w: %d successors instead of %d", errBadProgram, len(t.To), want)
	}
	from := m.block
	m.block = t.To[i]
	if m.block > from || m.yield != nil {
		return nil
	}
	state := m.state()
	if before, found := m.seen[state]; found && before == m.unknowns {
		return ErrDiverges
	}
	if m.seen == nil {
		m.seen = map[string]int{}
	}
	m.seen[state] = m.unknowns
	return nil
}

// state is a text that determines how the run goes on.
func (m *machine) state() string {
	var b strings.Builder
	b.WriteString(strconv.Itoa(m.block))
	for _, vs := range [][]Value{m.locals, m.cells} {
		for _, v := range vs {
			b.WriteByte(0)
			b.WriteString(string(v))
		}
	}
	return b.String()
}

// eval evaluates operands.
func (m *machine) eval(os []Operand) ([]Value, error) {
	if len(os) == 0 {
		return nil, nil
	}
	vs := make([]Value, len(os))
	for i, o := range os {
		v, err := m.value(o)
		if err != nil {
			return nil, err
		}
		vs[i] = v
	}
	return vs, nil
}

// value evaluates one operand.
func (m *machine) value(o Operand) (Value, error) {
	switch {
	case o == Absent:
		return "", fmt.Errorf("%w: absent is no value", errBadProgram)
	case o.IsLit():
		return Value(o.Lit), nil
	case o.Local < 0 || int(o.Local) >= len(m.locals):
		return "", fmt.Errorf("%w: no local %d", errBadProgram, o.Local)
	case m.locals[o.Local] == "":
		return "", fmt.Errorf("%w: %s is read before it is set", errBadProgram, m.p.Names[o.Local])
	}
	return m.locals[o.Local], nil
}

// assign sets the locals of dst; there may be fewer of them than values.
func (m *machine) assign(dst []Local, vs []Value) error {
	if len(dst) > len(vs) {
		return fmt.Errorf("%w: %d results for %d locals", errBadProgram, len(vs), len(dst))
	}
	for i, l := range dst {
		if l == None {
			continue
		}
		if err := m.set(l, vs[i]); err != nil {
			return err
		}
	}
	return nil
}

// set sets one local.
func (m *machine) set(l Local, v Value) error {
	if l < 0 || int(l) >= len(m.locals) {
		return fmt.Errorf("%w: no local %d", errBadProgram, l)
	}
	if v == "" || v == LitAbsent {
		return fmt.Errorf("%q is no value for %s", v, m.p.Names[l])
	}
	m.locals[l] = v
	return nil
}

// Fold evaluates an interpreted function. ok is false where its arguments
// decide nothing: the result is then that of an uninterpreted function.
func Fold(name string, args []Value) (v Value, ok bool, err error) {
	want := 2
	switch name {
	case "not":
		want = 1
	case "choose":
		want = 3
	}
	if len(args) != want {
		return "", false, fmt.Errorf("%w: %s of %d operands", errBadProgram, name, len(args))
	}
	switch name {
	case "eq":
		return truth(args[0] == args[1]), true, nil
	case "not", "choose":
		if args[0] != LitTrue && args[0] != LitFalse {
			return "", false, fmt.Errorf("%s on %s, which is neither true nor false", name, args[0])
		}
		yes := args[0] == LitTrue
		if name == "not" {
			return truth(!yes), true, nil
		}
		if yes {
			return args[1], true, nil
		}
		return args[2], true, nil
	}
	x, okX := integer(args[0])
	y, okY := integer(args[1])
	if !okX || !okY {
		return "", false, nil
	}
	v, ok = foldIntegers(name, x, y)
	return v, ok, nil
}

// foldIntegers is the part of Fold on integers. A result that does not fit
// is left open, because the type that would say how it wraps is not known.
func foldIntegers(name string, x, y int64) (Value, bool) {
	var z int64
	switch name {
	case "lt":
		return truth(x < y), true
	case "le":
		return truth(x <= y), true
	case "add":
		if z = x + y; (z > x) != (y > 0) {
			return "", false
		}
	case "sub":
		if z = x - y; (z < x) != (y > 0) {
			return "", false
		}
	case "and":
		z = x & y
	case "or":
		z = x | y
	case "xor":
		z = x ^ y
	default:
		return "", false
	}
	return Value(strconv.FormatInt(z, 10)), true
}

// integer reads a literal in canonical form, so that equal numbers have
// equal texts.
func integer(v Value) (int64, bool) {
	n, err := strconv.ParseInt(string(v), 10, 64)
	return n, err == nil && strconv.FormatInt(n, 10) == string(v)
}

func truth(b bool) Value {
	if b {
		return LitTrue
	}
	return LitFalse
}
