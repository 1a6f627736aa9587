package oracle

import (
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// builder writes a program block by block.
type builder struct {
	p   *register.Program
	cur *register.Block
}

// newBuilder begins a program with these cells.
func newBuilder(name string, cells ...register.Cell) *builder {
	b := &builder{p: &register.Program{Name: name, Cells: cells}}
	b.at(b.block())
	return b
}

// mapCell is a map's entry whose absence reads as nil.
func mapCell() register.Cell {
	return register.Cell{Kind: register.Map, Map: register.Lit("&m"), Key: register.Str("k"), Zero: register.LitNil, Label: "m[k]"}
}

// otherCell is an entry of another map.
func otherCell() register.Cell {
	return register.Cell{Kind: register.Map, Map: register.Lit("&n"), Key: register.Str("k"), Zero: register.LitNil, Label: "n[k]"}
}

// atomicCell is an atomic number.
func atomicCell() register.Cell {
	return register.Cell{Kind: register.Atomic, Map: register.Lit("&a"), Key: register.NoOperand, Zero: "0", Label: "a"}
}

// latchCell is an atomic.Value.
func latchCell() register.Cell {
	return register.Cell{Kind: register.Latch, Map: register.Lit("&a"), Key: register.NoOperand, Zero: register.LitNil, Label: "a"}
}

// block adds an empty block; at continues there.
func (b *builder) block() int {
	b.p.Blocks = append(b.p.Blocks, &register.Block{})
	return len(b.p.Blocks) - 1
}

func (b *builder) at(block int) { b.cur = b.p.Blocks[block] }

func (b *builder) param(hint string) register.Operand {
	l := b.p.NewLocal(hint)
	b.p.Params = append(b.p.Params, l)
	return register.L(l)
}

// add appends an instruction with fresh locals for its results.
func (b *builder) add(in register.Instr, hints ...string) []register.Operand {
	var results []register.Operand
	for _, h := range hints {
		l := register.None
		if h != "" {
			l = b.p.NewLocal(h)
		}
		in.Dst = append(in.Dst, l)
		results = append(results, register.L(l))
	}
	b.cur.Instrs = append(b.cur.Instrs, in)
	return results
}

func (b *builder) read(cell int) (v, had register.Operand) {
	r := b.add(register.Instr{Op: register.Read, Cell: cell}, "v", "had")
	return r[0], r[1]
}

// write stores v, or removes the entry, and reports nothing.
func (b *builder) write(cell int, v register.Operand) {
	b.add(register.Instr{Op: register.Write, Cell: cell, Args: []register.Operand{v}})
}

// swap is a write that reports the old content.
func (b *builder) swap(cell int, v register.Operand) (old, had register.Operand) {
	r := b.add(register.Instr{Op: register.Write, Cell: cell, Args: []register.Operand{v}}, "old", "had")
	return r[0], r[1]
}

func (b *builder) cas(cell int, expect, v register.Operand) (old, ok register.Operand) {
	r := b.add(register.Instr{Op: register.CAS, Cell: cell, Args: []register.Operand{expect, v}}, "old", "ok")
	return r[0], r[1]
}

func (b *builder) fresh(site string, contents ...register.Operand) register.Operand {
	return b.add(register.Instr{Op: register.Fresh, Name: site, Args: contents}, "n")[0]
}

func (b *builder) pure(name string, args ...register.Operand) register.Operand {
	return b.add(register.Instr{Op: register.Pure, Name: name, Args: args}, "t")[0]
}

func (b *builder) unknown(site string) register.Operand {
	return b.add(register.Instr{Op: register.Unknown, Name: site}, "u")[0]
}

func (b *builder) effect(site string, args ...register.Operand) {
	b.add(register.Instr{Op: register.Effect, Name: site, Args: args})
}

// set copies v to a local that exists.
func (b *builder) set(l, v register.Operand) {
	in := register.Instr{Op: register.Copy, Dst: []register.Local{l.Local}, Args: []register.Operand{v}}
	b.cur.Instrs = append(b.cur.Instrs, in)
}

// branch ends the block; yes and no are the new blocks it leads to.
func (b *builder) branch(cond register.Operand) (yes, no int) {
	yes, no = b.block(), b.block()
	b.branchTo(cond, yes, no)
	return yes, no
}

func (b *builder) branchTo(cond register.Operand, yes, no int) {
	b.cur.Term = register.Term{Kind: register.Branch, Cond: cond, To: []int{yes, no}}
}

func (b *builder) jump(to int) {
	b.cur.Term = register.Term{Kind: register.Jump, To: []int{to}}
}

func (b *builder) ret(vals ...register.Operand) *register.Program {
	b.cur.Term = register.Term{Kind: register.Return, Vals: vals}
	return b.p
}

func (b *builder) panics(label string) *register.Program {
	b.cur.Term = register.Term{Kind: register.Panic, Label: label}
	return b.p
}

// whenHad branches on had: the block for true returns vals, and building
// goes on in the other.
func (b *builder) whenHad(had register.Operand, vals ...register.Operand) {
	yes, no := b.branch(had)
	b.at(yes)
	b.ret(vals...)
	b.at(no)
}
