package reduce

import "slices"

// maxInlined bounds the instructions that inlining adds to a program.
const maxInlined = 2000

// Inline returns a copy of p in which calls are replaced by the programs that
// lookup gives for their keys, up to the given depth of nesting. A call of a
// function that is unknown, or recursive, or too deep, or that would make the
// program too large, becomes an Effect and an Unknown. So the result has no
// calls left.
//
// Then the loads that one part of it takes for pure and another one writes to
// become unknown, checks for nil that cannot concern a cell are dropped, and
// cells are merged.
func Inline(p *Program, lookup func(key string) *Program, depth int) *Program {
	out := &Program{Name: p.Name, Stored: map[string]bool{}}
	in := &inliner{naming: newNaming(out), lookup: lookup, depth: depth}
	frame := in.rename(p)
	for _, param := range p.Params {
		out.Params = append(out.Params, frame[param])
	}
	in.splice(p, frame, nil)
	forgetStored(out)
	out.Prune()
	defineAll(out)
	pruneChecks(out)
	finish(out)
	return out
}

// Calls lists the Call instructions of p in block order.
func Calls(p *Program) []*Instr {
	var calls []*Instr
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			if b.Instrs[i].Op == Call {
				calls = append(calls, &b.Instrs[i])
			}
		}
	}
	return calls
}

// inliner builds the program of naming.
type inliner struct {
	*naming
	lookup func(key string) *Program
	depth  int
	stack  []string
	added  int

	// frame gives the locals of the program being copied their new ones,
	// and cells is the number of its first cell.
	frame []Local
	cells int
	cur   *Block
}

// rename makes new locals for those of src.
func (in *inliner) rename(src *Program) []Local {
	frame := make([]Local, len(src.Names))
	for i, name := range src.Names {
		frame[i] = in.local(name)
	}
	return frame
}

// splice copies the blocks of src, with the locals of frame. Where src returns,
// ret is called to end the block; without it, the Return stays. It gives the
// first of the new blocks.
func (in *inliner) splice(src *Program, frame []Local, ret func(vals []Operand, pos Pos)) int {
	outer := *in
	in.frame, in.cells = frame, len(in.p.Cells)
	for _, c := range src.Cells {
		c.Map, c.Key = in.operand(c.Map), in.operand(c.Key)
		in.p.Cells = append(in.p.Cells, c)
	}
	for s := range src.Stored {
		in.p.Stored[s] = true
	}
	first := len(in.p.Blocks)
	for range src.Blocks {
		in.p.Blocks = append(in.p.Blocks, &Block{})
	}
	for b, blk := range src.Blocks {
		in.cur = in.p.Blocks[first+b]
		for i := range blk.Instrs {
			in.instr(&blk.Instrs[i])
		}
		in.term(&blk.Term, first, ret)
	}
	in.frame, in.cells, in.cur = outer.frame, outer.cells, outer.cur
	return first
}

// operand is o in the new program.
func (in *inliner) operand(o Operand) Operand {
	if o.Local != None {
		return L(in.frame[o.Local])
	}
	return o
}

func (in *inliner) operands(ops []Operand) []Operand {
	var out []Operand
	for _, o := range ops {
		out = append(out, in.operand(o))
	}
	return out
}

func (in *inliner) locals(ls []Local) []Local {
	var out []Local
	for _, l := range ls {
		if l != None {
			l = in.frame[l]
		}
		out = append(out, l)
	}
	return out
}

// instr copies one instruction, or the program that it calls.
func (in *inliner) instr(i *Instr) {
	c := *i
	c.Dst, c.Args = in.locals(i.Dst), in.operands(i.Args)
	if i.IsBase() {
		c.Cell += in.cells
	}
	if i.Op == Call {
		in.call(c)
		return
	}
	in.emit(c)
}

func (in *inliner) emit(i Instr) {
	in.cur.Instrs = append(in.cur.Instrs, i)
}

// call inlines a call if it can.
func (in *inliner) call(c Instr) {
	var callee *Program
	if len(in.stack) < in.depth && !slices.Contains(in.stack, c.Name) {
		callee = in.lookup(c.Name)
	}
	if callee == nil || len(callee.Params) != len(c.Args) || in.added+size(callee) > maxInlined {
		in.opaque(c)
		return
	}
	in.added += size(callee)
	in.stack = append(in.stack, c.Name)
	frame := in.rename(callee)
	for i, param := range callee.Params {
		in.emit(Instr{Op: Copy, Dst: []Local{frame[param]}, Args: c.Args[i : i+1], Pos: c.Pos})
	}
	call, next := in.cur, &Block{}
	in.p.Blocks = append(in.p.Blocks, next)
	to := []int{len(in.p.Blocks) - 1}
	first := in.splice(callee, frame, func(vals []Operand, pos Pos) {
		for i, d := range c.Dst {
			if d != None && i < len(vals) {
				in.emit(Instr{Op: Copy, Dst: []Local{d}, Args: vals[i : i+1], Pos: pos})
			}
		}
		in.cur.Term = Term{Kind: Jump, To: slices.Clone(to), Pos: pos}
	})
	call.Term = Term{Kind: Jump, To: []int{first}, Pos: c.Pos}
	in.stack = in.stack[:len(in.stack)-1]
	in.cur = next
}

func size(p *Program) int {
	n := 0
	for _, b := range p.Blocks {
		n += len(b.Instrs)
	}
	return n
}

// opaque is a call of which nothing is known.
func (in *inliner) opaque(c Instr) {
	in.emit(Instr{Op: Effect, Name: c.Name, Args: c.Args, Pos: c.Pos})
	for _, d := range c.Dst {
		if d != None {
			in.emit(Instr{Op: Unknown, Dst: c.Dst, Name: in.site(c.Name), Args: c.Args, Pos: c.Pos})
			return
		}
	}
}

// term copies a terminator to the end of the current block.
func (in *inliner) term(t *Term, first int, ret func([]Operand, Pos)) {
	if t.Kind == Return && ret != nil {
		ret(in.operands(t.Vals), t.Pos)
		return
	}
	c := *t
	if t.Kind == Branch {
		c.Cond = in.operand(t.Cond)
	}
	c.Vals = in.operands(t.Vals)
	c.To = nil
	for _, s := range t.To {
		c.To = append(c.To, first+s)
	}
	in.cur.Term = c
}

// forgetStored turns the pure loads of memory that some part of p writes to
// into unknown ones.
func forgetStored(p *Program) {
	n := newNaming(p)
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != Pure {
				continue
			}
			name := in.Name
			if name == "load" && len(in.Args) == 1 {
				name = in.Args[0].Lit
			}
			if p.Stored[name] {
				in.Op, in.Name = Unknown, n.site(in.Name)
			}
		}
	}
}
