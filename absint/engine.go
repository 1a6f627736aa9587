package absint

import "github.com/mapatom/mapatom/internal/reduce/register"

// engine explores the two-thread driver of one problem.
type engine struct {
	problem Problem
	assume  assumptions
	stage   stage
	terms   *terms
	live    *register.Liveness
	heads   []bool
	// ways are what is known of the programs that are walked.
	ways map[*register.Program]*ways
	// relation is what others can do, see others.
	relation *relation
	// hasEffects says that it matters which values were in a cell.
	hasEffects bool
	args       []term
	// loops says that the call may go round in circles.
	loops bool
	// passedOn are the arguments that only serve to call something.
	passedOn map[term]bool
	// constants are the numbers that the programs name.
	constants []int64
	// asked are the questions about results of unknown calls, by place.
	asked map[string]answersAsked
	// late are the sites of the region after its last operations.
	late map[string]bool
	// asksBits says that the region looks at the lowest bits of numbers.
	asksBits bool
	visited  map[string]bool
	covering covering
	queue    []item
	configs  int
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

// workPerConfiguration bounds the cases that a step falls into, on average.
const workPerConfiguration = 10

// exhausted reports whether the budget of work is used up.
func (e *engine) exhausted() bool {
	return e.work > workPerConfiguration*e.problem.Budget.Configurations || e.terms.cost >= e.terms.budget
}

// decide answers a == b under the path condition of c, or splits it.
func (e *engine) decide(c *config, a, b term) (bool, error) {
	switch c.path.equal(a, b) {
	case yes:
		return true, nil
	case no:
		return false, nil
	}
	if e.terms.of(a).kind == litTerm {
		a, b = b, a
	}
	return false, &split{literal{a, b, true}}
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
	// args, made and taken are those of one way through the program.
	args  []term
	made  choices
	taken []literal
}

// relation is what all looking programs of the package can do.
type relation struct {
	changes []change
	// first and last enclose the terms that are not those of any configuration.
	first, last term
	// cut says that not all ways were walked.
	cut bool
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

// answersAsked is what constantsAsked says of one result.
type answersAsked struct {
	constants []register.Value
	only      bool
}

type item struct {
	cfg   *config
	phase phase
}
