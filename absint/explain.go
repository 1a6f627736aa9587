package absint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/absint/internal/summary"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// explainer asks whether an atomic run at one place explains a concrete history. The
// run has the values of the history; what nobody can predict stays open until it is
// asked about, and all ways are walked at once. So it takes a few hundred instructions
// where trying all choices one after the other takes millions. What it does not find out
// it takes for possible: if it says no, there is no such run.
type explainer struct {
	*engine
	h     *history
	after int
	// effects says that the run has to have the effects of the call.
	effects bool
	// like are the allocations of the actual run that one of this run can stand for.
	like map[term][]register.Value
	// ends says of each block whether the way in which the call ended can follow, and
	// leads whether an operation can.
	ends, leads []bool
	// wanted is what a run has to leave in each cell, empty where that is not one thing, and writes says of each cell and block
	// whether the run can still write to it.
	wanted []register.Value
	writes [][]bool
	// lacks are the effects that a run has to have had at each block.
	lacks [][]lack
	// fit remembers what becomes of contents.
	fit map[string]bool
	// tails are the effects of the tail that the call had.
	tails []register.EffectEvent
	// observed are all that count.
	observed []register.EffectEvent

	// came is how often a run that is led had a choice at each block.
	came map[int]int

	possible, panics bool
}

// explainCost bounds one walk.
const explainCost = 30_000

// explained reports whether the call, run atomically after so many steps, could have
// given what it did, and whether it could have panicked. Most runs that do not explain it
// are told by what they return and leave in the cells: effects are asked of the others
// only, because there are as many ways as orders of them.
func (h *history) explained(after int) (possible, panics bool, err error) {
	e := h.engine.explainerEngine()
	possible, panics, err = h.explainedBy(e.bare, after)
	if !possible || err != nil || !h.engine.hasEffects {
		return possible, panics, err
	}
	return h.explainedBy(e.problem.Region, after)
}

// explainedBy is explained, where the call is what a program does.
func (h *history) explainedBy(p *register.Program, after int) (possible, panics bool, err error) {
	x, w, start, err := h.explainer(p, after)
	if err != nil {
		return false, false, err
	}
	w.limit = explainCost
	all, err := w.from(start)
	h.engine.explained += x.terms.cost
	return x.possible || !all, x.panics, err
}

// explainer prepares to explain the history with a program that runs at one place.
func (h *history) explainer(p *register.Program, after int) (*explainer, *walk, *wayRun, error) {
	cells := slices.Clone(h.initial)
	for _, s := range h.steps[:after] {
		if _, _, err := h.play(s, cells); err != nil {
			return nil, nil, nil, err
		}
	}
	e := h.engine.explainerEngine()
	e.terms.cost = 0
	e.hasEffects = h.engine.hasEffects && p == e.problem.Region
	e.publishes = h.engine.publishes && e.hasEffects
	x := &explainer{
		engine: e, h: h, after: after, like: map[term][]register.Value{}, fit: map[string]bool{}, came: map[int]int{},
		effects: e.hasEffects,
		leads:   summary.LeadsToOperation(p),
		ends:    summary.LeadsTo(p, func(b *register.Block) bool { return canEnd(&b.Term, &h.out) }),
	}
	x.wanted, x.writes = h.leftAfter(after), e.waysOf(p).writing()
	x.observed = h.out.Observed()
	if x.effects {
		x.lacks = lacking(p, x.observed)
	}
	for n := 0; x.effects && h.then(n) != nil; n++ {
		x.tails = append(x.tails, *h.then(n))
	}
	start := &wayRun{locals: make([]term, len(p.Names)), path: newPath(e.terms)}
	for i, l := range p.Params {
		start.locals[l] = x.term(h.args[i])
	}
	for _, v := range cells {
		start.regs = append(start.regs, x.term(v))
	}
	w := &walk{e: e, way: e.waysOf(p), base: start.path, wide: true, either: holeAny}
	w.machine = func(r *wayRun) *machine { return x.machine(w, r) }
	w.settle = func(r *wayRun, l literal) bool { return r.assume(e.terms, l) }
	w.needed = func(l literal, alive *termSet, _ int) bool { return e.stillOpen(l, alive) }
	w.hopeless = x.hopeless
	w.ended = x.ended
	return x, w, start, nil
}

// ledCost bounds a run that is led.
const ledCost = 1500

// led reports whether the run at a place that goes the way of the call, as far as that is
// open to it, explains the history. Most histories that can be explained at all are explained
// by it, and it costs a hundredth of a walk to all ends.
func (h *history) led(p *placing) (bool, error) {
	if p.done {
		return false, nil
	}
	x, w, start, err := h.explainer(h.engine.problem.Region, p.after)
	if err != nil {
		return false, err
	}
	w.lead, w.limit = x.lead, ledCost
	_, err = w.from(start)
	h.engine.explained += x.terms.cost
	return x.possible, err
}

