package rivals

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// A step is cut out of a function that may have put there before what it looks at then:
//
//	s.mu.Lock(); s.m[k] = v; s.mu.Unlock()
//	…
//	s.mu.Lock(); s.m[k] = s.m[k]; s.mu.Unlock() // never stores nil, if nobody takes anything away
//
// So it is made where there is something, and does nothing elsewhere.

// storesAny reports whether a program writes something.
func storesAny(p *register.Program) bool {
	return slices.ContainsFunc(p.Blocks, func(b *register.Block) bool {
		return slices.ContainsFunc(b.Instrs, func(in register.Instr) bool { return in.Op == register.Write || in.Op == register.CAS })
	})
}

// onlyThere has a program go on after a read in its first block only if that has found something. Whoever finds nothing tells nothing.
func onlyThere(p *register.Program, read int) {
	first := p.Blocks[0]
	in := &first.Instrs[read]
	in.Dst = slices.Clone(in.Dst)
	for len(in.Dst) < 2 {
		in.Dst = append(in.Dst, register.None)
	}
	if in.Dst[1] == register.None {
		in.Dst[1] = p.NewLocal("had")
		p.Declare(in.Dst[1], register.Type{Kind: register.Bool})
	}
	results := 0
	for _, b := range p.Blocks {
		if b.Term.Kind == register.Return {
			results = len(b.Term.Vals)
		}
	}
	rest := &register.Block{Instrs: slices.Clone(first.Instrs[read+1:]), Term: first.Term}
	none := &register.Block{Term: register.Term{Kind: register.Return, Pos: first.Term.Pos}}
	for range results {
		none.Term.Vals = append(none.Term.Vals, register.Lit(register.LitUnseen))
	}
	n := len(p.Blocks)
	p.Blocks = append(p.Blocks, rest, none)
	first.Instrs = first.Instrs[:read+1]
	first.Term = register.Term{Kind: register.Branch, Cond: register.L(in.Dst[1]), To: []int{n, n + 1}, Pos: first.Term.Pos}
}
