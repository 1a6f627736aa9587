package monitor

// An answer is what a monitor says of a log that it can decide.
type answer struct {
	ok bool
	// order is a linearization if ok, as row indices; pending rows that
	// never took effect are left out. It may be nil if nobody asked.
	order []int32
	// core is, if not ok, a set of rows that are not linearizable by
	// themselves, or as near to that as the monitor can tell; it is shrunk
	// afterwards.
	core []int32
	// reason is why the monitor has no answer; "" if it has. Then the rest
	// means nothing, and the general search takes over.
	reason string
	// unclear are, with a reason, two operations that the monitor cannot
	// tell apart; nil if there are none such.
	unclear []int32
	// open are parts of a map that are left to the general search, and
	// orders the linearizations of the others; see joinParts.
	open   []openPart
	orders [][]int32
}

// An openPart is a part of a log that a monitor has no answer for.
type openPart struct {
	rows []int32
	answer
}
