package absint

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mapatom/mapatom/absint/internal/summary"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

func newEngine(p Problem, a assumptions, s stage) *engine {
	nilInMaps := s.envelope && p.putsNil()
	if s.envelope {
		for cell := range p.Region.Cells {
			p.envelope = append(p.envelope, Step{Locks: p.writersLocks(cell)})
		}
		p.Env, p.Steps = Open, nil
	}
	p = p.withBare()
	e := &engine{
		problem: p, assume: a, stage: s, nilInMaps: nilInMaps, terms: newTerms(),
		live: register.Live(p.Region), visited: map[string]bool{},
		heads: make([]bool, len(p.Region.Blocks)), passedOn: map[term]bool{}, ways: map[*register.Program]*ways{}, asked: map[string]answersAsked{},
		keeps: p.keptBits(), constants: p.constants(), longest: p.longest(),
	}
	e.terms.parts = p.parts()
	e.terms.unwrapped = p.unwrapped
	e.terms.budget = p.Budget.Work / 4 * s.share
	for _, b := range p.Region.Blocks {
		for i := range b.Instrs {
			if in := &b.Instrs[i]; in.Op == register.Effect {
				e.hasEffects, e.publishes = true, e.publishes || !in.Counts && !register.IsTail(in.Name)
			}
		}
	}
	for _, l := range register.Loops(p.Region) {
		e.heads[l.Head], e.loops = true, true
	}
	for b, joins := range e.waysOf(p.Region).joins {
		e.heads[b] = e.heads[b] || joins
	}
	e.leads = summary.LeadsTo(p.Region, func(b *register.Block) bool {
		return slices.ContainsFunc(b.Instrs, func(in register.Instr) bool { return in.Yields() || in.IsBase() || in.Op == register.Leave })
	})
	rank := e.waysOf(p.Region).rank
	goesBack := make([]bool, len(rank))
	for b, blk := range p.Region.Blocks {
		goesBack[b] = slices.ContainsFunc(blk.Term.To, func(to int) bool { return rank[to] <= rank[b] })
	}
	e.circles = summary.LeadsTo(p.Region, func(b *register.Block) bool { return goesBack[slices.Index(p.Region.Blocks, b)] })
	for _, l := range p.Region.Params {
		e.args = append(e.args, e.parameter(p.Region, l, neverNil(p.Region, l), nil))
	}
	e.covering = covering{terms: e.terms, args: e.args, live: e.live, effects: e.publishes, pushed: map[place][]*config{}}
	return e
}

// parameter is a symbol for an argument that can be anything, or anything but nil.
func (e *engine) parameter(p *register.Program, l register.Local, nonNil bool, known []term) term {
	x := e.terms.sym(p.Names[l], nonNil, known)
	e.terms.declare(x, p.TypeOf(l))
	if onlyPassedOn(p, l) {
		e.passedOn[x] = true
	}
	return x
}

// onlyPassedOn reports whether a parameter is given to calls that cannot be
// predicted, and is of no other use: a context, a table to look things up in.
func onlyPassedOn(p *register.Program, param register.Local) bool {
	passed, other := false, false
	use := func(l register.Local) { other = other || l == param }
	for _, c := range p.Cells {
		use(c.Map.Local)
		use(c.Key.Local)
	}
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			if in := &b.Instrs[i]; in.Op == register.Unknown {
				passed = passed || slices.Contains(in.Args, register.L(param))
			} else {
				in.Uses(use)
			}
		}
		b.Term.Uses(use)
	}
	return passed && !other
}

// telling are the arguments that a deterministic callee's result is taken to
// follow from: what is under a key follows from the key, whatever else the
// callers pass on.
func (e *engine) telling(args []term) []term {
	return slices.DeleteFunc(slices.Clone(args), func(x term) bool { return e.passedOn[x] })
}

