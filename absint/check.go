package absint

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/mapatom/mapatom/absint/internal/summary"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Check decides a Problem. An error means that the problem itself is
// malformed or that ctx ended; what cannot be decided within the budget is
// the verdict Unknown.
func Check(ctx context.Context, p Problem) (Result, error) {
	if err := p.validate(); err != nil {
		return Result{}, err
	}
	omitted, omits := p.Region.Omits()
	p = p.summarised()
	p.addAnyone()
	known := len(p.Region.Cells)
	var spent Result
	if q, ok := p.counting(); ok {
		res, err := decide(ctx, q, assumptions{}, q.Budget.Work/countShare)
		if err != nil {
			return Result{}, err
		}
		if res.Verdict == Violation {
			return res.told(ctx, q, known)
		}
		spent = res
	}
	if p.onlyLimits() {
		return Result{Verdict: Unknown, Reason: omissions[register.OmitLook], Work: spent.Work, Configurations: spent.Configurations}, nil
	}
	res, err := verdict(ctx, p, omits)
	if err == nil && res.Verdict == Verified {
		if p, err = res.countedAtOnce(ctx, p); err != nil {
			return Result{}, err
		}
		if omits && res.Verdict == Verified {
			res.Verdict, res.Reason = Unknown, omissions[omitted]
		}
	}
	if err != nil || res.Verdict != Violation {
		return res, err
	}
	if p, err = res.countedAlike(ctx, p); err != nil || res.Verdict != Violation {
		return res, err
	}
	return res.told(ctx, p, known)
}

// countedAlike takes back that a call breaks which does not where all count the same other entries, and nobody changes those. It gives the
// problem with these as cells if it breaks there as well, else what it was given.
func (r *Result) countedAlike(ctx context.Context, p Problem) (Problem, error) {
	q, known := p.numbered()
	if len(q.Region.Cells) == known || len(q.Region.Cells) > MaxCells || p.Env != Package {
		return p, nil
	}
	res, err := decide(ctx, q, assumptions{}, q.Budget.Work/countShare)
	r.Work += res.Work
	switch {
	case err != nil:
		return p, err
	case res.Verdict == Verified:
		*r = Result{Verdict: Unknown, Reason: omissions[register.OmitLook], Work: r.Work, Configurations: r.Configurations}
	case res.Verdict == Violation:
		res.Work = r.Work
		*r = res
		return q, nil
	}
	return p, nil
}

// told is a violation as it is told, of those cells that the caller has given.
func (r Result) told(ctx context.Context, p Problem, known int) (Result, error) {
	defer func() {
		r.Witness.from = nil
		r.Witness.begins()
		r.Witness.onlyCells(known)
		r.Witness.countedAt(p.Region)
	}()
	r.Doubtful = givenUp(p.Region, r.Witness) > maxGiveUps
	if p.Unclassed {
		return r, nil
	}
	if err := r.calm(ctx, p); err != nil {
		return Result{}, err
	}
	err := r.classify(ctx, p)
	return r, err
}

// verdict is whether a problem's call is one atomic step. What is left out of it is the caller's business.
func verdict(ctx context.Context, p Problem, omits bool) (Result, error) {
	if !omits && (p.reduces() || summary.IsOneRound(p.Region)) {
		return Result{Verdict: Verified}, nil
	}
	res, err := decide(ctx, p, assumptions{}, p.Budget.Work)
	if err != nil || res.Verdict == Verified || res.Verdict == Violation && !res.Witness.wraps() || !p.NoWrap || !p.countsFar() {
		return res, err
	}
	return res.withoutWrapping(ctx, p)
}

// unwrappedShare is the part of the budget for a problem in which sums do not wrap around.
const unwrappedShare = 2

