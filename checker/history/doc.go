// Package history holds what was observed of concurrent objects: which thread
// called what, when, and what came back.
//
// There are two forms of it. A [History] has operations in the words of the
// program under test, for any object, and is what pictures, Line-Up and the
// general search work with. A [Log] has one object of a known [Kind] as flat
// columns, for millions of operations. Each can be made of the other.
//
// [ReadInput] reads four formats, which docs/history-format.md describes:
// interval text (a million lines take a few hundredths of a second), events
// as JSON lines, Line-Up's observation files and Jepsen's EDN. There is a
// writer for each. Malformed input gives an [Error] with file, line, what was
// found and what was expected, and never anything half-read.
//
// An operation precedes another if it returned before the other was called.
// Operations that share an instant are concurrent.
package history
