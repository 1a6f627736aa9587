package analyzer

import (
	"go/token"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/reduce"
)

// Result is what the Analyzer finds in a package: every extension, also the
// verified ones. It is the Analyzer's ResultType.
type Result struct {
	// Extensions are ordered by position.
	Extensions []*Extension
	// Programs are the register programs of the functions that touch a
	// cell, in function form after inlining, ordered by position.
	Programs []*reduce.Program
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
	Operations  []Operation
	Environment absint.Environment
	// Locked says that the whole region lies in one critical section that
	// every other writer of the map respects; it is verified for that.
	Locked   bool
	Verdict  absint.Verdict
	Category absint.Category
	// Reported says that the finding is a diagnostic by default.
	Reported bool
	// Ignored says why a violation is not reported although it would be: the
	// directive or the configuration that leaves it out.
	Ignored string
	// Several says that it is about several cells; Transient that its
	// violation shows only to who looks while the call runs.
	Several, Transient bool
	// Reason says why an unknown verdict is one, or why a violation is not
	// reported although those of its category are.
	Reason         string
	Lines          int
	Configurations int
	Elapsed        time.Duration
	// Region is the register program that was checked.
	Region  *reduce.Program
	Witness *absint.Witness
	// Message is the diagnostic's text, of a violation.
	Message string
	// Fixes are rewrites with which it is none, of a reported one.
	Fixes []analysis.SuggestedFix
	fn    *ssa.Function
	// problem and rivals are what a violation of one cell was found for.
	problem absint.Problem
	rivals  []*worldStep
}

// Operation is one base operation of an extension.
type Operation struct {
	// Name is the method as the source calls it: "Load".
	Name     string
	Pos, End token.Pos
	// text is the position in the register program.
	text reduce.Pos
}
