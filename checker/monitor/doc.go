// Package monitor decides in log-linear time whether the history of an
// object of a known kind is linearizable.
//
// It can do so because values are told apart: where every value goes in once,
// it is known which operation each result comes from, and what is left is a
// question about intervals. Sets need not even that. A history that does not
// tell its values apart is ambiguous; it goes to the general search, part by
// part, and the result names the two operations that are to blame.
package monitor
