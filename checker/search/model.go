package search

// An Operation is one call of an object that a user's model describes, and
// its return. The interval from Call to Return is closed: an operation that
// returns at 20 and one that is called at 20 are concurrent. A clock may
// show the same time twice, and with half-open intervals a write called at 1
// and returning at 2 would have to come before a read called at 2, although
// the read was called first and the clock had not moved: a correct object
// would be accused.
type Operation[I, O any] struct {
	_ struct{} // literals name their fields, so that fields can be added

	Input I
	// Output is what came back. It means nothing in a pending operation,
	// one whose Return is history.Pending.
	Output       O
	Call, Return int64
}

// A Model is a deterministic sequential specification. Its functions are
// pure: they do not change a state that they are given, and they may be
// called from several goroutines at once.
type Model[S, I, O any] struct {
	_ struct{}

	// Init gives the state of a new object.
	Init func() S
	// Step reports whether a call of in can return out in the given state,
	// and the state after it.
	Step func(state S, in I, out O) (S, bool)
	// Effects gives the states that a call of in can lead to whatever it
	// returns; none if it cannot return in this state. It is asked for
	// pending operations only, and needed only if there are some.
	Effects func(state S, in I) []S

	// Equal says whether two states are the same; nil means ==.
	Equal func(a, b S) bool
	// Hash is the same for states that are Equal. Without Hash, but with an
	// Equal, the search compares more states.
	Hash func(state S) uint64
	// Partition splits the operations into parts that do not influence each
	// other, as lists of their indices: the history is linearizable if and
	// only if each part is. Nil means one part.
	Partition func(ops []Operation[I, O]) [][]int

	// ReadOnly is a hint that saves much time. It reports whether in with
	// the result out leaves every state as it is.
	ReadOnly func(in I, out O) bool
	// Blind is a hint that saves much time. It reports whether in can
	// return out in every state, and the state after it does not depend on
	// the state before: a plain write.
	Blind func(in I, out O) bool

	// Blocks reports whether a call of in cannot return in the state. It is
	// asked by CheckStuck only; nil means that Effects has no state.
	Blocks func(state S, in I) bool
}

// A NondeterministicModel is a specification that allows several states
// after the same step: a pool that gives any of its elements, a write that
// may or may not have been lost. The fields are those of Model, but for Init
// and Step, which give every state that is possible.
type NondeterministicModel[S, I, O any] struct {
	_ struct{}

	Init func() []S
	// Step gives the states after a call of in that returned out; none if
	// it cannot return out in this state.
	Step    func(state S, in I, out O) []S
	Effects func(state S, in I) []S

	Equal     func(a, b S) bool
	Hash      func(state S) uint64
	Partition func(ops []Operation[I, O]) [][]int

	ReadOnly func(in I, out O) bool
	// Blind promises, here, that the set of states after it does not depend
	// on the state before and is not empty.
	Blind func(in I, out O) bool

	Blocks func(state S, in I) bool
}
