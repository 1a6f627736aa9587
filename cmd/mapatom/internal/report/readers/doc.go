// Package readers has what others read of mapatom's output read it: the schemas of SARIF
// and of docs/schema, and the parsers of reviewdog. It is a module of its own, so that
// nobody else downloads them.
package readers
