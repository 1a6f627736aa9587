//go:build !linux

package main

// largePages has nothing to ask for on this system.
func largePages(int64) {}
