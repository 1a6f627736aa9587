package absint

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// machine runs a register program symbolically, one path at a time. What it
// cannot know it asks its owner: whether two terms are equal, what an
// allocation is, what an unpredictable call returns. The actual run, a
// candidate's atomic run and a step of the environment differ only in the
// answers.
type machine struct {
	terms  *terms
	prog   *register.Program
	block  int
	index  int
	depth  int
	locals []term
	regs   []term
	held   []Hold

	effects   []effect
	published []term

	// decide answers a == b, or fails with a *split.
	decide  func(a, b term) (bool, error)
	fresh   func(site string, contents []term) term
	unknown func(site string, result int, args []term) term
	// anyNil lets computed values that are stored be nil: somebody is known to pass nil, or it is so.
	anyNil bool
	// storing says that what is asked is whether such a value is nil.
	storing bool
	// giveUp, if set, may let a weak cas fail that would succeed.
	giveUp func() (bool, error)
	// meaning, if set, may know what a function gives. Values have the names then that
	// they have in a history, which say nothing of types.
	meaning func(in *register.Instr, result int, args []term) (term, bool)
	// tell, if set, is told of every effect, in the place of effects.
	tell func([]term)
	// onOp, if set, is told of every base operation.
	onOp func(opEvent)
	// limit is the cost at which a run is broken off; 0 is no limit of its own.
	limit int
}

// split is the error of a question that the path condition leaves open:
// the step is done again, once under each answer.
type split struct {
	literal literal
	// apart says that only the answer no is followed.
	apart bool
}

func (s *split) Error() string { return "undecided comparison" }

// answers are those to the open question that are followed.
func (s *split) answers(t *terms) []literal {
	l := literal{s.literal.a, s.literal.b, true}
	if s.apart {
		return []literal{l.opposite(t)}
	}
	return []literal{l, l.opposite(t)}
}

// stop says why a machine came to rest.
type stop int

const (
	// stopPoint: before an operation where the environment may step in.
	stopPoint stop = iota
	// stopHead: at the head of a loop, so that the caller can look
	// whether it has been here before.
	stopHead
	// stopDone: the program returned or panicked.
	stopDone
	// stopDiverged: the run does not end.
	stopDiverged
)

// maxRunSteps bounds one run between two stops. Programs are small and
// loops stop at their head or at an operation, so only an atomic run that
// loops without repeating itself gets here.
const maxRunSteps = 1000

// run executes until a stop. With points, it rests before an operation at
// depth zero other than the one it starts at, and with heads at loop heads.
func (m *machine) run(points bool, heads []bool) (stop, *outcome, error) {
	moved := false
	var seen map[string]bool
	for steps := 0; steps < maxRunSteps && !m.exhausted(); steps++ {
		m.terms.cost++
		b := m.prog.Blocks[m.block]
		if m.index == len(b.Instrs) {
			out, err := m.terminate(&b.Term)
			if err != nil || out != nil {
				return stopDone, out, err
			}
			moved = true
			if heads != nil && heads[m.block] {
				return stopHead, nil, nil
			}
			if !points && m.repeats(&seen) {
				return stopDiverged, nil, nil
			}
			continue
		}
		in := &b.Instrs[m.index]
		if points && moved && m.depth == 0 && in.Yields() {
			return stopPoint, nil, nil
		}
		if err := m.exec(in); err != nil {
			return 0, nil, err
		}
		moved = true
		m.index++
	}
	return stopDiverged, nil, nil
}

// exhausted reports whether nothing is left of what the run may cost.
func (m *machine) exhausted() bool {
	return m.terms.cost >= m.terms.budget || m.limit > 0 && m.terms.cost >= m.limit
}

// repeats reports whether the machine stands where it stood before with
// the same locals and registers: from there on it does the same for ever.
func (m *machine) repeats(seen *map[string]bool) bool {
	if m.index != 0 {
		return false
	}
	m.terms.cost += (len(m.locals) + len(m.regs)) / termsPerCost
	buf := strconv.AppendInt(nil, int64(m.block), 10)
	for _, xs := range [][]term{m.locals, m.regs} {
		for _, x := range xs {
			buf = strconv.AppendInt(append(buf, ' '), int64(x), 10)
		}
	}
	key := string(buf)
	if (*seen)[key] {
		return true
	}
	if *seen == nil {
		*seen = map[string]bool{}
	}
	(*seen)[key] = true
	return false
}

// termsPerCost is how many terms are looked at for the cost of an instruction.
const termsPerCost = 16

func (m *machine) terminate(t *register.Term) (*outcome, error) {
	switch t.Kind {
	case register.Jump:
		m.block, m.index = t.To[0], 0
		return nil, nil
	case register.Branch:
		c, err := m.truth(m.value(t.Cond))
		if err != nil {
			return nil, err
		}
		to := t.To[1]
		if c {
			to = t.To[0]
		}
		m.block, m.index = to, 0
		return nil, nil
	default:
		observed, err := m.observed()
		if err != nil {
			return nil, err
		}
		vals, err := m.results(t.Vals)
		if err != nil {
			return nil, err
		}
		return &outcome{kind: t.Kind, label: t.Label, vals: vals, effects: observed}, nil
	}
}

