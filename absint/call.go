package absint

import "slices"

// runCall lets the call execute up to its next stop.
func (e *engine) runCall(c *config) error {
	if e.atPoint(c) {
		c.points++
	}
	m := e.actual(c)
	why, out, err := m.run(true, e.heads)
	if err != nil {
		return err
	}
	c.block, c.index, c.depth = m.block, m.index, m.depth
	c.locals, c.regs, c.held = m.locals, m.regs, m.held
	c.effects, c.published = m.effects, m.published
	switch why {
	case stopPoint, stopHead:
		// In an open environment the initial contents are arbitrary:
		// nothing that happens before the first operation adds to that.
		if e.atPoint(c) && (c.points > 0 || e.problem.Env == Package) {
			e.push(c, phaseEnv)
		} else {
			e.push(c, phaseRun)
		}
	case stopDone:
		c.outcome = out
		e.push(c, phaseExit)
	case stopDiverged:
		if e.exhausted() {
			return nil
		}
		e.imprecise = "a loop between two operations does not come to an end"
	}
	return nil
}

// atPoint reports whether the call rests before an operation that the
// environment can interrupt.
func (e *engine) atPoint(c *config) bool {
	b := e.problem.Region.Blocks[c.block]
	if c.depth > 0 || c.index == len(b.Instrs) {
		return false
	}
	return b.Instrs[c.index].Yields()
}

// actual is the machine of the call's own run.
func (e *engine) actual(c *config) *machine {
	m := &machine{
		terms: e.terms, prog: e.problem.Region,
		block: c.block, index: c.index, depth: c.depth,
		locals: c.locals, regs: c.regs, held: c.held,
		effects: c.effects, published: c.published,
		decide: func(a, b term) (bool, error) { return e.decide(c, a, b) },
		fresh: func(site string, contents []term) term {
			return c.note(e.allocate(site, contents, false))
		},
		onOp: func(op opEvent) { c.trail = &trail{prev: c.trail, op: &op} },
	}
	m.unknown = func(site string, result int, args []term) term {
		return c.note(e.unpredictable(site, result, args, e.givenAway(c, m)))
	}
	return m
}

// givenAway are the call's own allocations that others can know of: they have seen
// them, or they are in a cell.
func (e *engine) givenAway(c *config, m *machine) []term {
	out := slices.Clone(c.known)
	for _, x := range m.regs {
		e.terms.each(x, func(y term) {
			if n := e.terms.of(y); n.kind == freshTerm && !n.theirs {
				out = addTerm(out, y)
			}
		})
	}
	return out
}

// note keeps something that the call made on the trail.
func (c *config) note(x term) term {
	c.trail = &trail{prev: c.trail, made: x}
	return x
}

// allocate is a new identity, unless allocations are interchangeable.
func (e *engine) allocate(site string, contents []term, theirs bool) term {
	if e.assume.interchangeable {
		return e.interchangeable(site, contents)
	}
	return e.terms.fresh(site, contents, theirs)
}

func (e *engine) interchangeable(site string, contents []term) term {
	x := e.terms.app("new "+siteType(site), 0, contents...)
	e.terms.of(x).nonNil = true
	return x
}

// unpredictable is a new symbol, which may be an allocation that others know of,
// unless unknown callees are functions.
func (e *engine) unpredictable(site string, result int, args, known []term) term {
	if e.assume.deterministic {
		return e.terms.app(siteType(site), result, e.telling(args)...)
	}
	return e.terms.sym(siteType(site), false, known)
}

// exit compares the outcome of the call with those of the candidates. The
// environment looks once more: the cells must hold what they would. One
// candidate is enough, so those that agree without a case split come first.
func (e *engine) exit(c *config) error {
	e.review(c)
	var open []candidate
	for _, k := range c.cands {
		if k.done == nil {
			continue
		}
		ok, err := e.explains(c, k.clone())
		if _, undecided := err.(*split); undecided {
			open = append(open, k)
			continue
		}
		if ok || err != nil {
			return err
		}
	}
	for _, k := range open {
		if ok, err := e.explains(c, k.clone()); ok || err != nil {
			return err
		}
	}
	for cell := range c.regs {
		e.learn(c, c.regs[cell])
	}
	e.violation(c)
	return nil
}

// explains reports whether the candidate accounts for all that the call did
// and left behind.
func (e *engine) explains(c *config, k candidate) (bool, error) {
	for cell := range c.regs {
		if ok, err := e.match(c, &k, k.spec[cell], c.regs[cell]); !ok {
			return false, err
		}
	}
	if ok, err := e.matchOutcome(c, &k, c.outcome); !ok {
		return false, err
	}
	if ok, err := e.settle(c, &k); !ok {
		return false, err
	}
	for _, l := range e.conditions(&k) {
		if ok, err := e.decide(c, l.a, l.b); err != nil || ok != l.equal {
			return false, err
		}
	}
	return true, nil
}
