// Floor does what any program that judges a history must do, and no more: it
// reads a file of interval text (METHOD VALUE... START END), parses every line,
// and sorts all calls and returns. Its time is what monitor.sh measures mapatom against.
package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: floor FILE")
		os.Exit(2)
	}
	times, sum, err := parse(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "floor:", err)
		os.Exit(1)
	}
	slices.Sort(times)
	fmt.Println(len(times), sum)
}

// parse gives the instants of all operations, and the sum of all values, so
// that these are parsed too.
func parse(file string) (times []int64, sum int64, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, 0, err
	}
	times = make([]int64, 0, 2*bytes.Count(data, []byte("\n")))
	for n := 1; len(data) > 0; n++ {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte("\n"))
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		fields := bytes.Fields(line)
		if len(fields) < 4 {
			return nil, 0, fmt.Errorf("%s:%d: %d fields", file, n, len(fields))
		}
		for i, f := range fields[1:] {
			x, err := strconv.ParseInt(string(f), 10, 64)
			switch {
			case i >= len(fields)-3 && err != nil:
				return nil, 0, fmt.Errorf("%s:%d: %w", file, n, err)
			case i >= len(fields)-3:
				times = append(times, x)
			case err == nil: // a value may be a name as well
				sum += x
			}
		}
	}
	return times, sum, nil
}
