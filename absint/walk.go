package absint

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/mapatom/mapatom/absint/internal/summary"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// A walk follows a program that runs in one piece along all the ways that it can take.
// It goes block by block. Where what is known leaves a question open, the run falls
// into two; where two runs stand at the same place with the same values, and differ
// in an answer that neither needs any more, they are one again:
//
//	if verbose { log(x) }
//	if x == nil { … }
//
// So the cost follows the answers that are of consequence, and not the number of
// ways. This is what joining does in an abstract interpretation (Cousot and Cousot,
// POPL 1977), with sets of answers in the place of abstract values.

// wayRun is one run of a walk, at the start of a block.
type wayRun struct {
	block     int
	locals    []term
	regs      []term
	effects   []effect
	published []term
	// used are the allocations of the actual run that the run has taken for its own.
	used []term
	// path is what the walk began with, and then answers.
	path    *path
	answers []literal
	// taken are all answers, of consequence or not, and instead those of the runs that it was joined
	// with: what a wide walk no longer tells apart, one of them does, and maybe not the first.
	taken   []literal
	instead [][]literal
	// told is what the run has told so far, if the walk asks for it.
	told disclosure
	// script are the answers to whether a weak cas of this block fails, and gaveUp
	// how many have failed.
	script []bool
	gaveUp int
	// rounds is how often the run came to the head of a loop.
	rounds int
	// memo are the terms that this block has made, for when it is run again with
	// another answer; counts are the choices drawn so far, see choices and hole.
	memo   map[string]term
	counts map[string]int
}

// walk is one walk. Its owner sets the functions.
type walk struct {
	e    *engine
	way  *ways
	base *path
	// machine prepares the machine of a run, but for what the walk knows.
	machine func(*wayRun) *machine
	// settle adds an answer to a run; false if it cannot be given.
	settle func(r *wayRun, l literal) bool
	// needed reports whether an answer is of consequence for a run in which these
	// terms are still there, and that has come to this block.
	needed func(l literal, alive *termSet, block int) bool
	// about, if set, says which terms it matters for what is told.
	about func(term) bool
	// hopeless, if set, says of a run that nobody wants to know how it ends.
	hopeless func(*wayRun) bool
	// lead, if set, puts first the answer with which a run goes on: then there is no other run.
	lead func(*machine, []literal) []literal
	// ended gets each run that comes to an end, with its outcome.
	ended func(*wayRun, *outcome)
	// arrives, if set, says of a run that it has come as far as it is wanted, and takes it.
	arrives func(*wayRun) bool
	// narrow says that a few of many runs will do, and wide that runs may be taken for more
	// than they are.
	narrow, wide bool
	// either is what stands for one of several things in a wide walk: a hole, or a symbol
	// if there is nobody who could choose.
	either termKind
	// limit is the cost at which the walk is broken off; 0 is no limit of its own.
	limit int

	// dropped says that the walk was narrow, or broken off: there are runs that it left out.
	dropped bool

	queue  []*wayRun
	merged map[string][]*wayRun
	// holes are those that runs have made, by place.
	holes map[string]term
	// heads are the runs that came to the heads of loops, see passed.
	heads map[int][]*wayRun
}

// hole is what the run makes up at a place. Runs that have come there as often on different
// ways have the same, since each of them is another world: so they can be joined when
// the ways are forgotten.
func (w *walk) hole(r *wayRun, kind termKind, place, name string, args []term) term {
	if r.counts == nil {
		r.counts = map[string]int{}
	}
	key := fmt.Sprint(place, " ", r.counts[place], args)
	r.counts[place]++
	x, known := w.holes[key]
	if !known {
		x = w.e.terms.hole(kind, name, args)
		w.holes[key] = x
	}
	return x
}

// ways is what is known of a program before it is walked.
type ways struct {
	prog  *register.Program
	live  *register.Liveness
	rank  []int
	joins []bool
	heads []bool
	// later are the functions that can still be asked from a block on.
	later map[int]functions
	// writes says of each cell and block whether a write to the cell can follow, once that is asked.
	writes [][]bool
}

