package absint

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/mapatom/mapatom/reduce"
)

// engine explores the two-thread driver of one problem.
type engine struct {
	problem Problem
	assume  assumptions
	stage   stage
	terms   *terms
	live    *reduce.Liveness
	heads   []bool
	// hasEffects says that it matters which values were in a cell.
	hasEffects bool
	args       []term
	// loops says that the call may go round in circles.
	loops bool
	// passedOn are the arguments that only serve to call something.
	passedOn map[term]bool
	visited  map[string]bool
	queue    []item
	configs  int
	// work counts the attempts at steps, those cut short by an open
	// comparison included.
	work int
	// cut is set when a step was not taken because of the stage's bound.
	cut bool
	// nilInMaps says that the environment may put nil in a map.
	nilInMaps bool
	// found are configurations without a candidate, nearest first.
	found []*config
	// imprecise is set when a candidate was given up though it might have
	// been completed; reason says what was cut.
	imprecise string
}

// phase says what comes next in a configuration.
type phase byte

const (
	// phaseEnv: the environment looks at the cells.
	phaseEnv phase = 'e'
	// phaseStep: the environment takes a step, or the call goes on.
	phaseStep phase = 's'
	// phasePackage: the package takes a step.
	phasePackage phase = 'p'
	// phaseRun: the call executes up to its next stop.
	phaseRun phase = 'r'
	// phaseExit: the call has returned and is compared.
	phaseExit phase = 'x'
)

type item struct {
	cfg   *config
	phase phase
}

// workPerConfiguration bounds the cases that a step falls into, on average.
const workPerConfiguration = 10

// attemptShare is the part of the budget that one step may use where not all
// steps have to be taken: one long function is not to keep the others from
// showing a bug.
const attemptShare = 40

// run explores the problem. The verdict Violation comes with a witness that
// was replayed.
func (e *engine) run(ctx context.Context) (Result, error) {
	e.start()
	for len(e.queue) > 0 {
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		it := e.queue[0]
		e.queue = e.queue[1:]
		if err := e.advance(it); err != nil {
			return Result{}, err
		}
		if res, done := e.verdictSoFar(); done {
			return res, nil
		}
	}
	return e.closed(), nil
}

func newEngine(p Problem, a assumptions, s stage) *engine {
	nilInMaps := s.envelope && p.putsNil()
	if s.envelope {
		p.Env, p.Steps = Open, nil
	}
	e := &engine{
		problem: p, assume: a, stage: s, nilInMaps: nilInMaps, terms: newTerms(),
		live: reduce.Live(p.Region), visited: map[string]bool{},
		heads: make([]bool, len(p.Region.Blocks)), passedOn: map[term]bool{},
	}
	e.terms.budget = p.Budget.Work / 4 * s.share
	for _, b := range p.Region.Blocks {
		for i := range b.Instrs {
			e.hasEffects = e.hasEffects || b.Instrs[i].Op == reduce.Effect
		}
	}
	for _, l := range reduce.Loops(p.Region) {
		e.heads[l.Head], e.loops = true, true
	}
	for _, l := range p.Region.Params {
		e.args = append(e.args, e.parameter(p.Region, l, nil))
	}
	return e
}

// parameter is a symbol for an argument that can be anything.
func (e *engine) parameter(p *reduce.Program, l reduce.Local, known []term) term {
	x := e.terms.sym(p.Names[l], neverNil(p, l), known)
	if onlyPassedOn(p, l) {
		e.passedOn[x] = true
	}
	return x
}

