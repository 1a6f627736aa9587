package oracle

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Stats say how much a search did.
type Stats struct {
	Interleavings int
	// Pending counts those in which the program did not return.
	Pending int
	// Attempts counts attempts to linearize.
	Attempts int
}

// Search looks for a history that is not linearizable. It is nil if every
// interleaving within the bounds is linearizable.
func Search(ctx context.Context, pr Problem) (*History, Stats, error) {
	var stats Stats
	if err := pr.check(); err != nil {
		return nil, stats, err
	}
	s := &scripted{loops: hasLoop(pr.Program)}
	types, lits := findBools(&pr), literals(&pr)
	for {
		if err := ctx.Err(); err != nil {
			return nil, stats, err
		}
		h, err := s.next(&pr, types, lits, &stats)
		if h != nil || err != nil {
			return h, stats, err
		}
		if !s.script.advance() {
			return nil, stats, nil
		}
	}
}

// next executes and checks one interleaving.
func (s *scripted) next(pr *Problem, types *bools, lits []register.Value, stats *Stats) (*History, error) {
	s.used, s.seen = 0, nil
	r := &run{pr: pr, bools: types, from: s}
	if err := r.execute(lits); err != nil {
		return nil, err
	}
	stats.Interleavings++
	if r.h.Pending {
		stats.Pending++
	}
	c := newChecker(r)
	c.work -= stats.Attempts
	ok, err := c.linearizable()
	stats.Attempts = pr.Bounds.work() - c.work
	if ok || err != nil {
		return nil, err
	}
	r.h.World = append(r.h.World, c.added...)
	return shorten(pr, &r.h), nil
}

// shorten leaves out observations that are not needed.
func shorten(pr *Problem, h *History) *History {
	for i := len(h.Steps) - 1; i >= 0; i-- {
		if h.Steps[i].Kind != Observe {
			continue
		}
		shorter := *h
		shorter.Steps = slices.Delete(slices.Clone(h.Steps), i, i+1)
		if ok, err := Linearizable(*pr, shorter); err == nil && !ok {
			h = &shorter
		}
	}
	return h
}

// scripted is the source of a search: it tries everything.
type scripted struct {
	script script
	used   int             // of Bounds.Env
	loops  bool            // the program has one
	seen   map[string]bool // states at scheduling points
}

// hasLoop reports whether a program may come back to where it was: some
// edge leads to its own or an earlier block.
func hasLoop(p *register.Program) bool {
	for i, b := range p.Blocks {
		for _, to := range b.Term.To {
			if to <= i {
				return true
			}
		}
	}
	return false
}

func (s *scripted) identity(int) register.Value { return "" }

func (s *scripted) answer(r *run, q question) (register.Value, error) {
	if len(q.among) > 0 {
		v := q.among[s.script.pick(len(q.among))]
		if v != "" {
			return v, nil
		}
	}
	if q.absent && s.script.pick(2) == 0 {
		return register.LitAbsent, nil
	}
	if q.boolean {
		return s.truth(), nil
	}
	return s.arbitrary(r, q.allow), nil
}

func (s *scripted) truth() register.Value {
	return [...]register.Value{register.LitFalse, register.LitTrue}[s.script.pick(2)]
}

// arbitrary is a new value, or one that exists and is allowed.
func (s *scripted) arbitrary(r *run, allow func(*entry) bool) register.Value {
	var vs []register.Value
	for i := range r.pool.entries {
		if e := &r.pool.entries[i]; allow == nil || allow(e) {
			vs = append(vs, e.value)
		}
	}
	if i := s.script.pick(len(vs) + 1); i > 0 {
		return vs[i-1]
	}
	return r.pool.newName("v")
}

