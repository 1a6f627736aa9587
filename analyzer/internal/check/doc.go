// Package check finds and decides the extensions of one package, with the rooms of the
// analyzer in their order.
//
// A helper whose map is an argument is judged in its callers (bound.go), what is put
// together in another package is judged there (foreign.go), and of several functions
// that inline the same operations the smallest one has the finding (collect.go).
package check
