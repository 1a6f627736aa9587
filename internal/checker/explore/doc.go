// Package explore visits every state that a small-step model of a concurrent
// object can reach, and decides whether all histories of it are linearizable.
//
// A [Model] is a program of small steps over shared words, a heap and registers;
// its threads call methods with nondeterministic choice, a bounded number each.
// Histories are decided while they grow, by an [Observer]: a deterministic
// automaton whose states are stored with those of the model. The modes differ in
// what the observer knows, and in which stored states stand for one that is found
// later (Doolan, Smith, Zhang and Krishnan, "Improving the scalability of automatic
// linearizability checking in SPIN", ICFEM 2017):
//
//	Internal  the whole history; the same words and the same history (section 2)
//	External  nothing; the same words (section 3, which misses violations)
//	Sound     what the history can mean; see below (in place of section 5.1)
//	Points    the object, changed where the model says; the same words and object
//
// # Why Sound is sound
//
// A candidate of a history is a state of the sequential object, together with
// which of the operations that have not returned have taken effect and with what
// result, that some linearization of the history leads to. C(h) is the set of all
// candidates of h. It is computed event by event: a call adds a pending operation
// to every candidate, and the set is closed under letting pending operations take
// effect; a return keeps the candidates in which the operation took effect with
// that result. Hence
//
//  1. h is linearizable if and only if C(h) is not empty, and
//  2. C is monotone: if C(g) is a subset of C(h), then C(g·e) is one of C(h·e),
//     for every continuation e.
//
// A state (words s, history h) is given up if (s, g) is stored with C(g) a subset
// of C(h). What can happen after it depends on s only. Take a continuation e such
// that h·e is not linearizable. By 1 and 2, C(g·e) is empty too, so that g·e is a
// violation, which starts at a stored state and is no longer. If a state on its
// way is given up for another, the same argument applies to the rest of e, which
// is shorter. So a violation is found if there is one. And nothing else is found,
// as each stored state has a history of the model that leads to it.
//
// The paper's own condition, that the two histories have a linearization in common,
// is not enough: let A and B overlap in g, and A return before B is called in h.
// Both can mean A, B. But if the state they lead to says that B came first, then
// the next operation shows that only g can mean that. TestCommonLinearization has
// this as a model: the condition misses the violation, and the inclusion does not.
//
// # Reductions
//
// A call is taken together with the first atomic step of its operation, a return
// with the last step, and private steps with the atomic step before them: this is
// the partial-order reduction. Private steps commute with everything that other
// threads do, and no call or return is moved past another one but to make
// operations shorter. The history of any run has the same operations with the
// same results as one of those that are explored, and in the latter operations
// are as short as they can be: whatever precedes in the former precedes in the
// latter. So if all of these are linearizable, all are.
//
// States that differ only in the names of threads, values or nodes are one. This
// needs a model that treats them alike, which TestNaive checks by counting the
// classes in another way: nodes have no fixed numbers, and values are moved and
// compared, nothing else. Nodes that cannot be reached do not count.
//
// The search itself is that of package reach, which snapshot algorithms go through
// as well (package snapshot/verify): levels are explored by several goroutines, in
// batches whose results are stored in an order that does not depend on them, so
// that counts and counterexamples are the same in every run.
package explore
