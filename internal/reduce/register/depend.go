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
			if in.CountsEntries() && len(all) > 0 && all[len(all)-1].isLook(p, Ref{b, i - 1}, in.Args[0]) {
				all[len(all)-1].Outcome = append(all[len(all)-1].Outcome, in.Dst[0])
			}
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

// isLook reports whether an access ends with a look at an entry of a map, at a place: what is counted right after it is
// counted in the same step, and found by it.
func (a *Access) isLook(p *Program, at Ref, of Operand) bool {
	if a.Ops[len(a.Ops)-1] != at {
		return false
	}
	in := &p.Blocks[at.Block].Instrs[at.Instr]
	return in.Op == Read && p.Cells[in.Cell].Kind == Map && p.Cells[in.Cell].Map == of
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
	Locals LocalSet
	Blocks []bool
}

// Flow computes influences in one program.
type Flow struct {
	p        *Program
	Controls [][]int
	Assigned []int
	// ways is made when it is first asked for.
	ways *ways
}

// NewFlow prepares p.
func NewFlow(p *Program) *Flow {
	return &Flow{p: p, Controls: ControlDeps(p), Assigned: DefCounts(p)}
}

// ways are the steps that influence takes in a program, from each local and each block.
type ways struct {
	readers []*Instr // the instructions, but no operations, that read a local, by local
	first   []int32  // the first of a local's
	decided [][]int  // the blocks that end in a branch on it
	depend  [][]int  // the blocks that a block decides about
}

func (f *Flow) findWays() *ways {
	w := &ways{first: make([]int32, len(f.p.Names)+1), decided: make([][]int, len(f.p.Names)), depend: make([][]int, len(f.p.Blocks))}
	each := func(visit func(in *Instr, l Local)) {
		for _, blk := range f.p.Blocks {
			for i := range blk.Instrs {
				if in := &blk.Instrs[i]; !in.IsBase() && len(in.Dst) > 0 {
					in.Uses(func(l Local) { visit(in, l) })
				}
			}
		}
	}
	each(func(_ *Instr, l Local) { w.first[l+1]++ })
	for l := range f.p.Names {
		w.first[l+1] += w.first[l]
	}
	w.readers = make([]*Instr, w.first[len(f.p.Names)])
	next := append([]int32(nil), w.first...)
	each(func(in *Instr, l Local) {
		w.readers[next[l]] = in
		next[l]++
	})
	for b, blk := range f.p.Blocks {
		if t := &blk.Term; t.Kind == Branch && t.Cond.Local != None && !IsCheck(f.p, t) {
			w.decided[t.Cond.Local] = append(w.decided[t.Cond.Local], b)
		}
		for _, c := range f.Controls[b] {
			w.depend[c] = append(w.depend[c], b)
		}
	}
	return w
}

// From is the influence of the given locals. It does not go through cells:
// an operation that depends on another one is told by its arguments and its
// block. A check whose other way only panics decides nothing else.
func (f *Flow) From(sources []Local) *Influence {
	if f.ways == nil {
		f.ways = f.findWays()
	}
	s := &spreading{Influence: Influence{Locals: NewLocalSet(len(f.p.Names)), Blocks: make([]bool, len(f.p.Blocks))}}
	for _, l := range sources {
		s.mark(l)
	}
	for len(s.locals) > 0 || len(s.blocks) > 0 {
		for len(s.locals) > 0 {
			l := s.locals[len(s.locals)-1]
			s.locals = s.locals[:len(s.locals)-1]
			for _, in := range f.ways.readers[f.ways.first[l]:f.ways.first[l+1]] {
				in.Defs(s.mark)
			}
			for _, b := range f.ways.decided[l] {
				s.decide(f.ways.depend[b])
			}
		}
		if len(s.blocks) > 0 {
			b := s.blocks[len(s.blocks)-1]
			s.blocks = s.blocks[:len(s.blocks)-1]
			f.spreadBlock(s, b)
		}
	}
	return &s.Influence
}

// spreading is an influence on the way, with what was marked and not yet followed.
type spreading struct {
	Influence
	locals []Local
	blocks []int
}

func (s *spreading) mark(l Local) {
	if !s.Locals.Has(l) {
		s.Locals.Add(l)
		s.locals = append(s.locals, l)
	}
}

func (s *spreading) decide(blocks []int) {
	for _, b := range blocks {
		if !s.Blocks[b] {
			s.Blocks[b] = true
			s.blocks = append(s.blocks, b)
		}
	}
}

// spreadBlock marks what a block assigns that others assign as well, and the blocks that
// it decides about.
func (f *Flow) spreadBlock(s *spreading, b int) {
	blk := f.p.Blocks[b]
	for i := range blk.Instrs {
		if in := &blk.Instrs[i]; !in.IsBase() {
			in.Defs(func(l Local) {
				if f.Assigned[l] > 1 {
					s.mark(l)
				}
			})
		}
	}
	s.decide(f.ways.depend[b])
}

// decidedBy reports whether block b ends in a branch on something marked.
func (f *Flow) DecidedBy(inf *Influence, b int) bool {
	t := &f.p.Blocks[b].Term
	return t.Kind == Branch && t.Cond.Local != None && inf.Locals.Has(t.Cond.Local) && !IsCheck(f.p, t)
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
func (inf *Influence) Uses(in *Instr) bool { return inf.Reads(in.Args) }

// Reads reports whether some operand is marked.
func (inf *Influence) Reads(ops []Operand) bool {
	for _, o := range ops {
		if o.Local != None && inf.Locals.Has(o.Local) {
			return true
		}
	}
	return false
}
