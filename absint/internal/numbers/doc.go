// Package numbers says what is known of integers of which only some relations are: which of their bits are set, and
// between which two numbers they are.
//
// A path through a program says of its numbers what it has asked, and what it has calculated:
//
//	n = x << 2, n == x, x >= 3
//
// Nothing is found by trying here, as there are no such numbers. What is known of each is a Set, and each relation takes out
// of the sets of its numbers what it leaves no room for: the lowest two bits of n are clear, as those of x are, so that
// two more of n are, and in the end x is zero. If a set is empty, nobody comes this way. The other way round says
// nothing: the sets do not know what two numbers have to do with each other.
//
// The intervals are those of Cousot and Cousot (POPL 1977, section 8), and the bits are known as in Regehr and Duongsaa,
// "Deriving Abstract Transfer Functions for Analyzing Embedded Software" (LCTES 2006, section 4).
package numbers