// act lets the environment see all that it can see, which makes it hardest
// for the program, and change what it may. Before the first operation an
// open environment has nothing to do, since the initial contents are
// arbitrary; after the last, nobody has, since the final contents are
// compared.
func (s *scripted) act(r *run, at register.Point) error {
	if at.Exit || r.pr.Env == Open && at.Index == 0 {
		return nil
	}
	for _, v := range r.cells {
		r.pool.see(v)
	}
	last := noCell
	for n := 0; ; n++ {
		step, acts := s.choose(r, n)
		next := noCell
		if acts && step.Kind != RunStep {
			next = step.Cell
		}
		if err := observe(r, at, last, next); err != nil {
			return err
		}
		if !acts {
			return s.repeats(r, at)
		}
		step.Point = at.Index
		if err := r.apply(step); err != nil {
			return err
		}
		last = next
		s.used++
	}
}

const noCell = -1

// observe sees every cell, except those of which the environment's previous
// or next step tells as much.
func observe(r *run, at register.Point, last, next int) error {
	for i := range r.cells {
		if i == last || i == next {
			continue
		}
		if err := r.apply(EnvStep{Point: at.Index, Kind: Observe, Cell: i}); err != nil {
			return err
		}
	}
	return nil
}

// choose picks a change, or none. Changes that leave a cell as it is are
// left out: they are observations.
func (s *scripted) choose(r *run, n int) (EnvStep, bool) {
	if n >= r.pr.Bounds.PerPoint || s.used >= r.pr.Bounds.Env {
		return EnvStep{}, false
	}
	options := []EnvStep{}
	for i, c := range r.pr.Program.Cells {
		if r.pr.Env == Open {
			options = append(options, EnvStep{Kind: Swap, Cell: i})
		}
		if r.cells[i] != register.LitAbsent && c.Kind == register.Map && (r.pr.Env == Open || c.Evicts) {
			options = append(options, EnvStep{Kind: Delete, Cell: i})
		}
	}
	if r.pr.Env == Package {
		for i := range r.pr.Steps {
			options = append(options, EnvStep{Kind: RunStep, Step: i})
		}
	}
	i := s.script.pick(len(options) + 1)
	if i == len(options) {
		return EnvStep{}, false
	}
	step := options[i]
	switch step.Kind {
	case Swap:
		step.Value = s.content(r, step.Cell)
	case RunStep:
		step.Args = s.args(r, step.Step)
	}
	return step, true
}

// content picks what to write in a cell.
func (s *scripted) content(r *run, cell int) register.Value {
	old := r.cells[cell]
	if r.bools.has(cellClass(cell)) {
		switch old {
		case register.LitTrue:
			return register.LitFalse
		case register.LitFalse:
			return register.LitTrue
		}
		return s.truth()
	}
	fits := r.content(cell)
	return s.arbitrary(r, func(e *entry) bool { return e.value != old && fits(e) && known(e) })
}

// known reports whether the environment can have the value.
func known(e *entry) bool { return !e.own || e.seen }

// args picks the arguments of a step.
func (s *scripted) args(r *run, step int) []register.Value {
	def := r.pr.Steps[step]
	var args []register.Value
	for i, p := range def.Params {
		var v register.Value
		switch {
		case p != Free:
			v = r.h.Args[p]
		case r.bools.has(localClass(step, def.Program.Params[i])):
			v = s.truth()
		default:
			fits := passable(def.Program, def.Program.Params[i])
			v = s.arbitrary(r, func(e *entry) bool { return known(e) && fits(e) })
			r.pool.add(v)
		}
		args = append(args, v)
	}
	return args
}

// repeats ends a run that comes back to a state while nothing changed: what
// the environment can do now it could have done the first time.
func (s *scripted) repeats(r *run, at register.Point) error {
	if !s.loops {
		return nil
	}
	var b strings.Builder
	fmt.Fprint(&b, at.Block, " ", at.Instr, " ", r.changes, " ", at.Effects, " ", len(r.h.Unknown))
	for _, v := range at.Locals {
		b.WriteByte(0)
		b.WriteString(string(v))
	}
	if s.seen[b.String()] {
		return errRepeats
	}
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	s.seen[b.String()] = true
	return nil
}
