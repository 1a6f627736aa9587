// Package ways says which instructions of a function can come after which, or must. Its key idea is that a block
// counts as reached from itself only by an edge, so that a question about a loop is the same question as any other.
package ways

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Reaches reports whether there is a way of at least one edge between two
// blocks that does not go through a third, if one is given.
func Reaches(from, to, avoid *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	work := slices.Clone(from.Succs)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] || b == avoid {
			continue
		}
		if seen[b] = true; b == to {
			return true
		}
		work = append(work, b.Succs...)
	}
	return false
}

// Loops reports whether a block can come to itself again.
func Loops(b *ssa.BasicBlock) bool { return Reaches(b, b, nil) }

// Follows reports whether b can run after a, in one run of their function.
func Follows(a, b ssa.Instruction) bool {
	return Earlier(a, b) || Reaches(a.Block(), b.Block(), nil)
}

// Before reports whether every way to b passes a, and a first.
func Before(a, b ssa.Instruction) bool {
	switch {
	case a.Parent() != b.Parent():
		return false
	case a.Block() != b.Block():
		return a.Block().Dominates(b.Block())
	default:
		return Earlier(a, b)
	}
}

// Earlier reports whether a and b are in one block, and a is before b there.
func Earlier(a, b ssa.Instruction) bool {
	instrs := a.Block().Instrs
	return a.Block() == b.Block() && slices.Index(instrs, a) < slices.Index(instrs, b)
}
