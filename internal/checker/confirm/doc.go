// Package confirm has findings of the static analysis shown by the user's own
// compiled code. For each finding it writes a test into the user's package
// that calls the function and what else the package does with the cell, with
// arguments by type, and has package trial look for an execution that no
// serial one explains.
//
// The object comes from a constructor or is a zero value, or from a function
// of the user's that is marked
//
//	//mapatom:harness
//	func newStoreForMapatom() *Store { ... }
//
// and takes no parameters: it is called wherever a value of the type that it
// returns is needed, as an object or as an argument.
//
// A finding that is confirmed is real: the history that is shown took place.
// One that is not confirmed is not refuted by that: arguments, states and
// calls were tried, and how many is said.
package confirm
