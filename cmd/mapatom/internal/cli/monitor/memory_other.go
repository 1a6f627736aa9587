//go:build !linux

package monitor

// largePages has nothing to ask for on this system.
func largePages(int64) {}
