package reduce

import (
	"slices"
	"strings"
)

// slice reduces a region to what decides its operations, its effects and
// its results (Weiser, "Program slicing", ICSE 1981), and completes it: the
// parameters are what is live on entry. Blocks in retry belong to a retry
// loop, where a call on a value that an earlier round read is no effect: a
// round that failed counts as never run.
func slice(p *Program, retry map[int]bool) {
	s := &slicer{p: p, flow: NewFlow(p), published: published(p)}
	s.influence = s.flow.From(outcomes(p))
	s.foldChecks()
	s.effects(retry)
	s.weaken()
	s.collapse()
	tidy(p)
	reorder(p)
	parameters(p)
	renumber(p)
}

type slicer struct {
	p         *Program
	flow      *Flow
	influence *Influence
	// published are the locals that can hold what is, or will be, in a cell.
	published localSet
	// needed are the locals whose value matters, matter the blocks in which
	// something happens that does.
	needed localSet
	matter []bool
}

// outcomes are the results of all base operations.
func outcomes(p *Program) []Local {
	var out []Local
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			if b.Instrs[i].IsBase() {
				b.Instrs[i].Defs(func(l Local) { out = append(out, l) })
			}
		}
	}
	return out
}

// published finds the locals that hold values read from or written to a
// cell, one of those given if any are, through copies and choices, in both directions.
func published(p *Program, cells ...int) localSet {
	set := newLocalSet(len(p.Names))
	mark := func(ops ...Operand) (changed bool) {
		for _, o := range ops {
			if o.Local != None && !set.has(o.Local) {
				set.add(o.Local)
				changed = true
			}
		}
		return changed
	}
	for changed := true; changed; {
		changed = false
		for _, b := range p.Blocks {
			for i := range b.Instrs {
				in := &b.Instrs[i]
				switch {
				case in.IsBase() && len(cells) > 0 && !slices.Contains(cells, in.Cell):
				case in.IsBase():
					if len(in.Dst) > 0 && in.Dst[0] != None {
						changed = mark(L(in.Dst[0])) || changed
					}
					changed = mark(in.Args...) || changed
				case in.Dst == nil || in.Dst[0] == None:
				case in.Op == Copy, in.Op == Pure && in.Name == "choose":
					vals := in.Args[len(in.Args)-min(2, len(in.Args)):]
					either := set.has(in.Dst[0])
					eachLocal(vals, func(l Local) { either = either || set.has(l) })
					if either {
						changed = mark(append(slices.Clone(vals), L(in.Dst[0]))...) || changed
					}
				}
			}
		}
	}
	return set
}

// foldChecks drops the checks that can only panic and that no operation
// has an influence on: sequential runs panic just the same.
func (s *slicer) foldChecks() {
	for b, blk := range s.p.Blocks {
		if blk.Term.Kind != Branch || !isCheck(s.p, &blk.Term) {
			continue
		}
		if l := blk.Term.Cond.Local; l != None && (s.influence.Locals[l] || s.influence.Blocks[b]) {
			continue
		}
		for i, to := range blk.Term.To {
			if s.p.Blocks[to].Term.Kind != Panic {
				blk.Term = Term{Kind: Jump, To: []int{blk.Term.To[i]}, Pos: blk.Term.Pos}
				break
			}
		}
	}
}

// effects keeps the effects on values that can be published, and drops all
// others and what is left of locks that no environment knows.
func (s *slicer) effects(retry map[int]bool) {
	n := Number(s.p)
	kept := make([][]Instr, len(s.p.Blocks))
	for b, blk := range s.p.Blocks {
		for _, in := range blk.Instrs {
			switch {
			case in.Op == Blocking:
				continue
			case in.Op == Effect && !strings.HasPrefix(in.Name, Then) && (!s.concerns(n, &in) || retry[b] && !isMutation(in.Name)):
				continue
			case in.Op == Effect:
				in.Args = s.withOwners(n, in.Args)
			}
			kept[b] = append(kept[b], in)
		}
	}
	// The numbering looks at the instructions as they are: change them last.
	for b, blk := range s.p.Blocks {
		blk.Instrs = kept[b]
	}
}

// isMutation reports whether an effect certainly changes something, as
// opposed to a call of which nothing is known.
func isMutation(name string) bool {
	kind, _, _ := strings.Cut(name, " ")
	return kind == "store" || kind == "send" || kind == "map" || name == "close" || name == "clear" || name == "copy"
}

// concerns reports whether an effect has an argument that is published or
// is a part of something published.
func (s *slicer) concerns(n *Numbering, in *Instr) bool {
	for _, a := range in.Args {
		if a.Local != None && (s.published.has(a.Local) || s.owner(n, a) != NoOperand) {
			return true
		}
	}
	return false
}

