// Package search decides whether a history is linearizable with respect to
// any sequential specification, by search. The problem is NP-hard, so that
// there are histories that no budget is enough for; package monitor decides
// the known kinds of objects in log-linear time where that is possible.
//
// A user's specification is a [Model], or a [NondeterministicModel] if the
// same step can lead to several states; its Check method takes the operations
// of a history. [Log] and [Rows] have the specifications of the known kinds
// built in, and know more about them than a model can say.
//
// # The answer
//
// A [Result] has one of three verdicts. Linearizable comes with an order of
// the operations, Violation with operations that are not linearizable by
// themselves, Unknown with a [Reason]. The answer, all of it, is the same for
// the same operations and options: it does not depend on the number of
// workers, and on the time only if the context has a deadline.
//
// An operation that did not return, one whose Return is history.Pending, may
// have taken effect at any time since its call, or not at all. CheckStuck is
// for histories whose pending operations are known to be blocked for ever:
// then each has to be justified (Line-Up, section 2.3).
//
// # How it works
//
// A history falls into parts: what a model's Partition says, the keys of a
// map, the elements of a set. A part falls into stretches where an operation
// overlaps with no other and its result tells the state. Stretches are
// searched in parallel, first all of them with a small budget.
//
// The search itself tries the operations that may come next, depth first,
// and remembers the configurations that it has been in. Seven rules keep it
// from trying what leads nowhere or comes to the same; each is argued where
// it stands:
//
//	R1  read-only operations are taken as soon as they are possible
//	R2  writes that nobody sees are not taken one by one, but hidden
//	R3  pending operations that nobody sees are left out
//	R4  of operations that are alike, the one that returns first is first
//	R5  a register must not lose a value that somebody has yet to find
//	R6  values are not put where they cannot come out in time
//	R7  what will never come out of a container is forgotten
//
// R1, R2 and R4 work for a user's model too, the first two if it has the
// hints [Model.ReadOnly] and [Model.Blind]; the others need to know the kind.
// R5 to R7 look at single values. In the worst case time and memory are
// exponential in the number of operations that overlap, not in the length of
// the history, for registers, sets and maps; for stacks and queues, whose
// states tell their past, in the length too.
package search
