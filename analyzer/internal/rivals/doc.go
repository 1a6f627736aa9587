// Package rivals finds what other goroutines can do to a map while an extension runs.
//
// A World has the steps of a package, which are its extensions and its other writes,
// each run at once, and what constructors leave in a
// map before anybody else has it. A step is no rival if a lock keeps it away
// (locks.go, entry.go), if it would be a data race (races.go), or if the one goroutine
// that runs the extension makes it as well.
//
// Which lock guards what is found here, and nowhere else: LockAnalysis names a lock by
// the way from it to the map, Section asks whether accesses lie under one that the
// writers respect.
package rivals
