package absint

import (
	"context"
	"fmt"
	"strconv"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// engine explores the two-thread driver of one problem.
type engine struct {
	problem Problem
	assume  assumptions
	stage   stage
	terms   *terms
	live    *register.Liveness
	heads   []bool
	// ways are what is known of the programs that are walked.
	ways map[*register.Program]*ways
	// relation is what others can do, see others.
	relation *relation
	// hasEffects says that it matters which values were in a cell.
	hasEffects bool
	args       []term
	// loops says that the call may go round in circles.
	loops bool
	// passedOn are the arguments that only serve to call something.
	passedOn map[term]bool
	// constants are the numbers that the programs name.
	constants []int64
	// asked are the questions about results of unknown calls, by place.
	asked map[string]answersAsked
	// asksBits says that the region looks at the lowest bits of numbers.
	asksBits bool
	visited  map[string]bool
	covering covering
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
	// watched is a witness that needs somebody who looks in between.
	watched *Witness
	// imprecise is set when a candidate was given up though it might have
	// been completed; reason says what was cut.
	imprecise string
}

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

// exhausted reports whether the budget of work is used up.
func (e *engine) exhausted() bool {
	return e.work > workPerConfiguration*e.problem.Budget.Configurations || e.terms.cost >= e.terms.budget
}

// both are the two answers to the open question.
func (s *split) both(t *terms) [2]literal {
	l := literal{s.literal.a, s.literal.b, true}
	return [2]literal{l, l.opposite(t)}
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

// violation keeps a configuration that has no candidate left.
func (e *engine) violation(c *config) { e.found = append(e.found, c) }
