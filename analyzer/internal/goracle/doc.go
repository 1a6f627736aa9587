// Package goracle judges functions that are written in Go by running them,
// compiled, in every interleaving that there is room for. It is what the
// analyzer's verdicts are compared with, and shares no code with it: the
// judge is the compiler's arithmetic, and a search that tries things out.
//
// A unit is Go text that declares a type U with maps and atomics as fields, or a
// built-in map and the lock that guards it: then a critical section is a step.
// Its exported methods are the functions that are judged, one at a time. The
// text may come from Generate, which makes it at random, or be written by
// hand. It is compiled twice, unchanged but for two imports: in the run,
// package sim's stand-ins take the place of sync and sync/atomic.
//
// The criterion is that of docs/verdicts.md: a run of a function with an
// environment in between is right if the same function, called at once at
// some place among the environment's steps, shows everybody the same.
//
// Conventions of the text: a parameter whose name begins with k is a key;
// names that begin with U, followed by lower-case letters, are the unit's
// own; a field that is a function may answer anything, and a call of one without
// results, or whose result is an error, is an effect.
package goracle
