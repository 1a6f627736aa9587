package summary

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Nobody comes into a section. What was found in a cell there, or put into it, is what the
// next look in the same section finds:
//
//	mu.Lock()
//	for _, t := range timers { if t.at.After(now) { continue }; … }   // now is a cell
//	mu.Unlock()
//
// So the second look is a copy of what the first one found, and a loop that only looks is one
// without an operation: see WithoutIdleLoops. This is the elimination of redundant loads of
// compilers, with sections in the place of programs.

// inCell is what is known of a cell at a place: operands that are its content and whether
// there is one, nil if that is not known.
type inCell struct{ content, had *register.Operand }

// looked is what is known of each cell, nil at a place that nobody has come to.
type looked []inCell

// WithoutSecondLooks is p with each look that finds what is known replaced by copies; p
// itself if there is none.
func WithoutSecondLooks(p *register.Program) *register.Program {
	q := withLooksBefore(p)
	depths := register.OpenEnters(q)
	at := make([]looked, len(q.Blocks))
	at[0] = make(looked, len(q.Cells))
	for work := []int{0}; len(work) > 0; {
		b := work[0]
		work = work[1:]
		out := slices.Clone(at[b])
		depth := depths[b]
		for i := range q.Blocks[b].Instrs {
			depth = out.step(q, depth, &q.Blocks[b].Instrs[i])
		}
		for _, to := range q.Blocks[b].Term.To {
			if next, changed := at[to].and(out); changed {
				at[to] = next
				work = append(work, to)
			}
		}
	}
	replaced := false
	r := q.Clone()
	for b, blk := range r.Blocks {
		now, depth := at[b], depths[b]
		if now == nil {
			continue
		}
		now = slices.Clone(now)
		var ins []register.Instr
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			copies, is := now.copies(depth, in)
			depth = now.step(q, depth, in)
			if !is {
				copies = []register.Instr{*in}
			}
			replaced = replaced || is
			ins = append(ins, copies...)
		}
		blk.Instrs = ins
	}
	if !replaced {
		return p
	}
	return r
}

// and is what is known on both of two ways to a place.
func (k looked) and(l looked) (both looked, changed bool) {
	if k == nil {
		return slices.Clone(l), true
	}
	both = slices.Clone(k)
	same := func(a, b *register.Operand) bool { return a == nil || b != nil && *a == *b }
	for cell := range both {
		if !same(both[cell].content, l[cell].content) {
			both[cell].content, changed = nil, true
		}
		if !same(both[cell].had, l[cell].had) {
			both[cell].had, changed = nil, true
		}
	}
	return both, changed
}

// copies are what a look in a section can be replaced by.
func (k looked) copies(at register.EnterState, in *register.Instr) (out []register.Instr, is bool) {
	if in.Op != register.Read || at.Depth == 0 || !in.Yields() {
		return nil, false
	}
	of := k[in.Cell]
	for i, x := range []*register.Operand{of.content, of.had} {
		switch {
		case i >= len(in.Dst) || in.Dst[i] == register.None:
		case x == nil:
			return nil, false
		default:
			out = append(out, register.Instr{Op: register.Copy, Dst: []register.Local{in.Dst[i]}, Args: []register.Operand{*x}, Pos: in.Pos})
		}
	}
	return out, true
}

// step is what is known after an instruction.
func (k looked) step(p *register.Program, at register.EnterState, in *register.Instr) register.EnterState {
	next := register.StepEnter(at, in, register.Ref{})
	in.Defs(func(l register.Local) {
		for cell := range k {
			for _, x := range []**register.Operand{&k[cell].content, &k[cell].had} {
				if *x != nil && !(*x).IsLit() && (*x).Local == l {
					*x = nil
				}
			}
		}
	})
	switch {
	case next.Depth == 0:
		clear(k)
	case in.Op == register.Read:
		k.find(in)
	case in.Op == register.CAS:
		k[in.Cell] = inCell{}
	case in.Op == register.Write && !in.Args[0].IsLit() && slices.Contains(in.Dst, in.Args[0].Local): // it has another value now
		k[in.Cell] = inCell{}
	case in.Op == register.Write:
		k[in.Cell] = written(&p.Cells[in.Cell], in.Args[0])
	}
	return next
}

