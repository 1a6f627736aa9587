package absint

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/mapatom/mapatom/absint/internal/summary"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Where a call is long, there are more cases than can be told apart, and yet nearly
// any interleaving shows what is wrong. So what the exploration leaves undecided is
// tried: single runs of the call, in each of which one answer is given to each question
// that is open, and some steps of others come at some places. Whether a run can be
// explained is asked of the concrete history that it stands for, as it is of all
// witnesses. This finds violations; it verifies nothing.

// sampler makes runs.
type sampler struct {
	*engine
	rand *rand.Rand
	// ahead is how many operations can follow from each block, as far as that matters.
	ahead []int
	// visits counts how often runs came to each block, and least is the smallest of
	// these numbers among the blocks that can follow, when the run began.
	visits, least []int
	// plan is that of the present run, and been counts how often it came to each block.
	plan *plan
	been []int
	// running is the step that runs, nil while the call does, and before are the contents
	// with which it began.
	running *rival
	before  []term
	// watching counts the runs in which others only look.
	watching int
	// gaps are the numbers of scheduling points that runs had.
	gaps []int
	// rivals are the steps that may change a cell.
	rivals []*rival
	// starts are the contents with which the call can begin, made is how many runs were, and
	// tried how many of them somebody interrupted.
	starts      [][]term
	made, tried int
	// limit is the cost at which the present run is broken off.
	limit int
	// telling are, for each cell, the constants that the call compares its contents with
	// or stores there.
	telling [][]term
}

// rival is a step of the package that may change a cell.
type rival struct {
	step *Step
	// program is what the step does to the cells: what else it does costs as much, and nobody
	// who looks at the cells can tell. What it is told is found out by replaying it.
	program *register.Program
	// leads says of each block whether a change can follow.
	leads []bool
	// changed counts the runs that changed a cell, and spent is what all runs cost.
	changed, spent int
}

// maxSamples bounds the runs that are tried, and maxMade those that are begun: nobody
// interrupts some of them.
const (
	maxSamples = 200
	maxMade    = 800
)

// runCost bounds one run with the steps of others in it. Among many runs there is a short one.
const runCost = 8000

// maxExplained bounds the work of finding out what explains them.
const maxExplained = 400_000

// maxPoints bounds the scheduling points of a run that is tried.
const maxPoints = 40

// maxStarts is how many contents of all cells a run can begin with: those of many cells are more than can be listed.
const maxStarts = 256

func newSampler(e *engine) *sampler {
	p := e.problem.Region
	s := &sampler{
		engine: e, rand: rand.New(rand.NewPCG(1, 2)),
		ahead: operationsAhead(p), visits: make([]int, len(p.Blocks)), least: make([]int, len(p.Blocks)),
	}
	e.hasty = true
	for cell := range p.Cells {
		s.telling = append(s.telling, e.tellingContents(cell))
	}
	for i := range e.problem.Steps {
		st := &e.problem.Steps[i]
		r := &rival{step: st, program: st.bare()}
		if r.leads = summary.LeadsTo(r.program, st.changes); r.leads[0] {
			s.rivals = append(s.rivals, r)
		}
	}
	slices.SortStableFunc(s.rivals, func(a, b *rival) int { return length(a.program) - length(b.program) })
	s.starts = e.initialContents(maxStarts)
	return s
}

// length is how many instructions a program has.
func length(p *register.Program) int {
	n := 0
	for _, b := range p.Blocks {
		n += len(b.Instrs) + 1
	}
	return n
}

// changes reports whether a block may change a cell of the region.
func (s *Step) changes(b *register.Block) bool {
	return slices.ContainsFunc(b.Instrs, func(in register.Instr) bool {
		return (in.Op == register.Write || in.Op == register.CAS) && s.Cells[in.Cell] >= 0
	})
}

