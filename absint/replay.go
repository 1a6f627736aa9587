package absint

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// history is one concrete interleaving: what a suspected violation is
// checked with. It shares nothing with the exploration but the model, and
// looks for a linearization in the plainest way: at every place, with every
// choice.
type history struct {
	engine  *engine
	model   *model
	args    []register.Value
	initial []register.Value
	steps   []*concreteStep
	made    []register.Value // what the call's allocations and unknown calls give, in order
	// gave is set where a history is run again under other assumptions: what was made up at
	// each place.
	gave map[string][]register.Value
	// passedOn are values of which no assumption makes the results of unknown calls follow.
	passedOn []register.Value

	// Set by run.
	events []Event
	out    register.Outcome
	final  []register.Value
	// wraps says that a counter that nobody counts so far has come to the end of its type.
	wraps bool
	// contents are what the call's own allocations hold, by identity.
	allocated map[register.Value]allocation
	// unknowns are what its unknown calls gave, by place, and drawn all that was made up for
	// the call, its allocations included.
	unknowns, drawn []given
	// ways are where the call went from each block with a branch, in order.
	ways map[int][]int
	// asked are the answers to try for unknown calls, by place.
	asked map[string][]register.Value
	// began is what explaining had cost before this one.
	began int
}

type allocation struct {
	typ      string
	contents []register.Value
}

// given is a result of an unknown call.
type given struct {
	place string
	value register.Value
}

// concreteStep is one step of the environment with its values.
type concreteStep struct {
	action *envAction
	value  register.Value
	args   []register.Value
	made   map[string][]register.Value
	// shown is what the step was shown in the actual run.
	shown string
	own   []register.Value
}

const maxConcreteSteps = 500

// history gives the trail of c the values of the model.
func (e *engine) history(c *config, m *model) *history {
	h := &history{engine: e, model: m, allocated: map[register.Value]allocation{}}
	for _, x := range e.args {
		h.args = append(h.args, m.value(x))
	}
	for _, t := range c.trail.events() {
		switch {
		case t.made != noTerm && !e.assumed(t.made):
			h.made = append(h.made, m.value(t.made))
		case t.step != nil:
			h.steps = append(h.steps, h.concrete(t.step))
		}
	}
	if c.trail == nil {
		return nil
	}
	for _, x := range c.first {
		h.initial = append(h.initial, m.value(x))
	}
	return h
}

// assumed reports whether x came from an assumption, not from a choice.
func (e *engine) assumed(x term) bool { return e.terms.of(x).kind == appTerm }

func (h *history) concrete(a *envAction) *concreteStep {
	s := &concreteStep{action: a}
	if a.value != noTerm {
		s.value = h.model.value(a.value)
	}
	for _, x := range a.args {
		s.args = append(s.args, h.model.value(x))
	}
	s.made = map[string][]register.Value{}
	for _, place := range sortedKeys(a.made) {
		for _, x := range a.made[place] {
			s.made[place] = append(s.made[place], h.model.value(x))
		}
	}
	if a.program != nil {
		for i, cell := range a.program.Cells {
			own := register.Value("other")
			if only := a.program.only(i); only != "" {
				own = only
			} else if cell < 0 && a.program.Program.Cells[i].Content().Kind == register.Bool {
				own = h.model.value(a.own[i]) // of two that there are
			}
			s.own = append(s.own, own)
		}
	}
	return s
}

// run plays the interleaving; false if it does not go as it should.
func (h *history) run() bool {
	cells := slices.Clone(h.initial)
	host := &actualHost{history: h, made: h.made, counts: map[string]int{}}
	h.ways, h.wraps = map[int][]int{}, false
	next := 0
	point := 0
	yield := func(p register.Point) error {
		for next < len(h.steps) && (h.steps[next].action.point <= point || p.Exit) {
			s := h.steps[next]
			before := slices.Clone(cells)
			shown, results, err := h.play(s, cells)
			if err != nil {
				return err
			}
			s.shown = shown
			h.events = append(h.events, h.stepEvent(s, results, point))
			h.events[len(h.events)-1].idle = slices.Equal(before, cells)
			next++
		}
		point++
		return nil
	}
	out, err := register.Run(h.engine.problem.Region, h.args, cells, host, yield, maxConcreteSteps)
	h.out, h.final, h.asked = out, cells, map[string][]register.Value{}
	return err == nil && next == len(h.steps)
}

