package absint

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// spawn lets the call take effect at this moment: every candidate in which
// it has not done so yet also becomes one in which the whole region runs
// atomically on the specification's cells.
func (e *engine) spawn(c *config) error {
	before := e.terms.cost
	defer func() { e.spawned += e.terms.cost - before }()
	for _, k := range c.cands {
		if k.done != nil {
			continue
		}
		done, all, err := e.atomicRuns(c, k)
		if err != nil {
			return err
		}
		e.dropped = e.dropped || !all
		for _, d := range done {
			c.cands = e.addCandidate(c.cands, d)
		}
	}
	e.review(c)
	return nil
}

// takesEffect is spawn before the call goes on, if it is then, see late.go.
func (e *engine) takesEffect(c *config) error {
	if e.afterwards {
		return nil
	}
	return e.spawn(c)
}

// maxChoices bounds how many ways a candidate has to choose what its
// unpredictable calls return.
const maxChoices = 64

// atomicRuns are the candidates that the atomic run of the region from k's
// cells leads to: one for each way to choose what nobody can predict, and for
// each answer to what is not known of the actual run yet. The latter are conditions:
// the candidate is one where they hold.
func (e *engine) atomicRuns(c *config, k candidate) (out []candidate, all bool, err error) {
	w, start := e.atomicWalk(c, k, nil)
	if start == nil {
		return nil, true, nil
	}
	w.ended = func(r *wayRun, o *outcome) {
		out = append(out, candidate{spec: r.regs, done: o, used: k.used, filled: k.filled, assumed: r.answers})
	}
	_, err = w.from(start)
	return out, !w.dropped && len(out) < maxCandidates, err
}

// atomicWalk is the walk of the region from k's cells, and the run with which it begins, nil if there is
// none. What cannot be predicted is what is given for its place, as far as that goes.
func (e *engine) atomicWalk(c *config, k candidate, given supply) (*walk, *wayRun) {
	prog := e.problem.Region
	start := &wayRun{locals: make([]term, len(prog.Names)), regs: slices.Clone(k.spec), path: c.path}
	for i, l := range prog.Params {
		start.locals[l] = e.args[i]
	}
	for _, l := range k.assumed {
		if start.path = start.path.with(l); start.path == nil {
			return nil, nil
		}
	}
	start.answers = slices.Clip(k.assumed)
	w := &walk{e: e, way: e.waysOf(prog), base: c.path}
	w.machine = func(r *wayRun) *machine {
		m := &machine{anyNil: true, decide: func(a, b term) (bool, error) {
			return r.path.ask(r.settled(e.terms, a), r.settled(e.terms, b))
		}}
		m.fresh = func(site string, contents []term) term {
			if e.assume.interchangeable {
				return e.interchangeable(site, contents)
			}
			x := w.hole(r, holeFresh, site, site, contents)
			if f := given.allocation(e, c, site, r.counts[site], contents, k.spec); f != noTerm {
				r.used = append(slices.Clip(r.used), f)
				return f
			}
			return x
		}
		m.unknown = func(site string, result int, args []term) term {
			if e.assume.follows(site) {
				return e.terms.app(siteType(site), result, args...)
			}
			place := unknownPlace(site, result)
			x := w.hole(r, holeAny, place, site, nil)
			if n := r.counts[place]; n <= len(given[place]) {
				return given[place][n-1]
			}
			return x
		}
		m.giveUp = func() (bool, error) { return false, nil } // the walk knows
		return m
	}
	w.settle = func(r *wayRun, l literal) bool { return r.assume(e.terms, l) }
	w.needed = func(l literal, alive *termSet, _ int) bool { return e.stillOpen(l, alive) }
	w.narrow, w.limit = true, e.terms.cost+e.terms.budget/atomicShare
	return w, start
}

// atomicShare is the part of the budget that one atomic run may use. To leave out what
// else it could do is safe for a verdict of verified, and a violation is replayed.
const atomicShare = 16

