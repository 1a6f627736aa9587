// Package reduce rewrites an extension of a concurrent map into register
// form: a small program whose only shared state is a set of registers.
//
// An extension is a region of a function that calls a map several times and
// is meant to be atomic. All that it can see of the map is the content of the
// cells that it touches: a cell is a pair of map identity and key, or one
// atomic variable. To the region, a linearizable map is no different from one
// register per cell, of the kind that Zomer, Golan-Gueta, Ramalingam and Sagiv
// call the generic register ("Checking Linearizability of Encapsulated
// Extended Operations", ESOP 2014, section 5.2). Its operations compose: any
// number of steps by others have the effect of one. That is what makes the
// register form of one cell easy to explore: between two operations it is
// enough to try one step of the environment.
//
// # Register form
//
// A [Program] is a control-flow graph over mutable locals. Each operation on
// a map becomes one of three atomic steps, with absent as a value that a
// register can hold beside the values of the program:
//
//	map operation           register form
//	Load, Get               old, had = read c
//	Has, Contains           _, had = read c
//	Store, Set              _, _ = write c, v
//	Swap                    old, had = write c, v
//	Delete, Remove          _, _ = write c, absent
//	LoadAndDelete, Pop      old, had = write c, absent
//	LoadOrStore             old, stored = cas c, absent, v
//	CompareAndSwap          _, ok = cas c, old, new
//	CompareAndDelete        _, ok = cas c, old, absent
//	Compute, Upsert, Add    enter; read; the callback; write; leave
//
// Operations on the whole map (Range, Len, Clear) have no register form,
// since no fixed set of registers holds what they see.
//
// Everything else the region does is one of four steps: [Pure] for what only
// depends on its arguments, [Fresh] for an allocation, [Unknown] for results
// that cannot be predicted, and [Effect] for what others can observe. See
// [Op] for all instructions, and [Program.String] for the text form.
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
// one, and a region is cut out. [Check] says what holds for a program after
// each of these. [Preds], [Dominators], [ControlDeps] and [Live] answer what
// these steps ask about its graph.
package reduce