// withoutWrapping is the answer where no counter with a sign, of unwrappedBits or more, is taken to come to the end of its type, if
// that is one: nobody counts so far, and what is undecided without that, or a violation in which one does, mostly asks for it.
//
//	if c.failed.Load() > 0 { // and from the greatest number on it is less
//		c.failed.Add(1)
//	}
func (r Result) withoutWrapping(ctx context.Context, p Problem) (Result, error) {
	p.unwrapped = true
	res, err := decide(ctx, p, assumptions{}, p.Budget.Work/unwrappedShare)
	res.Work += r.Work
	res.Configurations += r.Configurations
	switch {
	case err != nil:
		return Result{}, err
	case res.Verdict == Verified:
		res.Unwrapped = true
		return res, nil
	case res.Verdict == Violation && !res.Witness.wraps():
		return res, nil
	}
	r.Work, r.Configurations = res.Work, res.Configurations
	return r, nil
}

// wraps reports whether a counter that nobody counts so far has come to the end of its type in a witness.
func (w *Witness) wraps() bool { return w.from != nil && w.from.wraps }

// countsFar reports whether somebody adds to a number of which nobody counts to the end.
func (p *Problem) countsFar() (found bool) {
	p.eachInstr(func(in *register.Instr) {
		found = found || in.Op == register.Pure && (in.Name == "add" || in.Name == "sub") && isFar(in.Type.Kind)
	})
	return found
}

// TooManyCells is why a region on so many cells is not decided.
func TooManyCells(cells int) string {
	return fmt.Sprintf("%d cells; at most %d are followed", cells, MaxCells)
}

// countedAtOnce takes back that a call is one atomic step which is none for somebody who knows how many other entries the
// maps have that it counts: they come and go, and so it cannot have found at another time what it has found. It gives the
// problem with these as cells if somebody who is known breaks it there, else what it was given.
//
//	if m.CompareAndSwap(k, 0, -1) {
//		…
//	}
//	return len(m) // another entry was put there after somebody had seen the -1
func (r *Result) countedAtOnce(ctx context.Context, p Problem) (Problem, error) {
	q := p.withOthers()
	if q.Region == p.Region {
		return p, nil
	}
	verified := *r
	r.Verdict, r.Reason = Unknown, omissions[register.OmitLook]
	if len(q.Region.Cells) > MaxCells || r.Work >= p.Budget.Work {
		return p, nil
	}
	q.Budget.Work -= r.Work
	res, err := verdict(ctx, q, false)
	res.Work += r.Work
	r.Work = res.Work
	switch {
	case err != nil:
		return p, err
	case res.Verdict == Verified:
		*r = verified
		r.Work = res.Work
	case res.Verdict == Violation && !slices.ContainsFunc(res.Witness.Events, func(ev Event) bool { return ev.Name == comeAndGo }):
		*r = res
		return q, nil
	}
	return p, nil
}

// comeAndGo is the name of the step that stands for whatever others do to the other entries of a map.
const comeAndGo = "others come and go"

// withOthers is a problem whose other entries of maps are cells as well, see register.OthersAsCells; p itself if it counts
// none. Others who count the same ones find the same.
func (p Problem) withOthers() Problem {
	q, known := p.numbered()
	for cell := known; cell < len(q.Region.Cells); cell++ {
		q.addComings(cell)
	}
	return q
}

// counting is a problem in which others only put entries where the call does nothing but count, and count the same; it is none where the
// call counts none. What breaks then goes by how many there are, and needs nobody who is at the call's own entry.
//
//	if len(m) >= limit { … } // under a lock that is let go
//	m[k] = v
func (p Problem) counting() (q Problem, ok bool) {
	counted := func(cell int) bool { return cell >= 0 && p.Region.Cells[cell].Counted }
	if !slices.ContainsFunc(p.Region.Cells, func(c register.Cell) bool { return c.Counted }) || p.Env != Package {
		return p, false
	}
	q, known := p.numbered()
	q.counts = true
	q.Steps = slices.DeleteFunc(slices.Clone(q.Steps), func(s Step) bool {
		if !slices.ContainsFunc(s.Cells, counted) || len(register.Counted(s.Program)) > 0 {
			return true
		}
		return slices.ContainsFunc(s.Program.Blocks, func(b *register.Block) bool {
			return slices.ContainsFunc(b.Instrs, func(in register.Instr) bool {
				return in.Op == register.Unknown && in.Site() == register.OthersOf || in.Op != register.Read && in.IsBase() && s.Cells[in.Cell] >= 0 && !counted(s.Cells[in.Cell])
			})
		})
	})
	return q, known < len(q.Region.Cells) && len(q.Region.Cells) <= MaxCells && len(q.Steps) > 0
}

