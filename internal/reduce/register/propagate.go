package register

import (
	"slices"
	"strings"
)

// Copies are the locals known to hold the same as another operand somewhere, and which.
// There are as many sets as blocks, and most of them are empty.
type Copies struct{ all []copied }

// copied says that a local holds the same as an operand.
type copied struct {
	local Local
	is    Operand
}

// Copying are the copies while instructions are gone through.
type Copying struct {
	of []Operand // of each local; NoOperand if nothing is known of it
	// known are the locals that of has, or had since load.
	known []Local
	has   LocalSet
	// sources are the locals that others may be copies of: most locals are
	// not, and an assignment to one of these has nothing to forget.
	sources LocalSet
}

func newCopying(p *Program) *Copying {
	c := &Copying{of: make([]Operand, len(p.Names)), has: NewLocalSet(len(p.Names)), sources: NewLocalSet(len(p.Names))}
	for l := range c.of {
		c.of[l] = NoOperand
	}
	return c
}

// load begins anew, with the copies that hold somewhere.
func (c *Copying) load(at *Copies) {
	for _, l := range c.known {
		c.of[l] = NoOperand
		c.has.Remove(l)
	}
	c.known = c.known[:0]
	clear(c.sources)
	for _, known := range at.all {
		c.put(known.local, known.is)
	}
}

func (c *Copying) put(l Local, o Operand) {
	c.of[l] = o
	if !c.has.Has(l) {
		c.has.Add(l)
		c.known = append(c.known, l)
	}
	if o.Local != None {
		c.sources.Add(o.Local)
	}
}

// resolve is what o is known to be.
func (c *Copying) resolve(o Operand) Operand {
	if o.Local != None {
		if src := c.of[o.Local]; !src.IsNone() {
			return src
		}
	}
	return o
}

// assign forgets what was known of a local, and what was known to be it.
func (c *Copying) assign(l Local) {
	c.of[l] = NoOperand
	if !c.sources.Has(l) {
		return
	}
	c.sources.Remove(l)
	for _, dst := range c.known {
		if c.of[dst] == L(l) {
			c.of[dst] = NoOperand
		}
	}
}

// step is what an instruction does to c.
func (c *Copying) step(in *Instr) {
	if in.Op == Copy && in.Dst[0] != None {
		if src := c.resolve(in.Args[0]); src != L(in.Dst[0]) {
			c.assign(in.Dst[0])
			c.put(in.Dst[0], src)
		}
		return
	}
	in.Defs(c.assign)
}

// Before gives what is known to be a copy before an instruction, where c holds on entry of
// its block.
func (c *Copies) Before(p *Program, at Ref) map[Local]Operand {
	k := newCopying(p)
	k.load(c)
	for i := range p.Blocks[at.Block].Instrs[:at.Instr] {
		k.step(&p.Blocks[at.Block].Instrs[i])
	}
	out := map[Local]Operand{}
	for _, l := range k.known {
		if k.of[l] != NoOperand {
			out[l] = k.of[l]
		}
	}
	return out
}

// where are the copies that a set has, by their numbers; they are put at the end of a slice
// that many share.
func (c *Copying) where(set LocalSet, some *numbers, shared *[]copied) Copies {
	n := 0
	holds := func(l Local) bool { return !c.of[l].IsNone() && some.of[l] >= 0 && set.Has(Local(some.of[l])) }
	for _, l := range c.known {
		if holds(l) {
			n++
		}
	}
	if cap(*shared)-len(*shared) < n {
		*shared = make([]copied, 0, max(n, 2*cap(*shared)))
	}
	first := len(*shared)
	for _, l := range c.known {
		if holds(l) {
			*shared = append(*shared, copied{l, c.of[l]})
		}
	}
	return Copies{(*shared)[first:len(*shared):len(*shared)]}
}

// meet keeps what d says as well and reports whether that changed c.
func (c *Copies) meet(d *Copying) bool {
	before := len(c.all)
	c.all = slices.DeleteFunc(c.all, func(known copied) bool { return d.of[known.local] != known.is })
	return len(c.all) < before
}

