package absint

import (
	"slices"

	"github.com/mapatom/mapatom/absint/internal/summary"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// What others do to the cells is a relation between contents. Each program of the
// package is walked once, from contents and with arguments of which nothing is known,
// and what is left of it are its changes: under these answers, the cells become that.
// A change that another one covers is none, whichever program it comes from, and a
// program that changes nothing is no step. So the cost of the environment follows from
// what it can do to the cells, and not from the code around that.

// others is the relation, found when it is first needed.
func (e *engine) others() (*relation, error) {
	if e.relation != nil {
		return e.relation, nil
	}
	e.relation = &relation{first: term(len(e.terms.nodes))}
	before := make([]term, len(e.problem.Region.Cells))
	for cell := range before {
		before[cell] = e.content("content", cell, nil)
	}
	if err := e.relateAll(before); err != nil {
		return nil, err
	}
	if e.leavesNil() {
		e.relation.nils = true
		if err := e.relateAll(before); err != nil {
			return nil, err
		}
	}
	e.relation.last = term(len(e.terms.nodes))
	e.relation.of = map[*Step][]*change{}
	for i := range e.relation.changes {
		ch := &e.relation.changes[i]
		e.relation.of[ch.step] = append(e.relation.of[ch.step], ch)
	}
	return e.relation, nil
}

// relateAll adds the changes of all steps, but for those that are there.
func (e *engine) relateAll(symbols []term) error {
	end := e.terms.cost + e.terms.budget/relationShare
	for i := range e.problem.Steps {
		if s := &e.problem.Steps[i]; !s.blind() {
			e.relation.limit = max(0, end-e.terms.cost) / (len(e.problem.Steps) - i)
			if err := e.relate(s, symbols); err != nil {
				return err
			}
		}
	}
	return nil
}

// leavesNil reports whether a change, or a step that looks at nothing and so has none here, puts nil in a
// map, or the call itself does for the time that it takes: then steps can come upon one.
func (e *engine) leavesNil() bool {
	if e.storesNil() {
		return true
	}
	for i := range e.problem.Steps {
		s := &e.problem.Steps[i]
		if s.blind() && s.stores(func(o register.Operand) bool { return o == register.Lit(register.LitNil) }) || s.stores(s.passedNil) {
			return true
		}
	}
	return slices.ContainsFunc(e.relation.changes, func(c change) bool {
		for cell, x := range c.after {
			if x == e.terms.nilT && x != c.before[cell] && e.problem.Region.Cells[cell].Kind != register.Atomic {
				return true
			}
		}
		return false
	})
}

// storesNil reports whether the call may put nil in a map: it says so, or asks whether what it is given is that.
func (e *engine) storesNil() bool {
	p := e.problem.Region
	call := Step{Program: p}
	return call.stores(func(o register.Operand) bool {
		return o == register.Lit(register.LitNil) || slices.Contains(p.Params, o.Local) && register.AsksForNil(p, o.Local)
	})
}

// stores reports whether a step stores an operand of which something is so in a map.
func (s *Step) stores(is func(register.Operand) bool) bool {
	return slices.ContainsFunc(s.Program.Blocks, func(b *register.Block) bool {
		return slices.ContainsFunc(b.Instrs, func(in register.Instr) bool {
			return (in.Op == register.Write || in.Op == register.CAS) && is(in.Args[len(in.Args)-1]) && s.Program.Cells[in.Cell].Kind != register.Atomic
		})
	})
}

// passedNil reports whether an operand is a parameter for which somebody passes nil.
func (s *Step) passedNil(o register.Operand) bool {
	return slices.ContainsFunc(s.Nils, func(i int) bool { return o == register.L(s.Program.Params[i]) })
}

// relationShare is the part of the budget that finding the relation may use: what one step
// leaves of its share is there for those after it.
const relationShare = 3

// wayShare is the part of the budget that one step may use for what is there before it.
const wayShare = 8

// relate adds the changes of a program, from each combination of what is there and
// what is not; once it is known that there may be a nil, from those with one.
func (e *engine) relate(s *Step, symbols []term) error {
	all := [][]term{make([]term, len(symbols))}
	for _, cell := range s.Cells {
		if cell < 0 || all[0][cell] != noTerm {
			continue
		}
		var next [][]term
		for _, x := range e.contentsBefore(cell, symbols[cell]) {
			for _, before := range all {
				before = slices.Clone(before)
				before[cell] = x
				next = append(next, before)
			}
		}
		all = next
	}
	for _, before := range all {
		if e.relation.nils && !slices.Contains(before, e.terms.nilT) {
			continue
		}
		if err := e.relateFrom(s, before); err != nil {
			return err
		}
	}
	return nil
}

// contentsBefore are what a step can come upon in a cell: something, which is no nil in a map, nothing, and
// a nil where the package puts one.
func (e *engine) contentsBefore(cell int, something term) []term {
	out := []term{something}
	if e.problem.Region.Cells[cell].Kind == register.Atomic {
		return out
	}
	out = append(out, e.terms.absentT)
	if e.relation.nils {
		out = append(out, e.terms.nilT)
	}
	return out
}

// meets reports whether a change that begins with x in a cell can be made where there is something else: what
// is no nil is not what is, and there is a change from that as well.
func (e *engine) meets(cell int, x, is term) bool {
	if (x == e.terms.absentT) != (is == e.terms.absentT) {
		return false
	}
	nils := e.relation.nils && e.problem.Region.Cells[cell].Kind != register.Atomic
	return !nils || (x == e.terms.nilT) == (is == e.terms.nilT)
}

func (e *engine) relateFrom(s *Step, before []term) error {
	args := e.stepArgs(&config{}, s)
	limit := min(e.relation.limit>>len(s.Cells), e.terms.budget/wayShare)
	if !s.silent() {
		found, all, err := e.waysThrough(s, s.telling(), before, args, limit/2)
		if err != nil || all {
			for _, c := range found {
				e.add(c)
			}
			return err
		}
	}
	found, all, err := e.waysThrough(s, s.bare(), before, args, limit)
	for i := range found {
		found[i].told.more = !s.silent() // of what is told, nothing is known
	}
	if !all && e.relation.large == "" {
		e.relation.large = s.Name
	}
	switch {
	case all:
	case e.stage.steps > 0:
		e.relation.cut = true // what else it does is left out
	default:
		found = found[:min(len(found), maxAlike)] // what anything covers, but can be replayed
		for _, after := range e.anything(s, before) {
			found = append(found, change{step: s, before: before, after: after, args: args, own: e.ownCells(s), made: choices{}, told: disclosure{more: true}, wild: true})
		}
	}
	for _, c := range found {
		if c.wild {
			e.relation.changes = append(e.relation.changes, c)
		} else {
			e.add(c)
		}
	}
	return err
}

// waysThrough walks a program of a step, and gives its changes; all says that these are all.
func (e *engine) waysThrough(s *Step, p *register.Program, before, args []term, limit int) (found []change, all bool, err error) {
	first := e.relation.first
	shared := stepRun{step: s, own: e.ownCells(s)}
	made := choices{}
	start := &wayRun{locals: localsOf(p, args), regs: shared.regs(before), path: newPath(e.terms), counts: map[string]int{}}
	w := &walk{e: e, way: e.waysOf(p), base: start.path}
	w.about = func(x term) bool {
		is := false
		e.terms.each(x, func(y term) { is = is || y != e.terms.absentT && slices.Contains(before, y) })
		return is
	}
	w.machine = func(r *wayRun) *machine {
		m := &machine{anyNil: len(s.Nils) > 0, decide: r.path.ask, tell: func(xs []term) { w.tell(r, xs) }}
		e.draw(m, made, r.counts, nil)
		return m
	}
	w.settle = func(r *wayRun, l literal) bool {
		r.path = r.path.with(l)
		r.answers = append(slices.Clip(r.answers), l)
		r.goes(l)
		return r.path != nil
	}
	w.needed = func(l literal, alive *termSet, block int) bool {
		needed, ground := false, true
		for _, x := range []term{l.a, l.b} {
			e.terms.each(x, func(y term) {
				k := e.terms.of(y).kind
				ground = ground && (k == litTerm || k == appTerm)
				needed = needed || k != litTerm && k != appTerm && (y < first || alive.has(y) || slices.Contains(before, y))
			})
		}
		return (needed || ground) && (w.about(l.a) || w.about(l.b) || w.asked(l.a, alive, block) && w.asked(l.b, alive, block))
	}
	w.ended = func(r *wayRun, _ *outcome) {
		w.forgetAtEnd(r)
		c := change{step: s, before: before, after: slices.Clone(before), answers: r.answers, args: args, own: shared.own, made: made, taken: r.taken, instead: r.instead, told: r.told}
		shared.store(c.after, r.regs)
		if !slices.Equal(c.before, c.after) {
			found = append(found, c)
		}
	}
	w.wide, w.either = true, symTerm
	w.limit = e.terms.cost + limit
	all, err = w.from(start)
	return found, all, err
}

// anything is what a program could leave in the cells that it changes if it did whatever it
// likes: where it is too large to be walked, it is taken for that. What is verified then
// is verified, and a violation is replayed with what it really does.
func (e *engine) anything(s *Step, before []term) [][]term {
	all := [][]term{before}
	for cell := range before {
		var options []term
		other := noTerm
		for _, b := range s.bare().Blocks {
			for i := range b.Instrs {
				in := &b.Instrs[i]
				if in.Op != register.Write && in.Op != register.CAS || s.Cells[in.Cell] != cell {
					continue
				}
				switch v := in.Args[len(in.Args)-1]; {
				case v.IsLit():
					options = addTerm(options, e.terms.lit(v.Lit))
				case other == noTerm:
					other = e.content("content", cell, nil)
					options = append(options, other)
				}
			}
		}
		for _, after := range slices.Clone(all) {
			for _, x := range options {
				now := slices.Clone(after)
				now[cell] = x
				all = append(all, now)
			}
		}
	}
	return slices.DeleteFunc(all, func(after []term) bool { return slices.Equal(after, before) })
}

// add adds a change, unless one that is there covers it. What tells less covers
// nothing that tells more: fewer orders are ruled out by it.
func (e *engine) add(c change) {
	r, w := e.relation, &walk{e: e}
	w.about = func(x term) bool {
		is := false
		e.terms.each(x, func(y term) { is = is || y != e.terms.absentT && slices.Contains(c.before, y) })
		return is
	}
	silent := c.step.silent()
	same := func(d change) bool {
		return slices.Equal(c.before, d.before) && slices.Equal(c.after, d.after) && slices.Equal(c.step.Locks, d.step.Locks)
	}
	covers := func(d, c change) bool {
		all := c.told
		for _, l := range c.answers {
			w.ask(&all, l)
		}
		return (c.step.silent() || !d.step.silent()) && implies(c.answers, d.answers) && w.tellsAll(&d.told, d.answers, &all)
	}
	for {
		if slices.ContainsFunc(r.changes, func(d change) bool { return same(d) && covers(d, c) }) {
			return
		}
		i := slices.IndexFunc(r.changes, func(d change) bool {
			return same(d) && silent == d.step.silent() && w.opposite(c.answers, d.answers) >= 0
		})
		if i < 0 {
			break
		}
		at := w.opposite(c.answers, r.changes[i].answers)
		if d := &r.changes[i]; d.told.exceeds(&c.told) {
			c.step, c.args, c.made, c.taken, c.instead = d.step, d.args, d.made, d.taken, d.instead
		}
		w.ask(&c.told, c.answers[at])
		c.told.add(&r.changes[i].told)
		c.answers = slices.Delete(slices.Clone(c.answers), at, at+1)
		r.changes = slices.Delete(r.changes, i, i+1)
	}
	r.changes = slices.DeleteFunc(r.changes, func(d change) bool { return same(d) && covers(c, d) })
	r.changes = append(r.changes, c)
}

// alike reports whether a candidate's cells hold what the real ones do, but for those
// that a change is not about and nobody can look at.
func (e *engine) alike(c *config, ch *change, spec []term) bool {
	for cell, x := range c.regs {
		if spec[cell] != x && (ch.before[cell] != noTerm || c.points == 0 || !e.problem.locks(c.held, cell)) {
			return false
		}
	}
	return true
}

// apply makes one change to a configuration, if it can be made there. Candidates in
// whose cells there is something else are given up if the program tells what it finds: it
// would notice that, as a rule. That is safe for a verdict of verified, and a violation is
// replayed.
func (e *engine) apply(c *config, r *relation, ch *change) error {
	fill := &filling{e: e, r: r, known: slices.Clone(c.known), as: map[term]term{}}
	for cell, x := range ch.before {
		switch is := c.regs[cell]; {
		case x == noTerm:
		case !e.meets(cell, x, is):
			return nil
		case x != is:
			fill.as[x] = is
		}
	}
	e.terms.cost++
	d := c.clone()
	for cell, x := range ch.after {
		if x != noTerm {
			d.regs[cell] = fill.term(x)
		}
	}
	if slices.Equal(c.regs, d.regs) {
		return nil
	}
	for _, l := range ch.answers {
		l = e.terms.plain(fill.literal(l))
		switch is := d.path.equal(l.a, l.b); {
		case is == undecided:
			if d.path = d.path.with(l); d.path == nil {
				return nil
			}
		case (is == yes) != l.equal:
			return nil
		}
	}
	action := fill.action(c, ch)
	d.cands = nil
	for _, k := range c.cands {
		switch {
		case e.alike(c, ch, k.spec):
			k = k.clone()
			for cell, x := range ch.after {
				if x != noTerm {
					k.spec[cell] = d.regs[cell]
				}
			}
			d.cands = e.addCandidate(d.cands, k)
		case ch.wild, e.assume.unwatched && !ch.step.silent(): // who is told something has looked
		default:
			if same, ok := e.unnoticed(d, k, ch, fill); ok {
				d.cands = e.addCandidate(d.cands, same)
				continue
			}
			step := *ch.step
			if step.Program = ch.step.bare(); !ch.step.silent() || summary.Branches(step.Program) > maxRerun {
				continue
			}
			run := stepRun{step: &step, args: action.args, made: action.made, own: make([]term, len(ch.step.Cells)), outcome: &outcome{kind: register.Return}}
			after, err := e.stepCandidate(d, k, &run, fill.known)
			if err != nil {
				return err
			}
			for _, k := range after {
				d.cands = e.addCandidate(d.cands, k)
			}
		}
	}
	d.trail = &trail{prev: c.trail, step: action}
	if len(d.cands) == 0 {
		e.violation(d)
		return nil
	}
	d.steps++
	e.widen(d, c.regs)
	e.push(d, phaseEnv)
	return nil
}

// maxRerun is how many branches a step has at most that is run again for a candidate.
const maxRerun = 8

// unnoticed is what becomes of a candidate in whose cells there is something else, if the
// step of which this is a change is told the same there and goes the same way; false if
// that is not known.
func (e *engine) unnoticed(d *config, k candidate, ch *change, here *filling) (candidate, bool) {
	if ch.told.more {
		return k, false
	}
	there := &filling{e: e, r: here.r, known: here.known, as: map[term]term{}, like: here}
	for cell, x := range ch.before {
		switch is := k.spec[cell]; {
		case x == noTerm:
		case !e.meets(cell, x, is):
			return k, false
		case x != is:
			there.as[x] = is
		}
	}
	k = k.clone()
	holds := func(q literal, answer bool) bool {
		q = e.terms.plain(literal{there.term(q.a), there.term(q.b), q.equal == answer})
		switch is := d.path.holds(q); {
		case is != undecided:
			return is == yes
		case q.isCondition(e.terms):
			k.assumed = append(k.assumed, q)
			return true
		}
		return false
	}
	for _, l := range ch.answers {
		e.terms.cost++
		if !holds(l, true) {
			return k, false
		}
	}
	for _, q := range ch.told.asked {
		e.terms.cost++
		is := d.path.equal(here.term(q.a), here.term(q.b))
		if is == undecided {
			e.toldApart(d, here.literal(q), there.literal(q))
			return k, false
		}
		if !holds(q, is == yes) {
			return k, false
		}
	}
	for cell, x := range ch.after {
		if x != noTerm {
			k.spec[cell] = there.term(x)
		}
	}
	return k, !there.differs
}

// toldApart notes that a question of a step has another answer here than in the cells of a candidate.
func (e *engine) toldApart(d *config, here, there literal) {
	for _, as := range []bool{true, false} {
		l, m := here, there
		if l.equal, m.equal = l.equal == as, m.equal != as; e.refutes(d, e.terms.plain(l), e.terms.plain(m)) {
			return
		}
	}
}

// silent reports whether a step tells nothing of what it finds in the cells, all of
// which are the region's: by its results, its effects, or how it ends.
func (s *Step) silent() bool {
	for _, b := range s.Program.Blocks {
		effect := slices.ContainsFunc(b.Instrs, func(in register.Instr) bool { return in.Op == register.Effect })
		if effect || b.Term.Kind == register.Panic || b.Term.Kind == register.Return && len(b.Term.Vals) > 0 {
			return false
		}
	}
	return !slices.ContainsFunc(s.Cells, func(cell int) bool { return cell < 0 })
}

// filling puts the terms of a configuration in the place of those of a relation. What
// the program gets or makes is new each time. Each term counts: a change of a long program has thousands.
type filling struct {
	e     *engine
	r     *relation
	known []term
	as    map[term]term
	// like is the filling for the actual run, of one for a candidate: what the program gets
	// is the same in both. If a new object is not made with the same, the two differ.
	like    *filling
	differs bool
}

func (f *filling) term(x term) term {
	n := f.e.terms.of(x)
	if n.kind == litTerm || x < f.r.first && n.kind != appTerm {
		return x
	}
	if y, ok := f.as[x]; ok {
		return y
	}
	f.e.terms.cost++
	old := *n
	old.args = slices.Clone(n.args)
	for i, a := range old.args {
		old.args[i] = f.term(a)
	}
	var y term
	switch {
	case f.like != nil && old.kind != appTerm:
		y = f.like.term(x)
		f.differs = f.differs || !slices.Equal(f.e.terms.of(y).args, old.args)
	case old.kind == appTerm:
		y = f.e.terms.apply(old.function(), old.args)
		f.e.terms.declare(y, old.typ)
	case old.kind == symTerm:
		old.may = f.known
		y = f.e.terms.new(old)
	default:
		y = f.e.terms.new(old)
	}
	f.as[x] = y
	return y
}

func (f *filling) literal(l literal) literal { return literal{f.term(l.a), f.term(l.b), l.equal} }

func (f *filling) terms(xs []term) []term {
	out := make([]term, len(xs))
	for i, x := range xs {
		out[i] = f.term(x)
	}
	return out
}

// action is the step as a witness tells it.
func (f *filling) action(c *config, ch *change) *envAction {
	a := &envAction{point: c.points, kind: runStep, program: ch.step, args: f.terms(ch.args), own: f.terms(ch.own), made: choices{}}
	for _, place := range sortedKeys(ch.made) {
		a.made[place] = f.terms(ch.made[place])
	}
	for _, way := range slices.Concat([][]literal{ch.taken}, ch.instead) {
		var answers []literal
		for _, l := range way {
			answers = append(answers, f.e.terms.plain(f.literal(l)))
		}
		a.ways = append(a.ways, answers)
	}
	return a
}
