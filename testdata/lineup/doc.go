// Package lineup has the classes of Table 2 of "Line-Up: A Complete and
// Automatic Linearizability Checker" (PLDI 2010), written in Go from what the
// paper says that they do, and the two counters of its section 2.2. They are
// the subjects of mapatom lineup: each is an ordinary Go type that knows
// nothing of it.
//
// A type whose name ends in Pre has the bug of the class's preview release,
// the one without has it fixed. Where the paper names a root cause (A to L),
// the comment of the type does too. The paper says of A and B what the
// mistake was; of C to K it says only what could be observed, and the
// mistakes here are ones that have that effect.
//
// README.md says what is found in which.
package lineup