// seeThrough has what reads a copy read what it was copied from, where both are assigned
// in one place: that of the copy comes before whatever reads it, and that of the source
// before the copy, in each round of a loop again. That is most copies of a program into
// which calls were inlined, and what propagate takes long for.
func seeThrough(p *Program) {
	counts, of := DefCounts(p), map[Local]Operand{}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != Copy || in.Dst[0] == None || counts[in.Dst[0]] != 1 {
				continue
			}
			if src := in.Args[0]; src.Local == None || counts[src.Local] == 1 && src.Local != in.Dst[0] {
				of[in.Dst[0]] = src
			}
		}
	}
	if len(of) == 0 {
		return
	}
	source := func(o Operand) Operand {
		for range of { // not more often than there are copies
			src, ok := of[o.Local]
			if !ok || o.Local == None {
				break
			}
			o = src
		}
		return o
	}
	replace := func(ops []Operand) []Operand {
		own := false // instructions may share slices
		for i, o := range ops {
			if src := source(o); src != o {
				if !own {
					ops, own = slices.Clone(ops), true
				}
				ops[i] = src
			}
		}
		return ops
	}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			blk.Instrs[i].Args = replace(blk.Instrs[i].Args)
		}
		if blk.Term.Vals = replace(blk.Term.Vals); blk.Term.Kind == Branch {
			blk.Term.Cond = source(blk.Term.Cond)
		}
	}
}

// propagate makes instructions, terminators and cells use what their operands
// were copied from, as far as that still holds where they are, and folds what
// is known then. It reports whether anything changed.
//
// Number sees through copies too, but only of locals that are assigned once. A
// key that is kept in a variable which is set up step by step, or in a named
// result, is found here.
func propagate(p *Program) bool {
	changed := false
	c := newCopying(p)
	for b, at := range CopiesOnEntry(p) {
		if at == nil {
			continue
		}
		c.load(at)
		blk := p.Blocks[b]
		use := func(o *Operand) {
			if r := c.resolve(*o); r != *o {
				*o, changed = r, true
			}
		}
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			in.Args = slices.Clone(in.Args)
			for j := range in.Args {
				use(&in.Args[j])
			}
			if in.IsBase() {
				in.Cell = p.resolvedCell(in.Cell, c)
			}
			changed = fold(in) || changed
			c.step(in)
		}
		blk.Term.Vals = slices.Clone(blk.Term.Vals)
		for j := range blk.Term.Vals {
			use(&blk.Term.Vals[j])
		}
		if blk.Term.Kind == Branch {
			use(&blk.Term.Cond)
		}
	}
	return changed
}

// resolvedCell is cell i with what its map and key were copied from, and cell i itself where cells are settled.
func (p *Program) resolvedCell(i int, c *Copying) int {
	if p.Settled {
		return i
	}
	cell := p.Cells[i]
	cell.Map, cell.Key = c.resolve(cell.Map), c.resolve(cell.Key)
	if cell == p.Cells[i] {
		return i
	}
	if at := slices.Index(p.Cells, cell); at >= 0 {
		return at
	}
	p.Cells = append(p.Cells, cell)
	return len(p.Cells) - 1
}

// copiesOnEntry gives each reachable block the copies that hold on all ways to
// it, of locals that are live there: most are read in the block that they are assigned
// in, and a program has a thousand blocks.
func CopiesOnEntry(p *Program) []*Copies { return copiesOnEntry(p, nil) }

// AnsweredOnEntry are also the literals that branches say on the way: a loop that goes on
// until it has found something has found nothing when it goes on.
func AnsweredOnEntry(p *Program) []*Copies { return copiesOnEntry(p, answersOf) }

// answersOf are the locals that have a value where a block goes on to its i-th successor: what
// the branch asks, and what that is the opposite of.
func answersOf(blk *Block, i int) []copied {
	t := &blk.Term
	if t.Kind != Branch || t.To[0] == t.To[1] || t.Cond.Local == None {
		return nil
	}
	asked, is := t.Cond.Local, i == 0
	out := []copied{{asked, truthOf(is)}}
	assigned := map[Local]bool{}
	for j := len(blk.Instrs) - 1; j >= 0 && !assigned[asked]; j-- {
		in := &blk.Instrs[j]
		opposite := in.Op == Pure && in.Name == "not" && in.Dst[0] == asked && in.Args[0].Local != None
		in.Defs(func(l Local) { assigned[l] = true })
		if opposite && !assigned[in.Args[0].Local] {
			asked, is = in.Args[0].Local, !is
			out = append(out, copied{asked, truthOf(is)})
		}
	}
	return out
}

