package search

import "github.com/mapatom/mapatom/checker/history"

// A line is the contents of a queue: a stretch of an array that it shares
// with the queues before and after it.
type line struct {
	shared *[]int64
	values []int64 // within *shared
	hash   uint64
}

// The hash of a line is the sum of its values' numbers times the powers of
// lineBase, the last value's being the zeroth. lineBase is odd, so that there
// are no values whose weight gets lost.
const lineBase = 0x9e3779b97f4a7c15

// queueSpec makes the specification of a queue. Powers of the base are needed up
// to the longest line there can be.
func queueSpec(l *history.Log) *spec[line] {
	powers := make([]uint64, 1, l.Len()+1)
	powers[0] = 1
	for range l.Len() {
		powers = append(powers, powers[len(powers)-1]*lineBase)
	}
	return containerSpec(l, container[line]{
		discipline: firstInFirstOut,
		push:       line.push,
		next: func(s line) (int64, bool) {
			if len(s.values) == 0 {
				return 0, false
			}
			return s.values[0], true
		},
		pop: func(s line) line {
			s.hash -= mix(uint64(s.values[0])) * powers[len(s.values)-1]
			s.values = s.values[1:]
			return s
		},
		equal: sameLines,
		hash:  func(s line) uint64 { return s.hash },
		size:  func(line) int64 { return 8 },
	})
}

// push appends a value. If nobody has appended to the shared array behind
// this line, it does so in place: nobody looks there. Somebody who has, has
// made it longer.
func (s line) push(v int64) line {
	n := len(s.values)
	s.hash = s.hash*lineBase + mix(uint64(v))
	if s.shared != nil {
		end := cap(*s.shared) - cap(s.values) + n // of the line in the array
		switch all := *s.shared; {
		case end < len(all) && all[end] == v:
			s.values = s.values[: n+1 : cap(s.values)]
			return s
		case end == len(all) && end < cap(all):
			*s.shared = append(all, v)
			s.values = s.values[: n+1 : cap(s.values)]
			return s
		}
	}
	all := make([]int64, n+1, 2*n+8)
	copy(all, s.values)
	all[n] = v
	s.shared, s.values = &all, all
	return s
}

// sameLines compares what is inside, wherever in their arrays it is.
func sameLines(a, b line) bool {
	if a.hash != b.hash || len(a.values) != len(b.values) {
		return false
	}
	for i, v := range a.values {
		if v != b.values[i] {
			return false
		}
	}
	return true
}
