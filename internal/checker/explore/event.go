package explore

// An EventKind says what happened in a history.
type EventKind uint8

// What happens in a history: calls, returns, and, for the mode Points, the
// places where operations are said to take effect.
const (
	Called EventKind = iota
	Returned
	TookEffect
)

// An Event is an entry of a history. It is comparable.
type Event struct {
	Kind     EventKind
	Thread   uint8
	Method   MethodID
	Argument byte  // of a method that takes one
	Result   Words // of a Returned
}

// Wrong is what an observer says if no history of a right object starts like
// this.
const Wrong = int32(-1)

// An Observer watches the history while a model is explored. It is a
// deterministic automaton, whose states are part of the explored states. Its
// methods are called by several goroutines at once.
type Observer interface {
	// Start is the state before the history.
	Start() int32
	// Next is the state after one more event, or Wrong.
	Next(state int32, e Event) int32
}

// A Renamer is an observer whose states mention threads or values, and which
// knows how to rename them. States of a model that differ only in names are
// told apart if its observer is not a Renamer.
type Renamer interface {
	Observer
	// Rename is the state with other names.
	Rename(state int32, r *Renaming) int32
	// Values is a mask of the values in the state; bit 0 is not used.
	Values(state int32) uint64
	// Compare orders states by what they are, whatever their numbers.
	Compare(a, b int32) int
}

// A Renaming gives threads and values other names. It is comparable.
type Renaming struct {
	Thread [maxThreads]uint8
	Value  [maxValues + 1]uint8 // [0] is 0
}
