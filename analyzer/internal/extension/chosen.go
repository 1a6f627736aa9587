package extension

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// A function that goes through a list, chooses one of it, and acts on that one afterwards, names it in two ways:
//
//	for _, b := range s.backends {
//		if b.active < b.limit && (best == nil || b.active < best.active) {
//			best = b
//		}
//	}
//	s.mu.Unlock()
//	...
//	s.mu.Lock()
//	best.active++
//
// What it has found of the one that it chooses is what it has found of an element. So it is looked at in a program of its own, in
// which there is one element: the loop is left with that, if it chooses it, and then both are one.

// maxChoices bounds the places where a loop chooses.
const maxChoices = 8

// Chosen are the extensions of a function on what a loop in it chooses, each in such a program. Those of its own program that
// leave out what it finds of the elements are no longer among its own.
func Chosen(fn *ssa.Function, f *Function) []*Function {
	var out []*Function
	for _, c := range f.Find.choices() {
		p := c.program(f.Find)
		if p == nil {
			continue
		}
		s := Sweep(fn, f, p)
		if s == nil {
			continue
		}
		out = append(out, s)
		f.Groups = slices.DeleteFunc(f.Groups, func(g Group) bool {
			return slices.ContainsFunc(g.Cells, func(cell int) bool { return c.isOf(f.Find, cell) }) && f.writesAs(g, s)
		})
	}
	return out
}

// writesAs reports whether all that a group changes is changed by the extensions of another program of the function. What
// becomes of one that is chosen no longer is not: there is one element there.
func (f *Function) writesAs(g Group, s *Function) bool {
	writes := func(f *Function, g Group) []register.Pos {
		return f.Positions(slices.DeleteFunc(slices.Clone(g.Accesses), func(a *register.Access) bool { return !a.Writes }))
	}
	var there []register.Pos
	for _, of := range s.Groups {
		there = append(there, writes(s, of)...)
	}
	own := writes(f, g)
	return len(own) > 0 && !slices.ContainsFunc(own, func(pos register.Pos) bool { return !slices.Contains(there, pos) })
}

// choice is a local that a loop assigns an element, in some blocks, where that is what it chooses.
type choice struct {
	local register.Local
	in    []int
	// header is where a round of the loop begins, and exit which way it goes on from there in the end.
	header, exit int
	// joins has the blocks that come to one of those in which it is assigned what is one element or the one before: what
	// they assign is the element.
	joins map[int][]int
}

// choices are those of a program of which what is in an element, or under a key, is looked at by both names.
func (f *finder) choices() []choice {
	var out []choice
	counts := register.DefCounts(f.prog)
	for _, c := range f.prog.Cells {
		l, of := f.chosenIn(c)
		if l == register.None || counts[l] < 2 || counts[l] > maxChoices {
			continue
		}
		if slices.ContainsFunc(out, func(c choice) bool { return c.local == l }) {
			continue
		}
		ch, ok := f.choiceOf(l, counts[l])
		if !ok {
			continue
		}
		if slices.ContainsFunc(f.prog.Cells, func(d register.Cell) bool {
			m, from := f.chosenIn(d)
			return m != l && from == of && f.chooses(&ch, m)
		}) {
			out = append(out, ch)
		}
	}
	return out
}

// chosenIn is the object in which a cell is, and what of it that is; or the key of an entry, and the map.
func (f *finder) chosenIn(c register.Cell) (register.Local, string) {
	if key := f.n.Source(c.Key); !c.Key.IsNone() && !key.IsLit() {
		return key.Local, f.n.Term(c.Map)
	}
	def, _ := f.n.Def(c.Map)
	if def == nil || len(def.Args) != 1 {
		return register.None, ""
	}
	return f.n.Source(def.Args[0]).Local, def.Name
}