// writing says of each cell and block whether a write to the cell can follow.
func (w *ways) writing() [][]bool {
	if w.writes == nil {
		for cell := range w.prog.Cells {
			w.writes = append(w.writes, summary.LeadsTo(w.prog, func(b *register.Block) bool {
				return slices.ContainsFunc(b.Instrs, func(in register.Instr) bool {
					return (in.Op == register.Write || in.Op == register.CAS) && in.Cell == cell
				})
			}))
		}
	}
	return w.writes
}

func newWays(p *register.Program) *ways {
	w := &ways{prog: p, live: register.Live(p), rank: make([]int, len(p.Blocks)), joins: make([]bool, len(p.Blocks)), heads: make([]bool, len(p.Blocks)), later: map[int]functions{}}
	for _, l := range register.Loops(p) {
		w.heads[l.Head] = true
	}
	for i, b := range register.ReversePostorder(p) {
		w.rank[b] = i
	}
	for b, preds := range register.Preds(p) {
		w.joins[b] = len(preds) > 1
	}
	return w
}

// waysOf is newWays, once for each program.
func (e *engine) waysOf(p *register.Program) *ways {
	w := e.ways[p]
	if w == nil {
		w = newWays(p)
		e.ways[p] = w
	}
	return w
}

// maxRuns bounds the blocks that one walk goes through.
const maxRuns = 4000

// mergeCost is what it costs to look whether a run is another one again, in
// instructions.
const mergeCost = 5

// from walks from a run to all ends. It reports whether it got to all of them.
func (w *walk) from(r *wayRun) (bool, error) {
	attempt, made := w.e.terms.attempt, w.e.terms.made
	defer func() { w.e.terms.attempt, w.e.terms.made = attempt, made }()
	w.merged, w.holes, w.heads = map[string][]*wayRun{}, map[string]term{}, map[int][]*wayRun{}
	w.queue = append(w.queue, r)
	for n := 0; len(w.queue) > 0; n++ {
		if n == maxRuns || w.e.exhausted() || w.limit > 0 && w.e.terms.cost > w.limit {
			w.dropped = true
			return false, nil
		}
		r := w.queue[0]
		w.queue = w.queue[1:]
		if err := w.block(r); err != nil {
			return false, err
		}
	}
	return true, nil
}

// block runs one block, and queues what comes after it.
func (w *walk) block(r *wayRun) error {
	if r.memo == nil {
		r.memo = map[string]term{}
	}
	w.e.terms.attempt, w.e.terms.made = r.memo, 0
	begun := r
	cur := *r
	cur.counts = maps.Clone(r.counts)
	r = &cur
	m := w.machine(r)
	m.prog, m.block, m.terms = w.way.prog, r.block, w.e.terms
	m.locals, m.regs = slices.Clone(r.locals), slices.Clone(r.regs)
	m.effects, m.published = r.effects, r.published
	gaveUp, at := r.gaveUp, 0
	if m.giveUp != nil {
		m.giveUp = func() (bool, error) {
			if gaveUp == maxGiveUps {
				return false, nil
			}
			if at == len(r.script) {
				return false, &choicePoint{}
			}
			at++
			if r.script[at-1] {
				gaveUp++
			}
			return r.script[at-1], nil
		}
	}
	out, err := m.oneBlock()
	switch err := err.(type) {
	case nil:
	case *choicePoint:
		for _, fails := range []bool{false, true} {
			q := *begun
			q.script = append(slices.Clone(r.script), fails)
			w.enqueue(&q)
			if w.lead != nil {
				break
			}
		}
		return nil
	case *split:
		answers := err.answers(w.e.terms)
		if w.lead != nil {
			answers = w.lead(m, answers)
		}
		for _, l := range answers {
			q := *begun
			if !w.settle(&q, l) {
				continue
			}
			w.enqueue(&q)
			if w.lead != nil {
				break
			}
		}
		return nil
	default:
		return err
	}
	q := *r
	q.block, q.locals, q.regs, q.effects, q.published = m.block, m.locals, m.regs, m.effects, m.published
	q.script, q.gaveUp, q.memo = nil, gaveUp, nil
	if w.way.heads[q.block] {
		q.rounds++
	}
	switch {
	case out != nil:
		w.ended(&q, out)
	case w.arrives != nil && w.arrives(&q):
	case w.hopeless != nil && w.hopeless(&q):
	case w.lead == nil && w.way.joins[q.block]:
		w.join(&q)
	default:
		w.enqueue(&q)
	}
	return nil
}