// onlyLimits reports whether the call does nothing but to count the entries of one map, and what it does to some of them.
func (p Problem) onlyLimits() bool {
	if !slices.ContainsFunc(p.Region.Cells, func(c register.Cell) bool { return c.Counted }) {
		return false
	}
	n := register.Number(p.Region)
	path := n.Path(p.Region.Cells[0].Map)
	return !slices.ContainsFunc(p.Region.Cells, func(c register.Cell) bool { return c.Kind != register.Map || n.Path(c.Map) != path })
}

// numbered is a problem with the other entries of maps that it counts as cells, after so many: nobody has changed them yet.
func (p Problem) numbered() (q Problem, known int) {
	region := register.OthersAsCells(p.Region)
	known = len(p.Region.Cells)
	if region == p.Region {
		return p, known
	}
	numbering := register.Number(p.Region)
	var counted []countedMap
	for cell := known; cell < len(region.Cells); cell++ {
		counted = append(counted, countedMap{register.CellsOf(p.Region, numbering, region.Cells[cell].Map), cell})
	}
	p.Region, p.whole = region, region
	p.Steps = slices.Clone(p.Steps)
	for i := range p.Steps {
		p.Steps[i].countSame(counted)
	}
	p.Initial, p.Guards = slices.Clone(p.Initial), slices.Clone(p.Guards)
	for range region.Cells[known:] {
		if p.Initial != nil {
			p.Initial = append(p.Initial, []register.Value{Anything})
		}
		if p.Guards != nil {
			p.Guards = append(p.Guards, "")
		}
	}
	return p, known
}

// countedMap is a map of which a region has some cells, and one for the other entries.
type countedMap struct {
	cells  []int
	others int
}

// countSame has a step count the entries of a map beside its own that the region counts, if those are the same.
func (s *Step) countSame(counted []countedMap) {
	prog := register.OthersAsCells(s.Program)
	cells, numbering := slices.Clone(s.Cells), register.Number(s.Program)
	for cell := len(s.Program.Cells); cell < len(prog.Cells); cell++ {
		var of []int
		for _, c := range register.CellsOf(s.Program, numbering, prog.Cells[cell].Map) {
			of = append(of, s.Cells[c])
		}
		slices.Sort(of)
		same := slices.IndexFunc(counted, func(m countedMap) bool { return len(of) > 0 && slices.Equal(of, m.cells) })
		if same < 0 {
			return
		}
		cells = append(cells, counted[same].others)
	}
	s.Program, s.Cells = prog, cells
	s.bare, s.telling = nil, nil
}

// addComings adds to the steps of others that entries come and go which are no cells of the region: whatever writes to a
// map does that under other keys, with the locks that it has.
func (p *Problem) addComings(cell int) {
	var ways [][]Hold
	for i := range p.Steps {
		s := &p.Steps[i]
		if !s.writesMap() || slices.ContainsFunc(ways, func(l []Hold) bool { return slices.Equal(l, s.Locks) }) {
			continue
		}
		ways = append(ways, s.Locks)
	}
	for _, locks := range ways {
		p.Steps = append(p.Steps, Step{Name: comeAndGo, Program: comings(p.Region.Cells[cell].Guarded), Cells: []int{cell}, Bind: []int{-1}, Locks: locks})
	}
}

