package oracle

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Programs that are generated or mutated are kept only if they are well
// formed: the oracle and the engine need not agree on what means nothing.

// wellFormed reports whether p has at most most base operations, removes
// Map cells only, keeps bools and other values apart, sets every local
// before it is read, and balances Enter and Leave.
func wellFormed(p *register.Program, most int) bool {
	return baseOps(p) <= most && removesMaps(p) && wellTyped(&Problem{Program: p}) && flows(p)
}

func baseOps(p *register.Program) int {
	n := 0
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			if b.Instrs[i].IsBase() {
				n++
			}
		}
	}
	return n
}

// removesMaps checks all uses of absent: it is written to Map cells only,
// expected of Map and Latch cells only, and used nowhere else.
func removesMaps(p *register.Program) bool {
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			in := &b.Instrs[i]
			if !in.IsBase() && slices.Contains(in.Args, register.Absent) {
				return false
			}
			if in.IsBase() && !fitsCell(in, p.Cells[in.Cell].Kind) {
				return false
			}
		}
		if slices.Contains(b.Term.Vals, register.Absent) {
			return false
		}
	}
	return true
}

func fitsCell(in *register.Instr, kind register.CellKind) bool {
	switch in.Op {
	case register.Write:
		return kind == register.Map || in.Args[0] != register.Absent
	case register.CAS:
		return (kind == register.Map || in.Args[1] != register.Absent) &&
			(kind != register.Atomic || in.Args[0] != register.Absent)
	}
	return true
}

// state is what holds on every path to a block.
type state struct {
	reached bool
	set     []bool // locals
	depth   int    // of Enter
}

// flows checks locals, and Enter and Leave, along all paths.
func flows(p *register.Program) bool {
	at := make([]state, len(p.Blocks))
	at[0] = state{reached: true, set: make([]bool, len(p.Names))}
	for _, l := range p.Params {
		at[0].set[l] = true
	}
	for changed := true; changed; {
		changed = false
		for i, b := range p.Blocks {
			if !at[i].reached {
				continue
			}
			out, ok := through(b, at[i])
			if !ok {
				return false
			}
			for _, to := range b.Term.To {
				ok, more := at[to].merge(out)
				if !ok || to == 0 {
					return false
				}
				changed = changed || more
			}
		}
	}
	return true
}

// merge adds a path; more says that this took locals away or reached the
// block, ok that the paths have the same depth.
func (s *state) merge(in state) (ok, more bool) {
	if !s.reached {
		*s = state{reached: true, set: slices.Clone(in.set), depth: in.depth}
		return true, true
	}
	for i, set := range in.set {
		if s.set[i] && !set {
			s.set[i], more = false, true
		}
	}
	return s.depth == in.depth, more
}

// through takes a state through a block. A later round may find fewer
// locals set and then fail: it starts from s, which it does not change.
func through(b *register.Block, s state) (state, bool) {
	s.set = slices.Clone(s.set)
	reads := func(os ...register.Operand) bool {
		return !slices.ContainsFunc(os, func(o register.Operand) bool {
			return o.IsNone() || o.Local != register.None && !s.set[o.Local]
		})
	}
	for _, in := range b.Instrs {
		if !reads(in.Args...) {
			return s, false
		}
		for _, l := range in.Dst {
			if l != register.None {
				s.set[l] = true
			}
		}
		switch in.Op {
		case register.Enter:
			s.depth++
		case register.Leave:
			s.depth--
		}
		if s.depth < 0 {
			return s, false
		}
	}
	switch b.Term.Kind {
	case register.Branch:
		return s, reads(b.Term.Cond)
	case register.Return, register.Panic:
		return s, reads(b.Term.Vals...) && s.depth == 0
	}
	return s, true
}
