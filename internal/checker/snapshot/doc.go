// Package snapshot decides whether histories of a snapshot object are
// linearizable: an array of segments that are written one at a time, by
// updates, and read several at once, by scans. A map whose keys are read
// together is one.
//
// # Simple histories
//
// In a simple history, a [Simple], all segments keep their first value but
// for two, and each of those changes once. An algorithm that does not look at
// the values is linearizable if and only if its simple histories are
// (G. Amram, A. Hayoun, L. Mizrahi and G. Weiss, "Polynomial-time verification
// and testing of implementations of the snapshot data structure", DISC 2022,
// theorem 5), and a simple history is linearizable if and only if it has three
// properties (theorem 10) that can be watched by an automaton, a [State].
// [Simple.Test] lets it run over the history, in time linear in its length.
// Package verify has it run beside an algorithm.
//
// # All other histories
//
// A [History] has operations that read and write any number of segments.
// [History.Check] decides it in one of three ways:
//
//   - by the automata, if it is simple;
//   - by order, if it is clear which update each value was read from and in
//     which order the updates of each segment took effect. Then every update
//     and every scan has its place, the history is linearizable if and only if
//     no operation has to come before itself, and a topological order is the
//     linearization. This is linear in the size of the history but for the
//     sorting of its calls and returns. The cycles are what J. Anderson's
//     shrinking lemma ("Composite registers", Distributed Computing 6, 1993)
//     forbids, and a violation is named after the property that is broken;
//   - by search, with package search and a budget, if neither is the case.
package snapshot