// lead puts first the answer with which a run goes where the call went.
func (x *explainer) lead(m *machine, answers []literal) []literal {
	b := m.prog.Blocks[m.block]
	if len(answers) < 2 || m.index < len(b.Instrs) || b.Term.Kind != register.Branch {
		return answers
	}
	i := 0
	if x.wayOn(m.block, &b.Term) == b.Term.To[1] {
		i = 1
	}
	if m.answerFor(&b.Term, i) == 1 {
		return []literal{answers[1], answers[0]}
	}
	return answers
}

// wayOn is where the call went from a block, or where it can end from as it ended.
func (x *explainer) wayOn(block int, t *register.Term) int {
	been := x.h.ways[block]
	n := x.came[block]
	x.came[block]++
	switch {
	case len(been) > 0:
		return been[min(n, len(been)-1)]
	case x.ends[t.To[0]]:
		return t.To[0]
	}
	return t.To[1]
}

// explainerEngine has terms of its own, in which values are what they are called.
func (e *engine) explainerEngine() *engine {
	if e.explainer == nil {
		e.explainer = &engine{
			problem: e.problem, assume: e.assume, terms: newTerms(), ways: map[*register.Program]*ways{},
			bare: summary.WithoutEffects(e.problem.Region),
		}
		e.explainer.terms.parts = e.terms.parts
		e.explainer.terms.unwrapped = e.terms.unwrapped
		e.explainer.terms.budget = 2 * explainCost
	}
	return e.explainer
}

// term is a value of the history.
func (x *explainer) term(v register.Value) term {
	if v.IsLit() {
		return x.terms.lit(string(v))
	}
	return x.terms.named(string(v))
}

// valueOf is the value that a term is, if it is one.
func (x *explainer) valueOf(y term) (register.Value, bool) {
	n := x.terms.of(y)
	return register.Value(n.name), n.kind == litTerm || n.kind == nameTerm
}

func (x *explainer) machine(w *walk, r *wayRun) *machine {
	m := &machine{anyNil: true, giveUp: func() (bool, error) { return false, nil }}
	m.meaning = func(in *register.Instr, result int, args []term) (term, bool) {
		f := function{name: in.Name, result: result, at: in.Type}
		if y, known := x.apply(f, args); known || !register.Interpreted[f.name] || f.name == "eq" || f.name == "not" {
			return y, known
		}
		typ := f.resultType()
		f.name = anyOf + f.name
		y := x.terms.apply(f, args)
		x.terms.of(y).typ = typ
		return y, true
	}
	m.decide = func(a, b term) (bool, error) {
		a, b = x.settled(r, a), x.settled(r, b)
		if x.never(a, b) || x.never(b, a) {
			return false, nil
		}
		return r.path.ask(a, b)
	}
	m.fresh = func(site string, contents []term) term {
		if vs, ok := x.values(contents); ok {
			if v, assumed := x.h.assumedFresh(site, vs, nil); assumed {
				return x.term(v)
			}
		}
		hole := w.hole(r, holeAny, fmt.Sprint(site, contents), site, nil)
		x.like[hole] = x.alike(site, contents)
		return hole
	}
	m.unknown = func(site string, result int, args []term) term {
		if vs, ok := x.values(args); ok {
			if v, assumed := x.h.assumedUnknown(site, result, vs, nil); assumed {
				return x.term(v)
			}
		}
		return w.hole(r, holeAny, unknownPlace(site, result), site, nil)
	}
	return m
}

// anyOf begins the name of an interpreted function of what is not known yet: it gives
// anything. What the history says of sums need not be arithmetic, where the names of
// values stand for numbers.
const anyOf = "any "