// addAnyone adds to the steps of others what they may do to the cells that anyone can reach: replace what is there, or take it
// away, and see what it was.
func (p *Problem) addAnyone() {
	for cell, is := range p.Anyone {
		if !is {
			continue
		}
		var locks []Hold
		if p.Guards != nil && p.Guards[cell] != "" {
			locks = []Hold{{Lock: p.Guards[cell], Exclusive: true}}
		}
		c := p.Region.Cells[cell]
		c.Map, c.Key = register.Lit("&others"), register.NoOperand
		if c.Kind == register.Map {
			c.Key = register.Str("")
			p.Steps = append(p.Steps, Step{Name: "others", Program: replacing(c, false), Cells: []int{cell}, Locks: locks, anyone: true})
		}
		p.Steps = append(p.Steps, Step{Name: "others", Program: replacing(c, true), Cells: []int{cell}, Bind: []int{-1}, Locks: locks, anyone: true})
		if p.Initial != nil {
			p.Initial[cell] = append(slices.Clone(p.Initial[cell]), Anything)
		}
	}
}

// replacing is what others do to a cell if they put something there, or take it away.
func replacing(c register.Cell, puts bool) *register.Program {
	p := &register.Program{Name: "others", Cells: []register.Cell{c}}
	value := register.Absent
	if puts {
		content := p.NewLocal("v")
		p.Params, p.Types, value = []register.Local{content}, []register.Type{c.Type}, register.L(content)
	}
	was, had := p.NewLocal("was"), p.NewLocal("had")
	p.Blocks = []*register.Block{{
		Instrs: []register.Instr{{Op: register.Write, Dst: []register.Local{was, had}, Args: []register.Operand{value}}},
		Term:   register.Term{Kind: register.Return, Vals: []register.Operand{register.L(was)}},
	}}
	return p
}

// writesMap reports whether a step writes to an entry of a map.
func (s *Step) writesMap() bool {
	return slices.ContainsFunc(s.Program.Blocks, func(b *register.Block) bool {
		return slices.ContainsFunc(b.Instrs, func(in register.Instr) bool {
			return (in.Op == register.Write || in.Op == register.CAS) && s.Program.Cells[in.Cell].Kind == register.Map
		})
	})
}

// comings is what a step does to the others in a map, as a cell.
func comings(guarded bool) *register.Program {
	p := &register.Program{Name: "others", Cells: []register.Cell{{Kind: register.Atomic, Zero: "nil", Guarded: guarded}}}
	others := p.NewLocal("others")
	p.Params = []register.Local{others}
	p.Blocks = []*register.Block{{
		Instrs: []register.Instr{{Op: register.Write, Args: []register.Operand{register.L(others)}}},
		Term:   register.Term{Kind: register.Return},
	}}
	return p
}

// storyShare and classShare are the parts of the budget that a better story and each
// assumption may use: the verdict is there already.
const (
	storyShare = 8
	classShare = 4
)

// countShare is the part of it in which those who count are looked at alone.
const countShare = 4

// calm looks for an interleaving in which nobody has to look at the right time: a better
// story. Of several cells it is asked whether there is one.
func (r *Result) calm(ctx context.Context, p Problem) error {
	several, looks := len(p.Region.Cells) > 1, r.Witness.looks()
	if !looks && (!several || p.Env == Package) {
		return nil
	}
	share := storyShare
	if several {
		share = classShare
	}
	res, err := decide(ctx, p, assumptions{unwatched: true}, p.Budget.Work/share)
	if err != nil {
		return err
	}
	r.Work += res.Work
	if res.Verdict == Violation {
		r.Witness = res.Witness
	}
	r.Transient = several && res.Verdict != Violation
	return nil
}

// omissions are why a region is not verified, by the Omit in it.
var omissions = map[string]string{
	register.OmitLook:   "what it does depends on other entries of the map, or on what runs beside it",
	register.OmitAct:    "what it does depends on other entries of the map, or on what runs beside it",
	register.OmitCall:   "a call in it is too deep, or too large, to be followed",
	register.OmitUnwind: "a function that it calls panics, and what is deferred runs then",
}

// summarised is the problem with empty sections left out and idle loops replaced.
func (p Problem) summarised() Problem {
	if p.Memo == nil {
		p.Memo = &Memo{}
	}
	p.whole, p.Region = p.Region, p.Memo.summary(p.Region)
	p.Steps = slices.Clone(p.Steps)
	for i := range p.Steps {
		p.Steps[i].Program = p.Memo.summary(p.Steps[i].Program)
	}
	return p
}

