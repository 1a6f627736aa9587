package absint

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Witness is a concrete interleaving that no atomic order explains. It is
// complete: Replay runs it again and compares.
type Witness struct {
	// Params names the region's arguments, with the values they have.
	Params []Binding `json:"params,omitempty"`
	// Initial is what the cells hold at the start.
	Initial []Binding `json:"initial"`
	// Events are the steps of both sides in the order in which they happen.
	Events []Event `json:"events"`
	// Breaking is the index of the call's operation that acts on what is no
	// longer so: where a report points to.
	Breaking int `json:"breaking"`
	// Result is how the call ended.
	Result Ending `json:"result"`
	// Final is what the cells hold in the end.
	Final []Binding `json:"final"`
	// Atomic lists, for each place in the other goroutine's steps, what the
	// call gives if it runs there undisturbed, and why it is not the same.
	Atomic []Order `json:"atomic"`
	// Lists are what is in the lists among the values, as far as that is known.
	Lists []List `json:"lists,omitempty"`
	// Counted are the numbers of those cells that stand for any of the entries which the call counts.
	Counted []int `json:"counted,omitempty"`

	// from is the history that the witness was made of, until Check is done with it.
	from *history
}

// List is a value that is a list, and what is in it.
type List struct {
	Value register.Value `json:"value"`
	Items []Item         `json:"items"`
}

// Item is something in a list, or all that is in another one.
type Item struct {
	Value register.Value `json:"value"`
	All   bool           `json:"all,omitempty"`
}

// Binding is a name and a value.
type Binding struct {
	Name  string         `json:"name"`
	Value register.Value `json:"value"`
}

// Event is one step of one side.
type Event struct {
	// Other says that the environment does it, in one atomic step.
	Other bool `json:"other,omitempty"`
	// Op is what is done: "read", "write", "cas", "look", "swap", "delete",
	// or "run" with the name of a function of the package.
	Op string `json:"op"`
	// Cell is the index of the cell, or -1 for a run.
	Cell    int              `json:"cell"`
	Name    string           `json:"name,omitempty"`
	Args    []register.Value `json:"args,omitempty"`
	Results []register.Value `json:"results,omitempty"`
	// Pos is where the operation is; of a run, its first one.
	Pos register.Pos `json:"pos,omitzero"`
	// Point is the scheduling point of the call at which the environment
	// acts. Sections with no operation in them have none.
	Point int `json:"point,omitempty"`

	// idle says that it is of the environment, and left the cells as they were.
	idle bool
}

// Ending is how a run ended.
type Ending struct {
	Panic   bool             `json:"panic,omitempty"`
	Label   string           `json:"label,omitempty"`
	Vals    []register.Value `json:"vals,omitempty"`
	Effects []Effect         `json:"effects,omitempty"`
}

// Order is the call run atomically at one place.
type Order struct {
	// After is how many of the environment's steps come before the call.
	After  int    `json:"after"`
	Result Ending `json:"result"`
	// Differs says what is not as it was: "result", "final", "other" (what
	// the environment was shown), "endless" for a run that never ends, or "stuck" if one of the
	// environment's steps never does.
	Differs string `json:"differs"`
	// Step is the environment's step, counted from 0, that would be shown
	// something else if Differs is "other", and Shown what it would be; or the one that is stuck.
	Step  int              `json:"step,omitempty"`
	Shown []register.Value `json:"shown,omitempty"`
	// Final is what the cells would hold in the end.
	Final []Binding `json:"final,omitempty"`

	// panics says that the call can panic there, whatever unknown calls give it.
	panics bool
}

// breaking is the call's first operation after the environment's last
// change: it acts on what is no longer so. Where nothing follows a change,
// it is the call's last operation.
func breaking(events []Event) int {
	at, last, changed := -1, -1, false
	for i, ev := range events {
		switch {
		case ev.Other:
			changed = changed || ev.Op != "look"
		default:
			if changed {
				at, changed = i, false
			}
			last = i
		}
	}
	if at < 0 {
		return last
	}
	return at
}

// begins takes out of a witness what the environment does before anything else, and changes nothing.
func (w *Witness) begins() {
	n := 0
	for n < len(w.Events) && w.Events[n].idle {
		n++
	}
	if n == 0 || n == len(w.Events) {
		return
	}
	w.Events, w.Breaking = w.Events[n:], max(w.Breaking-n, -1)
	w.Atomic = slices.DeleteFunc(slices.Clone(w.Atomic), func(o Order) bool { return o.After < n || o.Differs == "other" && o.Step < n })
	for i := range w.Atomic {
		w.Atomic[i].After -= n
		w.Atomic[i].Step = max(w.Atomic[i].Step-n, 0)
	}
}

