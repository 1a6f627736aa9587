package search

// Options bound a search. The zero value sets the default bounds.
type Options struct {
	_ struct{}

	// Workers is the number of parts that are searched at once; 0 means
	// GOMAXPROCS. It does not change the answer.
	Workers int
	// Nodes bounds the steps taken in one part; 0 means no bound.
	Nodes int64
	// Memory bounds the bytes that the search of one part remembers visited
	// states in; 0 means 1 GiB. Memory that a user's states point to is not
	// counted, strings apart.
	Memory int64
	// Earliest asks for the violation that is the earliest in time, which
	// takes several searches. Without it the first part that has a violation
	// is reported, and later parts need not be searched.
	Earliest bool
	// Shrink asks for a small Core, which takes many searches.
	Shrink bool

	// leastTask replaces minTask in tests.
	leastTask int
}

const defaultMemory = 1 << 30

// A Reason says why a verdict is Unknown.
type Reason uint8

// The reasons, None for verdicts that are known.
const (
	None Reason = iota
	NodesUsedUp
	MemoryUsedUp
	Cancelled
	DeadlinePassed
)

var reasonPhrases = [...]string{
	None:           "",
	NodesUsedUp:    "the search used up its budget of steps",
	MemoryUsedUp:   "the search used up its budget of memory",
	Cancelled:      "the search was cancelled",
	DeadlinePassed: "the search ran out of time",
}

// String gives the reason as a phrase, "" for None.
func (r Reason) String() string { return reasonPhrases[r] }

// A Result is an answer and what stands behind it. Rows are indices of the
// operations as they were given.
type Result struct {
	_ struct{}

	Verdict HistoryVerdict
	// Reason is why the verdict is Unknown.
	Reason Reason
	// Linearization is, if the verdict is Linearizable, an order in which
	// the operations can have taken effect: every one that returned, and
	// those pending ones that the others need.
	Linearization []int32
	// Core is, if the verdict is Violation, a set of rows, ascending, that
	// are not linearizable by themselves and show that the whole is not.
	Core []int32
	// Earliest is, if it was asked for, the row of the operation whose return
	// ends the shortest prefix of the history that is not linearizable,
	// operations that have not returned by then being pending; otherwise, and
	// if that is not known, -1. With a user's model without Effects, which
	// knows nothing of pending operations, it is a return that no
	// linearization gets past.
	Earliest int32
	// Longest is, if the verdict is Violation, how far one can get: if
	// Earliest is known, a linearization of that prefix of the part without
	// its last return, else an order of some of the part's operations.
	Longest []int32
	// Part is the number of the part that Core is in; -1 if there is none.
	Part int
	// Parts is the number of independent parts.
	Parts int
	// Unjustified is the row of the pending operation that is blocked
	// although the model says that it would return; -1 if there is none.
	Unjustified int32
	// Nodes is the number of steps that were taken.
	Nodes int64
}
