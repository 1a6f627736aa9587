// Package topology finds in which goroutines the functions of a package run.
//
// What is not called from the package itself is entered from somewhere: other packages
// call what is exported, a go statement starts a goroutine, a server calls the handler
// that it was given. Of each function there are the entries from which it is reached,
// and of an entry, whether the code says that it runs in several goroutines at once.
//
// It says what is likely, and proves nothing: a function that is reached from two
// entries may still never run at the same time as itself.
package topology
