// Package instrument has the user's code take part in controlled executions.
// It rewrites the packages under test, in copies: imports of sync and
// sync/atomic become those of the drop-ins in checker/sched, goroutines
// become threads, and operations on channels and timers tell the scheduler.
// With [Config.Memory] plain reads and writes of shared variables do too.
//
// The copies, the scheduler's own source and generated tests are laid over the
// user's module with the go command's -overlay, so that no file of the user's
// is touched. Files in the module cache cannot be overlaid: a temporary -modfile
// has a dependency seem to be in a directory of another name, where its files
// are laid, which import the scheduler from the user's module. Every edit keeps
// its line, so positions in panics and compiler errors are those of the user's
// files.
//
// The rewritten packages are compiled before anything is run. One that no
// longer compiles, because it hands a lock to code that is not rewritten, say,
// is left as it is, and [Package.Reason] says why.
package instrument
