package summary

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Branches counts the Branches of a program.
func Branches(p *register.Program) (n int) {
	for _, b := range p.Blocks {
		if b.Term.Kind == register.Branch {
			n++
		}
	}
	return n
}

// LeadsTo reports of each block whether one of some kind can follow, or is it.
func LeadsTo(p *register.Program, is func(*register.Block) bool) []bool {
	leads := make([]bool, len(p.Blocks))
	for changed := true; changed; {
		changed = false
		for b, blk := range p.Blocks {
			if !leads[b] && (is(blk) || slices.ContainsFunc(blk.Term.To, func(to int) bool { return leads[to] })) {
				leads[b], changed = true, true
			}
		}
	}
	return leads
}

// LeadsToOperation reports of each block whether an operation can follow, or is in it.
func LeadsToOperation(p *register.Program) []bool {
	return LeadsTo(p, func(b *register.Block) bool {
		return slices.ContainsFunc(b.Instrs, func(in register.Instr) bool { return in.IsBase() })
	})
}
