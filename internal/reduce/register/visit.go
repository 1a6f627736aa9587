package register

import (
	"slices"
	"strconv"
)

// MoreVisited is the site of an Unknown that says whether a range has more entries to come to.
const MoreVisited = "range"

// maxRound bounds the instructions of a round that is written down again.
const maxRound = 60

// VisitKnown has a range over a map that a lock guards come to the entries that the same critical section
// knows of, each of them once:
//
//	m[k] = v
//	for key, x := range m {
//		if x == v { delete(m, key) } // k is deleted
//	}
//
// A round that touches nothing but its own entry, and leaves nothing to the next one, can be made
// first. What else the range comes to, and whether to anything, is not known.
func VisitKnown(p *Program) (changed bool) {
	var loops []Loop
	for _, l := range Loops(p) {
		if l.Head > 0 && slices.ContainsFunc(p.Blocks[l.Head].Instrs, func(in Instr) bool { return in.Site() == VisitedKey && in.Op == Unknown }) {
			loops = append(loops, l)
		}
	}
	if len(loops) == 0 {
		return false
	}
	n, known, live := Number(p), knownAt(p), Live(p)
	for _, l := range loops {
		r, ok := newRound(p, l, live)
		if !ok {
			continue
		}
		of := n.Path(p.Cells[r.cell].Map)
		for k, c := range p.Cells {
			if k != r.cell && c.Kind == Map && c.Guarded && n.Path(c.Map) == of && known(c.Key, l.Head, 0) && r.together(k) {
				r.first(k)
				changed = true
			}
		}
	}
	return changed
}

// round is one of a range over a map.
type round struct {
	p    *Program
	loop Loop
	// key is the local that has the key of the round, cell its entry, and held the sections it is made in.
	key  Local
	cell int
	held []int
	defs []Local
	// to is where the loop is entered.
	to int
}

// newRound is a round of a loop that touches only its own entry, and leaves nothing behind.
func newRound(p *Program, l Loop, live *Liveness) (r *round, ok bool) {
	r = &round{p: p, loop: l, cell: -1, to: l.Head}
	size := 0
	for _, in := range p.Blocks[l.Head].Instrs {
		switch {
		case in.Op == Unknown && in.Site() == VisitedKey:
			r.key = in.Dst[0]
		case in.Op == Read && r.cell < 0:
			r.cell, r.held = in.Cell, in.Held
		}
	}
	if r.cell < 0 || p.Cells[r.cell].Key != L(r.key) || len(r.held) == 0 || r.held[0] < 0 {
		return nil, false
	}
	for _, b := range l.Blocks {
		blk := p.Blocks[b]
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if !IsSilent(in.Op) && !(in.IsBase() && in.Cell == r.cell && in.Name != Every) {
				return nil, false
			}
			in.Defs(func(l Local) { r.defs = append(r.defs, l) })
			size++
		}
		if b != l.Head && slices.ContainsFunc(blk.Term.To, func(to int) bool { return !l.Contains(to) }) {
			return nil, false
		}
	}
	left := live.In(l.Head, 0)
	for _, to := range p.Blocks[l.Head].Term.To {
		if !l.Contains(to) {
			left = append(slices.Clone(left), live.In(to, 0)...)
		}
	}
	return r, size <= maxRound && !slices.ContainsFunc(left, func(l Local) bool { return slices.Contains(r.defs, l) })
}

// together reports whether a cell is touched in the same sections.
func (r *round) together(cell int) bool {
	return slices.ContainsFunc(r.p.Blocks, func(blk *Block) bool {
		return slices.ContainsFunc(blk.Instrs, func(in Instr) bool {
			return in.IsBase() && in.Cell == cell && slices.Equal(in.Held, r.held)
		})
	})
}

// first has the loop begin with a round for a cell, if there is something.
func (r *round) first(cell int) {
	p, at := r.p, map[int]int{}
	for i, b := range r.loop.Blocks {
		at[b] = len(p.Blocks) + i
	}
	own := map[Local]Local{}
	for _, l := range r.defs {
		if _, is := own[l]; !is {
			own[l] = p.NewLocal(p.Names[l])
			p.Declare(own[l], p.TypeOf(l))
		}
	}
	var blocks []*Block
	for _, b := range r.loop.Blocks {
		blocks = append(blocks, r.again(p.Blocks[b], b == r.loop.Head, cell, own, at))
	}
	before := p.Blocks
	p.Blocks = append(p.Blocks, blocks...)
	for b, blk := range before {
		for i, to := range blk.Term.To {
			if to == r.to && !r.loop.Contains(b) {
				blk.Term.To[i] = at[r.loop.Head]
			}
		}
	}
	r.to = at[r.loop.Head]
}

// again is a block of the round for a cell, which goes on with the loop.
func (r *round) again(blk *Block, head bool, cell int, own map[Local]Local, at map[int]int) *Block {
	renamed := func(o Operand) Operand {
		if l, is := own[o.Local]; is && o.Local != None {
			return L(l)
		}
		return o
	}
	out := &Block{Term: blk.Term}
	for _, in := range blk.Instrs {
		in.Dst, in.Args = slices.Clone(in.Dst), slices.Clone(in.Args)
		switch {
		case head && in.Op == Unknown && in.Site() == VisitedKey:
			in.Op, in.Name, in.Args = Copy, "", []Operand{r.p.Cells[cell].Key}
		case head && in.Op == Unknown && in.Site() == MoreVisited:
			in.Op, in.Name, in.Args = Copy, "", []Operand{Lit(LitTrue)}
		case in.Op == Unknown && in.Name != Undef, in.Op == Fresh:
			in.Name += "." + strconv.Itoa(cell)
		case in.IsBase():
			in.Cell = cell
		}
		for i, d := range in.Dst {
			if l, is := own[d]; is && d != None {
				in.Dst[i] = l
			}
		}
		for i, a := range in.Args {
			in.Args[i] = renamed(a)
		}
		out.Instrs = append(out.Instrs, in)
	}
	out.Term.Cond = renamed(blk.Term.Cond)
	out.Term.To = slices.Clone(blk.Term.To)
	for i, to := range out.Term.To {
		switch next, inside := at[to]; {
		case inside && to != r.loop.Head:
			out.Term.To[i] = next
		default: // the next round, or none: the others come first
			out.Term.To[i] = r.to
		}
	}
	return out
}