// enqueue puts the runs of earlier blocks first, so that all that come together at a
// block are there before one goes on. Those with more rounds of loops behind them come
// after all others: if not all are walked, these are left.
func (w *walk) enqueue(r *wayRun) {
	i, _ := slices.BinarySearchFunc(w.queue, r, func(q, r *wayRun) int {
		if q.rounds < r.rounds || q.rounds == r.rounds && w.way.rank[q.block] <= w.way.rank[r.block] {
			return -1
		}
		return 1
	})
	w.queue = slices.Insert(w.queue, i, r)
}

// join enqueues a run, unless one like it is there or was.
func (w *walk) join(r *wayRun) {
	w.e.terms.cost += mergeCost
	w.forget(r)
	if w.wide && r.rounds > exactRounds && w.way.heads[r.block] {
		if q := w.passed(r); q != nil {
			w.widen(r, q)
		}
		w.heads[r.block] = append(w.heads[r.block], r)
	}
	key := w.key(r)
	for {
		same := w.merged[key]
		i := slices.IndexFunc(same, func(q *wayRun) bool { return implies(r.answers, q.answers) && w.covers(q, r) })
		if i >= 0 {
			same[i].orGoes(r)
			return // it has been here, and knew no more
		}
		i = slices.IndexFunc(same, func(q *wayRun) bool { return w.waits(q) && w.opposite(r.answers, q.answers) >= 0 })
		if i < 0 {
			break
		}
		q := same[i]
		w.queue = slices.DeleteFunc(w.queue, func(x *wayRun) bool { return x == q })
		w.merged[key] = slices.Delete(slices.Clone(same), i, i+1)
		at := w.opposite(r.answers, q.answers)
		other := *q
		if q.told.exceeds(&r.told) {
			other.taken, r.taken = r.taken, q.taken
		}
		r.orGoes(&other)
		w.ask(&r.told, r.answers[at])
		r.told.add(&q.told)
		r.answers = slices.Delete(slices.Clone(r.answers), at, at+1)
		r.path = nil
	}
	switch same := w.alike(r); {
	case len(same) < maxAlike:
	case w.narrow:
		w.dropped = true
		return
	case w.wide:
		q := same[len(same)-1]
		w.queue = slices.DeleteFunc(w.queue, func(x *wayRun) bool { return x == q })
		before := w.key(q)
		w.merged[before] = slices.DeleteFunc(slices.Clone(w.merged[before]), func(x *wayRun) bool { return x == q })
		w.widen(r, q)
		w.join(r)
		return
	}
	if r.path == nil {
		w.rebuild(r)
	}
	w.merged[key] = append(w.merged[key], r)
	w.enqueue(r)
}

// maxAlike is how many runs with the same cells wait at one block of a narrow or a wide walk.
const maxAlike = 6

// exactRounds is how often a run of a wide walk comes to heads of loops before what it
// has there is taken for anything that differs from round to round.
const exactRounds = 4

// passed is the last run that came to the head of a loop where a run is, and has the same
// effects; nil if there is none.
func (w *walk) passed(r *wayRun) *wayRun {
	for _, q := range slices.Backward(w.heads[r.block]) {
		same := func(x, y term) bool { return (x == w.e.terms.absentT) == (y == w.e.terms.absentT) }
		if slices.EqualFunc(q.regs, r.regs, same) && w.sameEffects(q, r) {
			return q
		}
	}
	return nil
}

