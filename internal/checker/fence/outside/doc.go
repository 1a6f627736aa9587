// Package outside says of functions, from their source, whether they could
// reach what is outside of their process: files, the network, other processes.
// It is what stands between a program and the machine where there is no fence.
//
// A function reaches what it mentions: every function that is named in it, be it
// called, started as a goroutine, deferred or stored in a variable, for what is
// called later by way of a variable has been named before. A call of an
// interface's method reaches every method of that name and type whose receiver
// has all methods of the interface. All of a program's init functions and the
// initializers of its package variables run in any case, those of the packages
// that it imports included. What cannot be followed is taken to reach outside:
// calls by reflection, functions without a body (assembly, linkname), cgo, and
// packages whose source is missing. This is the call graph of class hierarchy
// analysis (Dean, Grove and Chambers, ECOOP'95), with functions as values
// called where they are named.
//
// The standard library is not read: a table says which of its packages reach
// outside, and which of their functions do not.
package outside
