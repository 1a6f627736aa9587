package absint

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// attemptShare is the part of the budget that one step may use where not all
// steps have to be taken: one long function is not to keep the others from
// showing a bug.
const attemptShare = 40

// run explores the problem, or goes on to. The verdict Violation comes with a witness
// that was replayed. If pause is not 0, it stops when it has cost so much; open says that
// it has not come to an end.
func (e *engine) run(ctx context.Context, pause int) (res Result, open bool, err error) {
	if !e.begun {
		e.begun = true
		e.start()
	}
	for len(e.queue) > 0 {
		if err := ctx.Err(); err != nil {
			return Result{}, false, err
		}
		if pause > 0 && e.spent() >= pause {
			return Result{}, true, nil
		}
		it := e.queue[0]
		e.queue = e.queue[1:]
		if err := e.advance(it); err != nil {
			return Result{}, false, err
		}
		if res, done := e.verdictSoFar(); done {
			return res, false, nil
		}
	}
	return e.closed(), false, nil
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
		return Result{Reason: tooMany, Configurations: e.configs}, true
	}
	return Result{}, false
}

// closed is the verdict when no configuration is left to explore.
func (e *engine) closed() Result {
	if res, done := e.verdictSoFar(); done {
		return res // the budget ended before there was anything to explore
	}
	if e.imprecise != "" {
		return Result{Reason: e.imprecise, Configurations: e.configs}
	}
	return Result{Verdict: Verified, Configurations: e.configs}
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
		for _, l := range s.answers(e.terms) {
			if p := c.path.with(l); p != nil {
				d := *c
				d.path = p
				work = append(work, &d)
			}
		}
	}
	return nil
}

