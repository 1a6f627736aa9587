// Package reduce rewrites an extension of a concurrent map into register
// form: a small program whose only shared state is a set of registers.
//
// An extension is a region of a function that calls a map several times and
// is meant to be atomic. All that it can see of the map is the content of the
// cells that it touches: a cell is a pair of map identity and key, or one
// atomic variable. Package register is the language, and says which operation
// of a map becomes which step on a cell.
//
// Operations on the whole map (Range, Len, Clear) have no register form,
// since no fixed set of registers holds what they see.
//
// # What is preserved
//
// Of a run of the region: the order of its operations on each cell and what
// they return, how it exits and with which values, and in which order it has
// effects on values that were in a cell. Everything that others cannot see
// may change: which block computes what, names, effects on values that never
// were in a cell, logging and metrics, and time.
//
// Both kinds of error are possible where the source says less than it should.
// A call that is taken to be pure, or without effect, can hide a violation;
// an Unknown result can cause one that no run has.
//
// # Layout
//
// A function is lowered to a Program, calls are inlined, equal cells become
// one, and a region is cut out: [Lower], [Inline] and [Whole.Region]. What
// register.Check asks holds for a program after each of these.
package reduce