// countedAt notes which cells the call only counts.
func (w *Witness) countedAt(region *register.Program) {
	for i := range w.Initial {
		if region.Cells[i].Counted {
			w.Counted = append(w.Counted, i)
		}
	}
}

// onlyCells takes out of a witness what is about cells beyond so many, which stand for the other entries of a map.
func (w *Witness) onlyCells(n int) {
	if len(w.Initial) <= n {
		return
	}
	w.Initial, w.Final = w.Initial[:n], w.Final[:n]
	for i := range w.Atomic {
		w.Atomic[i].Final = w.Atomic[i].Final[:min(n, len(w.Atomic[i].Final))]
	}
	breaking := -1
	kept := w.Events[:0:0]
	for i, ev := range w.Events {
		if ev.Cell >= n {
			continue
		}
		if !ev.Other && (breaking < 0 || i <= w.Breaking) {
			breaking = len(kept) // itself, or the one before it if it is left out
		}
		kept = append(kept, ev)
	}
	w.Events, w.Breaking = kept, breaking
}

// looks reports whether somebody else only looks in it, at the right time.
func (w *Witness) looks() bool {
	return slices.ContainsFunc(w.Events, func(ev Event) bool { return ev.Other && ev.Op == "look" })
}

// givenUp is how many of the call's compare-and-swaps fail that need not succeed.
func givenUp(p *register.Program, w *Witness) int {
	weak := map[register.Pos]bool{}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.Op == register.CAS && in.Name == register.Weak {
				weak[in.Pos] = true
			}
		}
	}
	n := 0
	for _, ev := range w.Events {
		if !ev.Other && ev.Op == "cas" && weak[ev.Pos] && slices.Contains(ev.Results[1:], register.LitFalse) {
			n++
		}
	}
	return n
}

// shape classes the witness by what its breaking operation does.
func (w *Witness) shape() Category {
	if w.Result.Panic && !slices.ContainsFunc(w.Atomic, func(o Order) bool { return o.panics }) {
		return Crash
	}
	if w.Breaking < 0 {
		return NonAtomic
	}
	ev := &w.Events[w.Breaking]
	removes := (ev.Op == "write" || ev.Op == "cas") && ev.Args[len(ev.Args)-1] == register.LitAbsent
	switch {
	case w.composite(w.Breaking), w.from.engine.problem.counts: // nothing is lost
		return NonAtomic
	case removes:
		return StaleDelete
	case ev.Op == "write" || ev.Op == "cas":
		return LostUpdate
	}
	return InconsistentRead
}

// composite reports whether the call's operation is one of several that the
// source makes in one atomic call, such as Add: that call loses nothing. What is read
// and written in one critical section, on one way, is one as well: that it is
// made at all goes by what was found before it.
func (w *Witness) composite(i int) bool {
	pos := w.Events[i].Pos
	if pos.IsZero() {
		return false
	}
	for k, ev := range w.Events {
		if k != i && !ev.Other && ev.Pos == pos && (k == i+1 || k == i-1) && ev.Op != w.Events[i].Op {
			return true
		}
	}
	for k := i + 1; k < len(w.Events) && !w.Events[k].Other; k++ {
		if w.from.updates(&w.Events[i], &w.Events[k]) {
			return true
		}
	}
	return false
}

// updates reports whether an operation of the call reads a cell that the next one writes in
// the same critical section.
func (h *history) updates(read, write *Event) bool {
	if write.Other || read.Cell != write.Cell || read.Op != "read" || write.Op != "write" {
		return false
	}
	for _, blk := range h.engine.problem.Region.Blocks {
		at := func(pos register.Pos) int {
			return slices.IndexFunc(blk.Instrs, func(in register.Instr) bool { return in.IsBase() && in.Pos == pos })
		}
		from, to := at(read.Pos), at(write.Pos)
		if from >= 0 && to > from {
			return !slices.ContainsFunc(blk.Instrs[from:to], func(in register.Instr) bool { return in.Op == register.Leave })
		}
	}
	return false
}

// witness makes a concrete interleaving of a configuration that has no
// candidate left, and checks that it really is one; nil if it is not. One that needs
// somebody who looks in between is kept, for if there is no other.
func (e *engine) witness(c *config) *Witness {
	e.given = false
	for _, affirms := range []bool{false, true} {
		before := e.explained
		e.affirms = affirms
		if w := e.surely(c); w != nil {
			return w
		}
		if e.explained-before > cheapWitness {
			return nil // to find out that this is none took too long to do it again
		}
	}
	if e.hasty || !e.given {
		return nil
	}
	defer func() { e.numbered = unnumbered }()
	for _, e.numbered = range []numbering{oneAnothers, upwards} {
		if w := e.witnessAs(c); w != nil {
			return w
		}
	}
	return nil
}