// play performs a step on cells and returns all that it is shown, as text
// to compare, and in parts.
func (h *history) play(s *concreteStep, cells []register.Value) (string, []register.Value, error) {
	a := s.action
	if a.kind != runStep {
		old := cells[a.cell]
		switch a.kind {
		case swap:
			cells[a.cell] = s.value
		case remove:
			cells[a.cell] = register.LitAbsent
		}
		return string(old), []register.Value{old}, nil
	}
	own := slices.Clone(s.own)
	for i, cell := range a.program.Cells {
		if cell >= 0 {
			own[i] = cells[cell]
		}
	}
	host := &stepHost{step: s, history: h, counts: map[string]int{}}
	out, err := register.Run(a.program.Program, s.args, own, host, nil, maxConcreteSteps)
	if errors.Is(err, register.ErrDiverges) && host.more > 2*maxTold {
		err = register.ErrRepeats // whatever it is told, it asks again
	}
	if err != nil {
		return "", nil, err
	}
	for i, cell := range a.program.Cells {
		if cell >= 0 {
			cells[cell] = own[i]
		}
	}
	return outcomeText(&out), out.Vals, nil
}

func (h *history) stepEvent(s *concreteStep, results []register.Value, point int) Event {
	a := s.action
	ev := Event{Other: true, Cell: a.cell, Results: results, Point: point}
	switch a.kind {
	case observe:
		ev.Op = "look"
	case swap:
		ev.Op, ev.Args = "swap", []register.Value{s.value}
	case remove:
		ev.Op = "delete"
	case runStep:
		if a.program.anyone {
			ev.Op, ev.Args, ev.Cell = "delete", nil, a.program.Cells[0]
			if len(s.args) > 0 {
				ev.Op, ev.Args = "swap", s.args
			}
			break
		}
		ev.Op, ev.Name, ev.Cell, ev.Args = "run", a.program.Name, -1, s.args
		ev.Pos = firstOperation(a.program.Program)
	}
	return ev
}

// firstOperation is where a step's first operation on a cell is; it is not known of what
// another package does.
func firstOperation(p *register.Program) register.Pos {
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			if in := &b.Instrs[i]; in.IsBase() {
				return in.Pos
			}
		}
	}
	return register.Pos{}
}

func outcomeText(o *register.Outcome) string {
	return fmt.Sprintf("%d %q %q %q", o.Kind, o.Label, o.Vals, effectTexts(o))
}

func effectTexts(o *register.Outcome) []string {
	var out []string
	for _, f := range o.Observed() {
		var args []string
		for _, v := range f.Args {
			args = append(args, string(v))
		}
		out = append(out, register.EffectText(f.Name)+"("+strings.Join(args, ", ")+")")
	}
	return out
}

func ending(o *register.Outcome) Ending {
	return Ending{Panic: o.Kind == register.Panic, Label: o.Label, Vals: o.Vals, Effects: effectsOf(o)}
}

// effectsOf are the effects of a run that another goroutine can notice.
func effectsOf(o *register.Outcome) []Effect {
	var out []Effect
	for _, ev := range o.Observed() {
		out = append(out, newEffect(&ev))
	}
	return out
}

// assumedFresh is the allocation under the assumption that allocations are
// interchangeable. What is drawn for it is what it is if the history says so.
func (h *history) assumedFresh(site string, contents []register.Value, draw func() register.Value) (register.Value, bool) {
	if !h.engine.assume.interchangeable {
		return "", false
	}
	return h.function("new "+siteType(site), 0, contents, draw), true
}

// assumedUnknown is the result under the assumption that unknown callees
// are functions.
func (h *history) assumedUnknown(site string, result int, args []register.Value, draw func() register.Value) (register.Value, bool) {
	if !h.engine.assume.follows(site) {
		return "", false
	}
	return h.function(siteType(site), result, h.followsFrom(args), draw), true
}