// answerFor is the answer to the open question behind a branch that leads one way: 0 for
// yes.
func (m *machine) answerFor(t *register.Term, i int) int {
	for z := m.terms.of(m.value(t.Cond)); z.kind == appTerm && z.name == "not"; z = m.terms.of(z.args[0]) {
		i = 1 - i
	}
	return i
}

// results are the values that a run ends with. The answer to a comparison is one
// of two, not a value that may be anything.
func (m *machine) results(os []register.Operand) ([]term, error) {
	vals := m.values(os)
	for i, x := range vals {
		if !m.terms.isTest(x) {
			continue
		}
		holds, err := m.truth(x)
		if err != nil {
			return nil, err
		}
		vals[i] = m.terms.boolean(holds)
	}
	return vals, nil
}

// observed are the effects on values that this run read from or stored to
// a cell. An effect on a value that never was in a cell is nobody's concern.
func (m *machine) observed() ([]effect, error) {
	var out []effect
	for _, e := range m.effects {
		seen, err := m.concerns(e)
		if err != nil {
			return nil, err
		}
		if seen {
			out = append(out, e)
		}
	}
	return out, nil
}

// concerns reports whether an argument of the effect was in a cell. Nil is none of those that were: whether it is
// nil is asked of each, as a run that began before that was known counts the same effects.
func (m *machine) concerns(e effect) (bool, error) {
	if e.always() {
		return true, nil
	}
	for _, x := range e.concerns() {
		if m.isNobody(x) || e.leaves(m.terms, x) {
			continue
		}
		if was, err := m.wasInCell(x); was || err != nil {
			return was, err
		}
	}
	return false, nil
}

// wasInCell reports whether something was in a cell, and is not nil.
func (m *machine) wasInCell(x term) (bool, error) {
	was := m.isPublished(x)
	for i := 0; !was && i < len(m.published); i++ {
		y := m.published[i]
		if m.isNobody(y) || m.terms.otherSort(x, y) {
			continue
		}
		same, err := m.equal(x, y)
		if err != nil {
			return false, err
		}
		was = same
	}
	if !was {
		return false, nil
	}
	is, err := m.equal(x, m.terms.nilT)
	return !is, err
}

func (m *machine) isPublished(x term) bool { return slices.Contains(m.published, x) }

// isNobody reports whether x tells nobody apart: a truth value, or a literal that does not tell.
func (m *machine) isNobody(x term) bool {
	n := m.terms.of(x)
	return n.kind == litTerm && !register.Value(n.name).Tells() || m.terms.isBool(x)
}

// publish notes that x was in a cell.
func (m *machine) publish(x term) {
	if !m.isNobody(x) && !m.isPublished(x) {
		m.published = append(slices.Clip(m.published), x)
	}
}

func (m *machine) value(o register.Operand) term {
	if o.IsLit() {
		return m.terms.lit(o.Lit)
	}
	return m.locals[o.Local]
}

func (m *machine) values(os []register.Operand) []term {
	vs := make([]term, len(os))
	for i, o := range os {
		vs[i] = m.value(o)
	}
	return vs
}

func (m *machine) set(in *register.Instr, i int, x term) {
	if i < len(in.Dst) && in.Dst[i] != register.None {
		m.locals[in.Dst[i]] = x
	}
}

func (m *machine) exec(in *register.Instr) error {
	switch in.Op {
	case register.Copy:
		m.set(in, 0, m.value(in.Args[0]))
	case register.Pure:
		return m.pure(in)
	case register.Fresh:
		m.set(in, 0, m.fresh(in.Name, m.values(in.Args)))
	case register.Unknown:
		args := m.values(in.Args)
		for i, d := range in.Dst {
			if d != register.None { // as Run, which asks for no other
				x := m.unknown(in.Name, i, args)
				m.declare(in, i, x)
				m.set(in, i, x)
			}
		}
	case register.Effect:
		if m.tell != nil {
			m.tell(m.values(in.Args))
		} else {
			m.effects = append(slices.Clip(m.effects), effect{in.Name, m.values(in.Args), int(in.Beside), in.Asks, in.Counts})
		}
	case register.Enter:
		m.depth++
	case register.Leave:
		m.depth--
	case register.Lock:
		m.held = append(slices.Clip(m.held), Hold{Lock: in.Args[0].Lit, Exclusive: in.Name == "w"})
	case register.Unlock:
		m.release(in.Args[0].Lit)
	case register.Blocking, register.Omit:
	case register.Read, register.Write, register.CAS:
		return m.base(in)
	default:
		return fmt.Errorf("%s: %s: instruction is not in region form", m.prog.Name, in.Pos)
	}
	return nil
}

// release drops the latest hold of the lock.
func (m *machine) release(lock string) {
	for i := len(m.held) - 1; i >= 0; i-- {
		if m.held[i].Lock == lock {
			m.held = slices.Delete(slices.Clone(m.held), i, i+1)
			return
		}
	}
}