func truthOf(is bool) Operand {
	if is {
		return Lit(LitTrue)
	}
	return Lit(LitFalse)
}

// suppose has locals, and their copies, hold what is said; it returns what takes that back.
func (c *Copying) suppose(facts []copied) (undo func()) {
	var before []copied
	put := func(l Local, is Operand) {
		before = append(before, copied{l, c.of[l]})
		c.put(l, is)
	}
	for _, f := range facts {
		for _, l := range slices.Clone(c.known) {
			if c.of[l] == L(f.local) {
				put(l, f.is)
			}
		}
		put(f.local, f.is)
	}
	return func() {
		for _, b := range slices.Backward(before) {
			c.of[b.local] = b.is
		}
	}
}

func copiesOnEntry(p *Program, answers func(*Block, int) []copied) []*Copies {
	in, all := make([]*Copies, len(p.Blocks)), make([]Copies, len(p.Blocks))
	in[0] = &all[0]
	stale := make([]bool, len(p.Blocks)) // has a new in since it was last gone through
	stale[0] = true
	some := newNumbers(p)
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.Op == Copy && in.Dst[0] != None {
				some.add(in.Dst[0])
			}
		}
	}
	order, live := ReversePostorder(p), liveOnEntry(p, some)
	out, shared := newCopying(p), []copied(nil)
	for changed := true; changed; {
		changed = false
		for _, b := range order {
			if !stale[b] {
				continue
			}
			stale[b] = false
			out.load(in[b])
			for i := range p.Blocks[b].Instrs {
				out.step(&p.Blocks[b].Instrs[i])
			}
			for i, s := range p.Blocks[b].Term.To {
				undo := func() {}
				if answers != nil {
					undo = out.suppose(answers(p.Blocks[b], i))
				}
				if in[s] == nil {
					all[s] = out.where(live[s], some, &shared)
					in[s], stale[s], changed = &all[s], true, true
				} else if in[s].meet(out) {
					stale[s], changed = true, true
				}
				undo()
			}
		}
	}
	return in
}

// fold turns an interpreted function of known arguments into a copy of its
// value, and reports whether it did. It only does what the translation gives
// rise to; what the program itself computes is left to whoever runs it.
func fold(in *Instr) bool {
	if in.Op != Pure || len(in.Dst) != 1 {
		return false
	}
	val := NoOperand
	switch a := in.Args; {
	case in.Name == "eq" && len(a) == 2 && a[0] == a[1]:
		val = Lit(LitTrue)
	case in.Name == "eq" && len(a) == 2 && differ(a[0].Lit, a[1].Lit):
		val = Lit(LitFalse)
	case in.Name == "not" && len(a) == 1 && a[0].Lit == LitTrue:
		val = Lit(LitFalse)
	case in.Name == "not" && len(a) == 1 && a[0].Lit == LitFalse:
		val = Lit(LitTrue)
	case in.Name == "choose" && len(a) == 3 && (a[0].Lit == LitTrue || a[1] == a[2]):
		val = a[1]
	case in.Name == "choose" && len(a) == 3 && a[0].Lit == LitFalse:
		val = a[2]
	case in.Name == Length && len(a) == 1 && a[0] == Lit(LitNil):
		val = Lit("0")
	case (in.Name == "lt" || in.Name == "le") && len(a) == 2 && a[0] == Lit("0") && a[1] == a[0]:
		val = truthOf(in.Name == "le")
	}
	if val.IsNone() {
		return false
	}
	in.Op, in.Name, in.Args = Copy, "", []Operand{val}
	return true
}

// differ reports whether two literals are certain to be different values: both
// are simple ones, whose text is canonical.
func differ(a, b string) bool {
	if a == LitNil || b == LitNil {
		return a != b && notNil(a) && notNil(b)
	}
	return a != b && isSimple(a) && isSimple(b)
}

// notNil reports whether a literal is nil itself, or certain to be something else: a
// zero value may be that of a type parameter.
func notNil(lit string) bool {
	return isSimple(lit) || strings.HasPrefix(lit, "{") && !strings.HasPrefix(lit, "{"+zeroOf)
}

func isSimple(lit string) bool {
	switch lit {
	case "", LitAbsent:
		return false
	}
	return lit[0] != '{'
}