// isGivenNumber reports whether somebody else is given a number of which only the name is known: what he tells may be
// whether it is one that he finds.
func (h *history) isGivenNumber() bool {
	return slices.ContainsFunc(h.steps, func(s *concreteStep) bool {
		return slices.ContainsFunc(s.args, func(v register.Value) bool {
			_, named := h.model.numbers[v]
			return named
		})
	})
}

// surely is witnessAs, with numbers in place of the names of all that is one if it would stand on a guess: which
// of two is less that only atomic orders ask for, and of which only the names are known. Some numbers are tried.
//
//	if s.n.Load()+2 > 0 { // where others have stored x>>1
func (e *engine) surely(c *config) *Witness {
	before := e.watched
	e.guessed = false
	w := e.witnessAs(c)
	watched := e.watched
	if w == nil && watched == before || !e.guessed {
		return w
	}
	defer func() { e.numbered = unnumbered }()
	for _, e.numbered = range []numbering{upwards, backwards, downwards} {
		e.watched, e.numberless = before, false
		if sure := e.witnessAs(c); sure != nil || e.watched != before {
			return sure
		}
		if e.numberless { // that there are numbers was not found out
			e.watched = watched
			return w
		}
	}
	return nil
}

// cheapWitness is what it may have cost to find out that an interleaving is no witness if it is
// tried again with other answers to what only atomic orders ask.
const cheapWitness = 1000

// witnessAs is witness, with one answer to all that only atomic orders ask.
func (e *engine) witnessAs(c *config) *Witness {
	m := e.modelOf(c.alongTheWay())
	if m == nil {
		e.numberless = true
		return nil
	}
	h := e.history(c, m)
	if h == nil || !h.run() {
		return nil
	}
	e.given = h.isGivenNumber()
	orders, linearizable := h.orders()
	tired := e.hasty && e.explained-h.began > hastyCost/2
	watched := linearizable && e.watched == nil && !e.assume.unwatched && !tired
	if watched {
		if h = h.watched(); !h.run() {
			return nil
		}
		orders, linearizable = h.orders()
	}
	if linearizable {
		return nil
	}
	h, orders = h.shrink(orders)
	h, orders = h.upright(orders)
	if watched {
		e.watched = h.witness(orders)
		return nil
	}
	return h.witness(orders)
}

// alongTheWay is c with the answers that the steps of others were given on their ways,
// as far as they fit together.
func (c *config) alongTheWay() *config {
	d := *c
	d.path, _ = d.path.fitting(c.refuted)
	for t := c.trail; t != nil; t = t.prev {
		if t.step != nil {
			d.path = d.path.along(t.step.ways)
		}
	}
	return &d
}

// modelOf is a model in which what can be different is, or, where there are not so many numbers, any.
func (e *engine) modelOf(c *config) *model {
	d := c.apart()
	if m := e.newModel(d); m != nil || d.path == c.path {
		return m
	}
	return e.newModel(c)
}

// fitting is a path with those of some answers that fit, and whether all do.
func (p *path) fitting(answers []literal) (*path, bool) {
	all := true
	for _, l := range answers {
		if q := p.with(l); q != nil {
			p = q
		} else {
			all = false
		}
	}
	return p, all
}

// along is a path with all answers of the first of some ways that fits, else with those of the very first
// that do.
func (p *path) along(ways [][]literal) *path {
	first := p
	for i, way := range ways {
		q, all := p.fitting(way)
		if all {
			return q
		}
		if i == 0 {
			first = q
		}
	}
	return first
}

// maxApart bounds how many values of an interleaving are kept apart.
const maxApart = 12

// apart is c with different values for what can be different: a candidate that was
// given up because it was of no hope is one all the same if two values happen to be
// equal.
func (c *config) apart() *config {
	var values []term
	note := func(x term) {
		if x != noTerm && x != c.path.terms.absentT && len(values) < maxApart && !c.path.terms.isBool(x) {
			values = addTerm(values, x)
		}
	}
	for _, x := range slices.Concat(c.regs, c.first) {
		note(x)
	}
	for t := c.trail; t != nil; t = t.prev {
		if t.step == nil {
			continue
		}
		note(t.step.value)
		for _, x := range t.step.args {
			note(x)
		}
	}
	d := *c
	if p := c.path.withApart(values); p != nil {
		d.path = p
		return &d
	}
	for i, x := range values {
		for _, y := range values[:i] {
			if d.path.equal(x, y) != undecided {
				continue
			}
			if p := d.path.with(literal{x, y, false}); p != nil {
				d.path = p
			}
		}
	}
	return &d
}