// onlyPassedOn reports whether a parameter is given to calls that cannot be
// predicted, and is of no other use: a context, a table to look things up in.
func onlyPassedOn(p *reduce.Program, param reduce.Local) bool {
	passed, other := false, false
	use := func(l reduce.Local) { other = other || l == param }
	for _, c := range p.Cells {
		use(c.Map.Local)
		use(c.Key.Local)
	}
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			if in := &b.Instrs[i]; in.Op == reduce.Unknown {
				passed = passed || slices.Contains(in.Args, reduce.L(param))
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

// verdictSoFar looks at the violations found by the last step, and at the
// budget.
func (e *engine) verdictSoFar() (Result, bool) {
	for _, c := range e.found {
		if w := e.witness(c); w != nil {
			return Result{Verdict: Violation, Configurations: e.configs, Witness: w}, true
		}
		e.imprecise = "a suspected interleaving does not replay"
		e.problem.Budget.Spurious--
	}
	e.found = e.found[:0]
	switch {
	case e.problem.Budget.Spurious <= 0:
		return Result{Reason: e.imprecise, Configurations: e.configs}, true
	case e.configs > e.problem.Budget.Configurations:
		return Result{
			Reason:         fmt.Sprintf("more than %d configurations", e.problem.Budget.Configurations),
			Configurations: e.configs,
		}, true
	case e.exhausted():
		return Result{Reason: "too many cases to tell apart", Configurations: e.configs}, true
	}
	return Result{}, false
}

// closed is the verdict when no configuration is left to explore.
func (e *engine) closed() Result {
	if e.imprecise != "" {
		return Result{Reason: e.imprecise, Configurations: e.configs}
	}
	return Result{Verdict: Verified, Configurations: e.configs}
}

// start queues the initial configurations.
func (e *engine) start() {
	for _, regs := range e.initialContents() {
		c := &config{path: newPath(e.terms), regs: regs, first: regs, held: e.problem.Held}
		c.locals = make([]term, len(e.problem.Region.Names))
		for i, l := range e.problem.Region.Params {
			c.locals[l] = e.args[i]
		}
		c.cands = []candidate{{spec: slices.Clone(regs)}}
		e.attempt(c, func(c *config) error {
			if err := e.spawn(c); err != nil {
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
// put there.
func (e *engine) initialContents() [][]term {
	all := [][]term{nil}
	for i := range e.problem.Region.Cells {
		cell := &e.problem.Region.Cells[i]
		var options []term
		switch {
		case e.problem.Env == Package && cell.Kind == reduce.Atomic:
			options = e.constructed(i, e.terms.lit(cell.Zero))
		case e.problem.Env == Package:
			options = e.constructed(i, e.terms.absentT)
		case cell.Kind == reduce.Atomic:
			options = []term{e.terms.sym("init", false, nil)}
		default:
			options = []term{e.terms.absentT, e.terms.sym("init", !e.nilInMaps, nil)}
		}
		var next [][]term
		for _, regs := range all {
			for _, o := range options {
				next = append(next, append(slices.Clone(regs), o))
			}
		}
		all = next
	}
	return all
}

// constructed are the contents of a cell of which none is used yet.
func (e *engine) constructed(cell int, zero term) []term {
	options := []term{zero}
	if e.problem.Initial == nil {
		return options
	}
	for _, v := range e.problem.Initial[cell] {
		x := e.terms.sym("init", e.problem.Region.Cells[cell].Kind != reduce.Atomic && !e.nilInMaps, nil)
		if v != Anything {
			x = e.terms.lit(string(v))
		}
		if !slices.Contains(options, x) {
			options = append(options, x)
		}
	}
	return options
}

// attempt applies f to c, and where a comparison is left open to both ways
// of deciding it. f gets a clone that it may change.
func (e *engine) attempt(c *config, f func(*config) error) error {
	work := []*config{c}
	e.terms.begin()
	limit := e.terms.cost + e.terms.budget/attemptShare
	for len(work) > 0 {
		if e.work++; e.exhausted() {
			return nil // verdictSoFar gives the reason
		}
		if e.stage.steps > 0 && e.terms.cost > limit {
			e.cut = true // whatever comes of the other cases is left out
			return nil
		}
		c := work[0]
		work = work[1:]
		e.terms.again()
		err := f(c.clone())
		if err == nil {
			continue
		}
		s, ok := err.(*split)
		if !ok {
			return err
		}
		for _, l := range s.both(e.terms) {
			if p := c.path.with(l); p != nil {
				d := *c
				d.path = p
				work = append(work, &d)
			}
		}
	}
	return nil
}

// exhausted reports whether the budget of work is used up.
func (e *engine) exhausted() bool {
	return e.work > workPerConfiguration*e.problem.Budget.Configurations || e.terms.cost >= e.terms.budget
}

// both are the two answers to the open question. A truth value that is not
// true is false.
func (s *split) both(t *terms) [2]literal {
	l := s.literal
	other := literal{l.a, l.b, false}
	switch l.b {
	case t.trueT:
		other = literal{l.a, t.falseT, true}
	case t.falseT:
		other = literal{l.a, t.trueT, true}
	}
	return [2]literal{{l.a, l.b, true}, other}
}

// decide answers a == b under the path condition of c, or splits it.
func (e *engine) decide(c *config, a, b term) (bool, error) {
	switch c.path.equal(a, b) {
	case yes:
		return true, nil
	case no:
		return false, nil
	}
	if e.terms.of(a).kind == litTerm {
		a, b = b, a
	}
	return false, &split{literal{a, b, true}}
}

// push queues a configuration unless an equal one was queued before.
func (e *engine) push(c *config, ph phase) {
	e.dropHopeless(c)
	key := string(ph) + e.key(c)
	if e.stage.steps > 0 {
		key = strconv.Itoa(c.steps) + key
	}
	if e.visited[key] {
		return
	}
	e.visited[key] = true
	e.configs++
	e.queue = append(e.queue, item{c, ph})
}

// advance explores one queued configuration.
func (e *engine) advance(it item) error {
	switch it.phase {
	case phaseEnv:
		return e.attempt(it.cfg, e.environment)
	case phaseStep:
		return e.steps(it.cfg)
	case phasePackage:
		return e.packageSteps(it.cfg)
	case phaseRun:
		return e.attempt(it.cfg, e.runCall)
	default:
		return e.attempt(it.cfg, e.exit)
	}
}

// violation keeps a configuration that has no candidate left.
func (e *engine) violation(c *config) { e.found = append(e.found, c) }

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
	return &machine{
		terms: e.terms, prog: e.problem.Region,
		block: c.block, index: c.index, depth: c.depth,
		locals: c.locals, regs: c.regs, held: c.held,
		effects: c.effects, published: c.published,
		decide: func(a, b term) (bool, error) { return e.decide(c, a, b) },
		fresh: func(site string, contents []term) term {
			return c.note(e.allocate(site, contents, false))
		},
		unknown: func(site string, result int, args []term) term {
			return c.note(e.unpredictable(site, result, args))
		},
		onOp: func(op opEvent) { c.trail = &trail{prev: c.trail, op: &op} },
	}
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

// unpredictable is a new symbol, unless unknown callees are functions.
func (e *engine) unpredictable(site string, result int, args []term) term {
	if e.assume.deterministic {
		return e.terms.app(siteType(site), result, e.telling(args)...)
	}
	return e.terms.sym(siteType(site), false, nil)
}

// exit compares the outcome of the call with those of the candidates. The
// environment looks once more: the cells must hold what they would. One
// candidate is enough, so those that agree without a case split come first.
func (e *engine) exit(c *config) error {
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
	return e.matchOutcome(c, &k, c.outcome)
}
