// Package analyzer finds sequences of calls on concurrent maps and atomics that are
// meant to be one atomic step, and decides of each whether it is one.
//
// The method is that of Zomer, Golan-Gueta, Ramalingam and Sagiv, "Checking
// Linearizability of Encapsulated Extended Operations" (ESOP 2014): an extension of an
// atomic map is reduced to a program over a register (package reduce), and two threads
// are enough to see whether that is linearizable (package absint).
//
// # The pipeline
//
//	a package under go/analysis
//	  | internal/guards     which lock guards which memory: a critical section is an operation
//	  | internal/ssaprog    which calls are operations; SSA -> register programs; Facts
//	  | internal/extension  which operations of a function belong together
//	  | internal/ownership  whose is a map, who else can have it, which way leads to it
//	  | internal/rivals     what others may do meanwhile: steps, locks, races, births
//	  | internal/judge      a problem for absint, and its answer: verdict and category
//	  | internal/topology   which goroutines come to which functions
//	  | internal/evidence   what there is for a violation, and what against it
//	  | internal/check      all of this, for each function of one package
//	  | internal/fix        rewrites that are atomic, checked by running the above again
//	  v
//	Result, and diagnostics in words (report.go, repair.go)
//
// Each room imports only those above it, and internal/house tests it. What others may
// import is this package, and catalog, config, directive and golangci beside it.
//
// # Rules
//
// What belongs together, what is shown, and what is rewritten is decided by three tables:
// X in internal/extension/rules.go, E in internal/evidence/rules.go, and F in
// internal/fix/rules.go. docs/rules.md has them for users. Of each rule there is code to
// which it applies, and code like it to which it does not.
//
// # Words
//
//	access       what one operation of the source does to a cell: a read, a write or both
//	birth        what a constructor puts into a map before anybody else can have it
//	cell         one entry of a map, or one atomic: a map identity and a key
//	environment  what other goroutines may do: anything (open), or what the package does
//	extension    operations that are meant to be one atomic step
//	Fact         what a package tells those that import it about its functions
//	group        the accesses of one extension, in the program of one function
//	operation    a call that is atomic by itself: Load, Store, a wrapper of one
//	region       the smallest part of a function's program that has a whole group
//	rival        a step of the package that can run between two accesses of a region
//	root         the identity of a map across functions: the memory that holds it
//	step         a region as others see it: run at once, from any state
//	wrapper      a function that does nothing but one operation
package analyzer
