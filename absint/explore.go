package absint

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/mapatom/mapatom/absint/internal/summary"
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
		it := e.next()
		if err := e.advance(it); err != nil {
			return Result{}, false, err
		}
		if res, done := e.verdictSoFar(); done {
			return res, false, nil
		}
	}
	if err := e.finite(); err != nil {
		return Result{}, false, err
	}
	return e.closed(), false, nil
}

// next takes the next configuration from the queue. Where the call takes effect after it has gone
// on, that is one at a place where the exploration has been least: what is wrong is seen where
// the call ends, and there are more ways through it than can be followed.
func (e *engine) next() item {
	at := 0
	if e.afterwards {
		least := -1
		for i, it := range e.queue {
			if n := e.been[e.whereabouts(it)]; least < 0 || n < least {
				at, least = i, n
			}
		}
		e.been[e.whereabouts(e.queue[at])]++
	}
	it := e.queue[at]
	e.queue = slices.Delete(e.queue, at, at+1)
	return it
}

// whereabouts is the place of a queued configuration.
func (e *engine) whereabouts(it item) place {
	c := it.cfg
	return place{it.phase, c.block, c.index, c.steps, c.points > 0, c.outcome != nil}
}

// notReplayed is why something is not decided where replays show that it is not as suspected.
const notReplayed = "a suspected interleaving does not replay"

