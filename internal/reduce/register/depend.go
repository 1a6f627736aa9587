package register

// Ref names an instruction: its block and its index there.
type Ref struct{ Block, Instr int }

// Access is one atomic access to a cell: a base operation, or an Enter with
// all that happens up to its Leave.
type Access struct {
	Cell int
	// Start is the base operation or the Enter, Ops are the base operations.
	Start Ref
	Ops   []Ref
	// Writes says that some operation can change the cell, Constant that
	// all it can write is absent or literals.
	Writes, Constant bool
	// Outcome are the locals that the operations assign.
	Outcome []Local
}

// Accesses lists the atomic accesses of p in reverse postorder. Base
// operations on different cells inside one Enter and Leave are one access of
// each cell.
func Accesses(p *Program) []*Access {
	var all []*Access
	open := OpenEnters(p)
	type section struct {
		enter Ref
		cell  int
	}
	inside := map[section]*Access{}
	for _, b := range ReversePostorder(p) {
		at := open[b]
		for i := range p.Blocks[b].Instrs {
			in := &p.Blocks[b].Instrs[i]
			here := Ref{b, i}
			at = StepEnter(at, in, here)
			if !in.IsBase() {
				continue
			}
			var a *Access
			if at.Depth > 0 {
				a = inside[section{at.outer, in.Cell}]
			}
			if a == nil {
				a = &Access{Cell: in.Cell, Start: here, Constant: true}
				if at.Depth > 0 {
					a.Start = at.outer
					inside[section{at.outer, in.Cell}] = a
				}
				all = append(all, a)
			}
			a.add(in, here)
		}
	}
	return all
}

func (a *Access) add(in *Instr, at Ref) {
	a.Ops = append(a.Ops, at)
	if in.Op != Read {
		a.Writes = true
		a.Constant = a.Constant && in.Args[len(in.Args)-1].IsLit()
	}
	in.Defs(func(l Local) { a.Outcome = append(a.Outcome, l) })
}

// enterState is how deep a point is inside Enters, and the outermost one.
type EnterState struct {
	Depth int
	outer Ref
}

// Outer is the outermost Enter that is open; nothing is if Depth is zero.
func (s EnterState) Outer() Ref { return s.outer }

func StepEnter(s EnterState, in *Instr, at Ref) EnterState {
	switch in.Op {
	case Enter:
		if s.Depth == 0 {
			s.outer = at
		}
		s.Depth++
	case Leave:
		s.Depth--
	}
	return s
}

// openEnters is the state at the start of each block.
func OpenEnters(p *Program) []EnterState {
	states := make([]EnterState, len(p.Blocks))
	for _, b := range ReversePostorder(p) {
		s := states[b]
		for i := range p.Blocks[b].Instrs {
			s = StepEnter(s, &p.Blocks[b].Instrs[i], Ref{b, i})
		}
		for _, t := range p.Blocks[b].Term.To {
			states[t] = s
		}
	}
	return states
}

// Influence is what depends on some values: locals computed from them, and
// blocks that run or not according to them.
type Influence struct {
	Locals []bool
	Blocks []bool
}

// Flow computes influences in one program.
type Flow struct {
	p        *Program
	Controls [][]int
	Assigned []int
}

// NewFlow prepares p.
func NewFlow(p *Program) *Flow {
	return &Flow{p: p, Controls: ControlDeps(p), Assigned: DefCounts(p)}
}

// From is the influence of the given locals. It does not go through cells:
// an operation that depends on another one is told by its arguments and its
// block. A check whose other way only panics decides nothing else.
func (f *Flow) From(sources []Local) *Influence {
	inf := &Influence{Locals: make([]bool, len(f.p.Names)), Blocks: make([]bool, len(f.p.Blocks))}
	for _, l := range sources {
		inf.Locals[l] = true
	}
	for changed := true; changed; {
		changed = f.spreadControl(inf)
		for b, blk := range f.p.Blocks {
			for i := range blk.Instrs {
				changed = f.spread(inf, b, &blk.Instrs[i]) || changed
			}
		}
	}
	return inf
}

// spread marks what in assigns if it depends on something marked.
func (f *Flow) spread(inf *Influence, block int, in *Instr) bool {
	if in.IsBase() {
		return false
	}
	depends := false
	in.Uses(func(l Local) { depends = depends || inf.Locals[l] })
	changed := false
	in.Defs(func(l Local) {
		if !inf.Locals[l] && (depends || inf.Blocks[block] && f.Assigned[l] > 1) {
			inf.Locals[l], changed = true, true
		}
	})
	return changed
}

func (f *Flow) spreadControl(inf *Influence) bool {
	changed := false
	for b := range f.p.Blocks {
		if inf.Blocks[b] {
			continue
		}
		for _, c := range f.Controls[b] {
			if inf.Blocks[c] || f.DecidedBy(inf, c) {
				inf.Blocks[b], changed = true, true
				break
			}
		}
	}
	return changed
}

// decidedBy reports whether block b ends in a branch on something marked.
func (f *Flow) DecidedBy(inf *Influence, b int) bool {
	t := &f.p.Blocks[b].Term
	return t.Kind == Branch && t.Cond.Local != None && inf.Locals[t.Cond.Local] && !IsCheck(f.p, t)
}

// isCheck reports whether one way of a branch does nothing but panic.
func IsCheck(p *Program, t *Term) bool {
	for _, s := range t.To {
		if b := p.Blocks[s]; b.Term.Kind == Panic && !hasBase(b) {
			return true
		}
	}
	return false
}

func hasBase(b *Block) bool {
	for i := range b.Instrs {
		if b.Instrs[i].IsBase() {
			return true
		}
	}
	return false
}

// Uses reports whether the instruction reads something marked.
func (inf *Influence) Uses(in *Instr) bool {
	found := false
	in.Uses(func(l Local) { found = found || inf.Locals[l] })
	return found
}