// push queues a configuration unless an equal one was queued before.
func (e *engine) push(c *config, ph phase) {
	e.rename(c)
	e.dropHopeless(c)
	key := string(ph) + e.key(c)
	if e.stage.steps > 0 {
		key = strconv.Itoa(c.steps) + key
	}
	if e.visited[key] {
		return
	}
	e.visited[key] = true
	if e.covering.has(c, ph, e.stage.steps > 0) {
		return
	}
	if ph != phaseRun || e.atPoint(c) {
		e.configs++
	}
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

// stages are tried in this order for a problem whose environment is the
// package. Most correct code is correct in any environment, and nearly every
// bug shows with two or three steps: one that fills the cell, and one or two
// at the wrong moment. What the package can do in any number of steps is only
// asked for what is left.
var stages = []stage{
	{envelope: true, share: 1},
	{steps: 2, share: 2},
	{steps: 3, share: 2},
	{share: 2},
}

// decide answers a problem under the given assumptions, by stages.
func decide(ctx context.Context, p Problem, a assumptions) (Result, error) {
	all := stages
	if p.Env == Open {
		all = []stage{{share: 4}}
	}
	if !a.deterministic {
		p = p.unasked()
	}
	p = p.withBare()
	d := &decision{ctx: ctx, problem: p, assume: a}
	if a.tried {
		if done, err := d.try(0); done || err != nil {
			return d.last, err
		}
	}
	for _, s := range all {
		if d.stuck && !s.envelope || s.steps > 2 && d.tried {
			continue // fewer steps were too many cases
		}
		if done, err := d.explore(s); done || err != nil {
			return d.last, err
		}
	}
	if !d.tried && !d.assume.unwatched && d.last.Verdict == Unknown {
		if done, err := d.try(0); done || err != nil {
			return d.last, err
		}
	}
	if d.watched != nil {
		return Result{Verdict: Violation, Configurations: d.last.Configurations, Work: d.last.Work, Witness: d.watched}, nil
	}
	if d.last.Reason == tooMany {
		d.last.Reason = d.tooMuch()
	}
	return d.last, nil
}

// tooMany is why a problem is not decided that uses its budget up.
const tooMany = "too many cases to tell apart"

// tooMuch says what there are too many cases in: the first step of others that could not be
// walked, or the sequence itself.
func (d *decision) tooMuch() string {
	if d.large != "" {
		return fmt.Sprintf("%s in %s, which others run meanwhile", tooMany, d.large)
	}
	return fmt.Sprintf("%s in a sequence of %d branches", tooMany, branches(d.problem.Region))
}

// decision is the state of one decide.
type decision struct {
	ctx     context.Context
	problem Problem
	assume  assumptions
	// last is the answer so far, and watched a witness that needs somebody who looks.
	last    Result
	watched *Witness
	// sampler makes single runs, and tried says that it has made all of them.
	sampler *sampler
	tried   bool
	// large is the first step of others that was too large to be walked.
	large string
	// stuck says that a stage of few steps hardly began before its budget was used up.
	stuck bool
}

// hardlyBegun is how many configurations a stage has if it hardly began: fewer than any
// call that can be explored.
const hardlyBegun = 30

// firstPart is the part of the budget of work after which a stage waits until some single
// runs were tried: what is wrong with a long call is seen in them long before all that
// comes before it in the exploration was told apart.
const firstPart = 10

// explore goes through one stage; done says that its answer is the one.
func (d *decision) explore(s stage) (done bool, err error) {
	e := newEngine(d.problem, d.assume, s)
	pause := d.problem.Budget.Work / firstPart
	res, open, err := e.run(d.ctx, pause)
	if err == nil && open {
		d.charge(e)
		if !d.tried && !d.assume.unwatched {
			if done, err := d.try(pause); done || err != nil {
				return done, err
			}
		}
		res, _, err = e.run(d.ctx, 0)
	}
	if err != nil {
		return false, err
	}
	if d.watched == nil && !s.envelope {
		d.watched = e.watched
	}
	d.charge(e)
	d.conclude(res)
	if e.relation != nil {
		d.large = e.relation.large
	}
	d.stuck = d.stuck || s.steps > 0 && e.exhausted() && e.configs < hardlyBegun
	switch {
	case s.envelope && res.Verdict == Verified,
		!s.envelope && res.Verdict == Violation,
		!s.envelope && res.Verdict == Verified && !e.cut:
		return true, nil
	case s.steps > 0 && !d.tried && !d.assume.unwatched && (e.exhausted() || e.problem.Budget.Spurious <= 0):
		return d.try(0)
	}
	return false, nil
}

// try tries single runs, for so much work if it is not all of them; done says that one is
// a violation.
func (d *decision) try(limit int) (done bool, err error) {
	d.tried = limit == 0
	if d.sampler == nil {
		d.sampler = newSampler(newEngine(d.problem, d.assume, stage{steps: 1, share: 5}))
	}
	res, err := d.sampler.sample(d.ctx, limit)
	if err != nil {
		return false, err
	}
	if d.watched == nil {
		d.watched = d.sampler.watched
	}
	d.charge(d.sampler.engine)
	if res.Verdict == Violation {
		d.conclude(res)
		return true, nil
	}
	return false, nil
}

// charge counts what an engine has done since it was last asked.
func (d *decision) charge(e *engine) {
	d.last.Work += e.spent() - e.charged
	d.last.Configurations += e.configs - e.counted
	e.charged, e.counted = e.spent(), e.configs
}

// conclude takes over an answer, and keeps count of what all have cost.
func (d *decision) conclude(res Result) {
	res.Work, res.Configurations = d.last.Work, d.last.Configurations
	d.last = res
}

// putsNil reports whether a step of the package might put nil in a map, as far
// as can be told from what it stores.
func (p *Problem) putsNil() bool {
	for _, s := range p.Steps {
		for _, b := range s.Program.Blocks {
			for i := range b.Instrs {
				in := &b.Instrs[i]
				if (in.Op == register.Write || in.Op == register.CAS) && !neverStoresNil(s.Program, in.Args[len(in.Args)-1]) {
					return true
				}
			}
		}
	}
	return false
}

// neverStoresNil reports whether an operand that is stored is a literal other
// than nil, an allocation, or an argument that nobody passes nil for.
func neverStoresNil(p *register.Program, v register.Operand) bool {
	if v.Local == register.None {
		return v != register.Lit(register.LitNil)
	}
	if slices.Contains(p.Params, v.Local) {
		return neverNil(p, v.Local)
	}
	defined, fresh := 0, 0
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			b.Instrs[i].Defs(func(l register.Local) {
				if l != v.Local {
					return
				}
				defined++
				if b.Instrs[i].Op == register.Fresh {
					fresh++
				}
			})
		}
	}
	return defined > 0 && defined == fresh
}