// owner is the published value that a is a part of, by field or address.
func (s *slicer) owner(n *Numbering, a Operand) Operand {
	for range len(s.p.Names) {
		if a.Local != None && s.published.has(a.Local) {
			return a
		}
		def, _ := n.Def(a)
		if def == nil || len(def.Args) == 0 || def.Args[0].Local == None {
			return NoOperand
		}
		a = n.Source(def.Args[0])
	}
	return NoOperand
}

// withOwners appends the owners of arguments that are parts, so that the
// effect is known to be one on them.
func (s *slicer) withOwners(n *Numbering, args []Operand) []Operand {
	out := slices.Clone(args)
	for _, a := range args {
		if a.Local == None || s.published.has(a.Local) {
			continue
		}
		if o := s.owner(n, a); o != NoOperand && !slices.Contains(out, o) {
			out = append(out, o)
		}
	}
	return out
}

// weaken makes those cas weak that expect a value read before and say
// whether they succeeded, or replace it by something that does not depend on
// it. Whoever sees such a cas fail and goes on is content: somebody else was
// faster. An expected literal is a state, not a version.
func (s *slicer) weaken() {
	for _, blk := range s.p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != CAS || in.Args[0].Local == None || !s.influence.Locals[in.Args[0].Local] {
				continue
			}
			told := len(in.Dst) > 1 && in.Dst[1] != None
			derived := in.Args[1].Local != None && s.influence.Locals[in.Args[1].Local]
			if told || !derived {
				in.Name = Weak
			}
		}
	}
}

// collapse replaces branches that decide nothing by a jump to where their
// ways meet again.
func (s *slicer) collapse() {
	tidy(s.p)
	s.flow = NewFlow(s.p)
	s.mark()
	post := PostDominators(s.p)
	for b, blk := range s.p.Blocks {
		if blk.Term.Kind == Branch && !s.decides(b) && post[b] >= 0 {
			blk.Term = Term{Kind: Jump, To: []int{post[b]}, Pos: blk.Term.Pos}
		}
	}
	for _, blk := range s.p.Blocks {
		blk.Instrs = slices.DeleteFunc(blk.Instrs, func(in Instr) bool {
			if !isSilent(in.Op) {
				return false
			}
			used := false
			in.Defs(func(l Local) { used = used || s.needed.has(l) })
			return !used
		})
	}
}

// decides reports whether something that matters depends on b's branch.
func (s *slicer) decides(b int) bool {
	for c, controls := range s.flow.controls {
		if s.matter[c] && slices.Contains(controls, b) {
			return true
		}
	}
	return false
}

// mark computes what matters, backwards from operations, effects and exits.
func (s *slicer) mark() {
	s.needed = newLocalSet(len(s.p.Names))
	s.matter = make([]bool, len(s.p.Blocks))
	for _, c := range s.p.Cells {
		eachLocal([]Operand{c.Map, c.Key}, s.needed.add)
	}
	for changed := true; changed; {
		changed = false
		for b, blk := range s.p.Blocks {
			if s.markBlock(b, blk) {
				changed = true
			}
		}
	}
}

func (s *slicer) markBlock(b int, blk *Block) bool {
	changed := false
	need := func(l Local) {
		if !s.needed.has(l) {
			s.needed.add(l)
			changed = true
		}
	}
	matters := func() {
		if !s.matter[b] {
			s.matter[b], changed = true, true
		}
	}
	for i := range blk.Instrs {
		in := &blk.Instrs[i]
		used := !isSilent(in.Op)
		in.Defs(func(l Local) { used = used || s.needed.has(l) && s.flow.assigned[l] > 1 })
		if used {
			matters()
		}
		in.Defs(func(l Local) { used = used || s.needed.has(l) })
		if used {
			in.Uses(need)
		}
	}
	if blk.Term.Kind == Return || blk.Term.Kind == Panic {
		matters()
		blk.Term.Uses(need)
	}
	if blk.Term.Kind == Branch && s.decides(b) {
		matters()
		blk.Term.Uses(need)
	}
	return changed
}

// parameters makes what is live on entry, and the keys and owners of the
// cells, the region's parameters.
func parameters(p *Program) {
	p.Params = nil
	add := func(l Local) {
		if !slices.Contains(p.Params, l) {
			p.Params = append(p.Params, l)
		}
	}
	for _, l := range Live(p).In(0, 0) {
		add(l)
	}
	defined := newLocalSet(len(p.Names))
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			b.Instrs[i].Defs(defined.add)
		}
	}
	for _, c := range p.Cells {
		eachLocal([]Operand{c.Map, c.Key}, func(l Local) {
			if !defined.has(l) {
				add(l)
			}
		})
	}
	slices.Sort(p.Params)
}