// followsFrom are the arguments that the result of an unknown call is taken to follow from.
func (h *history) followsFrom(args []register.Value) []register.Value {
	if len(h.passedOn) == 0 {
		return args
	}
	return slices.DeleteFunc(slices.Clone(args), func(v register.Value) bool { return slices.Contains(h.passedOn, v) })
}

// function is what a function gives: what it gave before for these arguments, or, where a
// history is run again, what was drawn for it there.
func (h *history) function(name string, result int, args []register.Value, draw func() register.Value) register.Value {
	if h.gave == nil || draw == nil {
		return h.model.apply(name, result, args)
	}
	v := draw()
	if is, known := h.model.table[tableKey(name, result, args)]; known {
		return is
	}
	h.model.define(name, result, args, v)
	return v
}

// actualHost supplies the call's own run.
type actualHost struct {
	history *history
	made    []register.Value
	counts  map[string]int
	extra   int
}

// Calculated notes whether a sum wraps around.
func (a *actualHost) Calculated(in *register.Instr, args []register.Value) {
	a.history.noteSum(in, args)
}

// Calculated notes whether a sum wraps around.
func (h *stepHost) Calculated(in *register.Instr, args []register.Value) { h.history.noteSum(in, args) }

// noteSum notes whether a sum that nobody counts so far is beyond the end of its type.
func (h *history) noteSum(in *register.Instr, args []register.Value) {
	h.wraps = h.wraps || wrapsAround(in.Name, in.Type.Numeric(), args)
}

// wrapsAround reports whether a sum is none of its type, of which nobody counts to the end.
func wrapsAround(name string, kind register.TypeKind, args []register.Value) bool {
	if name != "add" && name != "sub" || !isFar(kind) {
		return false
	}
	a, known := bitsOf(kind, string(args[0]))
	b, too := bitsOf(kind, string(args[1]))
	if !known || !too {
		return false
	}
	x, y := big.NewInt(int64(a)), big.NewInt(int64(b))
	if name == "sub" {
		y.Neg(y)
	}
	sum := x.Add(x, y)
	if sum.Sign() < 0 {
		sum.Not(sum) // the least number has as many digits as the greatest
	}
	return sum.BitLen() >= int(kind.Bits())
}

func (a *actualHost) Pure(name string, result int, args []register.Value) register.Value {
	return a.history.model.apply(name, result, args)
}

// take is what the history has for the next thing that is made up at a place.
func (a *actualHost) take(place, hint string) register.Value {
	if a.history.gave != nil {
		n := a.counts[place]
		a.counts[place]++
		if vs := a.history.gave[place]; n < len(vs) {
			return vs[n]
		}
	} else if len(a.made) > 0 {
		v := a.made[0]
		a.made = a.made[1:]
		return v
	}
	a.extra++
	return register.Value(siteType(hint) + "#new" + strconv.Itoa(a.extra))
}

func (a *actualHost) Fresh(site string, contents []register.Value) register.Value {
	draw := func() register.Value { return a.take(site, site) }
	v, ok := a.history.assumedFresh(site, contents, draw)
	if !ok {
		v = draw()
	}
	a.history.drawn = append(a.history.drawn, given{site, v})
	a.history.allocated[v] = allocation{siteType(site), contents}
	a.history.model.defineParts(v, site, contents)
	return v
}

func (a *actualHost) Unknown(site string, result int, args []register.Value) register.Value {
	place := unknownPlace(site, result)
	draw := func() register.Value { return a.history.truth(site, result, a.take(place, site)) }
	if v, ok := a.history.assumedUnknown(site, result, args, draw); ok {
		return v
	}
	g := given{place, draw()}
	a.history.unknowns, a.history.drawn = append(a.history.unknowns, g), append(a.history.drawn, g)
	return g.value
}

// truth is what an unknown call gives: a truth value where that is what is asked of it.
func (h *history) truth(site string, result int, v register.Value) register.Value {
	if h.model.truths[site+"."+strconv.Itoa(result)] && v != register.LitTrue && v != register.LitFalse {
		return register.LitFalse
	}
	return v
}

