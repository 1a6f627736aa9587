//go:build !unix

package record_test

// processorTime is known on Unix only.
func processorTime() int64 { return 0 }