// tellingContents are the constants that tell contents of a cell from others.
func (e *engine) tellingContents(cell int) []term {
	p := e.problem.Region
	var out []term
	add := func(o register.Operand) {
		if o.IsLit() && o != register.Absent && (o != register.Lit(register.LitNil) || p.Cells[cell].Kind == register.Atomic) {
			out = addTerm(out, e.terms.lit(o.Lit))
		}
	}
	if p.Cells[cell].Type.Kind == register.Bool {
		add(register.Lit(register.LitTrue))
		add(register.Lit(register.LitFalse))
	}
	of := register.NewLocalSet(len(p.Names))
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			if in := &b.Instrs[i]; in.IsBase() && in.Cell == cell && len(in.Dst) > 0 && in.Dst[0] != register.None {
				of.Add(in.Dst[0])
			}
		}
	}
	register.AddCopies(p, of)
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			in := &b.Instrs[i]
			compares := in.Op == register.Pure && slices.ContainsFunc(in.Args, func(o register.Operand) bool { return o.Local != register.None && of.Has(o.Local) })
			if compares && register.IsTest(in.Name) || in.IsBase() && in.Cell == cell {
				for _, o := range in.Args {
					add(o)
				}
			}
		}
	}
	return out
}

// enoughOperations is how many operations a run has to have if somebody is to come in
// between.
const enoughOperations = 2

// operationsAhead counts for each block the operations that can follow, up to
// enoughOperations.
func operationsAhead(p *register.Program) []int {
	own := make([]int, len(p.Blocks))
	open := register.OpenEnters(p)
	for b, blk := range p.Blocks {
		at := open[b]
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if at.Depth == 0 && in.Yields() && in.Op != register.Lock {
				own[b]++
			}
			at = register.StepEnter(at, in, register.Ref{Block: b, Instr: i})
		}
	}
	ahead := make([]int, len(p.Blocks))
	for changed := true; changed; {
		changed = false
		for b := len(p.Blocks) - 1; b >= 0; b-- {
			n := 0
			for _, to := range p.Blocks[b].Term.To {
				n = max(n, ahead[to])
			}
			if n = min(n+own[b], enoughOperations); n > ahead[b] {
				ahead[b], changed = n, true
			}
		}
	}
	return ahead
}

// survey finds out where runs have been least.
func (s *sampler) survey() {
	copy(s.least, s.visits)
	for changed := true; changed; {
		changed = false
		for b := len(s.least) - 1; b >= 0; b-- {
			for _, to := range s.problem.Region.Blocks[b].Term.To {
				if s.least[to] < s.least[b] {
					s.least[b], changed = s.least[to], true
				}
			}
		}
	}
}

// sample tries runs, or goes on to, for no more work than limit if that is not 0; over says
// that there are no more. Its verdict is Violation or Unknown.
func (s *sampler) sample(ctx context.Context, limit int) (res Result, over bool, err error) {
	from := s.spent()
	for ; s.tried < maxSamples && s.made < maxMade && !s.exhausted() && s.explained < maxExplained; s.made++ {
		if err := ctx.Err(); err != nil {
			return Result{}, false, err
		}
		if limit > 0 && s.spent()-from >= limit {
			return Result{}, false, nil
		}
		s.configs++
		c, err := s.one(s.starts[s.rand.IntN(len(s.starts))])
		if err != nil {
			return Result{}, false, err
		}
		if c == nil {
			continue
		}
		s.tried++
		switch w := s.witness(c); {
		case w != nil && s.plan.watches:
			s.watched = w
		case w != nil:
			return Result{Verdict: Violation, Witness: w, tried: true}, true, nil
		}
	}
	return Result{Reason: tooManyCases}, true, nil
}

// one is a run that somebody interrupts, nil if it did not come to that.
func (s *sampler) one(regs []term) (*config, error) {
	c, plan := s.begin(regs), s.newPlan()
	s.plan, s.been = plan, make([]int, len(s.visits))
	s.survey()
	s.limit = s.terms.cost + runCost
	for c.points < maxPoints {
		if s.atPoint(c) {
			if err := s.prepare(c); err != nil {
				return nil, err
			}
			c.points++
		}
		m := s.actual(c)
		m.limit = s.limit
		m.decide = func(a, b term) (bool, error) { return s.answer(c, m, a, b), nil }
		why, out, err := m.run(true, nil)
		switch {
		case err != nil:
			return nil, err
		case why == stopDone && c.points > 1:
			s.gaps = append(s.gaps, c.points)
		case why != stopPoint:
			return nil, nil
		}
		c.block, c.index, c.depth = m.block, m.index, m.depth
		c.locals, c.regs, c.held = m.locals, m.regs, m.held
		c.effects, c.published, c.outcome = m.effects, m.published, out
		if why == stopPoint {
			if err := s.follow(plan, c); err != nil {
				return nil, err
			}
			continue
		}
		if plan.taken == 0 {
			return nil, nil
		}
		s.look(c)
		return c, nil
	}
	return nil, nil
}

