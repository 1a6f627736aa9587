package absint

import (
	"slices"

	"github.com/mapatom/mapatom/reduce/register"
)

// spawn lets the call take effect at this moment: every candidate in which
// it has not done so yet also becomes one in which the whole region runs
// atomically on the specification's cells.
func (e *engine) spawn(c *config) error {
	for _, k := range c.cands {
		if k.done != nil {
			continue
		}
		done, err := e.atomicRuns(c, k)
		if err != nil {
			return err
		}
		for _, d := range done {
			c.cands = e.addCandidate(c.cands, d)
		}
	}
	return nil
}

// maxChoices bounds how many ways a candidate has to choose what its
// unpredictable calls return.
const maxChoices = 64

// atomicRuns are the candidates that the atomic run of the region from k's
// cells leads to: one for each way to choose what nobody can predict.
func (e *engine) atomicRuns(c *config, k candidate) ([]candidate, error) {
	prog := e.problem.Region
	locals := make([]term, len(prog.Names))
	for i, l := range prog.Params {
		locals[l] = e.args[i]
	}
	var out []candidate
	err := e.eachChoice(c, k, func(s *chooser) error {
		m := s.machine(prog, slices.Clone(locals), slices.Clone(k.spec))
		m.fresh = func(site string, contents []term) term {
			if e.assume.interchangeable {
				return e.interchangeable(site, contents)
			}
			return e.terms.hole(holeFresh, site, contents)
		}
		m.unknown = func(site string, result int, args []term) term {
			if e.assume.deterministic {
				return e.terms.app(siteType(site), result, args...)
			}
			return e.terms.hole(holeAny, site, nil)
		}
		m.giveUp = s.giveUp
		why, oc, err := m.run(false, nil)
		if err != nil || why != stopDone {
			return err // an atomic run that does not end is no candidate
		}
		d := candidate{spec: m.regs, done: oc, used: k.used, assumed: s.assumed}
		out = append(out, d)
		return nil
	})
	return out, err
}

// chooser answers comparisons inside a candidate. One about a hole is the
// candidate's own choice: it follows a script and, past its end, notes that
// there was something to choose.
type chooser struct {
	engine  *engine
	config  *config
	path    *path
	script  []bool
	at      int
	gaveUp  int
	assumed []literal
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

// choicePoint is the error of a comparison beyond the end of the script.
type choicePoint struct{}

func (*choicePoint) Error() string { return "open choice" }

// contradiction is the error of a choice that cannot be made.
type contradiction struct{}

func (contradiction) Error() string { return "contradictory choice" }

var errContradiction = contradiction{}

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
	sp := &split{literal{a, b, true}}
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
	l := sp.both(t)[i]
	if s.path = s.path.with(l); s.path == nil {
		return false, errContradiction
	}
	s.assumed = append(s.assumed, l)
	return i == 0, s.review()
}

// settled is x with those holes filled of which the candidate has said what they
// are equal to. A question about one of these is not the candidate's to answer:
//
//	if hole { … } else if content == hole { … }
//
// With the hole taken for false, the second question is whether content is false.
func (s *chooser) settled(x term) term {
	t := s.engine.terms
	var holes []term
	t.eachHole(x, func(y term) { holes = append(holes, y) })
	for _, h := range holes {
		for _, y := range s.path.alike(h) {
			if !t.of(y).holes {
				x = t.subst(x, h, y)
				break
			}
		}
	}
	return x
}

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

// maxGiveUps bounds how many weak cas of one atomic run fail though they
// could succeed. More of them are rounds of a retry loop that change nothing.
const maxGiveUps = 2

// giveUp lets the candidate choose whether a weak cas fails.
func (s *chooser) giveUp() (bool, error) {
	if s.gaveUp == maxGiveUps {
		return false, nil
	}
	if s.at == len(s.script) {
		return false, &choicePoint{}
	}
	s.at++
	if s.script[s.at-1] {
		s.gaveUp++
	}
	return s.script[s.at-1], nil
}

func (s *chooser) machine(p *register.Program, locals, regs []term) *machine {
	return &machine{terms: s.engine.terms, prog: p, locals: locals, regs: regs, decide: s.decide, anyNil: true}
}