// choiceOf is where a local that is assigned in so many places is chosen: it is a literal before the loop, and an element where
// a round of that ends.
func (f *finder) choiceOf(l register.Local, defs int) (choice, bool) {
	c := choice{local: l, header: -1}
	var before []int
	for b, blk := range f.prog.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if !slices.Contains(in.Dst, l) {
				continue
			}
			if in.Op != register.Copy {
				return c, false
			}
			if in.Args[0].IsLit() {
				before = append(before, b)
				continue
			}
			to := blk.Term.To
			if blk.Term.Kind != register.Jump || !register.Dominates(f.tree, to[0], b) || c.header >= 0 && c.header != to[0] {
				return c, false
			}
			c.header, c.in = to[0], append(c.in, b)
		}
	}
	if c.header < 0 || len(before)+len(c.in) != defs {
		return c, false
	}
	t := &f.prog.Blocks[c.header].Term
	for i, to := range t.To {
		if t.Kind == register.Branch && !f.leadsTo(to, c.header) && f.leadsTo(t.To[1-i], c.header) {
			c.exit = i
			return c, !slices.ContainsFunc(before, func(b int) bool { return !register.Dominates(f.tree, b, c.header) || f.leadsTo(c.header, b) })
		}
	}
	return c, false
}

// chooses reports whether an element is all that is chosen, and notes where that is decided before the round ends:
//
//	for i := 0; i < len(s.backends); i++ {
//		if be := s.backends[i]; be.free() {
//			best = be
//		}
//		n++
//	}
func (f *finder) chooses(c *choice, element register.Local) bool {
	c.joins = map[int][]int{}
	for _, b := range c.in {
		from := f.assigned(b, c.local)
		if from == element {
			continue
		}
		for at, blk := range f.prog.Blocks {
			if !slices.ContainsFunc(blk.Instrs, func(in register.Instr) bool { return slices.Contains(in.Dst, from) }) {
				continue
			}
			switch is := f.assigned(at, from); {
			case is == element && blk.Term.Kind == register.Jump && blk.Term.To[0] == b:
				c.joins[b] = append(c.joins[b], at)
			case is == register.None || is != c.local: // it may be something else
				return false
			}
		}
		if c.joins[b] == nil {
			return false
		}
	}
	return true
}

// assigned is what a block assigns to a local; nothing, if it does not, or assigns a literal.
func (f *finder) assigned(block int, to register.Local) register.Local {
	for _, in := range f.prog.Blocks[block].Instrs {
		if in.Op == register.Copy && in.Dst[0] == to {
			return f.n.Source(in.Args[0]).Local
		}
	}
	return register.None
}

// isOf reports whether a cell is in what is chosen.
func (c choice) isOf(f *finder, cell int) bool {
	l, _ := f.chosenIn(f.prog.Cells[cell])
	return l == c.local
}

// maxTail bounds the blocks after a loop, which are there twice then.
const maxTail = 150

// program is the one in which there is one element, if that is chosen or not; nil if it is too large.
func (c choice) program(f *finder) *register.Program {
	p := f.prog.Clone()
	for _, blk := range p.Blocks {
		for i := range blk.Instrs { // which are renamed
			in := &blk.Instrs[i]
			in.Dst, in.Args = slices.Clone(in.Dst), slices.Clone(in.Args)
		}
	}
	exit := p.Blocks[c.header].Term.To[c.exit]
	without := c.copyTail(p, exit)
	if without < 0 {
		return nil
	}
	p.Blocks[c.header].Term.To[c.exit] = without
	for b, blk := range f.prog.Blocks {
		for i, to := range blk.Term.To {
			switch {
			case to != c.header || !register.Dominates(f.tree, c.header, b):
			case slices.Contains(c.in, b) && c.joins[b] == nil:
				p.Blocks[b].Term.To[i] = exit
			default:
				p.Blocks[b].Term.To[i] = without
			}
		}
	}
	for _, join := range slices.Sorted(maps.Keys(c.joins)) {
		blk := copyBlock(p, p.Blocks[join], nil, nil)
		blk.Term.To = []int{exit}
		p.Blocks = append(p.Blocks, blk)
		for _, b := range c.joins[join] {
			p.Blocks[b].Term.To = []int{len(p.Blocks) - 1}
		}
	}
	takeAnyRound(p, f.prog, c)
	p.Prune()
	register.Tidy(p)
	register.Finish(p, register.MergeCells)
	return p
}

