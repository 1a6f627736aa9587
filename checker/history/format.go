package history

import (
	"fmt"
	"runtime"
)

// A Format is one of the ways to write a history down.
type Format uint8

// The formats. docs/history-format.md has them all.
const (
	Detect       Format = iota
	Intervals           // a line for an operation, as Fastlin and PolyLin have it
	Events              // our own: a line of JSON for a call or a return
	Observations        // Line-Up's observation file
	EDN                 // Jepsen's
	Recorded            // what package record writes, which is not text
)

var formatNames = [...]string{
	Detect:       "detect",
	Intervals:    "intervals",
	Events:       "events",
	Observations: "observations",
	EDN:          "edn",
	Recorded:     "recording",
}

// String gives the name of the format for messages and flags.
func (f Format) String() string { return formatNames[f] }

// ParseFormat is the inverse of String.
func ParseFormat(s string) (Format, error) {
	for f, name := range formatNames {
		if name == s {
			return Format(f), nil
		}
	}
	return Detect, fmt.Errorf("unknown format %q: want detect, intervals, events, observations, edn or recording", s)
}

// Options say how to read an input.
type Options struct {
	// Format is the format of the input; Detect looks for itself.
	Format Format
	// Kind is the kind of the objects if the input does not say it.
	Kind Kind
	// Workers is how many goroutines parse interval text; 0 means as many as
	// run at once.
	Workers int
}

// workers gives the number of goroutines to use.
func (o Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// An Input is what was read of one file.
type Input struct {
	Name   string
	Format Format
	// Logs has the objects one by one, if their kind is known: in order of
	// the file, or of their first operation.
	Logs []*Log
	// History is the history as a whole, of Events and EDN.
	History *History
	// Observations are the histories of Observations.
	Observations *ObservationFile
	// Truncated says of a recording that it was not closed: operations of the
	// last moments may be missing.
	Truncated bool
}
