// Package gosource writes Go source for the user's packages: the test files with
// which package subject has Line-Up check a type and package confirm runs the code
// of a finding.
//
// A File knows the package that it is for: what it need not import, what it must
// not shadow, and which types it can name. Values gives expressions for a type,
// as people read them and as the file writes them. Line-Up says of the arguments
// of random tests that they can be made by "enumerating possible values" for each
// type (PLDI'10, section 3.4); confirm needs the same for the calls that it makes.
// What suits the one and not the other is a field of Values.
//
// Nothing here runs in the user's process.
package gosource
