// Package guards infers which lock guards which memory of a package.
//
// # Key idea
//
// Memory is looked at by class: a field of a struct type, or a package variable, or a
// map that is a variable of a function, for its literals.
// At each access, the locks that are certainly held are known from a forward
// analysis of the function (a must analysis, joined by intersection) that begins
// with what all callers of an unexported function hold. A lock is named by its way
// from the accessed memory: so many fields up to the struct that both lie in, and
// these fields down to the lock. So the same name means the lock of the same object
// in all functions. A class is guarded by the lock that every write outside of
// construction holds exclusively.
//
// This is the inference of lock-based race detectors, from Savage et al.'s locksets
// ("Eraser: A Dynamic Data Race Detector for Multithreaded Programs", TOCS 1997) to
// Blackshear et al.'s RacerD ("Compositional Static Race Detection", OOPSLA 2018).
// Here it is not used to find races: an access without the lock is told to whoever
// asks, and is no finding. It says which memory is a concurrent object whose atomic
// operations are the critical sections.
//
// # Words
//
//   - memory: a class of memory, named by the variable that declares it.
//   - section: what happens between taking a lock and releasing it.
//   - guard: the lock that guards a memory, relative to it.
//   - construction: what is done to an object before anybody else can have it.
package guards
