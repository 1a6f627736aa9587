package absint

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// environment explores what the other goroutine can do while the call rests
// before an operation.
//
// It looks at the cells first: whoever looks can only rule candidates out,
// so that nothing is missed by always looking. Afterwards every candidate
// has in its cells what is really there.
func (e *engine) environment(c *config) error {
	e.review(c)
	for cell := range c.regs {
		if e.assume.unwatched {
			break
		}
		if err := e.look(c, cell); err != nil {
			return err
		}
	}
	if err := e.insist(c); err != nil {
		return err
	}
	if len(c.cands) == 0 {
		e.violation(c)
		return nil
	}
	e.push(c, phaseStep)
	return nil
}

// look is an observation, and part of the history if it matters.
func (e *engine) look(c *config, cell int) error {
	if c.points > 0 && e.problem.locks(c.held, cell) {
		return nil
	}
	n, known := len(c.cands), len(c.known)
	if err := e.observe(c, cell); err != nil {
		return err
	}
	if len(c.cands) != n || len(c.known) != known {
		c.trail = &trail{prev: c.trail, step: &envAction{point: c.points, kind: observe, cell: cell}}
	}
	return nil
}

// steps lets the call go on, and takes each step of the environment. In an
// open environment a step is shown what it replaces, so the call cannot have
// taken effect since the look; a step of the package may be blind.
func (e *engine) steps(c *config) error {
	err := e.attempt(c, func(c *config) error {
		before := c.clone()
		if err := e.takesEffect(c); err != nil {
			return err
		}
		e.push(c, phaseRun)
		switch {
		case e.problem.Env != Package:
			return nil
		case c.points == 0:
			before.notBegun()
		default:
			before = c.clone()
			e.tookEffect(before)
		}
		e.push(before, phasePackage)
		return nil
	})
	if err != nil || e.problem.Env == Package {
		return err
	}
	for cell := range c.regs {
		if around := e.problem.envelope; around != nil && c.points > 0 && !around[cell].enabled(c.held) {
			continue
		}
		for _, kind := range []envKind{swap, remove} {
			if err := e.attempt(c, func(c *config) error { return e.openStep(c, kind, cell) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// notBegun says that the call begins no earlier than now: what others did before its
// first operation, they may have done before the call, which then cannot have taken
// effect before them.
func (c *config) notBegun() {
	c.cands = slices.DeleteFunc(slices.Clone(c.cands), func(k candidate) bool { return k.done != nil })
}

// packageSteps takes each step of the package.
func (e *engine) packageSteps(c *config) error {
	if e.stage.steps > 0 && c.steps == e.stage.steps {
		e.cut = true
		return nil
	}
	r, err := e.others()
	if err != nil {
		return err
	}
	e.cut = e.cut || r.cut // whatever comes of the other ways is left out
	for i := range e.problem.Steps {
		s := &e.problem.Steps[i]
		// What happened before the call's first operation can have
		// happened before it took its locks.
		if c.points > 0 && !s.enabled(c.held) {
			continue
		}
		if !s.blind() {
			if err := e.changes(c, r, s); err != nil {
				return err
			}
			continue
		}
		if err := e.attempt(c, func(c *config) error { return e.packageStep(c, s) }); err != nil {
			return err
		}
	}
	return nil
}

// changes takes each step of a program that looks at what is there.
func (e *engine) changes(c *config, r *relation, s *Step) error {
	e.terms.begin()
	e.terms.again()
	changes := r.of[s]
	silent := len(changes) > 0 && s.silent()
	for _, ch := range changes {
		if e.exhausted() {
			break
		}
		apply := func(c *config) error { return e.apply(c, r, ch) }
		var err error
		if silent { // what it does to a candidate may be open
			err = e.attempt(c, apply)
		} else {
			err = apply(c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// openStep replaces or removes the content of a cell, having been shown what
// was there. With one cell a single step is enough, because any sequence of
// steps amounts to one (ESOP 2014, Lemma 4); with more, steps on different
// cells follow each other.
func (e *engine) openStep(c *config, kind envKind, cell int) error {
	info := &e.problem.Region.Cells[cell]
	was := c.regs[cell]
	if kind == remove && (info.Kind != register.Map || was == e.terms.absentT) {
		return nil
	}
	content := e.terms.absentT
	if kind == swap {
		content = e.content("env", cell, slices.Clone(c.known))
	}
	c.regs[cell] = content
	c.trail = &trail{prev: c.trail, step: &envAction{point: c.points, kind: kind, cell: cell, value: content}}
	next := phaseEnv
	if len(c.regs) == 1 {
		next = phaseRun
	}
	return e.stepped(c, cell, next)
}

// stepped goes on after a step that changed a cell, in the candidates as
// well.
func (e *engine) stepped(c *config, cell int, next phase) error {
	for i := range c.cands {
		c.cands[i] = c.cands[i].clone()
		if e.assume.unwatched {
			c.cands[i].spec[cell] = c.regs[cell]
		} else {
			c.cands[i].spec = slices.Clone(c.regs)
		}
	}
	old := c.cands
	c.cands = nil
	for _, k := range old {
		c.cands = e.addCandidate(c.cands, k)
	}
	if next == phaseRun {
		if err := e.takesEffect(c); err != nil {
			return err
		}
	}
	e.push(c, next)
	return nil
}

// enabled reports whether the step can run while the call holds the locks.
func (s *Step) enabled(held []Hold) bool {
	for _, h := range held {
		for _, l := range s.Locks {
			if h.Lock == l.Lock && (h.Exclusive || l.Exclusive) {
				return false
			}
		}
	}
	return true
}

// connect makes m draw its allocations and unpredictable results from ch.
func (e *engine) connect(m *machine, ch choices, known []term) {
	e.draw(m, ch, map[string]int{}, known)
}

// draw is connect for a run that has drawn some already.
func (e *engine) draw(m *machine, ch choices, counts map[string]int, known []term) {
	next := func(place string, make func() term) term {
		n := counts[place]
		counts[place]++
		if n == len(ch[place]) {
			ch[place] = append(ch[place], make())
		}
		return ch[place][n]
	}
	m.fresh = func(site string, contents []term) term {
		return next(site, func() term { return e.allocate(site, contents, true) })
	}
	m.unknown = func(site string, result int, args []term) term {
		if e.assume.follows(site) {
			return e.unpredictable(site, result, args, known)
		}
		return next(unknownPlace(site, result), func() term { return e.unpredictable(site, result, args, known) })
	}
}

// packageStep runs a blind program of the package atomically, on the cells and on
// those of each candidate in which they differ: it must end in the same way.
func (e *engine) packageStep(c *config, s *Step) error {
	step := stepRun{step: s, args: e.stepArgs(c, s), made: choices{}, own: e.ownCells(s)}
	known := slices.Clone(c.known)
	m := &machine{terms: e.terms, prog: s.Program, locals: localsOf(s.Program, step.args), regs: step.regs(c.regs), anyNil: len(s.Nils) > 0}
	m.decide = func(a, b term) (bool, error) { return e.decide(c, a, b) }
	e.connect(m, step.made, known)
	why, out, err := m.run(false, nil)
	if err != nil || why != stopDone {
		return err // a step that waits for ever is not taken
	}
	step.outcome = out
	before := slices.Clone(c.regs)
	step.store(c.regs, m.regs)
	if slices.Equal(before, c.regs) {
		return nil // it only looked
	}
	old := c.cands
	c.cands = nil
	for _, k := range old {
		after := []candidate{k.clone()}
		switch {
		case slices.Equal(k.spec, before):
			after[0].spec = slices.Clone(c.regs)
		default:
			if after, err = e.stepCandidate(c, k, &step, known); err != nil {
				return err
			}
		}
		for _, k := range after {
			c.cands = e.addCandidate(c.cands, k)
		}
	}
	c.trail = &trail{prev: c.trail, step: &envAction{
		point: c.points, kind: runStep, program: s, args: step.args, own: step.own, made: step.made, outcome: out,
	}}
	if len(c.cands) == 0 {
		e.violation(c)
		return nil
	}
	c.steps++
	e.widen(c, before)
	e.push(c, phaseEnv)
	return nil
}

// blind reports whether the step writes without looking.
func (s *Step) blind() bool {
	for _, b := range s.Program.Blocks {
		if b.Term.Kind == register.Branch {
			return false
		}
		for i := range b.Instrs {
			in := &b.Instrs[i]
			looks := in.Op == register.Read || in.Op == register.CAS
			in.Defs(func(register.Local) { looks = looks || in.Op == register.Write })
			if looks {
				return false
			}
		}
	}
	return true
}

// stepRun is one run of a step of the package.
type stepRun struct {
	step    *Step
	args    []term
	made    choices
	own     []term
	outcome *outcome
}

// stepCandidate is what becomes of a candidate whose cells differ from the
// real ones: the step runs on them too.
func (e *engine) stepCandidate(c *config, k candidate, s *stepRun, known []term) ([]candidate, error) {
	var after []candidate
	err := e.eachChoice(c, k, func(ck *chooser) error {
		m := ck.machine(s.step.Program, localsOf(s.step.Program, s.args), s.regs(k.spec))
		e.connect(m, s.made, known)
		why, o, err := m.run(false, nil)
		if err != nil || why != stopDone {
			return err
		}
		d := k.clone()
		d.assumed = ck.assumed
		s.store(d.spec, m.regs)
		own := d.done
		d.done = o
		ok, err := e.matchStep(c, &d, own, s.outcome)
		if err != nil || !ok {
			return err
		}
		after = append(after, d)
		return nil
	})
	return after, err
}

// matchStep matches the step's outcome in the candidate, which stands in
// d.done, with the actual one, and puts the call's own outcome back. Both
// are rewritten together as holes are filled.
func (e *engine) matchStep(c *config, d *candidate, own, actual *outcome) (bool, error) {
	step := d.done
	joint := *step
	if own != nil {
		joint.vals = append(slices.Clone(step.vals), own.vals...)
		for _, f := range own.effects {
			joint.vals = append(joint.vals, f.args...)
		}
	}
	d.done = &joint
	n := len(step.vals)
	if step.kind != actual.kind || step.label != actual.label || n != len(actual.vals) || len(step.effects) != len(actual.effects) {
		return false, nil
	}
	for i := range actual.vals {
		if ok, err := e.match(c, d, d.done.vals[i], actual.vals[i]); !ok {
			return false, err
		}
	}
	for i, f := range actual.effects {
		if step.effects[i].name != f.name || len(step.effects[i].args) != len(f.args) {
			return false, nil
		}
		for j := range f.args {
			if ok, err := e.match(c, d, d.done.effects[i].args[j], f.args[j]); !ok {
				return false, err
			}
		}
	}
	rest := d.done.vals[n:]
	d.done = nil
	if own != nil {
		q := *own
		q.vals, rest = rest[:len(own.vals):len(own.vals)], rest[len(own.vals):]
		q.effects = nil
		for _, f := range own.effects {
			q.effects = append(q.effects, f.with(rest[:len(f.args):len(f.args)]))
			rest = rest[len(f.args):]
		}
		d.done = &q
	}
	return true, nil
}

// stepArgs are the arguments of a step: the region's own where they are
// bound, else anything.
func (e *engine) stepArgs(c *config, s *Step) []term {
	args := make([]term, len(s.Program.Params))
	for i, b := range s.Bind {
		if b >= 0 {
			args[i] = e.args[b]
		} else {
			l := s.Program.Params[i]
			args[i] = e.parameter(s.Program, l, s.neverNil(i), slices.Clone(c.known))
		}
	}
	return args
}

// neverNil reports whether nobody passes nil for the i-th parameter of a step.
func (s *Step) neverNil(i int) bool {
	return !slices.Contains(s.Nils, i) && neverNil(s.Program, s.Program.Params[i])
}

// neverNil reports whether a parameter is stored in a cell that never holds
// nil, and is not asked about: nobody passes nil for it.
func neverNil(p *register.Program, param register.Local) bool {
	stored := slices.ContainsFunc(p.Blocks, func(b *register.Block) bool {
		return slices.ContainsFunc(b.Instrs, func(in register.Instr) bool {
			return (in.Op == register.Write || in.Op == register.CAS) && in.Args[len(in.Args)-1].Local == param && p.Cells[in.Cell].Kind != register.Atomic
		})
	})
	return stored && !register.AsksForNil(p, param)
}

// localsOf are the locals of a program that begins with these arguments.
func localsOf(p *register.Program, args []term) []term {
	locals := make([]term, len(p.Names))
	for i, l := range p.Params {
		locals[l] = args[i]
	}
	return locals
}

// ownCells are the contents of the cells that the step does not share with
// the region: anything, or nothing.
func (e *engine) ownCells(s *Step) []term {
	own := make([]term, len(s.Cells))
	for i, cell := range s.Cells {
		switch {
		case cell < 0 && s.only(i) != "":
			own[i] = e.terms.lit(string(s.only(i)))
		case cell < 0:
			own[i] = e.terms.sym("other", e.relation == nil || !e.relation.nils, nil)
			e.terms.declare(own[i], s.Program.Cells[i].Content())
		}
	}
	return own
}

// regs are the step's cells, where the region's hold regs.
func (s *stepRun) regs(regs []term) []term {
	out := slices.Clone(s.own)
	for i, cell := range s.step.Cells {
		if cell >= 0 {
			out[i] = regs[cell]
		}
	}
	return out
}

// store puts the step's cells back.
func (s *stepRun) store(regs, after []term) {
	for i, cell := range s.step.Cells {
		if cell >= 0 {
			regs[cell] = after[i]
		}
	}
}
