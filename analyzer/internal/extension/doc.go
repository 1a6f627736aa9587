// Package extension finds which accesses of a function belong together.
//
// A later one that stands on what an earlier one found, or a value that is made of
// both, makes them one extension, on one cell or on several. The table in rules.go says
// when, and protocol.go what looks like it and is meant to be seen in between. It goes
// by the register program alone, whoever else has the map.
package extension
