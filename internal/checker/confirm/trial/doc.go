// Package trial runs a function with an extension of a concurrent map or
// atomic against other calls, and looks for results that the extension cannot
// have if it takes effect at once.
//
// It suffices to interrupt one call of the extension by steps that are atomic
// (Theorem 1 of the ESOP'14 paper on encapsulated extensions), so that a test
// is one call in thread A and a sequence of others in thread B, and an
// execution is given by how many base operations of the extension A has done
// when each of the others runs. Where that is none of them or all, for each,
// the extension ran undisturbed: these are the serial executions, and what is
// observed in them is the specification. An execution in which A is
// interrupted between its base operations, and whose observation is none of
// these, is the proof. What is observed is what the calls return (a panic is a
// result) and what the cells hold in the end; pointers are told apart.
//
// The calls are those of the static witness first, with all combinations of a
// few values as their arguments, then others. The package is compiled into the
// user's module beside the code that is run, and imports the standard library
// and the scheduler only.
package trial
