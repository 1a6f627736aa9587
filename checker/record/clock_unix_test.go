//go:build unix

package record_test

import "syscall"

// processorTime is how many nanoseconds of processor time the process has
// had: on a machine that others use as well, that is what an operation costs.
func processorTime() int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
