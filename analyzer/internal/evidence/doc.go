// Package evidence says what there is for a violation in the code, what speaks against
// it, and so whether it is shown.
//
// A report takes five things for granted (case.go). For each there is an answer with the
// place that gives it: what speaks for it is found in answers.go, together.go and harm.go,
// what speaks against it are the rules of the table in rules.go. The confidence follows.
//
// What makes a violation none is in the code of the package, in its form or in words:
// a value that nobody changes, an id that is drawn from a counter, one goroutine that
// does it all, a comment that asks callers to hold a lock. It is no proof, since callers
// may do otherwise; so the verdict stays.
package evidence
