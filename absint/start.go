package absint

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

func newEngine(p Problem, a assumptions, s stage) *engine {
	nilInMaps := s.envelope && p.putsNil()
	if s.envelope {
		p.Env, p.Steps = Open, nil
	}
	e := &engine{
		problem: p, assume: a, stage: s, nilInMaps: nilInMaps, terms: newTerms(),
		live: register.Live(p.Region), visited: map[string]bool{},
		heads: make([]bool, len(p.Region.Blocks)), passedOn: map[term]bool{}, ways: map[*register.Program]*ways{}, asked: map[string]answersAsked{},
		asksBits: asksBits(p.Region), constants: p.constants(),
	}
	e.terms.budget = p.Budget.Work / 4 * s.share
	for _, b := range p.Region.Blocks {
		for i := range b.Instrs {
			e.hasEffects = e.hasEffects || b.Instrs[i].Op == register.Effect
		}
	}
	for _, l := range register.Loops(p.Region) {
		e.heads[l.Head], e.loops = true, true
	}
	for b, joins := range e.waysOf(p.Region).joins {
		e.heads[b] = e.heads[b] || joins
	}
	for _, l := range p.Region.Params {
		e.args = append(e.args, e.parameter(p.Region, l, nil))
	}
	e.covering = covering{terms: e.terms, args: e.args, live: e.live, effects: e.hasEffects, pushed: map[place][]*config{}}
	return e
}

// parameter is a symbol for an argument that can be anything.
func (e *engine) parameter(p *register.Program, l register.Local, known []term) term {
	x := e.terms.sym(p.Names[l], neverNil(p, l), known)
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
		for _, regs := range all {
			for _, o := range options {
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
	options := []term{zero}
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
