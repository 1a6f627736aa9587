package confirm

import (
	"time"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/internal/checker/confirm/trial"
)

// Finding is an extension that the static side takes to be violated.
type Finding struct {
	Package string
	// Function is the name as go doc has it: "(*Registry).Open".
	Function string
	// Position is where the finding is reported, for people.
	Position string
	// Category is empty for what is verified, and Undecided for what is unknown.
	Category string
	// Operations are the base operations of the extension.
	Operations []Operation
	// Open says that other packages may do anything with the cell.
	Open    bool
	Witness *absint.Witness
}

// Undecided is the category of extensions of which the analysis does not know
// whether they are atomic.
const Undecided = "unknown"

// violated reports whether the analysis takes the extension to be violated.
func (f *Finding) violated() bool { return f.Category != "" && f.Category != Undecided }

// Operation is a base operation: the method as the source calls it, and where.
type Operation struct {
	Name, File string
	Line       int
}

// Options bound what is done for each finding.
type Options struct {
	// Dir is a directory of the user's module; "" is the working directory.
	Dir string
	// Dependencies are packages or modules that are instrumented as well.
	Dependencies []string
	// Time and Memory bound the process that runs a finding; 0 is 10 seconds
	// and 1 GB.
	Time   time.Duration
	Memory int64
	// Preparation bounds loading and rewriting the packages, and then for each of them
	// writing and compiling the code that calls it; 0 is twelve times Time, and two
	// minutes at least.
	Preparation time.Duration
	// AllowIO runs code that reaches files, the network or other processes:
	// without a fence around it, or where there is none.
	AllowIO bool
	// Done is called after each finding, in order; it may be nil.
	Done func(Result)
	// Note is told what is not instrumented; it may be nil.
	Note func(text string)
}

// Result is what became of a finding.
type Result struct {
	Finding Finding
	trial.Report
	Elapsed time.Duration
}

// cannot is a result without a run.
func cannot(f Finding, reason string) Result {
	return Result{Finding: f, Report: trial.Report{Verdict: trial.CannotRun, Reason: reason}}
}
