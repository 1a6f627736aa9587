// Package readers has what others read of mapatom's output read it: the schemas of SARIF
// and of docs/schema, reviewdog, actionlint, Starlark for what docs/nogo.md has, and, with -npm, VS Code's
// problem matchers and the language server for YAML. It is a module of its own, so that
// nobody else downloads them.
package readers
