// Package subject makes a type into a subject of Line-Up: it finds out what
// can be called on it and how an object is made, and writes the Go test file
// that has package lineup check it.
//
// Line-Up asks of its user for a list of invocations (section 1.1 of the
// paper) and says that it "can be automatically constructed by enumerating
// the interface methods of the object and enumerating possible values for
// each of the methods" (section 3.4). Here that is done with go/types:
//
//   - methods are the exported ones of the method set, promoted ones
//     included; what makes no sense as an operation (locks of an embedded
//     mutex, marshalling) or cannot be called is left out, with the reason;
//   - arguments are taken from a few values for each type: two distinct ones
//     where that is possible, so that calls can be told apart;
//   - a function argument is a stub that notes what it is called with, and
//     that is part of the call's results;
//   - generic types are instantiated, with int wherever the constraint allows;
//   - the object comes from NewT, MakeT, New or another constructor, or is a
//     zero value.
//
// The package runs where mapatom does. What it writes is compiled into the
// package under test.
package subject