func (m *machine) pure(in *register.Instr) error {
	args := m.values(in.Args)
	if in.Name == "choose" {
		c, err := m.truth(args[0])
		if err != nil {
			return err
		}
		x := args[2]
		if c {
			x = args[1]
		}
		m.set(in, 0, x)
		return nil
	}
	for i := range in.Dst {
		if m.meaning != nil {
			if x, known := m.meaning(in, i, args); known {
				m.set(in, i, x)
				continue
			}
		}
		x := m.terms.apply(function{name: in.Name, result: i, at: in.Type}, args)
		m.declare(in, i, x)
		m.set(in, i, x)
	}
	return nil
}

// declare gives a result the type that its local is declared to have.
func (m *machine) declare(in *register.Instr, i int, x term) {
	if in.Dst[i] == register.None {
		return
	}
	if t := m.prog.TypeOf(in.Dst[i]); m.meaning == nil || t.Kind == register.Bool {
		m.terms.declare(x, t)
	}
}

// truth decides a boolean term.
func (m *machine) truth(x term) (bool, error) {
	n := m.terms.of(x)
	switch {
	case x == m.terms.trueT:
		return true, nil
	case x == m.terms.falseT:
		return false, nil
	case n.kind == appTerm && n.name == "not":
		v, err := m.truth(n.args[0])
		return err == nil && !v, err
	case n.kind == appTerm && n.name == "eq":
		return m.equal(n.args[0], n.args[1])
	}
	truth := register.Type{Kind: register.Bool}
	if n.kind != litTerm && n.kind != nameTerm && !m.terms.isBool(x) && m.terms.isAskedType(truth, x) {
		// An interface that decides holds a truth value here, and need not hold one on another way.
		return m.decide(m.terms.apply(function{name: "unbox", at: truth}, []term{x}), m.terms.trueT)
	}
	m.terms.declare(x, truth) // it decides, so it is nothing else
	return m.decide(x, m.terms.trueT)
}

// equal decides a == b. A comparison with a term that is a truth value by
// its form is one with true or with false.
func (m *machine) equal(a, b term) (bool, error) {
	if a != b && m.terms.isBool(b) {
		a, b = b, a
	}
	if a == b || !m.terms.isBool(a) {
		return m.decide(a, b)
	}
	v, err := m.truth(a)
	if err != nil {
		return false, err
	}
	if m.terms.isBool(b) {
		w, err := m.truth(b)
		return err == nil && v == w, err
	}
	return m.decide(b, m.terms.boolean(v))
}

// base executes one atomic operation on a cell.
func (m *machine) base(in *register.Instr) error {
	cell := &m.prog.Cells[in.Cell]
	content := m.regs[in.Cell]
	had := content != m.terms.absentT
	old := content
	if !had {
		old = m.terms.lit(cell.Zero)
	} else if len(in.Dst) > 0 && in.Dst[0] != register.None {
		m.publish(content)
	}
	args := m.values(in.Args)
	second := had
	switch in.Op {
	case register.Write:
		if err := m.store(in.Cell, args[0]); err != nil {
			return err
		}
	case register.CAS:
		ok, err := m.casHolds(cell, content, args[0])
		if ok && err == nil && in.Name == register.Weak && m.giveUp != nil {
			var gives bool
			gives, err = m.giveUp()
			ok = !gives
		}
		if err != nil {
			return err
		}
		if ok {
			if had {
				m.publish(content) // whoever replaced it knows what it was
			}
			if err := m.store(in.Cell, args[1]); err != nil {
				return err
			}
		}
		second = ok
	}
	res := []term{old, m.terms.boolean(second)}
	m.set(in, 0, res[0])
	m.set(in, 1, res[1])
	if m.onOp != nil {
		m.onOp(opEvent{instr: in, args: args, results: res})
	}
	return nil
}

// asksOf reports whether x is an argument of which the program asks whether it is nil.
func (m *machine) asksOf(x term) bool {
	return slices.ContainsFunc(m.prog.Params, func(l register.Local) bool { return m.locals[l] == x && register.AsksForNil(m.prog, l) })
}

func (m *machine) casHolds(cell *register.Cell, content, expect term) (bool, error) {
	absent := m.terms.absentT
	switch {
	case content == expect:
		return true, nil
	case expect == absent:
		return false, nil
	case content == absent && (cell.Kind != register.Latch || m.terms.neverNil(expect)):
		return false, nil
	case content == absent:
		return m.equal(expect, m.terms.nilT)
	}
	return m.equal(content, expect)
}

// store puts x in a cell. A computed value that is put in a map is taken not to be nil,
// unless the way that led there says that it is, or the program asks later whether what it was given is.
func (m *machine) store(cell int, x term) error {
	if !m.anyNil && m.prog.Cells[cell].Kind != register.Atomic && m.terms.maybeNil(x) {
		m.storing = true
		isNil, err := m.equal(x, m.terms.nilT)
		m.storing = false
		var open *split
		if errors.As(err, &open) {
			return &split{literal: open.literal, apart: !m.asksOf(x)}
		} else if err != nil {
			return err
		} else if isNil {
			x = m.terms.nilT
		}
	}
	m.regs[cell] = x
	if x != m.terms.absentT {
		m.publish(x)
	}
	return nil
}
