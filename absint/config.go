package absint

import (
	"fmt"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

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
}

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
	// used are the actual allocations that holes were matched with.
	used []term
	// assumed are literals about holes that the candidate chose to hold.
	assumed []literal
	// guessed says that some of it was about an allocation that has not been
	// matched, see guesses. It is only noted if the call has a loop.
	guessed bool
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
	for _, x := range k.spec {
		f(x)
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
	c.used = slices.Clip(c.used)
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
	// made is an allocation or unpredictable result of the call.
	made term
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
	// taken are answers that one way through the program has, also those that are of
	// no consequence to others: a witness needs some way.
	taken []literal
}

type envKind int

const (
	observe envKind = iota
	swap
	remove
	runStep
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