// alike are the runs that wait where a run is, and have the same in the cells and the same
// effects.
func (w *walk) alike(r *wayRun) []*wayRun {
	if !w.narrow && !w.wide {
		return nil
	}
	var out []*wayRun
	for _, q := range w.queue {
		if q.block == r.block && slices.Equal(q.regs, r.regs) && w.sameEffects(q, r) {
			out = append(out, q)
		}
	}
	return out
}

// sameEffects reports whether two runs have had the same effects, and given up as often.
func (w *walk) sameEffects(q, r *wayRun) bool {
	same := func(f, g effect) bool {
		return f.name == g.name && f.counts == g.counts && slices.Equal(f.args, g.args)
	}
	return q.gaveUp == r.gaveUp && slices.EqualFunc(q.effects, r.effects, same) && (!w.e.publishes || slices.Equal(q.published, r.published))
}

// widen makes of a run one that stands for another one as well: what they differ in is
// anything.
func (w *walk) widen(r, q *wayRun) {
	t := w.e.terms
	alive := &termSet{}
	note := func(x term) { t.addAll(alive, x) }
	for _, s := range []*wayRun{r, q} {
		for _, x := range slices.Concat(s.locals, s.regs) {
			note(x)
		}
		eachArgument(s.effects, note)
	}
	made := map[term]bool{}
	either := func(place int, typ register.Type) term {
		hole := noTerm
		for n := 0; hole == noTerm || alive.has(hole); n++ {
			hole = w.hole(&wayRun{}, w.either, fmt.Sprint("either ", r.block, place, n), "either", nil)
		}
		if typ.Kind == register.Bool || w.either == symTerm {
			t.declare(hole, typ)
		}
		made[hole] = true
		alive.add(hole)
		return hole
	}
	r.locals, r.regs = slices.Clone(r.locals), slices.Clone(r.regs)
	for l, x := range r.locals {
		if x != q.locals[l] {
			w.lose(&r.told, x, q.locals[l])
			r.locals[l] = either(l, w.way.prog.TypeOf(register.Local(l)))
		}
	}
	for cell, x := range r.regs {
		if x != q.regs[cell] {
			w.lose(&r.told, x, q.regs[cell])
			r.regs[cell] = either(-1-cell, w.way.prog.Cells[cell].Type)
		}
	}
	r.orGoes(q)
	r.told.add(&q.told)
	for _, l := range slices.Concat(r.answers, q.answers) {
		w.ask(&r.told, l)
	}
	r.answers = slices.DeleteFunc(slices.Clone(r.answers), func(l literal) bool {
		stale := false
		for _, x := range []term{l.a, l.b} {
			t.each(x, func(y term) { stale = stale || made[y] })
		}
		return stale || !slices.Contains(q.answers, l)
	})
	r.path = nil
}

// maxInstead is how many other ways of a run are kept.
const maxInstead = 6

// orGoes notes the ways of a run that it is joined with.
func (r *wayRun) orGoes(q *wayRun) {
	r.instead = slices.Concat(r.instead, [][]literal{q.taken}, q.instead)
	r.instead = r.instead[:min(len(r.instead), maxInstead)]
}

// goes notes an answer on the way of a run, and on those that it could have come instead.
func (r *wayRun) goes(l literal) {
	r.taken, r.instead = append(slices.Clip(r.taken), l), onAll(r.instead, l)
}

// onAll are some ways with one more answer each.
func onAll(ways [][]literal, l literal) [][]literal {
	out := make([][]literal, len(ways))
	for i, way := range ways {
		out[i] = append(slices.Clip(way), l)
	}
	return out
}

func (w *walk) waits(q *wayRun) bool { return slices.Contains(w.queue, q) }

