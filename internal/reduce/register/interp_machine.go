package register

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

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
	// rounds counts the backward jumps, and live says which locals make up a state after a few.
	rounds int
	live   *Liveness
}

// fewRounds is how many rounds a run goes before it is asked which locals it reads again: a loop that makes an
// object in each round may come back to where it was.
const fewRounds = 4

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
	case Lock, Unlock, Blocking, Omit:
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
		ev := EffectEvent{Name: in.Name, Args: args, Called: in.Called, Beside: int(in.Beside), Asks: in.Asks, Counts: in.Counts}
		m.out.Effects = append(m.out.Effects, ev)
		if w, ok := m.host.(Watcher); ok {
			w.Watch(ev)
		}
		return nil
	case Unknown:
		m.unknowns++
		return m.ask(in.Dst, func(i int) (Value, error) { return m.host.Unknown(in.Name, i, args), nil })
	case Pure:
		return m.ask(in.Dst, func(i int) (Value, error) { return m.pure(in, i, args) })
	default:
		return fmt.Errorf("%w: unknown instruction %d", errBadProgram, in.Op)
	}
}

// pure is result i of a pure function, interpreted or not.
func (m *machine) pure(in *Instr, i int, args []Value) (Value, error) {
	if Interpreted[in.Name] {
		if i != 0 {
			return "", fmt.Errorf("%w: %s has one result", errBadProgram, in.Name)
		}
		if v, ok, err := Fold(in.Name, in.Type, args); ok || err != nil {
			if c, watched := m.host.(Calculator); watched && err == nil {
				c.Calculated(in, args)
			}
			return v, err
		}
	}
	return m.host.Pure(FunctionName(in.Name, in.Type), i, args), nil
}

// FunctionName is the name by which a Host knows a pure function: that of an
// interpreted one says what it works at.
func FunctionName(name string, t Type) string {
	if t.Kind == NoType {
		return name
	}
	return name + " " + t.GoName()
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
		if ok = cell.holds(old, args[0]) && !m.givesUp(in); ok {
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

// holds reports whether a CAS that expects a value finds it in the cell.
func (c *Cell) holds(content, expect Value) bool {
	return content == expect || c.Kind == Latch && content == LitAbsent && expect == LitNil
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
	if v.IsLit() && !v.Tells() {
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
			return false, m.branch(t, 0)
		case LitFalse:
			return false, m.branch(t, 1)
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

// branch is jump at a branch, of which the host may want to know.
func (m *machine) branch(t *Term, i int) error {
	from := m.block
	err := m.jump(t, i, 2)
	if f, ok := m.host.(Follower); ok {
		f.Follow(from, m.block)
	}
	return err
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
	if m.rounds++; m.rounds == fewRounds {
		m.live = Live(m.p)
	}
	state := m.state()
	if before, found := m.seen[state]; found && before == m.unknowns {
		return ErrRepeats
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
	write := func(v Value) {
		b.WriteByte(0)
		b.WriteString(string(v))
	}
	if m.live == nil {
		for _, v := range m.locals {
			write(v)
		}
	} else {
		for _, l := range m.live.In(m.block, 0) {
			write(m.locals[l])
		}
	}
	for _, v := range m.cells {
		write(v)
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