// Follow notes which way the call goes.
func (a *actualHost) Follow(block, to int) {
	a.history.ways[block] = append(a.history.ways[block], to)
}

// Trace notes the call's operations.
func (a *actualHost) Trace(ev register.Event) {
	op := map[register.Op]string{register.Read: "read", register.Write: "write", register.CAS: "cas"}[ev.Op]
	a.history.events = append(a.history.events, Event{
		Op: op, Cell: ev.Cell, Args: ev.Args, Results: ev.Results, Pos: ev.Pos,
	})
}

// stepHost supplies a step of the package: the same each time it is played.
type stepHost struct {
	step    *concreteStep
	history *history
	counts  map[string]int
	// more is how often an unknown call was asked over what it was asked where the step ran.
	more int
}

func (s *stepHost) Pure(name string, result int, args []register.Value) register.Value {
	return s.history.model.apply(name, result, args)
}

func (s *stepHost) next(place string) register.Value {
	n := s.counts[place]
	s.counts[place]++
	if n < len(s.step.made[place]) {
		return s.step.made[place][n]
	}
	return register.Value("their_" + siteType(place) + "#" + strconv.Itoa(n))
}

func (s *stepHost) Fresh(site string, contents []register.Value) register.Value {
	draw := func() register.Value { return s.next(site) }
	if v, ok := s.history.assumedFresh(site, contents, draw); ok {
		return v
	}
	v := draw()
	s.history.model.defineParts(v, site, contents)
	return v
}

func (s *stepHost) Unknown(site string, result int, args []register.Value) register.Value {
	draw := func() register.Value { return s.told(site, result) }
	if v, ok := s.history.assumedUnknown(site, result, args, draw); ok {
		return v
	}
	return draw()
}

// maxAtomicChoices bounds the choices tried at one place. If it takes more than a few, it
// is asked whether any can do.
const (
	maxAtomicChoices = 1000
	fewChoices       = 20
	hastyChoices     = 6 // where there are other histories to try
)

// hastyCost bounds the work of explaining one history where there are others to try.
const hastyCost = 40_000

var errChoices = errors.New("more choices than are tried")

// orders tries the call at every place among the environment's steps. What is cheap is
// tried everywhere before anything else is: one place that does is enough.
func (h *history) orders() ([]Order, bool) {
	h.began = h.engine.explained
	var all []*placing
	few := fewChoices
	if h.engine.hasty {
		few = hastyChoices
	}
	for after := h.before(); after <= len(h.steps); after++ {
		p := &placing{after: after}
		if err := h.try(p, few); err != nil || p.best.Differs == "" {
			return nil, true // cannot be told apart: no witness
		}
		all = append(all, p)
	}
	if h.engine.hasty {
		for _, p := range all {
			if led, err := h.led(p); led || err != nil {
				return nil, true
			}
		}
	}
	var orders []Order
	for _, p := range all {
		if err := h.finish(p); err != nil || p.best.Differs == "" {
			return nil, true
		}
		orders = append(orders, p.best)
	}
	return orders, false
}

// placing is the call at one place, with one choice after the other.
type placing struct {
	after, tried int
	script       []int
	// best is an order without a difference if there is any, else the first.
	best Order
	// done says that there is no other choice that matters.
	done bool
}

// before counts the steps that come before the call's first operation: the call may
// have begun after them.
func (h *history) before() int {
	n := 0
	for n < len(h.steps) && h.steps[n].action.point == 0 && h.engine.problem.Env == Package {
		n++
	}
	return n
}

// noRounds ends a run that comes back to where it was: what it chooses then, it could
// have chosen before.
func (h *history) noRounds(cells []register.Value) func(register.Point) error {
	type place struct{ block, instr, effects int }
	been := map[place][][]register.Value{}
	return func(p register.Point) error {
		if p.Exit || !h.engine.circles[p.Block] {
			return nil
		}
		live := h.engine.live.In(p.Block, p.Instr)
		now := make([]register.Value, 0, len(live)+len(cells))
		for _, l := range live {
			now = append(now, p.Locals[l])
		}
		now = append(now, cells...)
		at := place{p.Block, p.Instr, p.Effects}
		if slices.ContainsFunc(been[at], func(before []register.Value) bool { return slices.Equal(before, now) }) {
			return register.ErrDiverges
		}
		been[at] = append(been[at], now)
		return nil
	}
}

