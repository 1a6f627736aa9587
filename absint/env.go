package absint

import (
	"fmt"
	"slices"

	"github.com/mapatom/mapatom/reduce"
)

// environment explores what the other goroutine can do while the call rests
// before an operation.
//
// It looks at the cells first: whoever looks can only rule candidates out,
// so that nothing is missed by always looking. Afterwards every candidate
// has in its cells what is really there, and a step of the environment does
// to them what it really does: one run of it is enough.
func (e *engine) environment(c *config) error {
	for cell := range c.regs {
		if err := e.look(c, cell); err != nil {
			return err
		}
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
	n, known := len(c.cands), len(c.known)
	if err := e.observe(c, cell); err != nil {
		return err
	}
	if len(c.cands) != n || len(c.known) != known {
		c.trail = &trail{prev: c.trail, step: &envAction{point: c.points, kind: observe, cell: cell, seen: c.regs[cell]}}
	}
	return nil
}

// steps lets the call go on, and takes each step of the environment. A step
// finds what was looked at, so the call cannot take effect in between; but
// it can before it goes on.
func (e *engine) steps(c *config) error {
	err := e.attempt(c, func(c *config) error {
		if err := e.spawn(c); err != nil {
			return err
		}
		e.push(c, phaseRun)
		return nil
	})
	if err != nil {
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

// openStep replaces or removes the content of a cell, having been shown what
// was there. With one cell a single step is enough, because any sequence of
// steps amounts to one (ESOP 2014, Lemma 4); with more, steps on different
// cells follow each other.
func (e *engine) openStep(c *config, kind envKind, cell int) error {
	info := &e.problem.Region.Cells[cell]
	seen := c.regs[cell]
	if kind == remove && (info.Kind != reduce.Map || seen == e.terms.absentT) {
		return nil
	}
	content := e.terms.absentT
	if kind == swap {
		content = e.terms.sym("env", info.Kind != reduce.Atomic, slices.Clone(c.known))
	}
	c.regs[cell] = content
	c.trail = &trail{prev: c.trail, step: &envAction{point: c.points, kind: kind, cell: cell, value: content, seen: seen}}
	next := phaseEnv
	if len(c.regs) == 1 {
		next = phaseRun
	}
	return e.stepped(c, next)
}

// stepped goes on after a step that changed a cell, in the candidates as
// well.
func (e *engine) stepped(c *config, next phase) error {
	for i := range c.cands {
		c.cands[i] = c.cands[i].clone()
		c.cands[i].spec = slices.Clone(c.regs)
	}
	old := c.cands
	c.cands = nil
	for _, k := range old {
		c.cands = e.addCandidate(c.cands, k)
	}
	if next == phaseRun {
		if err := e.spawn(c); err != nil {
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

// choices are what an atomic step of the package makes up, by place and in
// order: a replay has to make up the same.
type choices map[string][]term

// packageStep runs a program of the package atomically.
func (e *engine) packageStep(c *config, s *Step) error {
	made := choices{}
	args := e.stepArgs(c, s)
	regs := e.stepRegs(s, c.regs)
	m := &machine{terms: e.terms, prog: s.Program, locals: e.stepLocals(s, args), regs: regs}
	m.decide = func(a, b term) (bool, error) { return e.decide(c, a, b) }
	m.fresh = func(site string, contents []term) term {
		x := e.allocate(site, contents, true)
		made[site] = append(made[site], x)
		return x
	}
	m.unknown = func(site string, result int, args []term) term {
		x := e.unpredictable(site, result, args)
		place := unknownPlace(site, result)
		made[place] = append(made[place], x)
		return x
	}
	why, out, err := m.run(false, nil)
	if err != nil || why != stopDone {
		return err // a step that waits for ever is not taken
	}
	before := slices.Clone(c.regs)
	for i, cell := range s.Cells {
		if cell >= 0 {
			c.regs[cell] = m.regs[i]
		}
	}
	if slices.Equal(before, c.regs) {
		return nil // it only looked
	}
	c.trail = &trail{prev: c.trail, step: &envAction{
		point: c.points, kind: runStep, program: s, args: args, made: made, outcome: out,
	}}
	return e.stepped(c, phaseEnv)
}

// unknownPlace names result number result of the unknown call at a site.
func unknownPlace(site string, result int) string { return fmt.Sprintf("%s.%d", site, result) }

// stepArgs are the arguments of a step: the region's own where they are
// bound, else anything.
func (e *engine) stepArgs(c *config, s *Step) []term {
	args := make([]term, len(s.Program.Params))
	for i, b := range s.Bind {
		if b >= 0 {
			args[i] = e.args[b]
		} else {
			l := s.Program.Params[i]
			args[i] = e.terms.sym(s.Program.Names[l], neverNil(s.Program, l), slices.Clone(c.known))
		}
	}
	return args
}

// neverNil reports whether a parameter is stored in a cell that never holds
// nil, and is not asked about: nobody passes nil for it.
func neverNil(p *reduce.Program, param reduce.Local) bool {
	stored := false
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			in := &b.Instrs[i]
			switch {
			case in.Op == reduce.Write || in.Op == reduce.CAS:
				v := in.Args[len(in.Args)-1]
				stored = stored || v.Local == param && p.Cells[in.Cell].Kind != reduce.Atomic
			case in.Op == reduce.Pure && in.Name == "eq":
				if slices.Contains(in.Args, reduce.L(param)) && slices.Contains(in.Args, reduce.Lit(reduce.LitNil)) {
					return false
				}
			}
		}
	}
	return stored
}

func (e *engine) stepLocals(s *Step, args []term) []term {
	locals := make([]term, len(s.Program.Names))
	for i, l := range s.Program.Params {
		locals[l] = args[i]
	}
	return locals
}

// stepRegs are the contents of the step's cells; one that it does not share
// with the region holds anything.
func (e *engine) stepRegs(s *Step, regs []term) []term {
	out := make([]term, len(s.Cells))
	for i, cell := range s.Cells {
		if cell >= 0 {
			out[i] = regs[cell]
		} else {
			out[i] = e.terms.sym("other", true, nil)
		}
	}
	return out
}
