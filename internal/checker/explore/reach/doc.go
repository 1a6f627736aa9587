// Package reach visits every state that a transition system can reach, breadth
// first, with several goroutines. It is the one explorer of small-step models
// (package explore) and of snapshot algorithms (package snapshot/verify), which
// say what a state is, what follows it, and which of two states is enough.
//
// # States
//
// A state is a vector of bytes and a mark. The bytes are kept whole and exactly:
// no hash stands for them, so that nothing is lost by chance. Words of 8 bytes,
// then pairs of what stands for two neighbours, are numbered by tables, and at
// the root a state is one pair (A. Laarman, J. van de Pol and M. Weber, "Parallel
// recursive state compression for free", SPIN 2011). Successors differ from each
// other in few words and share the rest of their tree, so that a state of 300
// bytes takes about 30. The mark is the number of what watches the system, kept
// apart because such numbers depend on who comes first and nothing else may.
//
// # Length
//
// A move has the length 0 or 1, as the system says, and states are visited in
// the order of their distance from the start: a way that goes wrong is a shortest
// one.
//
// # Several goroutines
//
// States belong to shards by their hash. A batch of states is expanded first, by
// all goroutines; then the shards take up what was found, in the order of the
// batch. So nobody waits for a lock, and counts, the way that goes wrong, and
// where a budget ends the search do not depend on how many goroutines there are.
package reach
