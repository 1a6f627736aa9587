// Package driver runs an Analyzer with Facts on packages that package packages
// has listed, and keeps what it says from one run to the next.
//
// The key idea is that of the go command's own cache: an answer is kept under a
// hash of all that decides it. For a package these are its files, the packages
// that it imports, by their own hashes, the go command's environment, and what
// the caller says of the program and its options. A run that finds the answers
// of all packages that were asked for reads their files and nothing else.
//
// Of what has to be analysed again:
//
//   - the standard library comes from the compiler's export data;
//   - an imported package is type-checked once, whoever imports it, and without
//     the bodies of its functions if its Facts are known;
//   - packages are analysed in parallel, imported ones first, as many at once as
//     memory allows, and nothing of their syntax is kept.
//
// An answer goes through its encoded form also when it is new, so that the first
// run and the second cannot say different things.
package driver