// alike are the allocations of the actual run that have the type and contents, as far
// as these are known.
func (x *explainer) alike(site string, contents []term) []register.Value {
	out := []register.Value{}
	for v, a := range x.h.allocated {
		ok := a.typ == siteType(site) && len(a.contents) == len(contents)
		for i := 0; ok && i < len(contents); i++ {
			if c, known := x.valueOf(contents[i]); known {
				ok = c == a.contents[i]
			}
		}
		if ok {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return out
}

// never reports whether a is an allocation of this run that b is not.
func (x *explainer) never(a, b term) bool {
	like, is := x.like[a]
	if !is || a == b {
		return false
	}
	if _, also := x.like[b]; also {
		return true
	}
	v, known := x.valueOf(b)
	return known && v != newOne && !slices.Contains(like, v)
}

// settled is a term with the holes filled of which the run has said what they are, and
// what functions give for them.
func (x *explainer) settled(r *wayRun, y term) term { return x.folded(r.settled(x.terms, y)) }

// folded is a term with the functions applied whose arguments are known.
func (x *explainer) folded(y term) term { return x.foldedIn(y, map[term]term{}) }

// foldedIn is folded where what was found of large terms is noted.
func (x *explainer) foldedIn(y term, done map[term]term) term {
	if x.terms.of(y).size <= maxWritten {
		return x.foldedOnce(y, done)
	}
	if _, known := done[y]; !known {
		done[y] = x.foldedOnce(y, done)
	}
	return done[y]
}

func (x *explainer) foldedOnce(y term, done map[term]term) term {
	n := x.terms.of(y)
	if n.kind != appTerm {
		return y
	}
	args, changed := make([]term, len(n.args)), false
	f, typ := n.function(), n.typ
	for i, a := range slices.Clone(n.args) {
		args[i] = x.foldedIn(a, done)
		changed = changed || args[i] != a
	}
	if z, ok := x.apply(f, args); ok {
		return z
	}
	if !changed {
		return y
	}
	z := x.terms.apply(f, args)
	if x.terms.of(z).kind == appTerm {
		x.terms.of(z).typ = typ
	}
	return z
}

// apply is what a function gives for values: what the history says.
func (x *explainer) apply(f function, args []term) (term, bool) {
	vs, ok := x.values(args)
	if !ok {
		return noTerm, false
	}
	f.name = strings.TrimPrefix(f.name, anyOf)
	if register.Interpreted[f.name] {
		if v, ok, err := register.Fold(f.name, f.at, vs); ok && err == nil {
			return x.term(v), true
		}
	}
	return x.term(x.h.model.apply(register.FunctionName(f.name, f.at), f.result, vs)), true
}

func (x *explainer) values(ts []term) ([]register.Value, bool) {
	vs := make([]register.Value, len(ts))
	for i, y := range ts {
		v, ok := x.valueOf(y)
		if !ok {
			return nil, false
		}
		vs[i] = v
	}
	return vs, true
}

// canEnd reports whether a program that ends at a block can have an outcome, as far as the
// block shows what that is.
func canEnd(t *register.Term, out *register.Outcome) bool {
	if t.Kind != out.Kind || t.Label != out.Label || len(t.Vals) != len(out.Vals) {
		return false
	}
	for i, o := range t.Vals {
		if o.IsLit() && register.Value(o.Lit) != out.Vals[i] {
			return false
		}
	}
	return true
}

// lack is an effect that a run has to have had as often before a block, because it cannot
// have it from there on.
type lack struct {
	name  string
	times int
}

// lacking are the lacks at each block, for a run that has to have these effects.
func lacking(p *register.Program, wanted []register.EffectEvent) [][]lack {
	times := map[string]int{}
	var names []string
	for _, ev := range wanted {
		if times[ev.Name]++; times[ev.Name] == 1 {
			names = append(names, ev.Name)
		}
	}
	out := make([][]lack, len(p.Blocks))
	for _, name := range names {
		has := summary.LeadsTo(p, func(b *register.Block) bool {
			return slices.ContainsFunc(b.Instrs, func(in register.Instr) bool { return in.Op == register.Effect && in.Name == name })
		})
		for b := range p.Blocks {
			if !has[b] {
				out[b] = append(out[b], lack{name, times[name]})
			}
		}
	}
	return out
}

// misses reports whether a run has not had an effect that it has to have, and cannot have any
// more.
func (x *explainer) misses(r *wayRun) bool {
	if !x.effects {
		return false
	}
	return slices.ContainsFunc(x.lacks[r.block], func(l lack) bool {
		n := 0
		for _, f := range r.effects {
			if f.name == l.name {
				n++
			}
		}
		return n < l.times
	})
}

// hopeless reports whether a run cannot end as it should. Whether some run panics is
// asked too, if the call did.
func (x *explainer) hopeless(r *wayRun) bool {
	if x.possible {
		return true
	}
	if x.h.out.Kind == register.Panic {
		return false
	}
	if !x.ends[r.block] || x.spoils(r) || x.strays(r) || x.misses(r) {
		return true
	}
	if x.leads[r.block] {
		return false
	}
	vs, ok := x.values(r.regs)
	return ok && !x.fits(vs)
}

// leftAfter is what the cells have to hold when the call has run after so many steps: what others are shown next, or what is there in the
// end. It is empty for a cell that a function of the package comes to first.
func (h *history) leftAfter(after int) []register.Value {
	out := slices.Clone(h.final)
	for cell := range out {
		for _, s := range h.steps[after:] {
			a := s.action
			if a.kind == runStep {
				if !slices.Contains(a.program.Cells, cell) {
					continue
				}
				out[cell] = ""
				break
			}
			if a.cell == cell {
				out[cell] = register.Value(s.shown)
				break
			}
		}
	}
	return out
}

// spoils reports whether a run has left in a cell what it must not.
func (x *explainer) spoils(r *wayRun) bool {
	for cell, v := range x.wanted {
		if v == "" || x.writes[cell][r.block] {
			continue
		}
		if is, known := x.valueOf(r.regs[cell]); known && is != v {
			return true
		}
	}
	return false
}

// strays reports whether a run has had an effect that the call had not. Those of the tail
// always count; of the others, those on what was in a cell do, and they are compared up
// to the first of which that is not known.
func (x *explainer) strays(r *wayRun) bool {
	differs := func(f effect, all []register.EffectEvent, n int) bool {
		if n == len(all) || all[n].Name != f.name || len(all[n].Args) != len(f.args) {
			return true
		}
		for i, y := range f.args {
			if v, known := x.valueOf(y); known && v != all[n].Args[i] {
				return true
			}
		}
		return false
	}
	tails, n, sure := 0, 0, true
	for _, f := range r.effects {
		then := register.IsTail(f.name)
		if then && differs(f, x.tails, tails) {
			return true
		}
		if then {
			tails++
		}
		sure = sure && (f.always() || slices.ContainsFunc(f.concerns(), func(y term) bool { return !f.leaves(x.terms, y) && slices.Contains(r.published, y) }))
		if sure && differs(f, x.observed, n) {
			return true
		}
		n++
	}
	return false
}

// fits reports whether what the cells hold after the call leads to what others were
// shown, and to what is there in the end.
func (x *explainer) fits(after []register.Value) bool {
	key := string(appendValues(nil, after))
	is, known := x.fit[key]
	if known {
		return is
	}
	h, cells := x.h, slices.Clone(after)
	is = true
	for _, s := range h.steps[x.after:] {
		shown, _, err := h.play(s, cells)
		is = is && (err != nil || shown == s.shown)
	}
	is = is && slices.Equal(cells, h.final)
	x.fit[key] = is
	return is
}

// ended looks at a run that has come to its end.
func (x *explainer) ended(r *wayRun, o *outcome) {
	x.panics = x.panics || o.kind == register.Panic
	actual := x.observed
	if o.kind != x.h.out.Kind || o.label != x.h.out.Label || len(o.vals) != len(x.h.out.Vals) || x.effects && len(o.effects) != len(actual) {
		return
	}
	path := r.path
	for i, y := range o.vals {
		if path = x.can(r, path, y, x.h.out.Vals[i]); path == nil {
			return
		}
	}
	for i, f := range o.effects {
		if f.name != actual[i].Name || len(f.args) != len(actual[i].Args) {
			return
		}
		for j, y := range f.args {
			if path = x.can(r, path, y, actual[i].Args[j]); path == nil {
				return
			}
		}
	}
	x.possible = x.possible || x.leaves(r, path)
}

// can is a path with a term being a value, nil if it cannot be.
func (x *explainer) can(r *wayRun, path *path, y term, v register.Value) *path {
	y, z := x.settled(r, y), x.term(v)
	switch is, known := x.valueOf(y); {
	case known && is != v, x.never(y, z):
		return nil
	case known:
		return path
	}
	return path.with(literal{y, z, true})
}

// newOne is a value that does not occur in the history.
const newOne register.Value = "new one"

// maxLeft bounds the values that are tried for what is left open in the cells.
const maxLeft = 200

// leaves reports whether what a run leaves in the cells fits.
func (x *explainer) leaves(r *wayRun, path *path) bool {
	all := [][]register.Value{nil}
	var open []int
	var options []register.Value
	for i, y := range r.regs {
		y = x.settled(r, y)
		var vs []register.Value
		switch v, known := x.valueOf(y); {
		case known && x.wanted[i] != "" && v != x.wanted[i]:
			return false
		case known:
			vs = []register.Value{v}
		default:
			open = append(open, i)
			tried := []register.Value{x.wanted[i]}
			if tried[0] == "" {
				if options == nil {
					options = append(x.h.values(""), newOne)
				}
				tried = options
			}
			for _, v := range tried {
				if x.can(r, path, y, v) != nil {
					vs = append(vs, v)
				}
			}
		}
		var next [][]register.Value
		for _, a := range all {
			for _, v := range vs {
				next = append(next, append(slices.Clip(a), v))
			}
		}
		if all = next; len(all) > maxLeft {
			return true
		}
	}
	for _, vs := range all {
		p := path
		for _, i := range open {
			if p != nil {
				p = x.can(r, p, r.regs[i], vs[i])
			}
		}
		if p != nil && x.fits(vs) {
			return true
		}
	}
	return false
}

func appendValues(buf []byte, vs []register.Value) []byte {
	for _, v := range vs {
		buf = append(append(buf, v...), 0)
	}
	return append(buf, 1)
}
