package lineup

import (
	"fmt"
	"strings"
	"time"

	"github.com/mapatom/mapatom/checker/history"
)

// TestVerdict is what a check of one test came to.
type TestVerdict uint8

// The verdicts.
const (
	// Unknown: the check came to no end.
	Unknown TestVerdict = iota
	// Passed: all histories that were seen can be explained.
	Passed
	// Failed: one cannot, whatever deterministic specification the type has.
	Failed
	// NotChecked: nothing was found, and nothing could have been: no call was
	// interrupted by another.
	NotChecked
)

var verdictNames = [...]string{"unknown", "passed", "failed", "not checked"}

// String returns the lower-case name.
func (v TestVerdict) String() string { return verdictNames[v] }

// MarshalText writes the name.
func (v TestVerdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads the name.
func (v *TestVerdict) UnmarshalText(text []byte) error {
	for i, name := range verdictNames {
		if name == string(text) {
			*v = TestVerdict(i)
			return nil
		}
	}
	return fmt.Errorf("found verdict %q, want one of %s", text, strings.Join(verdictNames[:], ", "))
}

// Cause is why a test failed.
type Cause string

// The causes.
const (
	// Nondeterministic: two serial executions went apart without a reason
	// that a caller could see.
	Nondeterministic Cause = "nondeterministic"
	// NoWitness: a concurrent history has results that no serial one has.
	NoWitness Cause = "no serial witness"
	// NoStuckWitness: an operation blocks for ever where in no serial history
	// it would.
	NoStuckWitness Cause = "stuck without a serial witness"
)

// Phase is what one of the two phases did.
type Phase struct {
	Executions int `json:"executions"`
	// Full and Stuck count different histories.
	Full  int `json:"full"`
	Stuck int `json:"stuck"`
	// CutOff counts executions that reached the bound on steps and so were
	// not judged.
	CutOff int `json:"cutOff,omitempty"`
	// Diverged counts executions that did not do what the same schedule had
	// done before: their histories are judged as all others, but some were
	// missed.
	Diverged int `json:"diverged,omitempty"`
	// Steps counts what the scheduler could have switched at, in all.
	Steps       int64 `json:"steps"`
	Nanoseconds int64 `json:"nanoseconds"`
	// Exhausted says that every schedule within the bound was run.
	Exhausted bool `json:"exhausted"`
}

// Duration is how long the phase took.
func (p Phase) Duration() time.Duration { return time.Duration(p.Nanoseconds) }

// Failure shows why a test failed.
type Failure struct {
	Cause Cause `json:"cause"`
	// History is the one that cannot be explained.
	History *history.History `json:"history"`
	// Blocked is the operation of History that has no stuck serial witness;
	// -1 if it is not about one.
	Blocked int `json:"blocked"`
	// Stuck says in which way the execution is: deadlock, livelock. Waiting
	// says of each of its threads that is left what it is about to do.
	Stuck   string   `json:"stuck,omitempty"`
	Waiting []string `json:"waiting,omitempty"`
	// Nearest are the serial histories that come closest to it: of a
	// nondeterministic subject, the one that it disagrees with.
	Nearest []*history.History `json:"nearest"`
	// Schedule runs the history again (sched.Parse); Preemptions is how many
	// it has.
	Schedule    string `json:"schedule"`
	Preemptions int    `json:"preemptions"`
}

// Coverage says which schedules of a test were run.
type Coverage struct {
	// Every schedule with at most Bound preemptions was run if Complete;
	// Unbounded stands for any number. Else some of them were.
	Bound    int  `json:"bound"`
	Complete bool `json:"complete"`
	// Preemptions is the most that an execution had.
	Preemptions int `json:"preemptions"`
	// Points is the most steps within calls that an execution had: where it
	// could have been interrupted. Interleaved counts the executions in which
	// one was.
	Points      int `json:"points"`
	Interleaved int `json:"interleaved"`
	// Reduced counts the executions under partial order reduction, of Equal
	// schedules that differ from one of them only in the order of steps which
	// have nothing to do with each other.
	Reduced int     `json:"reduced,omitempty"`
	Equal   float64 `json:"equal,omitempty"`
}

// String says it for a reader.
func (c Coverage) String() string {
	text := "every schedule"
	switch {
	case !c.Complete && c.Bound == Unbounded:
		text = "some of the schedules"
	case !c.Complete:
		text = fmt.Sprintf("some of the schedules with at most %s", preemptions(c.Bound))
	case c.Bound != Unbounded:
		text = fmt.Sprintf("every schedule with at most %s", preemptions(c.Bound))
	}
	if c.Bound != Unbounded && c.Preemptions > c.Bound {
		text += fmt.Sprintf(", some with up to %d", c.Preemptions)
	}
	return text
}

func preemptions(n int) string {
	if n == 1 {
		return "1 preemption"
	}
	return fmt.Sprintf("%d preemptions", n)
}

// Result is what a check of one test came to, and how.
type Result struct {
	Test    Test        `json:"test"`
	Verdict TestVerdict `json:"verdict"`
	// Reason says why the verdict is unknown.
	Reason  string   `json:"reason,omitempty"`
	Failure *Failure `json:"failure,omitempty"`
	// Serial is phase 1, Concurrent phase 2.
	Serial     Phase `json:"serial"`
	Concurrent Phase `json:"concurrent"`
	// Coverage says what phase 2 has gone through.
	Coverage Coverage `json:"coverage"`
	// Notes say what a reader should know besides.
	Notes []string `json:"notes,omitempty"`
}
