//go:build !unix

package main

import "time"

var started = time.Now()

// clock gives the time since the start, where there is no other.
func clock() time.Duration { return time.Since(started) }
