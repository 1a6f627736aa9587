// Package oracle decides by brute force whether a small region program is
// linearizable. It tries every interleaving and, for each, every place at
// which the program could have run atomically. It is slow and simple: the
// engine in package absint is tested against it, and every violation that
// the engine reports can be checked with Linearizable.
//
// Values are generic. Wherever an arbitrary value is needed, the search
// tries one new value and every value that exists already and that the new
// one may equal: this covers all patterns of equality, and no pattern twice.
// Where a bool is needed it tries true and false.
//
// Three points that are a matter of definition:
//
//   - A pure function does not yield an identity that was allocated during
//     the run, unless that identity can be reached from its arguments.
//   - An Unknown of the interrupted program may yield any value there is.
//   - An open environment never stores nil in a Map or a Latch, and such
//     cells do not hold it at the start. Nobody passes nil for a parameter
//     that is stored there and not compared with nil. Apart from that a
//     program may store nil.
package oracle

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Problem is a program, the environment that interrupts it, and how far to
// look.
type Problem struct {
	Program *register.Program
	Env     EnvKind
	// Steps are what a Package environment does.
	Steps []Step
	// Initial are what each cell can hold at the start in a Package
	// environment, besides what a new one holds; "" is anything. It may be
	// nil.
	Initial [][]register.Value
	Bounds  Bounds
}

// EnvKind says what the environment may do.
type EnvKind int

const (
	// Open: anything a client could do with the cells.
	Open EnvKind = iota
	// Package: observe cells, and run the Steps; nothing else.
	Package
)

// Step is a program that a Package environment runs atomically.
type Step struct {
	Program *register.Program
	// Cells gives for each cell of Program the cell of the Problem's
	// program that it is.
	Cells []int
	// Params gives for each parameter of Program the parameter of the
	// Problem's program that it equals, or Free.
	Params []int
}

// Free marks a parameter of a Step that can be any value.
const Free = -1

// Bounds limit a search. Observing cells is not counted.
type Bounds struct {
	// PerPoint limits the environment's steps at one scheduling point, Env
	// in one history, Run the instructions of one run of a program.
	PerPoint, Env, Run int
	// Work limits the attempts to find a linearization, of which there is
	// at least one for each interleaving. 0 means a million.
	Work int
}

// History is one interleaving. Together with the programs it determines
// everything that happened.
type History struct {
	Args    []register.Value
	Initial []register.Value // contents of the cells
	// World lists the applications of uninterpreted functions, and the
	// results of Unknown in the environment's steps, that the run needed.
	World []Application
	// Unknown are the results of Unknown in the interrupted program, and
	// Fresh the identities it allocated, both in order. Identities that are
	// missing at the end are numbered.
	Unknown, Fresh []register.Value
	// Steps are the environment's steps in order.
	Steps []EnvStep
	// Pending says that the program was still running after the last step.
	Pending bool
}

// Application says that result Result of a pure function is Value.
type Application struct {
	Name   string
	Result int
	Args   []register.Value
	Value  register.Value
}

// StepUnknown names, for History.World, the nth call (from 0) of Unknown at
// a site in the runth RunStep (from 1) of the history. It has no arguments.
func StepUnknown(run int, site string, nth int) string {
	return fmt.Sprintf("run %d, %s, call %d", run, site, nth)
}

// StepFresh is the identity that the nth call (from 0) of Fresh at a site
// yields in the runth RunStep (from 1) of the history. Who writes a history
// has to use these names.
func StepFresh(run int, site string, nth int) register.Value {
	return register.Value(fmt.Sprintf("%s@%d.%d", site, run, nth))
}

// key identifies the application.
func (a *Application) key() string {
	var b strings.Builder
	b.WriteString(a.Name)
	b.WriteByte('/')
	b.WriteString(strconv.Itoa(a.Result))
	for _, v := range a.Args {
		b.WriteByte(0)
		b.WriteString(string(v))
	}
	return b.String()
}

// EnvStep is one atomic step of the environment.
type EnvStep struct {
	// Point is the index of the scheduling point at which it happened.
	Point int
	Kind  StepKind
	// Cell is the cell of Observe, Swap and Delete.
	Cell int
	// Value is what Swap writes.
	Value register.Value
	// Step and Args are the program that RunStep runs, and its arguments.
	Step int
	Args []register.Value
}

// StepKind is what an EnvStep does.
type StepKind int

const (
	// Observe sees a cell's content.
	Observe StepKind = iota
	// Swap sees the content and writes another.
	Swap
	// Delete sees the content and removes it. In a Package environment it
	// is an eviction.
	Delete
	// RunStep runs one of the Problem's Steps.
	RunStep
)

// String lists the history a step a line.
func (h *History) String() string {
	if h == nil {
		return "no history\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "arguments %v, cells %v\n", h.Args, h.Initial)
	for _, a := range h.World {
		fmt.Fprintf(&b, "%s%v.%d = %s\n", a.Name, a.Args, a.Result, a.Value)
	}
	fmt.Fprintf(&b, "unknown results %v, identities %v\n", h.Unknown, h.Fresh)
	for _, s := range h.Steps {
		fmt.Fprintf(&b, "point %d: %s\n", s.Point, s)
	}
	if h.Pending {
		b.WriteString("still running\n")
	}
	return b.String()
}

// String describes the step without its scheduling point.
func (s EnvStep) String() string {
	switch s.Kind {
	case Swap:
		return fmt.Sprintf("swap cell %d, %s", s.Cell, s.Value)
	case Delete:
		return fmt.Sprintf("delete cell %d", s.Cell)
	case RunStep:
		return fmt.Sprintf("run step %d%v", s.Step, s.Args)
	default:
		return fmt.Sprintf("observe cell %d", s.Cell)
	}
}

// ErrWork is the error of a search that would take more than Bounds.Work.
var ErrWork = errors.New("too much work")

// errBroken marks histories that break a rule.
var errBroken = errors.New("impossible history")

// check reports what is wrong with the parts of a problem that the
// interpreter does not look at.
func (pr *Problem) check() error {
	if pr.Program == nil {
		return errors.New("problem without a program")
	}
	for i, s := range pr.Steps {
		if s.Program == nil || len(s.Cells) != len(s.Program.Cells) || len(s.Params) != len(s.Program.Params) {
			return fmt.Errorf("step %d does not bind every cell and parameter", i)
		}
		for k, c := range s.Cells {
			if c < 0 || c >= len(pr.Program.Cells) || slices.Contains(s.Cells[:k], c) {
				return fmt.Errorf("step %d: no cell %d, or bound twice", i, c)
			}
		}
		for _, p := range s.Params {
			if p != Free && (p < 0 || p >= len(pr.Program.Params)) {
				return fmt.Errorf("step %d: no parameter %d", i, p)
			}
		}
	}
	return nil
}

// work is the effective bound on work.
func (b Bounds) work() int {
	if b.Work > 0 {
		return b.Work
	}
	return 1_000_000
}
