package trial

import (
	"fmt"
	"strings"
)

// Case is a finding that is to be confirmed.
type Case struct {
	// Sites are where the base operations of the extension stand.
	Sites []Site
	// New makes what the calls are made on. It takes values like a call, and
	// resets what the package keeps in variables.
	New Call
	// Call is the function with the extension.
	Call Call
	// Others are what else may be called at any time.
	Others []Call
	// Ends read memory that the extension is about when all calls are over.
	Ends []Call
	// Before and During name the other calls of the static witness: those
	// before the extension's first base operation and those after it.
	Before, During []string
	// Apart says that the others come to other entries than the function: it goes by how many there are.
	Apart bool
	// Deep says that what is behind the pointers that the cells hold in the end
	// counts.
	Deep bool
	// Later says that a base operation stands in what a timer calls.
	Later bool
	// Runs says that it counts how often functions that are given are called, of those
	// that return nothing or only an error.
	Runs bool
	// Goes says that it counts how many goroutines go on calling such functions.
	Goes bool
	// Parts says that B's last call is also interrupted itself.
	Parts bool
	// Open says that anything may be stored in the cell, or deleted, besides; Stores make
	// what is of the types that are kept there.
	Open   bool
	Stores []func() any
}

// Site is a line of a file, as the compiler knows it.
type Site struct {
	File string
	Line int
	// Stands is the line where the base operation stands: another one if that
	// is deferred, for what is called then is called where the function ends.
	Stands int
	// Name is what the source calls there.
	Name string
}

// Call is something that can be called, with a choice of arguments.
type Call struct {
	// Name is the function as go doc has it: "(*Registry).Open".
	Name string
	// Args are the words for the values of each parameter.
	Args [][]string
	// Do calls it on what New made, with the given value for each parameter,
	// and returns the results.
	Do func(world any, args []int) []any
	// Looks says that it returns something, and names the variable that the
	// extension is about: what it returns after all other calls tells what
	// they came to.
	Looks bool
}

// operation is the call with the words for its arguments.
func (c *Call) operation(args []int) Operation {
	op := Operation{Name: c.Name, Args: []string{}, Begin: -1, End: -1}
	if c.Args == nil {
		op.Args = nil
	}
	for i, a := range args {
		op.Args = append(op.Args, c.Args[i][a])
	}
	return op
}

// The names of steps that others may take on the cell itself, if it is open.
const (
	Overwrite = "overwrite"
	Delete    = "delete"
)

// Step is one atomic step of thread B: a call, or what is done to the cell.
type step struct {
	call *Call
	args []int
	raw  string // Overwrite or Delete, if there is no call
	with any    // what is written
}

// operation is the step with the words for its arguments.
func (s *step) operation() Operation {
	var op Operation
	switch s.raw {
	case "":
		op = s.call.operation(s.args)
	case Delete:
		op = Operation{Name: Delete, Args: []string{}}
	default:
		op = Operation{Name: Overwrite, Args: []string{fmt.Sprintf("a %T", s.with)}}
	}
	op.Thread, op.Begin, op.End = others, -1, -1
	return op
}

// CaseVerdict is what became of a case.
type CaseVerdict string

// The verdicts.
const (
	Confirmed    CaseVerdict = "confirmed"
	NotConfirmed CaseVerdict = "not confirmed"
	CannotRun    CaseVerdict = "cannot run"
)

// Report is the outcome of a case.
type Report struct {
	Verdict CaseVerdict
	// Reason says what was found, or how much was looked at.
	Reason string
	// History is the execution that proves it.
	History *History `json:",omitempty"`
	// Serial are the observations of the serial executions.
	Serial     []Observation `json:",omitempty"`
	Schedule   string        `json:",omitempty"`
	Executions int
	// Short says that there was no time for all tests.
	Short bool `json:",omitempty"`
	// Thorough says of what is not confirmed that all tests were run, and that
	// calls came between the base operations in some.
	Thorough bool
}

// History is an execution: the calls in the order in which they began.
type History struct {
	Calls []Operation
	// Final is what the cells hold in the end, each as a JSON array of the one
	// value, empty if the key is absent.
	Final []string
	// Deep is what is behind the pointers among that, if it counts.
	Deep []string `json:",omitempty"`
	// After are calls that were made when all others were over.
	After []Operation `json:",omitempty"`
}

// Operation is a call of the history. Begin and End are times on one clock;
// End is -1 if it did not return.
type Operation struct {
	Thread int
	Name   string
	Args   []string
	// Result is a JSON array of the results.
	Result     string
	Begin, End int
	// Steps are the base operations of the extension.
	Steps []BaseOperation `json:",omitempty"`
}

// BaseOperation is a step of the extension at one of the lines.
type BaseOperation struct {
	file     string
	Line, At int
	Kind     string
	Name     string
}

// Text is the operation as a call in the source.
func (o *Operation) Text() string {
	if o.Args == nil {
		return o.Name // what is read in the end
	}
	return o.Name + "(" + strings.Join(o.Args, ", ") + ")"
}

// Observation is what is seen of a serial execution: the indices of the calls
// of the history in the order in which they took effect, and their results.
type Observation struct {
	Order   []int
	Results []string
	Final   []string
	Deep    []string `json:",omitempty"`
	After   []string `json:",omitempty"` // the results of these calls
}
