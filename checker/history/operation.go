package history

// A Value is an argument or a result in canonical text: JSON without spaces,
// keys in order. Two values are the same if their texts are.
type Value string

// An Operation is one call and its return, or a call alone.
type Operation struct {
	Thread  int    // index of History.Threads
	Object  string // "" if the history has only one object
	Method  string // as the program under test spells it
	Args    []Value
	Results []Value // nil for a pending operation
	// Call and Return are positions in the history, in any unit that is the
	// same for all operations. Return is Pending if there was none.
	Call, Return int64
	// Line is the line of the file on which the call stands, 0 if it was
	// read from none. It is for messages, and is no part of the operation.
	Line int32
}

// Pending reports whether the operation did not return.
func (o *Operation) Pending() bool { return o.Return == Pending }

// A History is what was observed of a program's operations. Readers of events
// give them in order of Call, and a Log gives them in the order of its rows.
type History struct {
	// Kind is the kind of every object, Unknown if the format does not say.
	Kind       Kind
	Threads    []string
	Operations []Operation
	// Stuck says that the pending operations are known to be blocked for
	// ever (Line-Up, section 2.3), not only cut off: written '#'.
	Stuck bool
	// Initial is the value of every register before its first write, "" if
	// the history does not say. MinFirst is as in Log.
	Initial  Value
	MinFirst bool
}