// copyTail adds a copy of what comes after the loop, for where nothing is chosen, and is the first block of that; it is
// negative if there is too much of it.
func (c choice) copyTail(p *register.Program, exit int) int {
	at := map[int]int{}
	var tail []int
	for work := []int{exit}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if _, done := at[b]; done || b == c.header {
			continue
		}
		at[b] = len(p.Blocks) + len(tail)
		tail = append(tail, b)
		work = append(work, p.Blocks[b].Term.To...)
	}
	if len(tail) > maxTail {
		return -1
	}
	rename := ownLocals(p, tail)
	for _, b := range tail {
		p.Blocks = append(p.Blocks, copyBlock(p, p.Blocks[b], at, rename))
	}
	return at[exit]
}

// copyBlock copies a block that leads to copies, with locals of its own.
func copyBlock(p *register.Program, of *register.Block, at map[int]int, rename map[register.Local]register.Local) *register.Block {
	operand := func(o register.Operand) register.Operand {
		if to, ok := rename[o.Local]; ok && !o.IsLit() {
			return register.L(to)
		}
		return o
	}
	operands := func(ops []register.Operand) []register.Operand {
		out := slices.Clone(ops)
		for i := range out {
			out[i] = operand(out[i])
		}
		return out
	}
	blk := &register.Block{Term: of.Term}
	for _, in := range of.Instrs {
		in.Dst, in.Args = slices.Clone(in.Dst), operands(in.Args)
		for i, d := range in.Dst {
			if to, ok := rename[d]; ok {
				in.Dst[i] = to
			}
		}
		if in.IsBase() {
			cell := p.Cells[in.Cell]
			cell.Map, cell.Key = operand(cell.Map), operand(cell.Key)
			if cell != p.Cells[in.Cell] {
				p.Cells = append(p.Cells, cell)
				in.Cell = len(p.Cells) - 1
			}
		}
		blk.Instrs = append(blk.Instrs, in)
	}
	blk.Term.To, blk.Term.Vals, blk.Term.Cond = slices.Clone(of.Term.To), operands(of.Term.Vals), operand(of.Term.Cond)
	for i, to := range blk.Term.To {
		if n, ok := at[to]; ok {
			blk.Term.To[i] = n
		}
	}
	return blk
}

// ownLocals are new names for the locals that are assigned in some blocks alone, and are of no use elsewhere.
func ownLocals(p *register.Program, blocks []int) map[register.Local]register.Local {
	elsewhere, assigned := register.NewLocalSet(len(p.Names)), []register.Local{}
	for _, l := range p.Params {
		elsewhere.Add(l)
	}
	for b, blk := range p.Blocks {
		for i := range blk.Instrs {
			if slices.Contains(blocks, b) {
				blk.Instrs[i].Defs(func(l register.Local) { assigned = append(assigned, l) })
				continue
			}
			blk.Instrs[i].Defs(elsewhere.Add)
			blk.Instrs[i].Uses(elsewhere.Add)
		}
		if !slices.Contains(blocks, b) {
			blk.Term.Uses(elsewhere.Add)
		}
	}
	rename := map[register.Local]register.Local{}
	for _, l := range assigned {
		if _, done := rename[l]; done || elsewhere.Has(l) {
			continue
		}
		own := p.NewLocal(p.Names[l])
		p.Declare(own, p.TypeOf(l))
		rename[l] = own
	}
	return rename
}

// takeAnyRound has the round be any: what counts the rounds is what the program is given.
func takeAnyRound(p, of *register.Program, c choice) {
	n := register.Number(of)
	for _, b := range c.in {
		for _, in := range of.Blocks[b].Instrs {
			if in.Op != register.Copy || in.Dst[0] == c.local {
				continue
			}
			next, _ := n.Def(in.Args[0])
			if next == nil || next.Name != "add" || next.Args[0] != register.L(in.Dst[0]) || slices.Contains(p.Params, in.Dst[0]) {
				continue
			}
			for _, blk := range p.Blocks {
				blk.Instrs = slices.DeleteFunc(blk.Instrs, func(old register.Instr) bool { return slices.Contains(old.Dst, in.Dst[0]) })
			}
			addParam(p, in.Dst[0])
		}
	}
}
