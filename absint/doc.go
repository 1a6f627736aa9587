// Package absint decides whether a register program is one atomic step for all others
// who use its cells, and shows an interleaving if it is not.
//
// It suffices to look at one call of the program that is interrupted while everything
// else runs atomically (Theorem 1 of the ESOP'14 paper on encapsulated extensions). So
// the engine runs the program with symbolic values; between its operations the
// environment makes atomic steps, either any that a client could make or those of the
// package. Beside the actual run it keeps candidates: the ways in which the call could
// have come as one step so far, each with what the cells would hold. What the
// environment sees, and what the call returns in the end, kills those that disagree.
// Where none is left the path is a violation; where every path ends with one, or comes
// back to a configuration that was seen before, the program is verified; where the
// budget ends first, the answer is unknown.
//
// What runs in one piece, an atomic run of the call or a step of the package, is not
// followed way by way: it is walked block by block, and runs that differ only in answers
// of no consequence are joined. The steps of the package are walked once, into a
// relation between contents; what an atomic run would have to know of the actual one
// is a condition of its candidate.
//
// What can be moved together past all that others do is one step, and is not explored.
// What is too much to explore is tried in single runs. What could explain a concrete
// history is walked in the same way as an atomic run.
//
//	Problem        a program, and what others may do meanwhile
//	configuration  where the run is, its values, what is known of them, the candidates
//	Witness        a concrete interleaving, replayed before it is shown
//	Story          a witness in words
package absint
