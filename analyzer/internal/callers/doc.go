// Package callers finds which goroutines come to a function, over all packages of a
// program.
//
// What other packages do with a function is not known when its own is analysed: they
// import that, and come later. So each package leaves what it calls (Find), and when all
// are there they are joined (Join). Then there are two questions: whether one goroutine makes
// all calls of some functions (Graph.One), which is asked against a violation, and whether two
// are seen to come to them (Graph.Meet), which is asked for it. Between them is what is not known.
//
// It goes by the text: a function that is kept as a value is taken to be called wherever
// one of its signature is, and a method wherever a method of its name and signature is called
// through an interface. What is given to code outside of the program may be called from
// anywhere. To see two come, a call that may be of any function is not enough.
package callers
