package judge

import (
	"go/token"
	"time"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Finding is an extension, and what became of it.
type Finding struct {
	In    *rivals.Function
	Group extension.Group
	// Pos and End delimit the operation that breaks atomicity; of a region
	// that is not violated, its first operation.
	Pos, End token.Pos
	// Map and Key are the cell as the source writes it.
	Map, Key string
	// Operations are in order of position.
	Operations []ssaprog.Operation
	// Begins are those up to where it puts something there that it takes away in the end.
	Begins      []ssaprog.Operation
	Environment absint.Environment
	Verdict     absint.Verdict
	// Assumption is what a verdict of verified stands on.
	Assumption absint.Assumption
	Category   absint.Category
	// Guard is the lock under which each part of it runs, as the source writes it;
	// empty if it is about no plain memory.
	Guard string
	// GuardFound says that the lock is one of what the first part of it finds: it cannot be held over that.
	GuardFound bool
	// Several says that it is about several cells; Transient that its
	// violation shows only to who looks while the call runs.
	Several, Transient bool
	// unwrapped says that what is verified is so as long as no counter comes to the end of its type.
	unwrapped bool
	// Looks are the fields of an entry that those who come in between change in place, if that is all they do: see Judge.Renewed.
	Looks []string
	// Brief says that it was looked at briefly, and is undecided so far.
	Brief bool
	// Reason says why an unknown verdict is one.
	Reason         string
	Lines          int
	Configurations int
	Elapsed        time.Duration
	// Region is the register program that was checked.
	Region  *register.Program
	Witness *absint.Witness
	// Problem and rivals are what a violation of one cell was found for.
	Problem absint.Problem
	Rivals  []*rivals.Step
}

// Function is the name of the function as go doc prints it.
func (x *Finding) Function() string { return x.In.Name }

// First is where its first operation is.
func (x *Finding) First() token.Pos {
	if len(x.Operations) == 0 {
		return x.Pos
	}
	return x.Operations[0].Pos
}