// forget drops the values and answers of a run that are of no consequence any more.
func (w *walk) forget(r *wayRun) {
	alive := &termSet{}
	note := func(x term) { w.e.terms.addAll(alive, x) }
	locals := make([]term, len(r.locals))
	for _, l := range w.way.live.In(r.block, 0) {
		locals[l] = r.locals[l]
		note(locals[l])
	}
	r.locals = locals
	for _, x := range r.regs {
		note(x)
	}
	eachArgument(r.effects, note)
	kept := w.keep(r, alive)
	if len(kept) != len(r.answers) {
		r.answers, r.path = kept, nil
	}
}

// forgetAtEnd is forget for a run that has come to its end: its cells are what is left.
// What the answers make a literal is one.
func (w *walk) forgetAtEnd(r *wayRun) {
	alive := &termSet{}
	for i, x := range r.regs {
		if x != noTerm {
			x = r.path.settled(x)
			r.regs[i] = x
		}
		w.e.terms.addAll(alive, x)
	}
	kept := w.keep(r, alive)
	if len(kept) != len(r.answers) {
		r.answers = kept
		w.rebuild(r)
	}
}

// keep are the answers of a run that are needed, with what they say of one another: if something is put where there is
// a-2, all that is known of a matters.
func (w *walk) keep(r *wayRun, alive *termSet) []literal {
	is := make([]bool, len(r.answers))
	for changed := true; changed; {
		changed = false
		for i, l := range r.answers {
			if is[i] || !w.needed(l, alive, r.block) {
				continue
			}
			is[i], changed = true, true
			w.e.terms.addAll(alive, l.a)
			w.e.terms.addAll(alive, l.b)
		}
	}
	kept := make([]literal, 0, len(r.answers))
	for i, l := range r.answers {
		if is[i] {
			kept = append(kept, l)
		}
	}
	return kept
}

// rebuild makes the path of a run anew.
func (w *walk) rebuild(r *wayRun) {
	r.path = w.base
	for _, l := range r.answers {
		if p := r.path.with(l); p != nil {
			r.path = p
		}
	}
}

// key tells runs apart that differ in more than answers.
func (w *walk) key(r *wayRun) string {
	buf := binary.AppendVarint(nil, int64(r.block))
	buf = binary.AppendVarint(buf, int64(r.gaveUp))
	add := func(xs []term) {
		for _, x := range xs {
			buf = binary.AppendVarint(buf, int64(x))
		}
	}
	add(r.locals)
	add(r.regs)
	add(r.used)
	if w.e.publishes {
		add(r.published)
	}
	if w.e.hasEffects {
		for _, f := range r.effects {
			buf = append(append(buf, f.name...), 0)
			add(f.args)
		}
	}
	return string(buf)
}

// implies reports whether all of b is among a.
func implies(a, b []literal) bool {
	return !slices.ContainsFunc(b, func(l literal) bool { return !slices.Contains(a, l) })
}

// opposite is the place in a of the one answer in which a and b differ, if b gives
// the other one; -1 else.
func (w *walk) opposite(a, b []literal) int {
	if len(a) != len(b) {
		return -1
	}
	at := slices.IndexFunc(a, func(l literal) bool { return !slices.Contains(b, l) })
	if at < 0 {
		return -1
	}
	rest := slices.Delete(slices.Clone(a), at, at+1)
	if !slices.Contains(b, a[at].opposite(w.e.terms)) || !implies(b, rest) {
		return -1
	}
	return at
}

// oneBlock executes the rest of a block; the outcome is nil if the program goes on.
func (m *machine) oneBlock() (*outcome, error) {
	b := m.prog.Blocks[m.block]
	for ; m.index < len(b.Instrs); m.index++ {
		m.terms.cost++
		if err := m.exec(&b.Instrs[m.index]); err != nil {
			return nil, err
		}
	}
	m.terms.cost++
	return m.terminate(&b.Term)
}

// maxGiveUps bounds how many weak cas of one atomic run fail though they
// could succeed. More of them are rounds of a retry loop that change nothing.
const maxGiveUps = 2

