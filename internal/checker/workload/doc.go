// Package workload makes the histories that checkers are tested, compared and
// measured with. Their answers are known beforehand, or can be found out without a
// checker.
//
//   - [Threads] has many threads call a correct object: histories of any
//     length, linearizable as they are made, or with one result spoilt;
//   - [Clients] are those of a service, whose calls time out and may find what is
//     old;
//   - [Mix], [Random] and [Container] make small histories with everything that
//     one may have: equal times, operations that do not return, values that occur
//     twice. About half are not linearizable; which, [Linearizable] says, which tries
//     all orders.
//
// What is made depends on the seed only.
package workload
