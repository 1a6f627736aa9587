package oracle

import "github.com/mapatom/mapatom/reduce"

// builder writes a program block by block.
type builder struct {
	p   *reduce.Program
	cur *reduce.Block
}

// newBuilder begins a program with these cells.
func newBuilder(name string, cells ...reduce.Cell) *builder {
	b := &builder{p: &reduce.Program{Name: name, Cells: cells}}
	b.at(b.block())
	return b
}

// mapCell is a map's entry whose absence reads as nil.
func mapCell() reduce.Cell {
	return reduce.Cell{Kind: reduce.Map, Map: reduce.Lit("&m"), Key: reduce.Str("k"), Zero: reduce.LitNil, Label: "m[k]"}
}

// otherCell is an entry of another map.
func otherCell() reduce.Cell {
	return reduce.Cell{Kind: reduce.Map, Map: reduce.Lit("&n"), Key: reduce.Str("k"), Zero: reduce.LitNil, Label: "n[k]"}
}

// atomicCell is an atomic number.
func atomicCell() reduce.Cell {
	return reduce.Cell{Kind: reduce.Atomic, Map: reduce.Lit("&a"), Key: reduce.NoOperand, Zero: "0", Label: "a"}
}

// latchCell is an atomic.Value.
func latchCell() reduce.Cell {
	return reduce.Cell{Kind: reduce.Latch, Map: reduce.Lit("&a"), Key: reduce.NoOperand, Zero: reduce.LitNil, Label: "a"}
}

// block adds an empty block; at continues there.
func (b *builder) block() int {
	b.p.Blocks = append(b.p.Blocks, &reduce.Block{})
	return len(b.p.Blocks) - 1
}

func (b *builder) at(block int) { b.cur = b.p.Blocks[block] }

func (b *builder) param(hint string) reduce.Operand {
	l := b.p.NewLocal(hint)
	b.p.Params = append(b.p.Params, l)
	return reduce.L(l)
}

// add appends an instruction with fresh locals for its results.
func (b *builder) add(in reduce.Instr, hints ...string) []reduce.Operand {
	var results []reduce.Operand
	for _, h := range hints {
		l := reduce.None
		if h != "" {
			l = b.p.NewLocal(h)
		}
		in.Dst = append(in.Dst, l)
		results = append(results, reduce.L(l))
	}
	b.cur.Instrs = append(b.cur.Instrs, in)
	return results
}

func (b *builder) read(cell int) (v, had reduce.Operand) {
	r := b.add(reduce.Instr{Op: reduce.Read, Cell: cell}, "v", "had")
	return r[0], r[1]
}

// write stores v, or removes the entry, and reports nothing.
func (b *builder) write(cell int, v reduce.Operand) {
	b.add(reduce.Instr{Op: reduce.Write, Cell: cell, Args: []reduce.Operand{v}})
}

// swap is a write that reports the old content.
func (b *builder) swap(cell int, v reduce.Operand) (old, had reduce.Operand) {
	r := b.add(reduce.Instr{Op: reduce.Write, Cell: cell, Args: []reduce.Operand{v}}, "old", "had")
	return r[0], r[1]
}

func (b *builder) cas(cell int, expect, v reduce.Operand) (old, ok reduce.Operand) {
	r := b.add(reduce.Instr{Op: reduce.CAS, Cell: cell, Args: []reduce.Operand{expect, v}}, "old", "ok")
	return r[0], r[1]
}

func (b *builder) fresh(site string, contents ...reduce.Operand) reduce.Operand {
	return b.add(reduce.Instr{Op: reduce.Fresh, Name: site, Args: contents}, "n")[0]
}

func (b *builder) pure(name string, args ...reduce.Operand) reduce.Operand {
	return b.add(reduce.Instr{Op: reduce.Pure, Name: name, Args: args}, "t")[0]
}

func (b *builder) unknown(site string) reduce.Operand {
	return b.add(reduce.Instr{Op: reduce.Unknown, Name: site}, "u")[0]
}

func (b *builder) effect(site string, args ...reduce.Operand) {
	b.add(reduce.Instr{Op: reduce.Effect, Name: site, Args: args})
}

// set copies v to a local that exists.
func (b *builder) set(l, v reduce.Operand) {
	in := reduce.Instr{Op: reduce.Copy, Dst: []reduce.Local{l.Local}, Args: []reduce.Operand{v}}
	b.cur.Instrs = append(b.cur.Instrs, in)
}

// branch ends the block; yes and no are the new blocks it leads to.
func (b *builder) branch(cond reduce.Operand) (yes, no int) {
	yes, no = b.block(), b.block()
	b.branchTo(cond, yes, no)
	return yes, no
}

func (b *builder) branchTo(cond reduce.Operand, yes, no int) {
	b.cur.Term = reduce.Term{Kind: reduce.Branch, Cond: cond, To: []int{yes, no}}
}

func (b *builder) jump(to int) {
	b.cur.Term = reduce.Term{Kind: reduce.Jump, To: []int{to}}
}

func (b *builder) ret(vals ...reduce.Operand) *reduce.Program {
	b.cur.Term = reduce.Term{Kind: reduce.Return, Vals: vals}
	return b.p
}

func (b *builder) panics(label string) *reduce.Program {
	b.cur.Term = reduce.Term{Kind: reduce.Panic, Label: label}
	return b.p
}

// whenHad branches on had: the block for true returns vals, and building
// goes on in the other.
func (b *builder) whenHad(had reduce.Operand, vals ...reduce.Operand) {
	yes, no := b.branch(had)
	b.at(yes)
	b.ret(vals...)
	b.at(no)
}
