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
	{share: 4},
}

// decide answers a problem under the given assumptions, by stages.
func decide(ctx context.Context, p Problem, a assumptions) (Result, error) {
	all := stages
	if p.Env == Open {
		all = []stage{{share: 4}}
	}
	d := &decision{ctx: ctx, problem: p, assume: a}
	if a.tried {
		if done, err := d.try(); done || err != nil {
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
		if done, err := d.try(); done || err != nil {
			return d.last, err
		}
	}
	if d.watched != nil {
		return Result{Verdict: Violation, Configurations: d.last.Configurations, Work: d.last.Work, Witness: d.watched}, nil
	}
	return d.last, nil
}

// decision is the state of one decide.
type decision struct {
	ctx     context.Context
	problem Problem
	assume  assumptions
	// last is the answer so far, and watched a witness that needs somebody who looks.
	last    Result
	watched *Witness
	// tried says that single runs were tried.
	tried bool
	// stuck says that a stage of few steps hardly began before its budget was used up.
	stuck bool
}

// hardlyBegun is how many configurations a stage has if it hardly began: fewer than any
// call that can be explored.
const hardlyBegun = 30

// explore goes through one stage; done says that its answer is the one.
func (d *decision) explore(s stage) (done bool, err error) {
	e := newEngine(d.problem, d.assume, s)
	res, err := e.run(d.ctx)
	if err != nil {
		return false, err
	}
	if d.watched == nil && !s.envelope {
		d.watched = e.watched
	}
	res.Configurations += d.last.Configurations
	res.Work = d.last.Work + e.spent()
	d.last = res
	d.stuck = d.stuck || s.steps > 0 && e.exhausted() && e.configs < hardlyBegun
	switch {
	case s.envelope && res.Verdict == Verified,
		!s.envelope && res.Verdict == Violation,
		!s.envelope && res.Verdict == Verified && !e.cut:
		return true, nil
	case s.steps > 0 && !d.tried && !d.assume.unwatched && (e.exhausted() || e.problem.Budget.Spurious <= 0):
		return d.try()
	}
	return false, nil
}

// try tries single runs; done says that one is a violation.
func (d *decision) try() (done bool, err error) {
	d.tried = true
	e := newEngine(d.problem, d.assume, stage{steps: 1, share: 5})
	res, err := e.sample(d.ctx)
	if err != nil {
		return false, err
	}
	if d.watched == nil {
		d.watched = e.watched
	}
	res.Configurations += d.last.Configurations
	res.Work = d.last.Work + e.spent()
	if res.Verdict == Violation {
		d.last = res
		return true, nil
	}
	d.last.Configurations, d.last.Work = res.Configurations, res.Work
	return false, nil
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
