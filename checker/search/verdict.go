package search

// A HistoryVerdict is the answer to the question whether a history is linearizable.
type HistoryVerdict uint8

// The three answers. Unknown is the zero value, so that an answer nobody
// gave is never read as one of the other two.
const (
	// Unknown says that a budget ran out or the context was cancelled
	// before there was an answer; nothing may be concluded from it.
	Unknown HistoryVerdict = iota
	// Linearizable says that a linearization exists.
	Linearizable
	// Violation says that no linearization exists.
	Violation
)

var verdictNames = [...]string{Unknown: "unknown", Linearizable: "linearizable", Violation: "violation"}

// String gives the verdict as reports spell it.
func (v HistoryVerdict) String() string { return verdictNames[v] }