// classify finds the category of a violation: it tries the assumptions in order. Where it cannot be decided whether one of
// them would make the violation go away, the violation is not called milder for
// it, and Doubt says why it is not decided.
func (r *Result) classify(ctx context.Context, p Problem) error {
	for _, a := range []struct {
		assumptions
		category Category
	}{
		{assumptions{deterministic: true}, DuplicateWork},
		{assumptions{deterministic: true, interchangeable: true}, DuplicateInstance},
	} {
		if p.Drawn || a.deterministic && !p.has(register.Unknown) && (!a.interchangeable || !p.has(register.Fresh)) {
			continue // it assumes nothing about this program
		}
		cost, breaks := r.Witness.carried(p, a.assumptions)
		if r.Work += cost; breaks {
			continue
		}
		a.tried = r.tried
		res, err := decide(ctx, p, a.assumptions, p.Budget.Work/classShare)
		r.Work += res.Work
		switch {
		case err != nil:
			return err
		case res.Verdict == Verified:
			r.Category, r.Doubt = a.category, ""
			return nil
		case res.Verdict == Unknown && r.Doubt == "":
			r.Doubt = fmt.Sprintf("whether it is %s is not decided: %s", a.category, res.Reason)
		}
	}
	r.Category = r.Witness.shape()
	return nil
}

// A violation that was found without an assumption is one under it, too, if the same
// interleaving is: with functions that give what the unknown calls gave in it, and
// objects that are the same where they were made alike. To run it again costs next to
// nothing beside another exploration. Where it shows nothing, another interleaving may.

// carried reports whether an interleaving breaks the call under other assumptions than
// those with which it was found.
func (w *Witness) carried(p Problem, a assumptions) (cost int, breaks bool) {
	if !a.deterministic {
		p = p.unasked()
	}
	e := newEngine(p, a, stage{steps: 1, share: 4})
	e.hasty = true // if it takes much to find out, another one is looked for
	h := w.from.under(e)
	if h != nil && h.run() {
		_, linearizable := h.orders()
		breaks = !linearizable
	}
	return e.spent(), breaks
}

// under is a history with the assumptions of another engine, yet to be run. The programs
// are those of the engine: what they make is told apart by the place where it is made,
// because they need not make the same things in the same order.
func (h *history) under(e *engine) *history {
	m := *h.model
	m.table, m.used = maps.Clone(h.model.table), maps.Clone(h.model.used)
	m.symbols, m.results = maps.Clone(h.model.symbols), maps.Clone(h.model.results)
	m.truths = e.truths() // the programs may ask more than those that the history is one of
	u := &history{
		engine: e, model: &m, args: h.args, initial: h.initial,
		gave: map[string][]register.Value{}, allocated: map[register.Value]allocation{},
	}
	for _, g := range h.drawn {
		u.gave[g.place] = append(u.gave[g.place], g.value)
	}
	region := e.problem.Region
	for i, l := range region.Params {
		u.passOn(region, l, h.args[i])
	}
	for _, s := range h.steps {
		s = s.again()
		if s.action.kind == runStep {
			i := h.engine.problem.place(s.action.program)
			if i < 0 || i >= len(e.problem.Steps) {
				return nil
			}
			a := *s.action
			a.program = &e.problem.Steps[i]
			s.action = &a
			for k, l := range a.program.Program.Params {
				u.passOn(a.program.Program, l, s.args[k])
			}
		}
		u.steps = append(u.steps, s)
	}
	return u
}

// passOn notes a value that a program only passes on to unknown calls.
func (h *history) passOn(p *register.Program, l register.Local, v register.Value) {
	if h.engine.assume.deterministic && onlyPassedOn(p, l) {
		h.passedOn = append(h.passedOn, v)
	}
}

// place is where a step is among those of the problem; -1 if it is none of them.
func (p *Problem) place(s *Step) int {
	for i := range p.Steps {
		if &p.Steps[i] == s {
			return i
		}
	}
	return -1
}