// choicePoint is the error of a comparison beyond the end of the script.
type choicePoint struct{}

func (*choicePoint) Error() string { return "open choice" }

// ask decides a == b, or says that it is open.
func (p *path) ask(a, b term) (bool, error) {
	switch p.equal(a, b) {
	case yes:
		return true, nil
	case no:
		return false, nil
	}
	if p.terms.of(a).kind == litTerm {
		a, b = b, a
	}
	return false, &split{literal: literal{a, b, true}}
}

// settled is x with those holes filled of which the run has said what they are equal
// to. A question about one of these is not the run's to answer:
//
//	if hole { … } else if content == hole { … }
//
// With the hole taken for false, the second question is whether content is false.
func (r *wayRun) settled(t *terms, x term) term { return settledBy(r.path, t, x) }

// assume adds an answer, and what follows from it for earlier ones about holes; false
// if it contradicts them.
func (r *wayRun) assume(t *terms, l literal) bool {
	if r.path = r.path.with(l); r.path == nil {
		return false
	}
	answers := append(slices.Clip(r.answers), l)
	for _, l := range slices.Clone(answers) {
		if !t.of(l.a).holes && !t.of(l.b).holes {
			continue
		}
		a, b := r.settled(t, l.a), r.settled(t, l.b)
		if t.of(a).holes || t.of(b).holes || a == b && l.equal {
			continue
		}
		now := t.plain(literal{a, b, l.equal})
		switch is := r.path.equal(now.a, now.b); {
		case is == undecided: // by now it is a question about the actual run
			if r.path = r.path.with(now); r.path == nil {
				return false
			}
			answers = append(answers, now)
		case (is == yes) != now.equal:
			return false
		}
	}
	r.answers = answers
	return true
}

// stillOpen reports whether an answer of an atomic run matters to those who have these
// terms. One about the actual run is a condition. What an unpredictable call
// returned can be chosen as it was if it does not occur any more; nothing can
// contradict it later. An allocation is not chosen: see settle.
func (e *engine) stillOpen(l literal, alive *termSet) bool {
	if l.isCondition(e.terms) {
		return true
	}
	open := false
	for _, x := range []term{l.a, l.b} {
		e.terms.eachHole(x, func(y term) { open = open || alive.has(y) || e.terms.of(y).kind == holeFresh })
	}
	return open
}

func settledBy(p *path, t *terms, x term) term {
	if !t.of(x).holes {
		return x
	}
	var holes []term
	t.eachHole(x, func(y term) { holes = append(holes, y) })
	for _, h := range holes {
		for _, y := range p.alike(h) {
			if !t.of(y).holes {
				x = t.subst(x, h, y)
				break
			}
		}
	}
	return x
}

// disclosure is what a run that goes on as another one does has told of the contents of the cells
// by then: the answers to these questions, or more than that.
//
//	if state.Load() == closing { return ErrClosing }
//
// It is told whether the state is closing. In a candidate in which there is another
// state, which is not closing either, the same is told.
type disclosure struct {
	asked []literal
	more  bool
}

// add adds what another run has told.
func (t *disclosure) add(o *disclosure) {
	t.more = t.more || o.more
	for _, q := range o.asked {
		t.ask(q)
	}
}

// exceeds reports whether more is told than by another run: where two are taken for one, a
// witness goes the way that tells more.
func (t *disclosure) exceeds(o *disclosure) bool {
	if t.more != o.more {
		return t.more
	}
	return len(t.asked) > len(o.asked)
}

func (t *disclosure) ask(q literal) {
	if !slices.Contains(t.asked, q) {
		t.asked = append(slices.Clip(t.asked), q)
	}
}

// question is what a literal answers.
func (t *terms) question(l literal) literal {
	l.equal = true
	if l.b == t.falseT {
		l.b = t.trueT
	}
	return l
}

// ask notes that an answer was given, if it is one about what the walk is asked for.
func (w *walk) ask(t *disclosure, l literal) {
	if w.about != nil && (w.about(l.a) || w.about(l.b)) {
		t.ask(w.e.terms.question(l))
	}
}

