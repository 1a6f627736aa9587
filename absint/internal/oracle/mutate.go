package oracle

import (
	"math/rand/v2"
	"reflect"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// variation is a shape with a few small changes. Programs near the border
// between right and wrong are where a checker is most likely to err.
func variation(r *rand.Rand, cells int) *register.Program {
	shapes := Shapes()
	for {
		m := mutator{r: r, p: shapes[r.IntN(len(shapes))].Program}
		m.p = copyProgram(m.p)
		if cells > 1 {
			m.secondCell()
		}
		for changes, tries := 1+r.IntN(4), 0; changes > 0 && tries < 30; tries++ {
			before := m.p
			m.p = copyProgram(before)
			m.mutate()
			if wellFormed(m.p, mostBaseOps) && !reflect.DeepEqual(m.p, before) {
				changes--
			} else {
				m.p = before
			}
		}
		if wellFormed(m.p, mostBaseOps) && worthwhile(m.p) {
			return m.p
		}
	}
}

func copyProgram(p *register.Program) *register.Program {
	q := *p
	q.Names, q.Params, q.Cells = slices.Clone(p.Names), slices.Clone(p.Params), slices.Clone(p.Cells)
	q.Blocks = make([]*register.Block, len(p.Blocks))
	for i, b := range p.Blocks {
		c := &register.Block{Instrs: slices.Clone(b.Instrs), Term: b.Term}
		for k := range c.Instrs {
			in := &c.Instrs[k]
			in.Dst, in.Args = slices.Clone(in.Dst), slices.Clone(in.Args)
		}
		c.Term.To, c.Term.Vals = slices.Clone(b.Term.To), slices.Clone(b.Term.Vals)
		q.Blocks[i] = c
	}
	return &q
}

// mutator changes a program of its own.
type mutator struct {
	r *rand.Rand
	p *register.Program
}

// block picks a place.
func (m *mutator) block() *register.Block { return m.p.Blocks[m.r.IntN(len(m.p.Blocks))] }

// find picks an instruction that is wanted, nil if there is none.
func (m *mutator) find(wanted func(*register.Instr) bool) *register.Instr {
	var found []*register.Instr
	for _, b := range m.p.Blocks {
		for i := range b.Instrs {
			if wanted(&b.Instrs[i]) {
				found = append(found, &b.Instrs[i])
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	return found[m.r.IntN(len(found))]
}

// operand is any local, or a literal.
func (m *mutator) operand() register.Operand {
	if len(m.p.Names) > 0 && m.r.IntN(5) > 0 {
		return register.L(register.Local(m.r.IntN(len(m.p.Names))))
	}
	lits := []string{register.LitNil, register.LitTrue, register.LitFalse, "0", "1", "&none"}
	return register.Lit(lits[m.r.IntN(len(lits))])
}

// insert puts an instruction somewhere.
func (m *mutator) insert(in register.Instr) {
	b := m.block()
	b.Instrs = slices.Insert(b.Instrs, m.r.IntN(len(b.Instrs)+1), in)
}

// secondCell moves some operations to a second cell.
func (m *mutator) secondCell() {
	m.p.Cells = append(m.p.Cells, m.p.Cells[0])
	m.p.Cells[1].Map, m.p.Cells[1].Label = register.Lit("&other"), "other"
	for _, b := range m.p.Blocks {
		for i := range b.Instrs {
			if b.Instrs[i].IsBase() && m.r.IntN(3) == 0 {
				b.Instrs[i].Cell = 1
			}
		}
	}
}

// mutate makes one change, which may leave the program ill formed.
func (m *mutator) mutate() {
	changes := []func(){
		m.replaceOperand, m.replaceOperand, m.replaceVal, m.replaceVal, m.changeVals,
		m.casToWrite, m.writeToCAS, m.replaceExpect, m.remove, m.repeat, m.addRead, m.addEffect,
		m.swapTargets, m.redirect, m.useOld, m.cellKind, m.enter, m.origin, m.sameTwice,
	}
	changes[m.r.IntN(len(changes))]()
}

func (m *mutator) replaceOperand() {
	in := m.find(func(in *register.Instr) bool { return len(in.Args) > 0 })
	if in != nil {
		in.Args[m.r.IntN(len(in.Args))] = m.operand()
	}
}

func (m *mutator) replaceVal() {
	if t := &m.block().Term; len(t.Vals) > 0 {
		t.Vals[m.r.IntN(len(t.Vals))] = m.operand()
	}
}

// changeVals drops all results of a return, or adds one.
func (m *mutator) changeVals() {
	t := &m.block().Term
	switch {
	case t.Kind != register.Return:
	case m.r.IntN(2) == 0:
		t.Vals = nil
	default:
		t.Vals = append(t.Vals, m.operand())
	}
}

func (m *mutator) casToWrite() {
	in := m.find(func(in *register.Instr) bool { return in.Op == register.CAS })
	if in != nil {
		in.Op, in.Args = register.Write, in.Args[1:]
	}
}

func (m *mutator) writeToCAS() {
	in := m.find(func(in *register.Instr) bool { return in.Op == register.Write })
	if in == nil {
		return
	}
	expect := register.Absent
	if m.r.IntN(2) == 0 {
		expect = m.operand()
	}
	in.Op, in.Args = register.CAS, []register.Operand{expect, in.Args[0]}
}

func (m *mutator) replaceExpect() {
	in := m.find(func(in *register.Instr) bool { return in.Op == register.CAS })
	if in != nil {
		in.Args[0] = m.operand()
	}
}

func (m *mutator) remove() {
	if b := m.block(); len(b.Instrs) > 0 {
		i := m.r.IntN(len(b.Instrs))
		b.Instrs = slices.Delete(b.Instrs, i, i+1)
	}
}

// repeat does a base operation of the program again, elsewhere.
func (m *mutator) repeat() {
	in := m.find((*register.Instr).IsBase)
	if in == nil {
		return
	}
	again := *in
	again.Args, again.Dst = slices.Clone(in.Args), slices.Clone(in.Dst)
	if m.r.IntN(2) == 0 {
		again.Dst = nil
	}
	m.insert(again)
}

// addRead reads a cell again, into a local that exists or a new one that is
// returned.
func (m *mutator) addRead() {
	in := register.Instr{Op: register.Read, Cell: m.r.IntN(len(m.p.Cells))}
	if o := m.operand(); o.Local != register.None && m.r.IntN(2) == 0 {
		in.Dst = []register.Local{o.Local}
		m.insert(in)
		return
	}
	l := m.p.NewLocal("again")
	in.Dst = []register.Local{l}
	b := m.block()
	b.Instrs = append(b.Instrs, in)
	if b.Term.Kind == register.Return {
		b.Term.Vals = append(b.Term.Vals, register.L(l))
	}
}

func (m *mutator) addEffect() {
	m.insert(register.Instr{Op: register.Effect, Name: "use#1", Args: []register.Operand{m.operand()}})
}

func (m *mutator) swapTargets() {
	if t := &m.block().Term; t.Kind == register.Branch {
		t.To[0], t.To[1] = t.To[1], t.To[0]
	}
}

// redirect changes a successor; this is how loops come and go.
func (m *mutator) redirect() {
	if t := &m.block().Term; len(t.To) > 0 {
		t.To[m.r.IntN(len(t.To))] = m.r.IntN(len(m.p.Blocks))
	}
}

// useOld gives the results of a base operation to locals that exist.
func (m *mutator) useOld() {
	in := m.find((*register.Instr).IsBase)
	if in == nil {
		return
	}
	in.Dst = []register.Local{m.operand().Local, register.None}
	if m.r.IntN(2) == 0 {
		in.Dst[1] = m.operand().Local
	}
}

// cellKind makes a cell one of another kind.
func (m *mutator) cellKind() {
	c := &m.p.Cells[m.r.IntN(len(m.p.Cells))]
	switch m.r.IntN(3) {
	case 0:
		c.Kind, c.Zero = register.Latch, register.LitNil
	case 1:
		c.Kind, c.Zero = register.Atomic, "0"
	case 2:
		c.Kind, c.Zero = register.Atomic, register.LitNil
	}
	if c.Kind != register.Atomic {
		return
	}
	// What was absent becomes the zero value.
	for _, b := range m.p.Blocks {
		for _, in := range b.Instrs {
			for i, o := range in.Args {
				if o == register.Absent && &m.p.Cells[in.Cell] == c {
					in.Args[i] = register.Lit(c.Zero)
				}
			}
		}
	}
}

// enter makes a few instructions of a block one step.
func (m *mutator) enter() {
	b := m.block()
	n := len(b.Instrs)
	from := m.r.IntN(n + 1)
	to := from + m.r.IntN(n-from+1)
	b.Instrs = slices.Insert(b.Instrs, to, register.Instr{Op: register.Leave})
	b.Instrs = slices.Insert(b.Instrs, from, register.Instr{Op: register.Enter})
}

// origin changes where a value comes from.
func (m *mutator) origin() {
	in := m.find(func(in *register.Instr) bool {
		return in.Op == register.Fresh || in.Op == register.Unknown ||
			in.Op == register.Pure && !register.Interpreted[in.Name]
	})
	if in == nil {
		return
	}
	switch m.r.IntN(4) {
	case 0:
		in.Op, in.Name = register.Fresh, "T#1"
	case 1:
		in.Op, in.Name = register.Unknown, "call#1"
	case 2:
		in.Op, in.Name = register.Pure, "f"
	case 3:
		in.Args = append(in.Args, m.operand())
	}
	if in.Op == register.Pure && in.Name == "f" && len(in.Args) == 0 {
		in.Args = []register.Operand{m.operand()}
	}
}

// sameTwice lets the same program run twice in a row.
func (m *mutator) sameTwice() {
	first := m.p
	second := copyProgram(m.p)
	n, k := len(first.Blocks), len(second.Params)
	for _, b := range second.Blocks {
		for i := range b.Term.To {
			b.Term.To[i] += n
		}
	}
	if k > 0 || len(first.Blocks[0].Instrs) == 0 {
		return
	}
	for _, b := range first.Blocks {
		if b.Term.Kind == register.Return {
			b.Term = register.Term{Kind: register.Jump, To: []int{n}}
		}
	}
	first.Blocks = append(first.Blocks, second.Blocks...)
}