// start queues the initial configurations.
func (e *engine) start() {
	for _, regs := range e.initialContents(math.MaxInt) {
		c := &config{path: newPath(e.terms), regs: regs, first: regs, held: e.problem.Held}
		c.locals = make([]term, len(e.problem.Region.Names))
		for i, l := range e.problem.Region.Params {
			c.locals[l] = e.args[i]
		}
		c.cands = []candidate{{spec: slices.Clone(regs)}}
		e.attempt(c, func(c *config) error {
			if err := e.takesEffect(c); err != nil {
				return err
			}
			next := phaseRun
			if e.problem.Env == Package && e.atPoint(c) {
				next = phaseEnv
			}
			e.push(c, next)
			return nil
		})
	}
}

// initialContents are the contents with which the call can start: anything
// in an open environment; in a package what a new map holds, from where the
// environment's own steps lead to all that is possible, and what constructors
// put there. Of more than so many, each cell has each of its contents in some of them.
func (e *engine) initialContents(most int) [][]term {
	all := [][]term{nil}
	for i := range e.problem.Region.Cells {
		cell := &e.problem.Region.Cells[i]
		var options []term
		switch {
		case e.problem.Env == Package && cell.Kind == register.Atomic:
			options = e.constructed(i, e.terms.lit(cell.Zero))
		case e.problem.Env == Package:
			options = e.constructed(i, e.terms.absentT)
		case cell.Kind == register.Atomic:
			options = []term{e.content("init", i, nil)}
		default:
			options = []term{e.terms.absentT, e.content("init", i, nil)}
		}
		var next [][]term
		for k, regs := range all {
			with := options
			if len(all)*len(options) > most {
				o := rand.New(rand.NewPCG(uint64(k), uint64(i))).IntN(len(options))
				with = options[o : o+1]
			}
			for _, o := range with {
				next = append(next, append(slices.Clone(regs), o))
			}
		}
		all = next
	}
	return all
}

// content is a symbol for something that a cell can hold.
func (e *engine) content(hint string, cell int, known []term) term {
	c := &e.problem.Region.Cells[cell]
	x := e.terms.sym(hint, c.Kind != register.Atomic && !e.nilInMaps, known)
	e.terms.declare(x, c.Type)
	return x
}

// constructed are the contents of a cell of which none is used yet.
func (e *engine) constructed(cell int, zero term) []term {
	options := append([]term{zero}, e.handedOver(cell)...)
	if e.problem.Initial == nil {
		return options
	}
	for _, v := range e.problem.Initial[cell] {
		x := e.content("init", cell, nil)
		e.terms.of(x).counted = true // nobody begins to count next to the end
		if v != Anything {
			x = e.terms.lit(string(v))
		}
		if !slices.Contains(options, x) {
			options = append(options, x)
		}
	}
	return options
}

// handedOver are the arguments of the call that can be in a cell from the start: objects with which it compares what it finds, of a
// type that others make and put there. Who has put one there hands it over.
//
//	s := &session{}
//	m.Store(id, s)
//	defer m.end(id, s) // if cur, _ := m.Load(id); cur == s { m.Delete(id) }
func (e *engine) handedOver(cell int) (args []term) {
	region := e.problem.Region
	if !e.problem.Handed {
		return nil
	}
	for i, l := range region.Params {
		typ := region.TypeOf(l)
		if isCompared(region, l) && slices.ContainsFunc(e.problem.Steps, func(s Step) bool { return s.puts(cell, typ) }) {
			args = append(args, e.args[i])
		}
	}
	return args
}

// isCompared reports whether a program asks whether a parameter is something.
func isCompared(p *register.Program, param register.Local) bool {
	return slices.ContainsFunc(p.Blocks, func(b *register.Block) bool {
		return slices.ContainsFunc(b.Instrs, func(in register.Instr) bool {
			return (in.Op == register.Pure && in.Name == "eq" || in.Op == register.CAS) && slices.Contains(in.Args, register.L(param))
		})
	})
}