// review drops the candidates whose conditions do not hold, and the conditions that do.
func (e *engine) review(c *config) {
	if !slices.ContainsFunc(c.cands, func(k candidate) bool { return len(e.conditions(&k)) > 0 }) {
		return
	}
	old := c.cands
	c.cands = nil
	for _, k := range old {
		holds, changed := true, false
		var left []literal
		for _, l := range k.assumed {
			if l.isCondition(e.terms) {
				switch is := c.path.equal(l.a, l.b); {
				case is == undecided:
				case (is == yes) == l.equal:
					changed = true
					continue
				default:
					holds = false
				}
			}
			left = append(left, l)
		}
		switch {
		case !holds:
		case changed:
			k.assumed = left
			c.cands = e.addCandidate(c.cands, k)
		default:
			c.cands = append(c.cands, k)
		}
	}
}

// conditions are what has to hold for a candidate to be one.
func (e *engine) conditions(k *candidate) []literal {
	var out []literal
	for _, l := range k.assumed {
		if l.isCondition(e.terms) {
			out = append(out, l)
		}
	}
	return out
}

// insist asks about the first condition if all candidates have one: where none of them
// is a candidate, that is to be seen now.
func (e *engine) insist(c *config) error {
	for i := range c.cands {
		if len(e.conditions(&c.cands[i])) == 0 {
			return nil
		}
	}
	if len(c.cands) == 0 {
		return nil
	}
	l := e.conditions(&c.cands[0])[0]
	_, err := e.decide(c, l.a, l.b)
	return err
}

// eachChoice calls f once for each way of answering the comparisons that
// are k's to choose.
func (e *engine) eachChoice(c *config, k candidate, f func(*chooser) error) error {
	base := c.path
	for _, l := range k.assumed {
		if base = base.with(l); base == nil {
			return nil
		}
	}
	scripts := [][]bool{nil}
	for n := 0; len(scripts) > 0; n++ {
		if n == maxChoices || e.exhausted() {
			e.imprecise = "too many ways to choose what unknown calls return"
			return nil
		}
		s := &chooser{engine: e, config: c, path: base, script: scripts[0], assumed: slices.Clip(k.assumed)}
		scripts = scripts[1:]
		err := f(s)
		if _, more := err.(*choicePoint); more {
			scripts = append(scripts, append(slices.Clone(s.script), true), append(slices.Clone(s.script), false))
			continue
		}
		if err == errContradiction {
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// contradiction is the error of a choice that cannot be made.
type contradiction struct{}

func (contradiction) Error() string { return "contradictory choice" }

var errContradiction = contradiction{}

// chooser answers comparisons inside a candidate. One about a hole is the
// candidate's own choice: it follows a script and, past its end, notes that
// there was something to choose.
type chooser struct {
	engine  *engine
	config  *config
	path    *path
	script  []bool
	at      int
	assumed []literal
}

func (s *chooser) decide(a, b term) (bool, error) {
	a, b = s.settled(a), s.settled(b)
	switch s.path.equal(a, b) {
	case yes:
		return true, nil
	case no:
		return false, nil
	}
	t := s.engine.terms
	if t.of(a).kind == litTerm {
		a, b = b, a
	}
	sp := &split{literal: literal{a, b, true}}
	if !t.of(a).holes && !t.of(b).holes {
		// Something that the candidate assumed may be what leaves this
		// open; only the path condition proper can be split.
		return false, sp
	}
	if s.at == len(s.script) {
		return false, &choicePoint{}
	}
	i := 1
	if s.script[s.at] {
		i = 0
	}
	s.at++
	l := sp.answers(t)[i]
	if s.path = s.path.with(l); s.path == nil {
		return false, errContradiction
	}
	s.assumed = append(s.assumed, l)
	return i == 0, s.review()
}

func (s *chooser) settled(x term) term { return settledBy(s.path, s.engine.terms, x) }

// review asks what was assumed of holes before it was said what they are equal to:
// by now that may be a question about something else.
func (s *chooser) review() error {
	t := s.engine.terms
	for _, l := range s.assumed {
		a, b := s.settled(l.a), s.settled(l.b)
		if t.of(a).holes || t.of(b).holes || a == b && l.equal {
			continue
		}
		ok, err := s.engine.same(s.config, a, b)
		if err != nil {
			return err
		}
		if ok != l.equal {
			return errContradiction
		}
	}
	return nil
}

func (s *chooser) machine(p *register.Program, locals, regs []term) *machine {
	return &machine{terms: s.engine.terms, prog: p, locals: locals, regs: regs, decide: s.decide, anyNil: true}
}
