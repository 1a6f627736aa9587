package analyzer

import (
	"cmp"
	"go/token"
	"time"

	"golang.org/x/tools/go/analysis"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/callers"
	"github.com/mapatom/mapatom/analyzer/internal/evidence"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Result is what the Analyzer finds in a package: every extension, also the
// verified ones. It is the Analyzer's ResultType.
type Result struct {
	// Extensions are ordered by position.
	Extensions []*Extension
	// Programs are the register programs of the functions that touch a
	// cell, in function form after inlining, ordered by position.
	Programs []*register.Program
	// Calls are what the package calls, if Options.Callers asks for it.
	Calls *callers.Calls
}

// Extension is a sequence of base operations that is meant to be atomic, and
// what became of it.
type Extension struct {
	Package string
	// Function is the name as go doc prints it: "Get", "(*Registry).Get".
	Function string
	// Pos and End delimit the operation that breaks atomicity; of a region
	// that is not violated, its first operation.
	Pos, End token.Pos
	// Map and Key are the cell as the source writes it; Key is empty for an
	// atomic. Several cells are separated by ", ".
	Map, Key string
	// Operations are the base operations in order of position.
	Operations []Operation
	// Begins are those up to where it puts something there that it takes away in the end: others can come then.
	Begins      []Operation
	Environment absint.Environment
	Verdict     absint.Verdict
	// Assumption is what a verdict of verified stands on, empty if it stands by itself.
	Assumption absint.Assumption
	Category   absint.Category
	// Reported says that the finding is a diagnostic by default.
	Reported bool
	// Rule is the number of the rule that keeps a violation from being
	// reported by default, as docs/rules.md has it; empty if none does.
	Rule string
	// Confidence is that of a violation, and Evidence what there is for it, or
	// against it: one answer for each of the five assumptions of docs/verdicts.md.
	Confidence Confidence
	Evidence   []Evidence
	// Guard is the lock under which each of its critical sections runs, as the
	// source writes it; empty if it is about no plain memory.
	Guard string
	// guardFound says that it is a lock of what the first of them finds.
	guardFound bool
	// Owned says that it ends with the removal of an entry that the call itself has
	// stored, or means to have.
	Owned bool
	// Several says that it is about several cells; Transient that its
	// violation shows only to who looks while the call runs.
	Several, Transient bool
	// Stands are the functions that come together in a violation: Settle asks who calls
	// them.
	Stands []string
	// Meets are functions to which two goroutines have to come: Settle asks whether any do.
	// Expected says that the package itself only expects it.
	Meets    []callers.Point
	Expected bool
	// Keys are the same with the key that they come with: Settle asks whether any have one.
	Keys []callers.Point
	// Reason says why an unknown verdict is one, or why a violation is not
	// reported although those of its category are.
	Reason         string
	Lines          int
	Configurations int
	Elapsed        time.Duration
	// Region is the register program that was checked.
	Region  *register.Program
	Witness *absint.Witness
	// Message is the diagnostic's text, of a violation, and Repair what it says
	// would help.
	Message, Repair string
	// methods are what could be called in the place of the operation, and derived says that what it stores is made of what was found.
	methods methods
	derived bool
	// Fixes are rewrites with which it is none, of a reported one.
	Fixes []analysis.SuggestedFix
}

// publish is a finding as others get it.
func publish(pass *analysis.Pass, x evidence.Weighed) *Extension {
	plain := plainly(pass, &x)
	p := &Extension{
		Package: pass.Pkg.Path(), Function: x.Function(), Pos: x.Pos, End: x.End, Map: plain(x.Map), Key: plain(x.Key),
		Environment: x.Environment, Assumption: x.Assumption, Verdict: x.Verdict, Category: x.Category,
		Reported: x.Shown(), Rule: x.Rule(), Guard: plain(x.Guard), guardFound: x.GuardFound, Owned: x.In.Kept, Several: x.Several, Transient: x.Transient,
		Reason: cmp.Or(x.Why, x.Reason), Lines: x.Lines, Configurations: x.Configurations, Elapsed: x.Elapsed,
		Region: x.Region, Witness: renamed(x.Witness, plain), Stands: x.Stands, Meets: x.Meets, Expected: x.Expected, Keys: x.Keys,
	}
	for _, op := range x.Operations {
		p.Operations = append(p.Operations, Operation{op.Name, op.Pos, op.End, op.Plain, op.Text})
	}
	for _, op := range x.Begins {
		p.Begins = append(p.Begins, Operation{op.Name, op.Pos, op.End, op.Plain, op.Text})
	}
	if x.Case != nil {
		p.Confidence = x.Case.Confidence
		for _, s := range x.Case.Support {
			p.Evidence = append(p.Evidence, Evidence{s.Assumption.String(), s.Answer.String(), plain(s.Says), s.Pos, s.Rule})
		}
	}
	if x.Verdict == absint.Violation {
		p.methods, p.derived = methodsAt(pass, x.Pos, x.End), x.Derived
		p.Repair = p.repair()
		p.Message = p.message()
	}
	return p
}

// Evidence is what the code says of one assumption that a report makes.
type Evidence struct {
	// Assumption is W1 to W5, and Answer shown, likely or against.
	Assumption, Answer string
	// Says is why, and Pos where; NoPos if no one place gives the answer.
	Says string
	Pos  token.Pos
	// Rule is the number of the rule that speaks against it.
	Rule string
}

// Operation is one base operation of an extension.
type Operation struct {
	// Name is the method as the source calls it: "Load".
	Name     string
	Pos, End token.Pos
	// Plain says that it is an access to plain memory, and Name says which: "read".
	Plain bool
	// at is the position in the register program.
	at register.Pos
}