// begin is the call before it does anything.
func (s *sampler) begin(regs []term) *config {
	c := &config{path: newPath(s.terms), regs: slices.Clone(regs), first: regs, held: s.problem.Held}
	c.locals = make([]term, len(s.problem.Region.Names))
	for i, l := range s.problem.Region.Params {
		c.locals[l] = s.args[i]
	}
	return c
}

// plan says when others take steps: some as soon as they can from a point on, and
// perhaps more later.
type plan struct {
	from, wanted, taken int
	// direct says that the call goes straight to where operations are, and then to where
	// runs have been least.
	direct bool
	// watches says that the others only look, at each point: what the call has done in part
	// is seen.
	watches bool
}

// enoughWatched is how many runs are tried in which others only look.
const enoughWatched = 12

// watchEvery is how many other runs there are to one of these: what they show is only
// told if nothing else is found.
const watchEvery = 3

func (s *sampler) newPlan() *plan {
	p := &plan{from: 1, wanted: 1 + s.rand.IntN(2), direct: s.rand.IntN(2) == 0}
	if s.watched == nil && !s.assume.unwatched && s.watching < enoughWatched && s.made >= watchEvery*(s.watching+1) {
		s.watching++
		p.watches, p.direct = true, true
	}
	if len(s.gaps) > 0 && s.rand.IntN(2) == 0 {
		p.from += s.rand.IntN(s.gaps[s.rand.IntN(len(s.gaps))])
	}
	return p
}

// follow takes the steps that are planned at a point.
func (s *sampler) follow(p *plan, c *config) error {
	if p.watches {
		s.watch(p, c)
		return nil
	}
	for c.points >= p.from && p.wanted > 0 {
		changed, err := s.interrupt(c)
		if err != nil || !changed {
			return err // perhaps later
		}
		p.wanted--
		p.taken++
	}
	if p.wanted == 0 && s.rand.IntN(8) == 0 {
		p.wanted = 1
	}
	return nil
}

// watch lets others look at the cells, as a step of theirs.
func (s *sampler) watch(p *plan, c *config) {
	s.look(c)
	for cell := range c.regs {
		if c.points == 0 || !s.problem.locks(c.held, cell) {
			c.trail = &trail{prev: c.trail, step: &envAction{point: c.points, kind: observe, cell: cell}}
			p.taken++
		}
	}
}

// look lets others see what is in the cells, but for those that nobody can look at.
func (s *sampler) look(c *config) {
	for cell, x := range c.regs {
		if c.points == 0 || c.outcome != nil || !s.problem.locks(c.held, cell) {
			s.learn(c, x)
		}
	}
}

// prepare lets the package do something before the call's first operation.
func (s *sampler) prepare(c *config) error {
	if c.points > 0 || s.problem.Env != Package {
		return nil
	}
	for range s.rand.IntN(2 + len(c.regs)) {
		if _, err := s.interrupt(c); err != nil {
			return err
		}
	}
	return nil
}

// answer gives one answer to a question of the machine, and the other one where the
// first cannot be.
func (s *sampler) answer(c *config, m *machine, a, b term) bool {
	is, err := c.path.ask(a, b)
	var open *split
	if !errors.As(err, &open) {
		return is
	}
	both := open.answers(s.terms)
	i := s.rand.IntN(2)
	if m.storing {
		i = 1 // see machine.store
	} else if blk := m.prog.Blocks[m.block]; m.index == len(blk.Instrs) && blk.Term.Kind == register.Branch {
		i = m.answerFor(&blk.Term, s.way(c, m, &blk.Term))
	}
	for _, i := range [2]int{i, 1 - i} {
		if p := c.path.with(both[i]); p != nil {
			c.path = p
			return i == 0
		}
	}
	return false // neither can be, as far as is known: there is no model then
}