// witness writes the history down.
func (h *history) witness(orders []Order) *Witness {
	w := &Witness{Result: ending(&h.out), Atomic: orders, Events: h.events, from: h}
	region := h.engine.problem.Region
	for i, l := range region.Params {
		w.Params = append(w.Params, Binding{region.Names[l], h.given(i)})
	}
	w.Initial = h.contents(h.initial)
	w.Final = h.contents(h.final)
	w.Breaking = breaking(w.Events)
	w.Lists = h.lists(w.values())
	return w
}

// lists are those among some values, and those in them.
func (h *history) lists(values []register.Value) []List {
	var out []List
	seen := map[register.Value]bool{}
	for ; len(values) > 0; values = values[1:] {
		v := values[0]
		items, known := h.model.lists[v]
		if seen[v] || !known {
			continue
		}
		seen[v] = true
		out = append(out, List{v, items})
		for _, i := range items {
			values = append(slices.Clip(values), i.Value)
		}
	}
	return out
}

// given is the value of a parameter, which a region may begin by making equal to
// another one or to a literal: the keys of two cells that are one.
func (h *history) given(param int) register.Value {
	region := h.engine.problem.whole
	if region == nil || len(region.Params) != len(h.args) {
		region = h.engine.problem.Region
	}
	v := h.args[param]
	for i := range region.Blocks[0].Instrs {
		in := &region.Blocks[0].Instrs[i]
		if in.Op != register.Copy {
			break
		}
		if in.Dst[0] != region.Params[param] {
			continue
		}
		if o := in.Args[0]; o.IsLit() {
			v = register.Value(o.Lit)
		} else if k := slices.Index(region.Params, o.Local); k >= 0 {
			v = h.args[k]
		}
	}
	return v
}

func (h *history) contents(cells []register.Value) []Binding {
	var out []Binding
	for i, v := range cells {
		out = append(out, Binding{h.engine.problem.Region.Cells[i].Label, v})
	}
	return out
}

// values are all values of the witness in order of appearance.
func (w *Witness) values() []register.Value {
	var all []register.Value
	bindings := func(bs []Binding) {
		for _, b := range bs {
			all = append(all, b.Value)
		}
	}
	bindings(w.Params)
	bindings(w.Initial)
	for _, ev := range w.Events {
		all = append(all, ev.Args...)
		all = append(all, ev.Results...)
	}
	all = append(all, effectArgs(w.Result.Effects)...)
	all = append(all, w.Result.Vals...)
	bindings(w.Final)
	for _, o := range w.Atomic {
		all = append(all, effectArgs(o.Result.Effects)...)
		all = append(all, o.Result.Vals...)
		all = append(all, o.Shown...)
		bindings(o.Final)
	}
	for _, l := range w.Lists {
		for _, i := range l.Items {
			all = append(all, i.Value)
		}
	}
	return all
}

// effectArgs are the values that effects concern.
func effectArgs(effects []Effect) []register.Value {
	var all []register.Value
	for i := range effects {
		all = append(all, effects[i].Args...)
	}
	return all
}

// shrink leaves out the environment's steps without which the history is
// still not linearizable: the exploration takes every step that it can, but a
// person wants those that matter. The operation that breaks stays the same. What takes too long stays as it is.
func (h *history) shrink(orders []Order) (*history, []Order) {
	at, most := h.breaks(), h.engine.explained+maxShrunk
	for i := len(h.steps) - 1; i >= 0 && h.engine.explained < most; i-- {
		less := h.without(i)
		if !less.run() || less.breaks() != at {
			continue
		}
		if os, linearizable := less.orders(); !linearizable {
			h, orders = less, os
		}
	}
	return h, orders
}

// maxShrunk bounds the work of leaving steps out.
const maxShrunk = 100_000

// maxUpright bounds the answers that are tried for a call that does not panic.
const maxUpright = 6

// upright gives the call something in the place of nil where it panics, as an atomic run does, too,
// although that is not what is wrong:
//
//	r.pending[id] = ch; …; defer delete(r.pending, id); …; server := <-replies; use(server.Token)
//
// What others stored is removed whether somebody answers with a server or not.
func (h *history) upright(orders []Order) (*history, []Order) {
	at, better := h.breaks(), h
	for range maxUpright {
		if better.out.Kind != register.Panic || h.gave != nil || !slices.ContainsFunc(orders, func(o Order) bool { return o.panics }) {
			break
		}
		if better = better.answered(); better == nil || !better.run() || better.breaks() != at {
			break
		}
		if better.out.Kind == register.Panic {
			continue
		}
		if os, linearizable := better.orders(); !linearizable {
			return better, os
		}
	}
	return h, orders
}

