package absint

import (
	"fmt"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// engine explores the two-thread driver of one problem.
type engine struct {
	problem Problem
	assume  assumptions
	stage   stage
	terms   *terms
	live    *register.Liveness
	heads   []bool
	// leads says of each block of the region whether others can step in there or later.
	leads []bool
	// circles says of each block whether a loop can follow.
	circles []bool
	// ways are what is known of the programs that are walked.
	ways map[*register.Program]*ways
	// relation is what others can do, see others.
	relation *relation
	// hasEffects says that the call has effects, and publishes that there are some for which
	// it matters which values were in a cell.
	hasEffects, publishes bool
	args                  []term
	// loops says that the call may go round in circles.
	loops bool
	// passedOn are the arguments that only serve to call something.
	passedOn map[term]bool
	// constants are the numbers that the programs name.
	constants []int64
	// longest is how long the texts are that they name.
	longest int
	// asksTruth are the functions whose results the programs branch on, see truths.
	asksTruth map[string]bool
	// asked are the questions about results of unknown calls, by place.
	asked map[string]answersAsked
	// late are the sites of the region after its last operations.
	late map[string]bool
	// keeps is how many of the lowest bits are kept of numbers that others go on counting, see keptBits.
	keeps int
	// hasty says that there are other interleavings to try than one that may be explained.
	hasty bool
	// affirms says what the functions answer that nobody has asked in an interleaving: what only
	// an atomic order asks.
	affirms bool
	// guessed says that an atomic order asked which of two numbers is less of which only the names are known, and
	// numberless that no numbers were found.
	guessed, numberless bool
	// given says that others were given numbers of which only the names are known.
	given bool
	// numbered says that all have numbers, and which.
	numbered numbering
	// explained is the work that finding numbers, replaying and explaining took.
	explained int
	// explainer is what concrete histories are explained with.
	explainer *engine
	// bare is the call without its effects, for an explainer.
	bare *register.Program
	// afterwards says that the call takes effect after it has gone on, see takesEffect, and
	// dropped that not all of its atomic runs were followed.
	afterwards, dropped bool
	// course is where the exploration went, if it matters whether the call comes to an end.
	course *course
	// spawned is what following atomic runs has cost.
	spawned  int
	visited  map[string]bool
	covering covering
	queue    []item
	// been counts the configurations explored at each place.
	been    map[place]int
	configs int
	// begun says that the first configurations were queued, and charged and counted are
	// the work and the configurations that its decision knows of.
	begun            bool
	charged, counted int
	// work counts the attempts at steps, those cut short by an open
	// comparison included.
	work int
	// cut is set when a step was not taken because of the stage's bound.
	cut bool
	// nilInMaps says that the environment may put nil in a map.
	nilInMaps bool
	// found are configurations without a candidate, nearest first.
	found []*config
	// watched is a witness that needs somebody who looks in between.
	watched *Witness
	// imprecise is set when a candidate was given up though it might have
	// been completed; reason says what was cut.
	imprecise string
}

// tooManyCases is why something is not decided within the budget of work.
const tooManyCases = "too many cases to tell apart"

// workPerConfiguration bounds the cases that a step falls into, on average.
const workPerConfiguration = 10

// exhausted reports whether the budget of work is used up.
func (e *engine) exhausted() bool {
	return e.work > workPerConfiguration*e.problem.Budget.Configurations || e.terms.cost >= e.terms.budget
}

// attemptCost is what one attempt at a step costs besides what it does, in instructions.
const attemptCost = 5

// spent is the work done so far.
func (e *engine) spent() int {
	return e.terms.cost + e.explained + attemptCost*e.work
}

// decide answers a == b under the path condition of c, or splits it.
func (e *engine) decide(c *config, a, b term) (bool, error) {
	return c.path.ask(a, b)
}

// violation keeps a configuration that has no candidate left.
func (e *engine) violation(c *config) { e.found = append(e.found, c) }

// change is one thing that a program of the package can do to the cells.
type change struct {
	step *Step
	// before are the cells of the region: a symbol, absent, or nothing if the program
	// does not touch it; after is what they become.
	before, after []term
	answers       []literal
	// args, own, made and taken are those of one way through the program, instead has others, see wayRun.
	args    []term
	own     []term
	made    choices
	taken   []literal
	instead [][]literal
	// told is what the program tells of what was there before.
	told disclosure
	// wild says that the program was not walked, see anything.
	wild bool
}

// relation is what all looking programs of the package can do.
type relation struct {
	changes []change
	// of are those of each program, once all are found.
	of map[*Step][]*change
	// first and last enclose the terms that are not those of any configuration.
	first, last term
	// large is the first program of which not all ways were walked.
	large string
	// cut says that not all ways were walked, and limit what the walks of the present
	// program may cost.
	cut   bool
	limit int
	// nils says that the package may put nil in a map: a step comes upon it as on nothing else.
	nils bool
}

// stage is one exploration of a problem: of all of it, or of more or of less
// than it, where that is cheaper and an answer of one kind carries over.
type stage struct {
	// envelope lets the environment do whatever it likes, instead of what
	// the package does. What is verified in it is verified.
	envelope bool
	// steps bounds how many steps of the package change a cell; 0 is no
	// bound. A violation within the bound is one.
	steps int
	// share is the part of the budget of work, in quarters.
	share int
}

// answersAsked is what usesOf says of one result: which constants it is compared with,
// and at which places it is returned and in which effects it occurs.
type answersAsked struct {
	constants []register.Value
	returned  map[int]bool
	effects   map[string]bool
	only      bool
}

// midway is the error of a question after which a step goes on, under each answer: what comes
// before it need not be done again, in which so many terms were made.
type midway struct {
	*split
	at   *config
	made int
}

type item struct {
	cfg   *config
	phase phase
	// id is its number in the course.
	id int
}

// config is one configuration of the two-thread driver: where the call is,
// what its locals and the cells hold, what is known about the values, and
// which linearizations are still possible. A config in the work list is
// immutable; a step works on a clone.
type config struct {
	block, index int
	// depth counts the enclosing Enter instructions: above zero the
	// environment cannot step in.
	depth  int
	locals []term
	regs   []term
	// held are the locks that the call holds.
	held []Hold
	path *path
	// effects the call has had, and the values it read from or stored to
	// a cell: an effect counts if it concerns one of those.
	effects   []effect
	published []term
	// known are the call's own allocations that the environment has seen.
	known []term
	cands []candidate
	// outcome is set once the call has returned.
	outcome *outcome
	// midway says that the call has come to a question, after which it goes on.
	midway bool
	// first is what the cells held at the start.
	first []term
	// points counts the scheduling points that the call has left behind.
	points int
	// steps counts the steps of the package that changed a cell.
	steps int
	// refuted are answers about values that are gone, without which a candidate
	// would be one: a witness needs them.
	refuted []literal
	// trail leads back to the start: what a witness is made of.
	trail *trail
}

// phase says what comes next in a configuration.
type phase byte

const (
	// phaseEnv: the environment looks at the cells.
	phaseEnv phase = 'e'
	// phaseStep: the environment takes a step, or the call goes on.
	phaseStep phase = 's'
	// phasePackage: the package takes a step.
	phasePackage phase = 'p'
	// phaseRun: the call executes up to its next stop.
	phaseRun phase = 'r'
	// phaseExit: the call has returned and is compared.
	phaseExit phase = 'x'
)

// effect is one observable step.
type effect struct {
	name string
	args []term
	// beside is how many of the last arguments it is not done to.
	beside int
	// asks says that it is a question, which is about no number that a program has written down.
	asks bool
	// counts says that it counts whatever it is done to, see register.Instr.
	counts bool
}

// always reports whether it counts whatever it is done to.
func (f *effect) always() bool { return f.counts || register.IsTail(f.name) }

// concerns are the values that it is done to.
func (f *effect) concerns() []term { return f.args[:len(f.args)-f.beside] }

// leaves reports whether it is not about a value for its being what is in a cell: a question is about no literal, and no
// number.
func (f *effect) leaves(t *terms, x term) bool {
	n := t.of(x)
	return f.asks && (n.kind == litTerm || n.typ.Kind.IsInteger() || n.typ.Kind.IsFloat())
}

// with is the effect with other arguments.
func (f *effect) with(args []term) effect { return effect{f.name, args, f.beside, f.asks, f.counts} }

// outcome is how a run ended.
type outcome struct {
	kind    register.TermKind
	label   string
	vals    []term
	effects []effect // the observed ones only
}

// candidate is one way in which the history so far can be linearized: the
// call has not taken effect yet, or it has, with this outcome. The spec
// registers hold what the cells would hold in that order.
type candidate struct {
	spec []term
	// done is nil while the call has not taken effect.
	done *outcome
	// used are the actual allocations that holes were matched with, and filled these holes, as
	// far as another allocation holds them.
	used, filled []term
	// assumed are literals about holes that the candidate chose to hold.
	assumed []literal
	// guessed says that some of it was about an allocation that has not been
	// matched, see guesses. It is only noted if the call has a loop.
	guessed bool

	// from and left are those of one that is yet to be explained, see pend: what its atomic
	// run began with, and what the cells held when the call had gone on.
	from, left []term
	// key tells candidates apart, up to the names of holes; it is set when
	// the candidate joins a set.
	key string
}

// each calls f for each term of an outcome, if there is one.
func (o *outcome) each(f func(term)) {
	if o == nil {
		return
	}
	for _, x := range o.vals {
		f(x)
	}
	eachArgument(o.effects, f)
}

// each calls f for what the cells hold in a candidate, and for its outcome.
func (k *candidate) each(f func(term)) {
	for _, xs := range [][]term{k.spec, k.from, k.left} {
		for _, x := range xs {
			f(x)
		}
	}
	k.done.each(f)
}

func eachArgument(effects []effect, f func(term)) {
	for _, g := range effects {
		for _, x := range g.args {
			f(x)
		}
	}
}

func (c *config) clone() *config {
	d := *c
	d.locals = slices.Clone(c.locals)
	d.regs = slices.Clone(c.regs)
	d.effects = slices.Clip(c.effects)
	d.published = slices.Clip(c.published)
	d.known = slices.Clip(c.known)
	d.cands = slices.Clone(c.cands)
	return &d
}

func (c candidate) clone() candidate {
	c.spec = slices.Clone(c.spec)
	c.used, c.filled = slices.Clip(c.used), slices.Clip(c.filled)
	c.assumed = slices.Clip(c.assumed)
	return c
}

// trail is one event on the way to a configuration.
type trail struct {
	prev *trail
	// step says what the environment did; nil for an operation of the call.
	step *envAction
	// op is the call's operation.
	op *opEvent
	// made is an allocation or unpredictable result of the call, and place where that is.
	made  term
	place string
}

// opEvent is one base operation that the call made.
type opEvent struct {
	instr   *register.Instr
	args    []term
	results []term
}

// envAction is one atomic step of the environment.
type envAction struct {
	kind envKind
	// point is the scheduling point at which it happens.
	point int
	cell  int
	// value is what a swap writes.
	value term
	// program and args describe a step of the package.
	program *Step
	args    []term
	made    choices
	outcome *outcome
	// own is what is in those of its cells that are none of the region's, nothing for the others.
	own []term
	// ways are the answers that one way through the program has each, also those that are of
	// no consequence to others: a witness needs some way.
	ways [][]literal
}

// goes notes one more answer on all ways.
func (a *envAction) goes(l literal) {
	if len(a.ways) == 0 {
		a.ways = [][]literal{nil}
	}
	a.ways = onAll(a.ways, l)
}

type envKind int

const (
	observe envKind = iota
	swap
	remove
	runStep
)

// numbering is how numbers are given to those of which only the names are known.
type numbering int

const (
	unnumbered numbering = iota
	// upwards gives small ones, and backwards as well, beginning with the last; downwards gives large ones.
	upwards
	backwards
	downwards
	// oneAnothers gives those that others have.
	oneAnothers
)

func addTerm(set []term, x term) []term {
	if slices.Contains(set, x) {
		return set
	}
	return append(set, x)
}

// choices are what an atomic step of the package makes up, by place and in
// order: the same whenever the step is run.
type choices map[string][]term

// unknownPlace names result number result of the unknown call at a site.
func unknownPlace(site string, result int) string { return fmt.Sprintf("%s.%d", site, result) }

// events are the trail in the order in which it happened.
func (t *trail) events() []*trail {
	var out []*trail
	for ; t != nil; t = t.prev {
		out = append(out, t)
	}
	slices.Reverse(out)
	return out
}

// pendingKind is how the atomic run of a candidate ends that is yet to be explained.
const pendingKind register.TermKind = -1

// isPending reports whether it is yet to be found out how a candidate takes effect.
func (k *candidate) isPending() bool { return k.done != nil && k.done.kind == pendingKind }

// course is what can come after what in an exploration.
type course struct {
	// configs are those that were pushed, ids their numbers by keys, and next what comes after each.
	ids     map[string]int
	configs []*config
	next    [][]int
	// ends says which have come to an end, current is what is explored, and covered are those that
	// another one covers, which may end otherwise.
	ends    []bool
	current int
	covered []*config
}

// push numbers a configuration that comes after what is explored.
func (r *course) push(c *config, key string) int {
	if r == nil {
		return 0
	}
	id := len(r.configs)
	r.ids[key] = id
	r.configs, r.next, r.ends = append(r.configs, c), append(r.next, nil), append(r.ends, false)
	r.leads(key)
	return id
}

// leads notes that one that was numbered comes after what is explored.
func (r *course) leads(key string) {
	if r == nil || r.current < 0 {
		return
	}
	if id, known := r.ids[key]; known {
		r.next[r.current] = append(r.next[r.current], id)
	}
}

func (r *course) isCovered(c *config) {
	if r != nil {
		r.covered = append(r.covered, c)
	}
}

func (r *course) begin(id int) {
	if r != nil {
		r.current = id
	}
}

// end notes that what is explored has come to an end.
func (r *course) end() {
	if r != nil && r.current >= 0 {
		r.ends[r.current] = true
	}
}

// endless are the configurations that may never come to an end.
func (r *course) endless() []*config {
	ends := slices.Clone(r.ends)
	for changed := true; changed; {
		changed = false
		for i := len(ends) - 1; i >= 0; i-- {
			if !ends[i] && slices.ContainsFunc(r.next[i], func(k int) bool { return ends[k] }) {
				ends[i], changed = true, true
			}
		}
	}
	out := slices.Clone(r.covered)
	for i, c := range r.configs {
		if !ends[i] {
			out = append(out, c)
		}
	}
	return out
}
