// Package register is the language of register programs: small control-flow
// graphs over local variables whose only shared state is a set of cells, which
// they touch by atomic operations. It knows nothing of Go's syntax or SSA.
//
// To an extension of a concurrent map, a linearizable map is no different from
// one register per cell, of the kind that Zomer, Golan-Gueta, Ramalingam and
// Sagiv call the generic register ("Checking Linearizability of Encapsulated
// Extended Operations", ESOP 2014, section 5.2). Its operations compose: any
// number of steps by others have the effect of one. That is what makes one cell
// easy to explore: between two operations it is enough to try one step of the
// environment.
//
// # The language
//
// Each operation on a map is one of three atomic steps, with absent as a value
// that a register can hold beside the values of the program:
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
// Everything else is one of four steps: [Pure] for what only depends on its
// arguments, [Fresh] for an allocation, [Unknown] for results that cannot be
// predicted, and [Effect] for what others can observe. See [Op] for all
// instructions.
//
// # Layout
//
// [Program.String] and [Parse] are the text form, and [Check] says what holds
// for a program. [Preds], [Dominators], [ControlDeps] and [Live] answer
// questions about its graph, [Number] and [NewFlow] about its values. [Tidy],
// [MergeCells] and [Fold] simplify, and [Run] executes a program with concrete
// values.
package register