// find notes what a look found, in place of what is not known.
func (k looked) find(in *register.Instr) {
	of := &k[in.Cell]
	for i, x := range []**register.Operand{&of.content, &of.had} {
		if *x == nil && i < len(in.Dst) && in.Dst[i] != register.None {
			o := register.L(in.Dst[i])
			*x = &o
		}
	}
}

// written is what is known of a cell that something was put into.
func written(cell *register.Cell, x register.Operand) inCell {
	had := register.Lit(register.LitTrue)
	if x == register.Absent {
		x, had = register.Lit(cell.Zero), register.Lit(register.LitFalse)
	}
	return inCell{content: &x, had: &had}
}

// withLooksBefore is p with a look at each cell before a loop inside of a section that does
// nothing else to cells than to look at them.
func withLooksBefore(p *register.Program) *register.Program {
	q, preds := p, register.Preds(p)
	depths := register.OpenEnters(p)
	for _, l := range register.Loops(p) {
		cells := looksOnly(p, &l, depths)
		outside := slices.DeleteFunc(slices.Clone(preds[l.Head]), func(b int) bool { return slices.Contains(l.Blocks, b) })
		if len(cells) == 0 || len(outside) != 1 {
			continue
		}
		if q == p {
			q = p.Clone()
		}
		before := q.Blocks[outside[0]]
		for _, in := range cells {
			content, had := q.NewLocal("there"), q.NewLocal("is")
			q.Declare(content, q.Cells[in.Cell].Type)
			q.Declare(had, register.Type{Kind: register.Bool})
			before.Instrs = append(slices.Clip(before.Instrs), register.Instr{Op: register.Read, Cell: in.Cell, Dst: []register.Local{content, had}, Pos: in.Pos})
		}
	}
	return q
}

// looksOnly is one look at each cell that a loop inside of a section looks at, if that is all
// it does to cells; nil else.
func looksOnly(p *register.Program, l *register.Loop, depths []register.EnterState) (out []register.Instr) {
	for _, b := range l.Blocks {
		at := depths[b]
		for i := range p.Blocks[b].Instrs {
			in := &p.Blocks[b].Instrs[i]
			if at.Depth == 0 || in.IsBase() && in.Op != register.Read {
				return nil
			}
			if in.IsBase() && in.Yields() && !slices.ContainsFunc(out, func(o register.Instr) bool { return o.Cell == in.Cell }) {
				out = append(out, *in)
			}
			at = register.StepEnter(at, in, register.Ref{})
		}
		if at.Depth == 0 {
			return nil
		}
	}
	return out
}

// WithoutEmptySections is p without the sections of a block with no operation in them, but
// for reads that nothing comes of; p itself if there are none.
func WithoutEmptySections(p *register.Program) *register.Program {
	q := p.Clone()
	dropped := false
	for _, b := range q.Blocks {
		n := len(b.Instrs)
		for i := emptySection(b); i >= 0; i = emptySection(b) {
			b.Instrs = dropSection(b.Instrs, i)
		}
		dropped = dropped || len(b.Instrs) < n
	}
	if !dropped {
		return p
	}
	return q
}

// emptySection is where a section of a block begins that has no operation in it, and no
// other section; -1 if there is none.
func emptySection(b *register.Block) int {
	begins := -1
	for i := range b.Instrs {
		switch in := &b.Instrs[i]; {
		case in.Op == register.Enter, in.Op == register.Lock:
			begins = i
		case in.IsBase() && in.Yields():
			begins = -1
		case in.Op == register.Leave, in.Op == register.Unlock:
			if begins >= 0 && closes(in, &b.Instrs[begins]) {
				return begins
			}
			begins = -1
		}
	}
	return -1
}

// closes reports whether an instruction ends the section that another one begins.
func closes(end, begin *register.Instr) bool {
	switch end.Op {
	case register.Leave:
		return begin.Op == register.Enter
	case register.Unlock:
		return begin.Op == register.Lock && begin.Args[0] == end.Args[0]
	}
	return false
}

// dropSection drops an instruction, and the first one after it that ends its section.
func dropSection(ins []register.Instr, begin int) []register.Instr {
	end := begin + 1
	for !closes(&ins[end], &ins[begin]) {
		end++
	}
	return slices.Delete(slices.Delete(ins, end, end+1), begin, begin+1)
}
