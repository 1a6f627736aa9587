package ssaprog

import (
	"strings"

	"github.com/mapatom/mapatom/analyzer/internal/guards"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"golang.org/x/tools/go/analysis"
)

// programFact is what a function does to cells: its register program as text,
// without calls and without positions. It makes the function an operation in
// other packages, which do not see its body.
type programFact struct {
	Text string
	// Minor says that the program only takes locks or looks at atomics. A
	// package that calls nothing else has no extensions.
	Minor bool
}

// summaryFact says that calls of a function are pure, read only or fresh.
type summaryFact struct{ Class summary }

// lockFact says what a method does to its object, which may be a lock: see guards.ObjectOp.
type lockFact struct{ guards.ObjectOp }

// packageFact marks a package that has one of the facts above, so that other
// packages are spared the look at its functions.
type packageFact struct{}

// FactTypes are the Facts of this package.
var FactTypes = []analysis.Fact{new(programFact), new(summaryFact), new(packageFact), new(resultsFact), new(lockFact)}

// AFact makes programFact a Fact.
func (*programFact) AFact() {}

// AFact makes summaryFact a Fact.
func (*summaryFact) AFact() {}

// AFact makes lockFact a Fact.
func (*lockFact) AFact() {}

// AFact makes packageFact a Fact.
func (*packageFact) AFact() {}

// String names the operations of the program, in order of their text.
func (f *programFact) String() string {
	progs, err := register.Parse("fact", []byte(f.Text))
	if err != nil || len(progs) != 1 {
		return "broken program"
	}
	var words []string
	for _, blk := range progs[0].Blocks {
		for i := range blk.Instrs {
			if word := baseWord(&blk.Instrs[i]); word != "" {
				words = append(words, word)
			}
		}
	}
	return "operation: " + strings.Join(words, ", ")
}

// baseWord is the word of the text form for an operation on a cell or a lock;
// empty if the instruction is neither.
func baseWord(in *register.Instr) string {
	switch in.Op {
	case register.Read:
		return "read"
	case register.Write:
		return "write"
	case register.CAS:
		return "cas"
	case register.Lock:
		return "lock"
	case register.Unlock:
		return "unlock"
	}
	return ""
}

// String names the class.
func (f *summaryFact) String() string { return f.Class.String() }

// String says what the method does.
func (f *lockFact) String() string {
	switch {
	case f.Op == guards.FlagRelease:
		return "gives back its object"
	case f.When == guards.IfTrue:
		return "takes its object, if true"
	case f.When == guards.IfNil:
		return "takes its object, if no error"
	}
	return "takes its object"
}

// String says what the package has.
func (f *packageFact) String() string { return "operations" }