// verdictSoFar looks at the violations found by the last step, and at the
// budget.
func (e *engine) verdictSoFar() (Result, bool) {
	if e.stage.envelope && len(e.found) > 0 {
		return Result{Reason: "others could break it, and it may be that they do not"}, true // it is not verified here
	}
	for _, c := range e.found {
		if !e.possible(c) {
			if c.outcome != nil && e.possibleNow(c) {
				e.imprecise = notReplayed
			}
			continue
		}
		if w := e.witness(c); w != nil {
			return Result{Verdict: Violation, Configurations: e.configs, Witness: w}, true
		}
		e.imprecise = notReplayed
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
		return Result{Reason: tooManyCases, Configurations: e.configs}, true
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
	type try struct {
		c    *config
		made int
	}
	work := []try{{c, 0}}
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
		c := work[0].c
		e.terms.made = work[0].made
		work = work[1:]
		err := f(c.clone())
		if err == nil {
			continue
		}
		at := &midway{at: c}
		switch err := err.(type) {
		case *split:
			at.split = err
		case *midway:
			at = err
		default:
			return err
		}
		for _, l := range at.answers(e.terms) {
			if p := at.at.path.with(l); p != nil {
				d := *at.at
				d.path = p
				work = append(work, try{&d, at.made})
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
		e.course.leads(key)
		return
	}
	e.visited[key] = true
	if e.covering.has(c, ph, e.stage.steps > 0) {
		e.course.isCovered(c)
		return
	}
	if ph != phaseRun || e.atPoint(c) {
		e.configs++
	}
	e.queue = append(e.queue, item{c, ph, e.course.push(c, key)})
}

// advance explores one queued configuration.
func (e *engine) advance(it item) error {
	e.course.begin(it.id)
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

// stages are the explorations of a problem whose environment is the
// package. Most correct code is correct in any environment that takes the package's locks, and nearly every
// bug shows with two or three steps: one that fills the cell, and one or two
// at the wrong moment. What the package can do in any number of steps is only
// asked for what is left.
var stages = []stage{
	{envelope: true, share: 1},
	{steps: 2, share: 2},
	{steps: 3, share: 2},
	{share: 2},
}

// decision is the state of one decide.
type decision struct {
	ctx     context.Context
	problem Problem
	assume  assumptions
	// last is the answer so far, and watched a witness that needs somebody who looks.
	last    Result
	watched *Witness
	// techniques are what is tried, the cheapest first.
	techniques []*technique
	// many says that a stage had more cases than it could tell apart, stuck that it hardly
	// began before, and quiet that one came to its end and found nothing.
	many, stuck, quiet bool
	// large is the first step of others that was too large to be walked.
	large string
}

// technique is one way to find the answer: a stage, or single runs.
type technique struct {
	stage   stage
	runs    bool
	engine  *engine
	sampler *sampler
	// afterwards says that the call takes effect after it has gone on, see takesEffect, and
	// again that the same stage is planned in this way.
	afterwards, again bool
	// limit is what it may have cost after its next turn.
	limit int
	over  bool
}

// What an answer costs differs by a factor of a hundred from one technique to another, and
// nobody knows beforehand which of them is cheap. So they take turns, with more to spend in
// each round: all of it costs a few times as much as the cheapest alone.
const roundFactor = 4

// What techniques may cost at first.
const (
	firstEnvelope = 2500
	firstStage    = 3000
	firstRuns     = 2000
)

// manyBlocks is how many blocks the steps of others have if single runs come first: to find
// out what each step can do takes longer than to take some of them.
const manyBlocks = 100

// decide answers a problem under the given assumptions, for so much work.
func decide(ctx context.Context, p Problem, a assumptions, limit int) (Result, error) {
	if !a.deterministic {
		p = p.unasked()
	}
	p = p.withBare()
	d := &decision{ctx: ctx, problem: p, assume: a, last: Result{Reason: tooManyCases}}
	d.plan()
	for d.last.Work < limit {
		left := false
		for _, t := range d.techniques {
			if t.over {
				continue
			}
			left = true
			most := min(t.limit, t.spent()+limit-d.last.Work)
			if t.runs && d.quiet && d.exploring() {
				most = min(most, d.last.Work/quietShare)
			} else {
				t.limit *= roundFactor
			}
			if done, err := d.turn(t, most); done || err != nil {
				return d.last, err
			}
		}
		if !left {
			break
		}
	}
	if d.watched != nil {
		return Result{Verdict: Violation, Configurations: d.last.Configurations, Work: d.last.Work, Witness: d.watched}, nil
	}
	if d.last.Reason == tooManyCases {
		d.last.Reason = d.tooMuch()
	}
	return d.last, nil
}

// tooMuch says what there are too many cases in: the first step of others that could not be
// walked, or the sequence itself.
func (d *decision) tooMuch() string {
	switch n := len(d.problem.Region.Cells); {
	case n > MaxCells:
		return TooManyCells(n)
	case d.large != "":
		return fmt.Sprintf("%s in %s, which others run meanwhile", tooManyCases, d.large)
	}
	return fmt.Sprintf("%s in a sequence of %d branches", tooManyCases, summary.Branches(d.problem.Region))
}

// plan says which techniques there are at first.
func (d *decision) plan() {
	runs := &technique{runs: true, limit: firstRuns}
	switch {
	case len(d.problem.Region.Cells) > MaxCells:
		d.techniques = []*technique{runs}
		return
	case d.problem.Env == Open:
		d.techniques = []*technique{{stage: stage{share: 4}, limit: firstStage}}
	default:
		d.techniques = []*technique{{stage: stages[0], limit: firstEnvelope}, {stage: stages[1], limit: firstStage}}
	}
	switch {
	case d.assume.unwatched:
	case d.assume.tried:
		d.techniques = slices.Insert(d.techniques, 0, runs)
	case d.stepBlocks() > manyBlocks:
		d.techniques = slices.Insert(d.techniques, 1, runs)
	default:
		d.techniques = append(d.techniques, runs)
	}
}

// stepBlocks is how many blocks the steps of others have.
func (d *decision) stepBlocks() int {
	n := 0
	for _, s := range d.problem.Steps {
		n += len(s.Program.Blocks)
	}
	return n
}

// spent is what a technique has cost so far.
func (t *technique) spent() int {
	if t.engine == nil {
		return 0
	}
	return t.engine.spent()
}

// turn lets a technique go on until it has cost so much; done says that the answer is found.
func (d *decision) turn(t *technique, limit int) (done bool, err error) {
	switch {
	case limit <= t.spent():
		return false, nil
	case t.runs:
		return d.try(t, limit)
	}
	return d.explore(t, limit)
}

// hardlyBegun is how many configurations a stage has if it hardly began: fewer than any
// call that can be explored.
const hardlyBegun = 30

// explore goes on with a stage.
func (d *decision) explore(t *technique, limit int) (done bool, err error) {
	s := t.stage
	if t.engine == nil {
		t.engine = newEngine(d.problem, d.assume, s)
		if t.afterwards = t.afterwards || d.problem.late; t.afterwards {
			t.engine.waits()
		}
	}
	e := t.engine
	res, open, err := e.run(d.ctx, limit)
	d.charge(e)
	if err != nil {
		return false, err
	}
	t.over = !open
	d.again(t)
	if open {
		return false, nil
	}
	if d.watched == nil && !s.envelope {
		d.watched = e.watched
	}
	if e.relation != nil {
		d.large = e.relation.large
	}
	switch {
	case s.envelope && res.Verdict == Verified,
		!s.envelope && res.Verdict == Violation,
		!s.envelope && res.Verdict == Verified && !e.cut:
		d.conclude(res)
		return true, nil
	case s.envelope:
		return false, nil
	}
	if res.Verdict == Unknown {
		d.conclude(res)
	}
	if t.again {
		return false, nil
	}
	d.many = d.many || e.exhausted() || e.problem.Budget.Spurious <= 0
	d.stuck = d.stuck || s.steps > 0 && e.exhausted() && e.configs < hardlyBegun
	d.next(t)
	return false, nil
}

// again plans a stage once more, in which the call takes effect after it has gone on, if atomic
// runs were left out that may explain what is not explained.
func (d *decision) again(t *technique) {
	e := t.engine
	costly := t.stage.envelope || e.spawned > e.terms.cost/2
	if t.again || t.afterwards || !e.dropped || !costly && e.imprecise != notReplayed && !e.exhausted() {
		return
	}
	t.again, t.over = true, true
	d.techniques = append(d.techniques, &technique{stage: t.stage, limit: t.limit, afterwards: true})
}

// next plans the stage after one that has come to its end: with one more step of others, or, where
// fewer were too many cases already, with any number of them.
func (d *decision) next(t *technique) {
	if t.stage.steps == 0 || d.stuck {
		return
	}
	i := slices.Index(stages, t.stage) + 1
	if d.many && stages[i].steps > 0 {
		i++
	}
	d.quiet = !d.many
	d.techniques = append(d.techniques, &technique{stage: stages[i], limit: t.limit, afterwards: t.afterwards})
}

// quietShare is the part of the work that single runs may be as long as there is something
// to explore, where few steps of others show nothing.
const quietShare = 8

// exploring reports whether a stage has not come to its end.
func (d *decision) exploring() bool {
	return slices.ContainsFunc(d.techniques, func(t *technique) bool { return !t.runs && !t.over })
}

// try goes on with single runs.
func (d *decision) try(t *technique, limit int) (done bool, err error) {
	if t.sampler == nil {
		t.engine = newEngine(d.problem, d.assume, stage{steps: 1, share: 5})
		t.sampler = newSampler(t.engine)
	}
	s := t.sampler
	res, over, err := s.sample(d.ctx, limit-s.spent())
	d.charge(s.engine)
	if err != nil {
		return false, err
	}
	t.over = over
	if d.watched == nil {
		d.watched = s.watched
	}
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
				if (in.Op == register.Write || in.Op == register.CAS) && !s.neverStoresNil(in.Args[len(in.Args)-1]) {
					return true
				}
			}
		}
	}
	return false
}

// neverStoresNil reports whether an operand that is stored is a literal other
// than nil, an allocation, or an argument that nobody passes nil for.
func (s *Step) neverStoresNil(v register.Operand) bool {
	p := s.Program
	if v.Local == register.None {
		return v != register.Lit(register.LitNil)
	}
	if i := slices.Index(p.Params, v.Local); i >= 0 {
		return s.neverNil(i)
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
