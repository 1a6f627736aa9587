// Package record writes down what a running program does with a concurrent
// object: which operation was called when, and what came back when.
//
//	h := record.New(file, record.Options{Kind: history.Map})
//	defer h.Close()
//	...
//	op := h.Begin("Load", key)
//	v, ok := m.Load(key)
//	op.End(v, ok)
//
// "mapatom monitor" decides what was recorded, from the file or from a pipe
// while it is written.
//
// The key idea is that a recorder must not order what it records: a log under a
// lock is itself a synchronization, and hides the bugs that it is there to
// find. So events go to buffers that belong to a processor, or, with
// [Recorder.Thread], to a goroutine; the clock is the monotonic one, which all
// processors share; and the reader puts the buffers together by time. A call is
// written as well as a return, so that an operation which never came back is
// known to be pending.
//
// Buffers are written out when they are full, and twenty times a second. A
// program that is killed loses what was recorded since.
//
// docs/history-format.md describes the format.
package record
