// Package lineup checks that a concurrent type is linearizable by running it: the
// two-phase check of Line-Up (Burckhardt et al., PLDI'10).
//
// A test is a few calls in a few threads. In the first phase the calls are made one
// after the other, in every order that the threads allow; what they return is the
// specification, so that nobody has to write one. In the second phase the threads run
// concurrently under the scheduler of package sched, and each history is held against
// the serial ones: if none has the same results and keeps the order of calls that did
// not overlap, the type is not linearizable, and the history is shown with the schedule
// that repeats it. Executions that get stuck are histories too.
//
// The package runs inside the user's module: in tests of the user's that call Check, or
// in one that mapatom writes. A Subject says what can be called, a Test what is, a Result
// what came of it.
package lineup