// puts reports whether a step writes an object that it makes, of a type if that is known, to a cell of the region.
func (s *Step) puts(cell int, typ register.Type) bool {
	made := map[register.Local]bool{}
	for _, b := range s.Program.Blocks {
		for i := range b.Instrs {
			in := &b.Instrs[i]
			if in.Op == register.Fresh && (typ.Kind == register.NoType || typ.Kind == register.Pointer && "*"+siteType(in.Name) == typ.GoName()) {
				made[in.Dst[0]] = true
			}
		}
	}
	return len(made) > 0 && slices.ContainsFunc(s.Program.Blocks, func(b *register.Block) bool {
		return slices.ContainsFunc(b.Instrs, func(in register.Instr) bool {
			writes := in.Op == register.Write || in.Op == register.CAS
			return writes && s.Cells[in.Cell] == cell && made[in.Args[len(in.Args)-1].Local]
		})
	})
}

// runCall lets the call execute up to its next stop.
func (e *engine) runCall(c *config) error {
	if e.atPoint(c) && !c.midway {
		c.points++
	}
	m := e.actual(c)
	why, out, err := m.run(true, e.heads)
	c.block, c.index, c.depth = m.block, m.index, m.depth
	c.locals, c.regs, c.held = m.locals, m.regs, m.held
	c.effects, c.published = m.effects, m.published
	c.midway = err != nil
	if s, open := err.(*split); open {
		return &midway{s, c, e.terms.made}
	}
	if err != nil {
		return err
	}
	switch why {
	case stopPoint, stopHead:
		if e.coupled(c) {
			return nil
		}
		// In an open environment the initial contents are arbitrary:
		// nothing that happens before the first operation adds to that.
		if !e.atPoint(c) || c.points == 0 && e.problem.Env != Package {
			e.push(c, phaseRun)
			return nil
		}
		e.tookEffect(c)
		e.push(c, phaseEnv)
	case stopDone:
		c.outcome = out
		e.tookEffect(c)
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
			return c.note(site, e.allocate(site, contents, false))
		},
		onOp: func(op opEvent) { c.trail = &trail{prev: c.trail, op: &op} },
	}
	m.unknown = func(site string, result int, args []term) term {
		return c.note(unknownPlace(site, result), e.unpredictable(site, result, args, e.givenAway(c, m)))
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

// note keeps something that the call made at a place on the trail.
func (c *config) note(place string, x term) term {
	c.trail = &trail{prev: c.trail, made: x, place: place}
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
	if e.assume.follows(site) {
		return e.terms.app(siteType(site), result, e.telling(args)...)
	}
	return e.terms.sym(siteType(site), false, known)
}

// exit compares the outcome of the call with those of the candidates. The
// environment looks once more: the cells must hold what they would. One
// candidate is enough, so those that agree without a case split come first.
func (e *engine) exit(c *config) error {
	e.review(c)
	ok, err := e.explainedBy(c, slices.DeleteFunc(slices.Clone(c.cands), func(k candidate) bool { return k.done == nil || k.isPending() }))
	if !ok && err == nil {
		ok, err = e.explainedLate(c)
	}
	if ok {
		e.course.end()
	}
	if ok || err != nil {
		return err
	}
	for cell := range c.regs {
		e.learn(c, c.regs[cell])
	}
	e.violation(c)
	return nil
}

// explainedBy reports whether one of some candidates accounts for all that the call did.
func (e *engine) explainedBy(c *config, cands []candidate) (bool, error) {
	var open []candidate
	for _, k := range cands {
		ok, err := e.explains(c, k.clone())
		if _, undecided := err.(*split); undecided {
			open = append(open, k)
			continue
		}
		if ok || err != nil {
			return ok, err
		}
	}
	for _, k := range open {
		if ok, err := e.explains(c, k.clone()); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// explains reports whether the candidate accounts for all that the call did
// and left behind.
func (e *engine) explains(c *config, k candidate) (bool, error) {
	if ok, err := e.leaves(c, &k); !ok {
		return false, err
	}
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
	return e.holds(c, &k)
}

// holds decides about the conditions of a candidate.
func (e *engine) holds(c *config, k *candidate) (bool, error) {
	for _, l := range e.conditions(k) {
		if ok, err := e.decide(c, l.a, l.b); err != nil || ok != l.equal {
			return false, err
		}
	}
	return true, nil
}
