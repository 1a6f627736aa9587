// Package sched runs goroutines under a scheduler that we control: one runs
// at a time, and which one goes on at each step is chosen by a [Strategy]. An
// execution is thereby a function of its [Schedule], which is plain data: it
// can be printed, parsed and replayed.
//
// Code takes part through its imports. The packages sched/sync and
// sched/atomic are drop-ins for sync and sync/atomic: each operation first
// announces itself ([Thread.Step]), and a lock that is held disables its
// waiters instead of blocking them. Outside a controlled run they do what the
// originals do. Channels, select, timers and context stay as they are: the
// executions take place in a testing/synctest bubble, which knows when every
// goroutine is durably blocked, and whose time passes only when the scheduler
// says so.
//
// The thread that has the token decides at each of its steps who is next and
// hands the token over itself; the controller, which waits for the bubble to
// come to rest, is needed only when the holder blocked where we cannot see it
// (a channel), when nothing is left to run, and at the end. A step that does
// not switch therefore costs some tens of nanoseconds.
//
// The search is stateless, as in CHESS (Musuvathi and Qadeer, PLDI'07), with
// its preemption bound; spin loops are dealt with as in fair stateless model
// checking (Musuvathi and Qadeer, PLDI'08); PCT is Burckhardt et al.,
// ASPLOS'10. What a stuck execution is follows Line-Up (Burckhardt et al.,
// PLDI'10, section 2.3).
//
// The package imports the standard library only: its source is laid over the
// module of the user whose code is run.
package sched
