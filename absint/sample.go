package absint

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

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
	// leads says of each block whether an operation can follow.
	leads []bool
	// taken counts how often each way out of a block was taken.
	taken [][2]int
	// gaps are the numbers of scheduling points that runs had.
	gaps []int
}

// maxSamples bounds the runs that are tried.
const maxSamples = 200

// maxExplained bounds the work of finding out what explains them.
const maxExplained = 400_000

// maxPoints bounds the scheduling points of a run that is tried.
const maxPoints = 40

func newSampler(e *engine) *sampler {
	return &sampler{
		engine: e, rand: rand.New(rand.NewPCG(1, 2)),
		leads: leadsToOperation(e.problem.Region), taken: make([][2]int, len(e.problem.Region.Blocks)),
	}
}

// sample tries runs. Its verdict is Violation or Unknown.
func (e *engine) sample(ctx context.Context) (Result, error) {
	s := newSampler(e)
	e.hasty = true
	starts := e.initialContents()
	for n := 0; n < maxSamples && !e.exhausted() && e.explained < maxExplained; n++ {
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		e.configs++
		c, err := s.one(starts[s.rand.IntN(len(starts))])
		if err != nil {
			return Result{}, err
		}
		if c == nil {
			continue
		}
		if w := e.witness(c); w != nil {
			return Result{Verdict: Violation, Configurations: e.configs, Witness: w, tried: true}, nil
		}
	}
	return Result{Reason: "too many cases to tell apart", Configurations: e.configs}, nil
}

// one is a run that somebody interrupts, nil if it did not come to that.
func (s *sampler) one(regs []term) (*config, error) {
	c := s.begin(regs)
	plan := s.plan()
	for c.points < maxPoints {
		if s.atPoint(c) {
			if err := s.before(c); err != nil {
				return nil, err
			}
			c.points++
		}
		m := s.actual(c)
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
type plan struct{ from, wanted, taken int }

func (s *sampler) plan() *plan {
	p := &plan{from: 1, wanted: 1 + s.rand.IntN(2)}
	if len(s.gaps) > 0 {
		p.from += s.rand.IntN(s.gaps[s.rand.IntN(len(s.gaps))])
	}
	return p
}

// follow takes the steps that are planned at a point.
func (s *sampler) follow(p *plan, c *config) error {
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

// look lets others see what is in the cells, but for those that nobody can look at.
func (s *sampler) look(c *config) {
	for cell, x := range c.regs {
		if c.points == 0 || c.outcome != nil || !s.problem.locks(c.held, cell) {
			s.learn(c, x)
		}
	}
}

// before lets the package do something before the call's first operation.
func (s *sampler) before(c *config) error {
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
	both := open.both(s.terms)
	i := s.rand.IntN(2)
	if m.prog == s.problem.Region {
		if blk := m.prog.Blocks[m.block]; m.index == len(blk.Instrs) && blk.Term.Kind == register.Branch {
			i = s.way(m, &blk.Term)
		}
	}
	for _, i := range [2]int{i, 1 - i} {
		if p := c.path.with(both[i]); p != nil {
			c.path = p
			return i == 0
		}
	}
	return false // neither can be, as far as is known: there is no model then
}

// way chooses between the two ways out of a block: rather one that leads to an operation,
// or that was not taken as often. It returns the answer to give, 0 for yes.
func (s *sampler) way(m *machine, t *register.Term) int {
	i := s.rand.IntN(2)
	n := &s.taken[m.block]
	switch first, second := s.leads[t.To[0]], s.leads[t.To[1]]; {
	case first != second && s.rand.IntN(8) > 0:
		i = index(second)
	case n[0] != n[1] && s.rand.IntN(2) == 0:
		i = index(n[1] < n[0])
	}
	n[i]++
	for z := s.terms.of(m.value(t.Cond)); z.kind == appTerm && z.name == "not"; z = s.terms.of(z.args[0]) {
		i = 1 - i
	}
	return i
}

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
	} else {
		content = s.content("env", cell, slices.Clone(c.known))
	}
	c.regs = slices.Clone(c.regs)
	c.regs[cell] = content
	c.trail = &trail{prev: c.trail, step: &envAction{point: c.points, kind: kind, cell: cell, value: content}}
	return true, nil
}

// maxAttempts bounds the steps of the package that are tried at one point.
const maxAttempts = 8

func (s *sampler) packageInterrupt(c *config) (changed bool, err error) {
	if len(s.problem.Steps) == 0 {
		return false, nil
	}
	for range maxAttempts {
		st := &s.problem.Steps[s.rand.IntN(len(s.problem.Steps))]
		if c.points > 0 && !st.enabled(c.held) {
			continue
		}
		d := c.clone()
		run := stepRun{step: st, args: s.stepArgs(d, st), made: choices{}, own: s.ownCells(st)}
		m := &machine{terms: s.terms, prog: st.Program, locals: s.stepLocals(st, run.args), regs: run.regs(d.regs)}
		m.decide = func(a, b term) (bool, error) { return s.answer(d, m, a, b), nil }
		s.connect(m, run.made, slices.Clone(d.known))
		why, out, err := m.run(false, nil)
		if err != nil {
			return false, err
		}
		if why != stopDone {
			continue
		}
		if run.store(d.regs, m.regs); slices.Equal(c.regs, d.regs) {
			continue
		}
		d.trail = &trail{prev: d.trail, step: &envAction{
			point: d.points, kind: runStep, program: st, args: run.args, made: run.made, outcome: out,
		}}
		*c = *d
		return true, nil
	}
	return false, nil
}
