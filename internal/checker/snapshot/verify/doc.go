// Package verify decides whether a snapshot algorithm is linearizable, by
// exploring all that its processes can do while something watches the
// operations that they invoke and return from: a state of the product is one
// of the algorithm and one of the watch, and a violation is a state in which the
// watch rejects (G. Amram, A. Hayoun, L. Mizrahi and G. Weiss, DISC 2022, theorem
// 17; see package snapshot).
//
// There are three modes, as in section 7 of the paper. In [Normal] mode every
// process may invoke everything, and the watch keeps all linearizations that are
// possible so far. In [Simple] mode the processes invoke what makes a simple
// history. In [Polynomial] mode they do too, and the watch is the automata of
// package snapshot, a few bits. The number of operations need not be bounded:
// the algorithms have finitely many states.
//
// # What is left out, and why nothing is lost
//
//	V1  An operation is invoked with its first step and returns with its last
//	    one. Any execution can be made such a one by invoking later and
//	    returning earlier, which orders more operations in time: if it is
//	    linearizable after that, it was before.
//	V2  Commands that concern segments that cannot change are left out of the
//	    program (section 6 of the paper), unless Options.Full is set.
//	V3  States that behave the same are one: see package algorithm.
//	V4  Processes that play the same part are not told apart, where the
//	    algorithm does not tell them apart either: of the states that differ in
//	    their names only, one is kept.
//
// States are kept whole and exactly, see package reach, which explores the
// product: verified means that every state was visited, not that it was with high
// probability. TestNaive has the states of an explorer that leaves nothing out,
// and finds as many classes of them as are stored.
//
// # The order
//
// States are visited in order of the number of operations that it takes to get
// there, so that a violation is shown with as few operations as it takes. Before all processes are let loose, few of them are: see
// [Run].
package verify
