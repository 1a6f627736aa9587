package search

import "github.com/mapatom/mapatom/checker/history"

// A plate is the top of a stack, and the stack below it. Nil is the empty
// stack. Stacks share what they have in common.
type plate struct {
	value int64
	below *plate
	hash  uint64
}

func (p *plate) sum() uint64 {
	if p == nil {
		return 0
	}
	return p.hash
}

// stackSpec makes the specification of a stack: a state is a pointer, pushing
// makes one node, and popping none.
func stackSpec(l *history.Log) *spec[*plate] {
	return containerSpec(l, container[*plate]{
		discipline: lastInFirstOut,
		push: func(s *plate, v int64) *plate {
			return &plate{value: v, below: s, hash: mix(s.sum() + mix(uint64(v)))}
		},
		next: func(s *plate) (int64, bool) {
			if s == nil {
				return 0, false
			}
			return s.value, true
		},
		pop:   func(s *plate) *plate { return s.below },
		equal: samePlates,
		hash:  (*plate).sum,
		size:  func(*plate) int64 { return 24 },
	})
}

// samePlates compares stacks down to what they share. Different hashes mean
// different stacks.
func samePlates(a, b *plate) bool {
	for ; a != b; a, b = a.below, b.below {
		if a == nil || b == nil || a.hash != b.hash || a.value != b.value {
			return false
		}
	}
	return true
}
