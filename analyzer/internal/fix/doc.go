// Package fix rewrites a violated extension so that it is atomic.
//
// A rule recognizes a form in the syntax and the control flow, and edits it so that
// the function does the same as before when nobody else is about. Whether the result
// is atomic is not argued for: the package is analysed again with the edit in it, and
// only what is verified then is suggested (verify.go).
package fix