// try tries choices at a place, up to a number of them.
func (h *history) try(p *placing, limit int) error {
	panics := p.best.panics
	for ; p.tried < limit && !p.done; p.tried++ {
		s := newSpecHost(h, p.script)
		o, settled, err := h.order(p.after, s)
		if err != nil {
			return err
		}
		panics = panics || o.Result.Panic
		if p.tried == 0 || o.Differs == "" || settled || p.best.unlikely(h) && !o.unlikely(h) {
			p.best = o
		}
		p.best.panics = panics
		p.script = s.nextScript()
		p.done = o.Differs == "" || settled || p.script == nil
	}
	return nil
}

// unlikely reports whether an order says little of what would be: it does not end, or panics
// although the call did not.
func (o *Order) unlikely(h *history) bool {
	return o.Differs == "endless" || o.Result.Panic && h.out.Kind != register.Panic
}

// finish decides about a place where a few choices have not.
func (h *history) finish(p *placing) error {
	if p.done {
		return nil
	}
	if h.engine.hasty && h.engine.explained-h.began > hastyCost {
		return errChoices
	}
	possible, panics, err := h.explained(p.after)
	if p.best.panics = p.best.panics || panics; err != nil || !possible {
		return err
	}
	most := maxAtomicChoices
	if h.engine.hasty {
		most = fewChoices
	}
	if err := h.try(p, most); err != nil || p.done {
		return err
	}
	return errChoices
}

// blocksPerCost is how many blocks of a program are replayed, if half of them are, for the
// cost of an instruction of a walk.
const blocksPerCost = 4

// order plays the whole history with the call run atomically after the
// given number of steps. It is settled that the history differs, whatever the
// call chooses, if a step before it is shown something else.
func (h *history) order(after int, s *specHost) (o Order, settled bool, err error) {
	o.After = after
	h.engine.explained += len(h.engine.problem.Region.Blocks) / blocksPerCost
	cells := slices.Clone(h.initial)
	for i := 0; ; i++ {
		if i == after {
			out, err := register.Run(h.engine.problem.Region, h.args, cells, s, h.noRounds(cells), maxConcreteSteps)
			if errors.Is(err, register.ErrDiverges) {
				o.Differs = "endless"
				return o, settled, nil
			}
			if err != nil {
				return o, settled, err
			}
			o.Result = ending(&out)
			if !sameOutcome(&out, &h.out) {
				o.Differs = "result"
			}
		}
		if i == len(h.steps) {
			break
		}
		shown, results, err := h.play(h.steps[i], cells)
		if errors.Is(err, register.ErrRepeats) {
			o.Differs, o.Step = "stuck", i
			return o, i < after, nil
		}
		if err != nil {
			return o, settled, err
		}
		s.apart = s.apart || shown != h.steps[i].shown
		if o.Differs == "" && shown != h.steps[i].shown {
			o.Differs, o.Step, o.Shown = "other", i, results
			settled = i < after
		}
	}
	o.Final = h.contents(cells)
	s.apart = s.apart || !slices.Equal(cells, h.final)
	if o.Differs == "" && !slices.Equal(cells, h.final) {
		o.Differs = "final"
	}
	return o, settled, nil
}

// told is what the step hears from an unknown call. Where it does not run as it did it may ask more often: a
// loop that goes on as long as it is told the same has to end.
func (s *stepHost) told(site string, result int) register.Value {
	place := unknownPlace(site, result)
	again := s.counts[place] >= len(s.step.made[place])
	v := s.history.truth(site, result, s.next(place))
	if !again {
		return v
	}
	if s.more++; s.more > maxTold && s.more%2 == 0 && v == register.LitFalse {
		return register.LitTrue
	}
	return v
}

// maxTold is how often a step is told the same over what it was told where it ran.
const maxTold = 3
