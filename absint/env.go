package absint

import (
	"slices"

	"github.com/mapatom/mapatom/reduce"
)

// environment explores what the other goroutine can do while the call rests
// before an operation, the call going on among it.
func (e *engine) environment(c *config) error {
	if err := e.attempt(c, e.goOn); err != nil {
		return err
	}
	if e.problem.Env == Package {
		for i := range e.problem.Steps {
			s := &e.problem.Steps[i]
			if !s.enabled(c.held) {
				continue
			}
			if err := e.attempt(c, func(c *config) error { return e.packageStep(c, s) }); err != nil {
				return err
			}
		}
		return nil
	}
	for cell := range c.regs {
		for _, kind := range []envKind{swap, remove} {
			if err := e.attempt(c, func(c *config) error { return e.openStep(c, kind, cell) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// goOn lets the call go on. Somebody may have looked at the cells before:
// looking can only rule candidates out, so not looking need not be tried.
func (e *engine) goOn(c *config) error {
	if !e.problem.FinalOnly {
		for cell := range c.regs {
			if err := e.look(c, cell); err != nil {
				return err
			}
		}
	}
	if len(c.cands) == 0 {
		e.violation(c)
		return nil
	}
	if err := e.spawn(c); err != nil {
		return err
	}
	e.push(c, phaseRun)
	return nil
}

// look is an observation that is part of the history if it matters.
func (e *engine) look(c *config, cell int) error {
	n, known := len(c.cands), len(c.known)
	if err := e.observe(c, cell); err != nil {
		return err
	}
	if len(c.cands) != n || len(c.known) != known {
		c.trail = &trail{prev: c.trail, step: &envAction{point: c.points, kind: observe, cell: cell, seen: c.regs[cell]}}
	}
	return nil
}

// openStep replaces or removes the content of a cell, being shown what was
// there. With one cell a single step is enough, because any sequence of
// steps amounts to one (ESOP 2014, Lemma 4); with more, steps on different
// cells follow each other.
func (e *engine) openStep(c *config, kind envKind, cell int) error {
	info := &e.problem.Region.Cells[cell]
	seen := c.regs[cell]
	if kind == remove && (info.Kind != reduce.Map || seen == e.terms.absentT) {
		return nil
	}
	if err := e.observe(c, cell); err != nil {
		return err
	}
	content := e.terms.absentT
	if kind == swap {
		content = e.terms.sym("env", info.Kind != reduce.Atomic, slices.Clone(c.known))
	}
	c.regs[cell] = content
	for i := range c.cands {
		c.cands[i].spec = slices.Clone(c.cands[i].spec)
		c.cands[i].spec[cell] = content
		c.cands[i].key = e.candidateKey(&c.cands[i])
	}
	c.trail = &trail{prev: c.trail, step: &envAction{point: c.points, kind: kind, cell: cell, value: content, seen: seen}}
	return e.stepped(c)
}

// stepped goes on after a step that may have changed a cell.
func (e *engine) stepped(c *config) error {
	if len(c.cands) == 0 {
		e.violation(c)
		return nil
	}
	if err := e.spawn(c); err != nil {
		return err
	}
	if e.problem.Env == Open && len(c.regs) == 1 {
		e.push(c, phaseRun)
	} else {
		e.push(c, phaseEnv)
	}
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

// choices are what an atomic step of the package is given and finds: the
// same in the actual run and for every candidate.
type choices struct {
	engine *engine
	known  []term
	made   map[string][]term
}

// next returns the n-th choice at a place, made when it is first asked for.
func (ch *choices) next(counts map[string]int, place string, make func() term) term {
	n := counts[place]
	counts[place]++
	if n == len(ch.made[place]) {
		ch.made[place] = append(ch.made[place], make())
	}
	return ch.made[place][n]
}

// connect makes m draw its allocations and unpredictable results from ch.
func (ch *choices) connect(m *machine) {
	e, counts := ch.engine, map[string]int{}
	m.fresh = func(site string, contents []term) term {
		return ch.next(counts, site, func() term { return e.allocate(site, contents, true) })
	}
	m.unknown = func(site string, result int, args []term) term {
		if e.assume.deterministic {
			return e.terms.app(siteType(site), result, args...)
		}
		place := site + "." + string(rune('0'+result))
		return ch.next(counts, place, func() term { return e.terms.sym(siteType(site), false, ch.known) })
	}
}

// packageStep runs a program of the package atomically.
func (e *engine) packageStep(c *config, s *Step) error {
	for _, cell := range s.Cells {
		if cell >= 0 {
			e.learn(c, c.regs[cell])
		}
	}
	ch := &choices{engine: e, known: slices.Clone(c.known), made: map[string][]term{}}
	args := e.stepArgs(c, s)
	own := e.ownCells(s)
	m := &machine{terms: e.terms, prog: s.Program, locals: e.stepLocals(s, args), regs: e.stepRegs(s, own, c.regs)}
	m.decide = func(a, b term) (bool, error) { return e.decide(c, a, b) }
	ch.connect(m)
	why, out, err := m.run(false, nil)
	if err != nil || why != stopDone {
		return err // a step that waits for ever is not taken
	}
	before := slices.Clone(c.regs)
	storeRegs(s, c.regs, m.regs)
	kept := c.cands[:0:0]
	for _, k := range c.cands {
		after, err := e.stepCandidate(c, k, s, ch, args, own, out)
		if err != nil {
			return err
		}
		for _, k := range after {
			kept = e.addCandidate(kept, k)
		}
	}
	if slices.Equal(before, c.regs) && len(kept) == len(c.cands) {
		return nil // nothing changed and nothing was learnt
	}
	c.cands = kept
	c.trail = &trail{prev: c.trail, step: &envAction{point: c.points, kind: runStep, program: s, args: args, choices: ch, outcome: out}}
	return e.stepped(c)
}

// stepCandidate is what becomes of a candidate: the step runs on its cells
// too and must end in the same way.
func (e *engine) stepCandidate(c *config, k candidate, s *Step, ch *choices, args, own []term, out *outcome) ([]candidate, error) {
	var after []candidate
	err := e.eachChoice(c, k, func(ck *chooser) error {
		m := ck.machine(s.Program, e.stepLocals(s, args), e.stepRegs(s, own, k.spec))
		ch.connect(m)
		why, o, err := m.run(false, nil)
		if err != nil || why != stopDone {
			return err
		}
		d := k.clone()
		d.assumed = ck.assumed
		storeRegs(s, d.spec, m.regs)
		own := d.done
		d.done = o
		ok, err := e.matchStep(c, &d, own, out)
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
			q.effects = append(q.effects, effect{f.name, rest[:len(f.args):len(f.args)]})
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
			args[i] = e.terms.sym(s.Program.Names[s.Program.Params[i]], false, slices.Clone(c.known))
		}
	}
	return args
}

// ownCells are the contents of cells that the step does not share.
func (e *engine) ownCells(s *Step) []term {
	own := make([]term, len(s.Cells))
	for i, cell := range s.Cells {
		if cell < 0 {
			own[i] = e.terms.sym("other", true, nil)
		}
	}
	return own
}

func (e *engine) stepLocals(s *Step, args []term) []term {
	locals := make([]term, len(s.Program.Names))
	for i, l := range s.Program.Params {
		locals[l] = args[i]
	}
	return locals
}

func (e *engine) stepRegs(s *Step, own, regs []term) []term {
	out := slices.Clone(own)
	for i, cell := range s.Cells {
		if cell >= 0 {
			out[i] = regs[cell]
		}
	}
	return out
}

func storeRegs(s *Step, regs, after []term) {
	for i, cell := range s.Cells {
		if cell >= 0 {
			regs[cell] = after[i]
		}
	}
}
