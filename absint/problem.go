package absint

import (
	"fmt"
	"slices"
	"sync"

	"github.com/mapatom/mapatom/absint/internal/summary"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Environment says what the other goroutine can do.
type Environment int

const (
	// Open: anything that a client of the map could do.
	Open Environment = iota
	// Package: exactly the steps that are given, and looking.
	Package
)

// String is the environment's name on the command line and in JSON.
func (e Environment) String() string {
	if e == Package {
		return "package"
	}
	return "open"
}

// Step is something that the package does to the cells of a region in one
// atomic step: another extension, or a lone base operation.
type Step struct {
	// Name says what it is, as a person would: "(*Registry).Drop". It ends in
	// Within if the program's parameters are not the function's.
	Name    string
	Program *register.Program
	// Cells maps the program's cells to the region's; -1 is a cell of the program's own that has
	// something in it, and Vacant one that has not.
	Cells []int
	// Bind maps the program's parameters to those parameters of the region
	// that have the same value (the map's owner, the key); -1 is arbitrary.
	Bind []int
	// Locks are what the step holds while it runs.
	Locks []Hold
	// Nils are the numbers of those of the program's parameters for which somebody is known to pass nil.
	Nils []int
	// Only is what those of the program's own cells hold that have something in them, by cell: empty where that is not one
	// thing, or not known.
	Only []register.Value

	// anyone says that it is none of the package's, but what others may do to a cell.
	anyone bool
	// bare is what the step does to the cells, and telling also what it says of them: see
	// bareOf and tellingOf.
	bare, telling func() *register.Program
}

// only is what a cell of the step's own holds, or that it holds nothing; empty if that is not known.
func (s *Step) only(cell int) register.Value {
	switch {
	case s.Cells[cell] == Vacant:
		return register.LitAbsent
	case cell >= len(s.Only):
		return ""
	}
	return s.Only[cell]
}

// Vacant stands in Step.Cells for an entry of a map that is not one of the region's, and is not there.
const Vacant = -2

// Within stands for the arguments of a function of which a step is a part.
const Within = "(…)"

// Hold is a lock that is held, shared or exclusively.
type Hold struct {
	Lock      string
	Exclusive bool
}

// Problem is one question: is this region linearizable in this environment?
type Problem struct {
	// Region is a program in region form with at most MaxCells cells.
	Region *register.Program
	// whole is the region with what it begins with and does not need.
	whole *register.Program
	Env   Environment
	// Held are the locks that the call holds when the region begins.
	Held []Hold
	// Steps are what a Package environment does besides looking.
	Steps []Step
	// Initial are, for each cell, what it can hold in a Package environment
	// when the first call begins, besides what a new cell holds: literals
	// that constructors store, or Anything. It may be nil.
	Initial [][]register.Value
	// Guards are, for each cell, the lock that whoever looks at it in a Package
	// environment takes, and "" where there is none. It may be nil.
	Guards []string
	// Anyone says of each cell whether others can do to it what they like, under its lock, besides the steps of a Package
	// environment. It may be nil.
	Anyone []bool
	Budget Budget
	// Unclassed says that only the verdict is asked for: a violation has no category then.
	Unclassed bool
	// Drawn says that what the call stores is drawn by lot: that two calls make the same, or something as good, is
	// not taken for granted to class a violation.
	Drawn bool
	// Handed says that the call may be given objects that others have made and put into its cells before.
	Handed bool
	// NoWrap says that what is verified may stand on the assumption of that name.
	NoWrap bool
	// Memo keeps what is found of the programs, for other problems with some of them. It may
	// be nil.
	Memo *Memo
	// envelope are, for each cell, the locks without which no step writes to it, where any step
	// that holds them stands for those of the package; see stages.
	envelope []Step
	// counts says that others only put entries where the call does nothing but count; see counting.
	counts bool
	// unwrapped says that sums are numbers, not what is left of them; see withoutWrapping.
	unwrapped bool
	// late says that the call takes effect after it has gone on in all that is explored, also where
	// all of its atomic runs can be followed: see takesEffect.
	late bool
}

// Memo keeps what was found of programs from one problem to the next: those on one map have
// the same steps. It is not for several goroutines at once.
type Memo struct {
	summarised, unasked map[*register.Program]*register.Program
}

// maxKept bounds the programs of which something is kept.
const maxKept = 500

// Anything stands for content that is not known.
const Anything register.Value = ""

// MaxCells is how many cells a region can have; beyond it the verdict is
// unknown.
const MaxCells = 4

// Budget bounds the exploration. A field that is zero means that of
// defaultBudget.
type Budget struct {
	// Configurations is how many distinct ones are explored at the most.
	Configurations int
	// Work bounds the work of finding the verdict, in steps of an atomic run
	// and other things that take about as long. To class a violation takes at most
	// three quarters as much again.
	Work int
	// Spurious is how many witnesses that do not replay are tolerated
	// before the verdict is unknown.
	Spurious int
}

// defaultBudget is enough for every extension of the corpora by a factor of
// ten or more.
var defaultBudget = Budget{Configurations: 16000, Work: maxCost, Spurious: 10}

// Verdict is the answer to a Problem.
type Verdict int

const (
	// Unknown: neither was established; Result.Reason says why.
	Unknown Verdict = iota
	// Verified: every history of the region in this environment is
	// linearizable.
	Verified
	// Violation: some history is not; Result.Witness is one.
	Violation
)

// String is the verdict's name in JSON.
func (v Verdict) String() string {
	switch v {
	case Verified:
		return "verified"
	case Violation:
		return "violation"
	default:
		return "unknown"
	}
}

// Assumption is what a verdict of Verified stands on besides the code.
type Assumption string

const (
	// NoAssumption: it is right as it stands.
	NoAssumption Assumption = ""
	// Locked: all of it is in one critical section, of a lock that everybody else who
	// writes holds.
	Locked Assumption = "locked"
	// MayGiveUp: a compare-and-swap on what was read may fail instead of being tried
	// again.
	MayGiveUp Assumption = "may give up"
	// OneGoroutine: what would break it is only done by the goroutine itself.
	OneGoroutine Assumption = "one goroutine"
	// EachKey: it is right for each key by itself, and need not be for several at once.
	EachKey Assumption = "each key"
	// AnotherVariable: what it finds in another variable could have been something else.
	AnotherVariable Assumption = "another variable"
	// OwnEntry: others may see the call's own entry while it is there; it removes no
	// other one.
	OwnEntry Assumption = "own entry"
	// NoWrap: no number with a sign, of 32 bits or more, is counted on beyond the last one.
	NoWrap Assumption = "no wrap"
	// InParts: it is right for each two of its cells that have to do with each other, and
	// need not be for all of them at once.
	InParts Assumption = "in parts"
)

// Assumptions are all that there are.
func Assumptions() []Assumption {
	return []Assumption{Locked, MayGiveUp, OneGoroutine, EachKey, AnotherVariable, OwnEntry, NoWrap, InParts}
}

// Category classes a violation by the weakest assumption that would make it
// go away, or else by the shape of its witness.
type Category string

// The categories, from the mildest.
const (
	// DuplicateWork: gone if unknown callees are functions of their
	// arguments.
	DuplicateWork Category = "duplicate-work"
	// DuplicateInstance: gone if allocations with the same contents are
	// interchangeable.
	DuplicateInstance Category = "duplicate-instance"
	// LostUpdate: a write replaces, or an insertion that failed leaves
	// out, a value that the call did not know of.
	LostUpdate Category = "lost-update"
	// StaleDelete: a removal takes away another value than the one the
	// call decided about.
	StaleDelete Category = "stale-delete"
	// InconsistentRead: two looks at the cell disagree.
	InconsistentRead Category = "inconsistent-read"
	// Crash: the call panics though no sequential run does.
	Crash Category = "crash"
	// NonAtomic is anything else.
	NonAtomic Category = "non-atomic"
)

// Result is what Check found.
type Result struct {
	Verdict  Verdict
	Category Category // of a Violation
	Reason   string   // of an Unknown
	// Doubt says why it is not decided whether a Violation is of a milder category.
	Doubt string
	// Transient says that nobody can tell who does not look at the cells
	// while the call runs: its results and what it leaves behind are those
	// of some order. It is asked for regions of several cells only, where
	// there is always something to see in between.
	Transient bool
	// Doubtful says that the call was seen to give up more often in a Violation than an
	// atomic run is let to.
	Doubtful bool
	// Unwrapped says that Verified stands on NoWrap.
	Unwrapped bool
	// Configurations is how many distinct ones were explored.
	Configurations int
	// Work is what the answer cost, in the measure of Budget.Work. It is the same on
	// every machine.
	Work    int
	Witness *Witness // of a Violation
	// tried says that the violation was found by trying single runs.
	tried bool
}

func (p *Problem) validate() error {
	if p.Region == nil || len(p.Region.Blocks) == 0 {
		return fmt.Errorf("absint: the region is empty")
	}
	for _, s := range p.Steps {
		if len(s.Cells) != len(s.Program.Cells) || len(s.Bind) != len(s.Program.Params) {
			return fmt.Errorf("absint: step %s: %d of %d cells and %d of %d parameters are bound",
				s.Name, len(s.Cells), len(s.Program.Cells), len(s.Bind), len(s.Program.Params))
		}
	}
	if p.Initial != nil && len(p.Initial) != len(p.Region.Cells) {
		return fmt.Errorf("absint: initial contents of %d cells, want %d", len(p.Initial), len(p.Region.Cells))
	}
	if p.Anyone != nil && len(p.Anyone) != len(p.Region.Cells) {
		return fmt.Errorf("absint: what anyone does to %d cells, want %d", len(p.Anyone), len(p.Region.Cells))
	}
	if p.Guards != nil && len(p.Guards) != len(p.Region.Cells) {
		return fmt.Errorf("absint: guards of %d cells, want %d", len(p.Guards), len(p.Region.Cells))
	}
	if p.Budget.Configurations == 0 {
		p.Budget.Configurations = defaultBudget.Configurations
	}
	if p.Budget.Work == 0 {
		p.Budget.Work = defaultBudget.Work
	}
	if p.Budget.Spurious == 0 {
		p.Budget.Spurious = defaultBudget.Spurious
	}
	return nil
}

// writersLocks are the locks that all steps hold that can write to a cell.
func (p *Problem) writersLocks(cell int) []Hold {
	var all []Hold
	first := true
	for i := range p.Steps {
		s := &p.Steps[i]
		if !s.writes(cell) {
			continue
		}
		if first {
			all, first = slices.Clone(s.Locks), false
			continue
		}
		var both []Hold
		for _, h := range all {
			if i := slices.IndexFunc(s.Locks, func(o Hold) bool { return o.Lock == h.Lock }); i >= 0 {
				both = append(both, Hold{h.Lock, h.Exclusive && s.Locks[i].Exclusive})
			}
		}
		all = both
	}
	return all
}

// writes reports whether the step has an operation that can change a cell of the region.
func (s *Step) writes(cell int) bool {
	return slices.ContainsFunc(s.Program.Blocks, func(b *register.Block) bool {
		return slices.ContainsFunc(b.Instrs, func(in register.Instr) bool {
			return (in.Op == register.Write || in.Op == register.CAS) && s.Cells[in.Cell] == cell
		})
	})
}

// guarded reports whether nobody looks at a cell without its lock.
func (p *Problem) guarded(cell int) bool {
	return (p.Env == Package || p.envelope != nil) && p.Guards != nil && p.Guards[cell] != ""
}

// locks reports whether nobody can look at a cell because of the locks that are held.
func (p *Problem) locks(held []Hold, cell int) bool {
	return p.guarded(cell) && slices.ContainsFunc(held, func(h Hold) bool { return h.Exclusive && h.Lock == p.Guards[cell] })
}

// assumptions weaken what a run may return: they class a violation.
type assumptions struct {
	// deterministic: an unknown callee is a function of those of its
	// arguments that are of any other use to the caller.
	deterministic bool
	// interchangeable: allocations of one type with the same contents are
	// one and the same.
	interchangeable bool
	// tried: single runs showed a violation without these assumptions, and are tried first.
	tried bool
	// unwatched: nobody looks at the cells before the call has returned.
	unwatched bool
}

// follows reports whether the result of an unknown callee is taken to follow from its arguments: not that of a clock.
func (a assumptions) follows(site string) bool { return a.deterministic && !register.IsLater(site) }

// has reports whether the region or a step has such an instruction.
func (p *Problem) has(op register.Op) bool {
	found := false
	p.eachInstr(func(in *register.Instr) { found = found || in.Op == op })
	return found
}

// eachInstr calls f for each instruction of the programs.
func (p *Problem) eachInstr(f func(*register.Instr)) {
	programs := []*register.Program{p.Region}
	for i := range p.Steps {
		programs = append(programs, p.Steps[i].Program)
	}
	for _, prog := range programs {
		for _, b := range prog.Blocks {
			for i := range b.Instrs {
				f(&b.Instrs[i])
			}
		}
	}
}

// maxCost bounds the work on one problem: half a second, and with all that is asked about a
// violation three quarters more. A quarter of it left twice as many without an answer, and took four fifths
// of the time.
const maxCost = 1_200_000

// parts are the fields that programs of the problem load and nobody changes.
func (p *Problem) parts() register.Parts {
	out := register.Parts{}
	out.Add(p.Region)
	for _, s := range p.Steps {
		out.Add(s.Program)
	}
	return out
}

// unasked is the problem without what only unpredictable calls are given: whatever that
// is, nobody can tell what they make of it.
func (p Problem) unasked() Problem {
	p.Region = p.Memo.withoutArguments(p.Region)
	p.Steps = slices.Clone(p.Steps)
	for i := range p.Steps {
		p.Steps[i].Program = p.Memo.withoutArguments(p.Steps[i].Program)
	}
	return p
}

// recall is what make makes of a program, once for each if there is a memo.
func recall(of *map[*register.Program]*register.Program, p *register.Program, make func(*register.Program) *register.Program) *register.Program {
	if q, ok := (*of)[p]; ok {
		return q
	}
	q := make(p)
	if *of == nil || len(*of) >= maxKept {
		*of = map[*register.Program]*register.Program{}
	}
	(*of)[p] = q
	return q
}

// summary is a program made smaller, see summary.Of.
func (m *Memo) summary(p *register.Program) *register.Program {
	return recall(&m.summarised, p, summary.Of)
}

// withoutArguments is a program that gives its unpredictable calls nothing.
func (m *Memo) withoutArguments(p *register.Program) *register.Program {
	return recall(&m.unasked, p, summary.WithoutArguments)
}

// withBare is the problem with steps that know what they do to the cells, once somebody
// asks.
func (p Problem) withBare() Problem {
	p.Steps = slices.Clone(p.Steps)
	for i := range p.Steps {
		if p.Steps[i].bare != nil {
			continue
		}
		program := p.Steps[i].Program
		p.Steps[i].bare = sync.OnceValue(func() *register.Program { return summary.Bare(program) })
		p.Steps[i].telling = sync.OnceValue(func() *register.Program { return summary.Telling(program) })
	}
	return p
}
