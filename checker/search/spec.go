package search

// A spec is a specification in the form that the engine works with: its
// operations are rows, and what a row says is the spec's own business.
type spec[S any] struct {
	init func() []S
	// step appends to buf the states after a row that returned.
	step func(s S, row int32, buf []S) []S
	// effects appends to buf every state that the call of the row can lead
	// to, whatever it returns.
	effects func(s S, row int32, buf []S) []S
	equal   func(a, b S) bool
	hash    func(s S) uint64
	// size is the memory that a state holds beyond S itself; nil if none.
	size func(s S) int64
	// blocks reports whether the call of the row cannot return.
	blocks func(s S, row int32) bool
	// traits says how a row may be moved about.
	traits func(row int32, isPending bool) trait
	// settles gives the state after a row that can have led to one state
	// only, whatever was before; nil if that is never so.
	settles func(row int32) (S, bool)
	// alike tells rows that are the same call with the same result, or the
	// same call if they are pending; nil if it cannot be told.
	alike *alike
	// flow is what a row of a register finds and leaves; nil for others.
	flow func(row int32, isPending bool) flow
	// value is the register's value in a state; it comes with flow.
	value func(s S) int64
	// content is what a row puts into a container or finds in it, and
	// discipline in what order things come out; nil for others.
	content    func(row int32, isPending bool) content
	discipline discipline
	// groups gives sets of rows, each of which can be left out of a history
	// that is linearizable: it stays so. Nil if there are none but those of
	// one read-only row each.
	groups func(rows []int32) [][]int32

	call, ret []int64 // of each row
}

// A trait says how an operation may be moved about.
type trait uint8

const (
	// readOnly operations never change a state. One that is possible can be
	// taken at once: later operations see the same states with or without
	// it, and nothing is left that has to come before it (rule R1).
	readOnly trait = 1 << iota
	// blind operations are possible in every state, and what was before does
	// not matter after them. A blind operation just before another one is
	// hidden: nothing can tell whether it took place (rule R2).
	blind
)

// alike compares rows. Rows that are the same have the same hash.
type alike struct {
	// costly says that comparing takes long: a search that may be easy goes
	// without it.
	costly bool
	hash   func(row int32, isPending bool) uint64
	same   func(a, b int32, isPending bool) bool
}

// A flow says which value a row of a register must find, and which it
// leaves.
type flow struct {
	needs, makes       int64
	hasNeeds, hasMakes bool
	// anything says that the row can leave any value.
	anything bool
}

// A cut is a place in a history: just after the return of row at the time
// at. What returns later is pending in the prefix that ends there.
type cut struct {
	at  int64
	row int32
}