// tell notes what a run tells.
func (w *walk) tell(r *wayRun, xs []term) {
	for _, x := range xs {
		switch {
		case !w.about(x):
		case w.e.terms.isTest(x):
			l := w.e.terms.plain(literal{x, w.e.terms.trueT, true})
			r.told.ask(w.e.terms.question(l))
		default:
			r.told.more = true
		}
	}
}

// lose notes that values are taken for anything: what follows from them is not known.
func (w *walk) lose(t *disclosure, xs ...term) {
	for _, x := range xs {
		t.more = t.more || w.about != nil && x != noTerm && w.about(x)
	}
}

// covers reports whether a run that stands where another one does, and knows no more, has
// told as much. It takes over what it has not, as long as it waits.
func (w *walk) covers(q, r *wayRun) bool {
	if w.about == nil {
		return true
	}
	all := r.told
	for _, l := range r.answers {
		if !slices.Contains(q.answers, l) {
			w.ask(&all, l)
		}
	}
	if w.tellsAll(&q.told, q.answers, &all) {
		return true
	}
	if !w.waits(q) {
		return false
	}
	if all.exceeds(&q.told) {
		q.taken = r.taken
	}
	q.told.add(&all)
	return true
}

// tellsAll reports whether all of t is told by o, or by the answers with which that goes.
func (w *walk) tellsAll(o *disclosure, answers []literal, t *disclosure) bool {
	if t.more && !o.more {
		return false
	}
	for _, q := range t.asked {
		answered := slices.ContainsFunc(answers, func(l literal) bool { return w.e.terms.question(l) == q })
		if !answered && !slices.Contains(o.asked, q) {
			return false
		}
	}
	return true
}

// What a function gave is of no consequence any more once nobody has it, and nobody can
// ask for it again:
//
//	if hdr.flags&syn != 0 { … }
//	…
//	if hdr.flags&fin != 0 { … }
//
// At the second question nothing is left of the first. To forget an answer too early is
// to think more ways possible than there are.

// functions are instructions that ask a function, by its name.
type functions map[string][]*register.Instr

func (fs functions) add(b *register.Block) {
	for i := range b.Instrs {
		if in := &b.Instrs[i]; in.Op == register.Pure {
			fs[in.Name] = append(fs[in.Name], in)
		}
	}
}

// ask reports whether one of them can ask for a term.
func (fs functions) ask(t *terms, x term) bool {
	n := t.of(x)
	return slices.ContainsFunc(fs[n.name], func(in *register.Instr) bool {
		if len(in.Args) != len(n.args) {
			return false
		}
		for i, o := range in.Args {
			if o.IsLit() && n.args[i] != t.lit(o.Lit) {
				return false
			}
		}
		return true
	})
}

// askedFrom are the functions that can be asked from a block on.
func (w *ways) askedFrom(block int) functions {
	if fs := w.later[block]; fs != nil {
		return fs
	}
	fs, seen, work := functions{}, make([]bool, len(w.prog.Blocks)), []int{block}
	for seen[block] = true; len(work) > 0; {
		b := w.prog.Blocks[work[0]]
		work = work[1:]
		fs.add(b)
		for _, to := range b.Term.To {
			if !seen[to] {
				seen[to] = true
				work = append(work, to)
			}
		}
	}
	w.later[block] = fs
	return fs
}

// asked reports whether what a run knows of a term may be of consequence: if it is what a
// function gave that nobody asks again, the run, or the call if it knows what the function
// was given, has to have it.
func (w *walk) asked(x term, alive *termSet, block int) bool {
	n := w.e.terms.of(x)
	if n.kind != appTerm || register.Interpreted[n.name] && n.name != "and" || alive.has(x) || w.way.askedFrom(block).ask(w.e.terms, x) {
		return true
	}
	return w.e.waysOf(w.e.problem.Region).askedFrom(0).ask(w.e.terms, x)
}
