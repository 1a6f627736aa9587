// Package evidence decides whether a violation is shown, and if it is not, says why.
//
// What makes a violation none is in the code of the package, in its form or in words:
// a value that nobody changes, an id that is drawn from a counter, one goroutine that
// does it all, a comment that asks callers to hold a lock. It is no proof, since callers
// may do otherwise; so the verdict stays.
package evidence
