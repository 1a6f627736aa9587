// Package judge decides extensions: it makes a problem for package absint of a group of
// accesses and of what others do meanwhile, and a Finding of the answer.
//
// The category of a violation can be a milder one than the engine's, if what is stored
// follows from the key, so that two calls store the same (memo.go). Whether a violation
// is shown is not decided here: see package evidence.
package judge
