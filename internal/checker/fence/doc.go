// Package fence runs a program so that it can do no harm: it reads what it
// needs, writes only below folders that are given to it, starts no processes,
// signals none, and reaches no network.
//
// On Linux a process is started by way of this program itself: the same
// executable is run again, closes the fence around itself and then becomes the
// program. There is no moment at which code of the program runs outside, its
// init functions included. Files are the business of Landlock
// (https://docs.kernel.org/userspace-api/landlock.html, version 3 of its
// interface, which Linux 6.2 brought, or later); what Landlock leaves open, as
// the modes, owners and times of files, sockets, signals and new processes, is
// closed by a filter of system calls (seccomp).
//
// Elsewhere there is no fence ([Missing] says so), and what is to be run has to
// be read first: package fence/outside.
//
// Reading is no harm here: what was read has no way out but the output of the
// program, which its user sees.
package fence