// answered is the history in which the last unknown call that gave nil gives something, yet to be
// run; nil if there is none.
func (h *history) answered() *history {
	n := len(h.drawn) - 1
	for n >= 0 && h.drawn[n].value != register.LitNil {
		n--
	}
	if n < 0 {
		return nil
	}
	better := h.again()
	better.made = nil
	for _, g := range h.drawn[:n] {
		better.made = append(better.made, g.value)
	}
	better.made = append(better.made, register.Value(siteType(h.drawn[n].place)+"#new"+strconv.Itoa(n)))
	for _, s := range h.steps {
		better.steps = append(better.steps, s.again())
	}
	return better
}

// breaks says which operation of the call breaks.
func (h *history) breaks() (at struct {
	op  string
	pos register.Pos
}) {
	if i := breaking(h.events); i >= 0 {
		at.op, at.pos = h.events[i].Op, h.events[i].Pos
	}
	return at
}

// watched is the history in which somebody looks at the cells after each step of the
// package, and at the other cells after each other step, yet to be run. The exploration
// gives a candidate up where somebody could have seen that it is none.
func (h *history) watched() *history {
	w := h.again()
	for _, s := range h.steps {
		w.steps = append(w.steps, s.again())
		if s.action.kind != runStep && (s.action.kind == observe || len(h.initial) == 1) {
			continue
		}
		for cell := range h.initial {
			if h.engine.problem.guarded(cell) && !s.action.takes(h.engine.problem.Guards[cell]) {
				continue // who looks may have to wait
			}
			w.steps = append(w.steps, &concreteStep{action: &envAction{point: s.action.point, kind: observe, cell: cell}})
		}
	}
	return w
}

// takes reports whether a step takes a lock, which is free then.
func (a *envAction) takes(lock string) bool {
	return a.program != nil && slices.ContainsFunc(a.program.Locks, func(h Hold) bool { return h.Lock == lock })
}

// without is the history without one step, yet to be run.
func (h *history) without(i int) *history {
	less := h.again()
	for j, s := range h.steps {
		if j != i {
			less.steps = append(less.steps, s.again())
		}
	}
	return less
}

// again is the history without its steps, and without what comes of running it.
func (h *history) again() *history {
	return &history{
		engine: h.engine, model: h.model, args: h.args, initial: h.initial, made: h.made, gave: h.gave, passedOn: h.passedOn,
		allocated: map[register.Value]allocation{},
	}
}

func (s *concreteStep) again() *concreteStep {
	a := *s
	a.shown = ""
	a.own = slices.Clone(s.own)
	return &a
}

// Effect is something that a run did besides its operations.
type Effect struct {
	register.Action
	// Memory is what it changes, if it is a store.
	Memory register.Memory
	// Tail says that it comes after the last operation, and counts whatever it is done to.
	Tail bool
	// Loop says that it is done in a loop, perhaps often: Args are only what it is done to then, in no
	// order.
	Loop bool
	Args []register.Value
}

// newEffect is what an event of a run is.
func newEffect(ev *register.EffectEvent) Effect {
	name, tail := strings.CutPrefix(ev.Name, register.Then)
	in := register.Instr{Op: register.Effect, Name: name, Called: ev.Called}
	return Effect{Action: in.Effect(), Memory: in.Memory(), Tail: tail, Loop: ev.Beside > 0, Args: ev.Concerns()}
}

// String is the effect as a call of what it is named after.
func (e Effect) String() string {
	args := make([]string, len(e.Args))
	for i, v := range e.Args {
		args[i] = string(v)
	}
	text := register.EffectText(e.Name) + "(" + strings.Join(args, ", ") + ")"
	if e.Tail {
		text = register.Then + text
	}
	return text
}

// MarshalText is String, for JSON.
func (e Effect) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// equal reports whether two effects are the same.
func (e Effect) equal(o Effect) bool {
	return e.Kind == o.Kind && e.Name == o.Name && e.Tail == o.Tail && e.Loop == o.Loop && slices.Equal(e.Args, o.Args)
}

// SameEffects reports whether two runs did the same.
func SameEffects(a, b []Effect) bool { return slices.EqualFunc(a, b, Effect.equal) }