// way chooses between the two ways out of a block, 0 for the first: rather one that leads
// to as many operations as are needed, and then to where runs have been least; in a step
// of others, one that leads to a change.
func (s *sampler) way(c *config, m *machine, t *register.Term) int {
	i := s.rand.IntN(2)
	first, second := t.To[0], t.To[1]
	if s.running != nil {
		if a, b := s.running.leads[first], s.running.leads[second]; a != b && s.rand.IntN(8) > 0 {
			i = index(b != s.changed(m)) // what has been done is enough
		}
		return i
	}
	needed := 1
	if s.plan.direct {
		needed = enoughOperations - c.points
	}
	switch n := min(s.ahead[first], needed) - min(s.ahead[second], needed); {
	case n != 0 && (s.plan.direct || s.rand.IntN(8) > 0):
		i = index(n < 0)
	case s.least[first] != s.least[second] && (s.plan.direct || s.rand.IntN(2) == 0):
		i = index(s.least[second] < s.least[first])
	}
	if s.been[t.To[i]] > maxRounds {
		i = s.rand.IntN(2)
	}
	s.visits[t.To[i]]++
	s.been[t.To[i]]++
	return i
}

// maxRounds is how often a run comes to a block on purpose.
const maxRounds = 3

// changed reports whether the step that runs has changed something.
func (s *sampler) changed(m *machine) bool { return !slices.Equal(m.regs, s.before) }

func index(second bool) int {
	if second {
		return 1
	}
	return 0
}

// interrupt lets others take one step that changes a cell, if there is one.
func (s *sampler) interrupt(c *config) (changed bool, err error) {
	s.look(c)
	if s.problem.Env == Package {
		return s.packageInterrupt(c)
	}
	cell := s.rand.IntN(len(c.regs))
	kind, content := swap, s.terms.absentT
	if s.problem.Region.Cells[cell].Kind == register.Map && c.regs[cell] != content && s.rand.IntN(2) == 0 {
		kind = remove
	} else if n := len(s.telling[cell]); n > 0 && s.rand.IntN(2) == 0 {
		content = s.telling[cell][s.rand.IntN(n)]
	} else {
		content = s.content("env", cell, slices.Clone(c.known))
	}
	if content == c.regs[cell] {
		return false, nil
	}
	c.regs = slices.Clone(c.regs)
	c.regs[cell] = content
	c.trail = &trail{prev: c.trail, step: &envAction{point: c.points, kind: kind, cell: cell, value: content}}
	return true, nil
}

// maxAttempts bounds the steps of the package that are tried at one point.
const maxAttempts = 8

func (s *sampler) packageInterrupt(c *config) (changed bool, err error) {
	if len(s.rivals) == 0 {
		return false, nil
	}
	for range maxAttempts {
		r := s.rival()
		st := r.step
		if c.points > 0 && !st.enabled(c.held) {
			continue
		}
		d := c.clone()
		run := stepRun{step: st, args: s.stepArgs(d, st), made: choices{}, own: s.ownCells(st)}
		m := &machine{terms: s.terms, prog: r.program, locals: localsOf(r.program, run.args), regs: run.regs(d.regs), anyNil: len(st.Nils) > 0}
		m.decide = func(a, b term) (bool, error) { return s.answer(d, m, a, b), nil }
		s.connect(m, run.made, slices.Clone(d.known))
		m.limit = s.limit
		s.running, s.before = r, slices.Clone(m.regs)
		cost := s.terms.cost
		why, out, err := m.run(false, nil)
		s.running = nil
		if err != nil {
			return false, err
		}
		r.spent += s.terms.cost - cost
		if why != stopDone {
			continue
		}
		if run.store(d.regs, m.regs); slices.Equal(c.regs, d.regs) {
			continue
		}
		r.changed++
		d.trail = &trail{prev: d.trail, step: &envAction{
			point: d.points, kind: runStep, program: st, args: run.args, own: run.own, made: run.made, outcome: out,
		}}
		*c = *d
		return true, nil
	}
	return false, nil
}

// rival is a step to try: rather a short one, or of two the one that has changed more for
// less.
func (s *sampler) rival() *rival {
	n := len(s.rivals)
	r, o := s.rivals[min(s.rand.IntN(n), s.rand.IntN(n), s.rand.IntN(n))], s.rivals[s.rand.IntN(n)]
	if s.rand.IntN(2) == 0 && (o.changed+1)*(r.spent+stepCost) > (r.changed+1)*(o.spent+stepCost) {
		return o
	}
	return r
}

// stepCost is what a step is taken to cost before it has been tried.
const stepCost = 20
