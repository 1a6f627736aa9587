package register

import (
	"slices"
	"strings"
)

// A function that says on each way what it found, and a caller that asks:
//
//	if !f() { … } // f: if a { return false }; …; return true
//
// become, when f is inlined, blocks that assign a literal and jump to one that
// branches on it. Each of them knows the way: without that, what follows the last
// operation would seem to go both ways.

// A wrapper of a map that has a value or asserts it asks the same thing twice, because
// it would panic between the two: the second time the answer is known. And what is
// calculated from what was asked is known where only one answer leads.

// GoDecided lets blocks go to where the branch leads that they go to, has branches go one
// way, and has instructions use a literal, where a truth value is one that was assigned on
// the only way there, or was asked on it. It reports whether anything changed.
func GoDecided(p *Program) bool {
	d := &decided{p: p, preds: Preds(p), asked: asked(p), at: make([]answers, len(p.Blocks)), done: make([]bool, len(p.Blocks))}
	before := make([]Term, len(p.Blocks))
	for b, blk := range p.Blocks {
		d.end(b)
		before[b] = blk.Term
	}
	for b, blk := range p.Blocks {
		if way := d.at[b].way(before[b]); way >= 0 {
			blk.Term, d.changed = Term{Kind: Jump, To: []int{before[b].To[way]}, Pos: blk.Term.Pos}, true
			continue
		}
		for i, to := range before[b].To {
			next := before[to]
			if to == b {
				continue
			}
			known, only := d.through(d.at[b].after(before[b], i), p.Blocks[to])
			if !only {
				continue
			}
			if way := known.way(next); way >= 0 && next.To[way] != to {
				blk.Term.To = slices.Clone(blk.Term.To)
				blk.Term.To[i], d.changed = next.To[way], true
			}
		}
	}
	return d.changed
}

// decided finds which truth values are known, from the only way to a block.
type decided struct {
	p       *Program
	preds   [][]int
	asked   LocalSet  // by branches
	at      []answers // at the end of each block
	done    []bool
	changed bool
}

// asked are the locals that branches ask.
func asked(p *Program) LocalSet {
	all := NewLocalSet(len(p.Names))
	for _, blk := range p.Blocks {
		if t := &blk.Term; t.Kind == Branch && !t.Cond.IsLit() {
			all.Add(t.Cond.Local)
		}
	}
	return all
}

// answers are locals that are known to be true or false. Lists of blocks that follow each
// other share memory: what is added is added to a copy.
type answers []answer

type answer struct {
	of Local
	is Operand
}

// maxAnswers bounds what is remembered on the way through many branches; the last ones
// asked are the likely ones.
const maxAnswers = 16

func (ts answers) with(of Local, is Operand) answers {
	ts = ts.without(of)
	if len(ts) == maxAnswers {
		ts = ts[1:]
	}
	return append(slices.Clip(ts), answer{of, is})
}

func (ts answers) without(of Local) answers {
	i := slices.IndexFunc(ts, func(t answer) bool { return t.of == of })
	if i < 0 {
		return ts
	}
	return slices.Delete(slices.Clone(ts), i, i+1)
}

// value is what an operand is known to be.
func (ts answers) value(o Operand) Operand {
	if o.Local != None {
		for _, t := range ts {
			if t.of == o.Local {
				return t.is
			}
		}
	}
	return o
}

// way is the one of two ways that a branch goes, and -1 if that is not known.
func (ts answers) way(t Term) int {
	if t.Kind != Branch || t.Cond.IsLit() {
		return -1
	}
	return wayOf(ts.value(t.Cond))
}

// after is what is known after a branch went way i.
func (ts answers) after(t Term, i int) answers {
	if t.Kind != Branch || t.Cond.IsLit() || t.To[0] == t.To[1] {
		return ts
	}
	return ts.with(t.Cond.Local, Lit([]string{LitTrue, LitFalse}[i]))
}

// end finds what is known at the end of a block, after those before it, and has the block
// use it.
func (d *decided) end(b int) answers {
	if d.done[b] {
		return d.at[b]
	}
	d.done[b] = true
	var known answers
	if b > 0 && len(d.preds[b]) == 1 {
		p := d.preds[b][0]
		t := d.p.Blocks[p].Term
		known = d.end(p).after(t, slices.Index(t.To, b))
	}
	blk := d.p.Blocks[b]
	for i := range blk.Instrs {
		in := &blk.Instrs[i]
		d.use(&in.Args, known)
		in.Defs(func(l Local) { known = known.without(l) })
		if in.Op == Copy && wayOf(in.Args[0]) >= 0 && d.asked.Has(in.Dst[0]) {
			known = known.with(in.Dst[0], in.Args[0])
		}
	}
	d.use(&blk.Term.Vals, known)
	d.at[b] = known
	return known
}

// through is what is known at the end of a block that only says the opposite of what is known, for nobody else to use; only says that it
// is one, or empty.
//
//	if v { tell(v) }
//	if !v { … }
func (d *decided) through(known answers, blk *Block) (_ answers, only bool) {
	for i := range blk.Instrs {
		in := &blk.Instrs[i]
		if in.Op != Pure || in.Name != "not" {
			return nil, false
		}
		way := wayOf(known.value(in.Args[0]))
		if way < 0 || usedOutside(d.p, in.Dst[0], blk) {
			return nil, false
		}
		known = known.with(in.Dst[0], Lit([]string{LitFalse, LitTrue}[way]))
	}
	return known, true
}

// use replaces operands by what they are known to be. Instructions may share them.
func (d *decided) use(operands *[]Operand, known answers) {
	if len(known) == 0 {
		return
	}
	own := false
	for i, o := range *operands {
		is := known.value(o)
		if is == o {
			continue
		}
		if !own {
			*operands, own = slices.Clone(*operands), true
		}
		(*operands)[i], d.changed = is, true
	}
}

// wayOf is the place in Term.To of where a branch on a literal goes.
func wayOf(o Operand) int {
	switch o {
	case Lit(LitTrue):
		return 0
	case Lit(LitFalse):
		return 1
	default:
		return -1
	}
}

// A function that says by an error whether it has done something, and a caller that asks:
//
//	if err := s.enter(); err != nil { return err } // enter: s.mu.Lock(); if s.closed { s.mu.Unlock(); return errClosed }; return nil
//
// become, when enter is inlined, blocks that assign nil or an error, and jump to one that asks
// which it is. Each of them knows the way: without that, who was refused would seem to go on. Where
// all of them hold the same locks it only takes more ways to tell apart.

// maxPassed bounds the blocks that are passed on the way to the question.
const maxPassed = 4

// goByNil lets blocks go where the answer leads to the question whether a value is nil, where that is
// known, and reports whether anything changed.
func goByNil(p *Program) bool {
	n := nils{p: p}
	changed := false
	for b, blk := range p.Blocks {
		if blk.Term.Kind == Jump && n.goOn(b, blk) {
			changed = true
		}
	}
	return changed
}

// nils knows which values are nil; it counts the uses of locals, and the ways to blocks, when it is asked.
type nils struct {
	p     *Program
	preds [][]int
	// torn are the blocks to which one way leads with more locks than another.
	torn map[int]bool
}

// goOn has a block go where it leads, past the question that is asked next.
func (n *nils) goOn(b int, blk *Block) bool {
	var copies []Instr
	at, torn := blk.Term.To[0], false
	for range maxPassed {
		next := n.p.Blocks[at]
		k := 0
		for k < len(next.Instrs) && next.Instrs[k].Op == Copy {
			k++
		}
		torn = torn || n.isTorn(at)
		if at == b || at == 0 || k < len(next.Instrs) && next.Term.Kind != Branch {
			return false
		}
		for _, in := range next.Instrs[:k] { // which are renamed by themselves later
			in.Dst, in.Args = slices.Clone(in.Dst), slices.Clone(in.Args)
			copies = append(copies, in)
		}
		if next.Term.Kind == Jump {
			at = next.Term.To[0]
			continue
		}
		if !torn {
			return false
		}
		way := n.way(b, copies, next, next.Instrs[k:])
		if way < 0 || next.Term.To[way] == at {
			return false
		}
		blk.Instrs = slices.Concat(blk.Instrs, copies)
		blk.Term = Term{Kind: Jump, To: []int{next.Term.To[way]}, Pos: blk.Term.Pos}
		return true
	}
	return false
}

// isTorn reports whether one way leads to a block with more locks than another.
func (n *nils) isTorn(b int) bool {
	if n.torn == nil {
		n.torn = map[int]bool{}
		held := map[int]int{0: 0}
		for _, from := range ReversePostorder(n.p) {
			now := held[from]
			for i := range n.p.Blocks[from].Instrs {
				switch n.p.Blocks[from].Instrs[i].Op {
				case Lock:
					now++
				case Unlock:
					now--
				}
			}
			for _, to := range n.p.Blocks[from].Term.To {
				before, seen := held[to]
				if !seen {
					before = now
				}
				n.torn[to] = n.torn[to] || before != now
				held[to] = max(before, now)
			}
		}
	}
	return n.torn[b]
}

// way is the one that a block goes in the end which only asks whether something is nil, if one comes from
// block b by some copies; -1 if it is not known, or if somebody else asks for the answer.
func (n *nils) way(b int, copies []Instr, asks *Block, questions []Instr) int {
	if asks.Term.Kind != Branch || len(questions) == 0 || asks.Term.Cond.IsLit() {
		return -1
	}
	yes := map[Local]bool{}
	for i := range questions {
		in := &questions[i]
		switch {
		case in.Op != Pure || len(in.Dst) != 1 || usedOutside(n.p, in.Dst[0], asks):
			return -1
		case in.Name == "not" && !in.Args[0].IsLit():
			is, known := yes[in.Args[0].Local]
			if !known {
				return -1
			}
			yes[in.Dst[0]] = !is
		case in.Name == "eq" && in.Args[1] == Lit(LitNil):
			is, known := n.isNil(b, slices.Concat(n.p.Blocks[b].Instrs, copies), in.Args[0])
			if !known {
				return -1
			}
			yes[in.Dst[0]] = is
		default:
			return -1
		}
	}
	is, known := yes[asks.Term.Cond.Local]
	switch {
	case !known:
		return -1
	case is:
		return 0
	}
	return 1
}

// usedOutside reports whether a local is used in another block, or names a cell.
func usedOutside(p *Program, l Local, within *Block) bool {
	if slices.ContainsFunc(p.Cells, func(c Cell) bool { return c.Map.Local == l || c.Key.Local == l }) {
		return true
	}
	for _, blk := range p.Blocks {
		if blk == within {
			continue
		}
		used := false
		note := func(u Local) { used = used || u == l }
		for i := range blk.Instrs {
			blk.Instrs[i].Uses(note)
		}
		blk.Term.Uses(note)
		if used {
			return true
		}
	}
	return false
}

// isNil reports whether a value is nil after some instructions, the last of block b; false if it is not known.
func (n *nils) isNil(b int, after []Instr, o Operand) (is, known bool) {
	for i := len(after) - 1; i >= 0 && !o.IsLit(); i-- {
		in := &after[i]
		if !slices.Contains(in.Dst, o.Local) {
			continue
		}
		if in.Op != Copy {
			return false, neverNil(in)
		}
		o = in.Args[0]
	}
	switch {
	case o == Lit(LitNil):
		return true, true
	case o.IsLit():
		return false, false
	}
	if def := n.p.OnlyDef(o.Local); def != nil && neverNil(def) {
		return false, true
	}
	return n.asked(b, o)
}

// asked is whether a value is nil, as it was asked on the only way to a block.
func (n *nils) asked(b int, o Operand) (is, known bool) {
	if n.preds == nil {
		n.preds = Preds(n.p)
	}
	for range maxPassed {
		if len(n.preds[b]) != 1 || b == 0 {
			return false, false
		}
		from := n.preds[b][0]
		t := &n.p.Blocks[from].Term
		if t.Kind == Branch && t.To[0] != t.To[1] && !t.Cond.IsLit() {
			answer := t.To[0] == b
			def := n.p.OnlyDef(t.Cond.Local)
			for def != nil && def.Op == Pure && def.Name == "not" && !def.Args[0].IsLit() {
				answer, def = !answer, n.p.OnlyDef(def.Args[0].Local)
			}
			if def != nil && def.Op == Pure && def.Name == "eq" && def.Args[0] == o && def.Args[1] == Lit(LitNil) && n.p.OnlyDef(o.Local) != nil {
				return answer, true
			}
		}
		b = from
	}
	return false, false
}

// AfterDone is the name of the error that a context has once it is done.
const AfterDone = "(context.Context).Err#done"

// neverNil reports whether an instruction gives something that is not nil: an error that is made, or one of
// those that a package has in variables for its callers to compare with.
func neverNil(in *Instr) bool {
	switch in.Op {
	case Fresh:
		return true
	case Pure:
		return in.Name == "errors.New" || in.Name == "fmt.Errorf" || in.Name == AfterDone || isSentinel(in)
	}
	return false
}

// isSentinel reports whether an instruction reads a variable of a package that has the name of an error. One that
// the package assigns is none: that is not pure.
func isSentinel(in *Instr) bool {
	if in.Name != "load" || len(in.Args) != 1 || !in.Args[0].IsLit() {
		return false
	}
	name := in.Args[0].Lit[strings.LastIndexByte(in.Args[0].Lit, '.')+1:]
	return strings.HasPrefix(name, "Err") || strings.HasPrefix(name, "err") || name == "EOF"
}

// KnowNotNil has a program use the one value that a variable can have, where it is not nil:
//
//	found := nil
//	if … { found = key }
//	if found != nil { … } // it is key
//
// A cell that is only touched there is the one that is named by that value. In a loop it is if the variable is nil again in each round.
// What is only made on the way to that value stays what it is: no other way has assigned it.
func KnowNotNil(p *Program) (changed bool) {
	preds, tree, loops := Preds(p), Dominators(p), Loops(p)
	for b, blk := range p.Blocks {
		v, to, ok := askedNil(p, blk)
		if !ok || len(preds[to]) != 1 {
			continue
		}
		value, ok := onlyOther(p, v)
		there := func(b int) bool { return Dominates(tree, to, b) }
		made := blocksOf(p, value.Local)
		unmade := slices.ContainsFunc(made, func(at int) bool { return !Dominates(tree, at, to) })
		if !ok || unmade || slices.ContainsFunc(blocksOf(p, v), there) || !inOneRound(p, tree, loops, b, v, value.Local) {
			continue
		}
		useThere(p, v, value, there)
		changed = true
	}
	return changed
}

// inOneRound reports whether a value that is copied to a variable is the same one when it is asked whether that is nil: none of it is in a
// loop, or the variable is nil again before that, in each round of any loop.
func inOneRound(p *Program, tree []int, loops []Loop, asked int, v, value Local) bool {
	within := func(b, begin int) bool { // that the rounds of b are rounds of begin
		return !slices.ContainsFunc(loops, func(l Loop) bool { return l.Contains(b) && (begin < 0 || !l.Contains(begin)) })
	}
	defs := blocksOf(p, value)
	places := append(slices.Clone(defs), asked)
	if !slices.ContainsFunc(places, func(b int) bool { return !within(b, -1) }) {
		return true
	}
	copies, resets := blocksOf(p, v), emptied(p, v)
	copies = slices.DeleteFunc(copies, func(b int) bool { return slices.Contains(resets, b) })
	places = append(places, copies...)
	return slices.ContainsFunc(resets, func(reset int) bool {
		after := func(b int) bool { return Dominates(tree, reset, b) && b != reset }
		made := func(b int) bool { return len(defs) == 0 || Dominates(tree, defs[0], b) && b != defs[0] }
		return after(asked) && !slices.ContainsFunc(copies, func(b int) bool { return !after(b) || !made(b) }) &&
			!slices.ContainsFunc(places, func(b int) bool { return !within(b, reset) })
	})
}

// emptied are the blocks in which a variable is nil, and is assigned nothing else.
func emptied(p *Program, v Local) (blocks []int) {
	for b, blk := range p.Blocks {
		assigned := slices.DeleteFunc(slices.Clone(blk.Instrs), func(in Instr) bool { return !slices.Contains(in.Dst, v) })
		if len(assigned) > 0 && !slices.ContainsFunc(assigned, func(in Instr) bool { return in.Op != Copy || in.Args[0] != Lit(LitNil) }) {
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// blocksOf are the blocks that give a local a value.
func blocksOf(p *Program, l Local) (blocks []int) {
	for b, blk := range p.Blocks {
		if slices.ContainsFunc(blk.Instrs, func(in Instr) bool { return slices.Contains(in.Dst, l) }) {
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// askedNil is the variable of which a branch asks whether it is nil, in its block and of what it is at the end of that, and where it goes if it is not.
func askedNil(p *Program, blk *Block) (v Local, to int, ok bool) {
	if blk.Term.Kind != Branch || blk.Term.Cond.Local == None {
		return None, 0, false
	}
	to = blk.Term.To[1]
	def := p.OnlyDef(blk.Term.Cond.Local)
	if def != nil && def.Op == Pure && def.Name == "not" {
		to, def = blk.Term.To[0], p.OnlyDef(def.Args[0].Local)
	}
	if def == nil || def.Op != Pure || def.Name != "eq" || def.Args[0].Local == None || def.Args[1] != Lit(LitNil) {
		return None, 0, false
	}
	v = def.Args[0].Local
	at := slices.IndexFunc(blk.Instrs, func(in Instr) bool { return len(in.Dst) > 0 && in.Dst[0] == def.Dst[0] })
	if at < 0 || slices.ContainsFunc(blk.Instrs[at:], func(in Instr) bool { return slices.Contains(in.Dst, v) }) {
		return None, 0, false
	}
	return v, to, true
}

// onlyOther is the one value beside nil that is ever copied to a variable, if nothing else gives it a value.
func onlyOther(p *Program, v Local) (value Operand, ok bool) {
	value = NoOperand
	if slices.Contains(p.Params, v) {
		return value, false
	}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if !slices.Contains(in.Dst, v) {
				continue
			}
			switch {
			case in.Op != Copy:
				return NoOperand, false
			case in.Args[0] == Lit(LitNil) || in.Args[0] == L(v):
			case value != NoOperand && value != in.Args[0], in.Args[0].Local == None:
				return NoOperand, false
			default:
				value = in.Args[0]
			}
		}
	}
	return value, value != NoOperand && p.OnlyDef(value.Local) != nil
}

// useThere has some blocks use a value in the place of a variable.
func useThere(p *Program, v Local, value Operand, there func(int) bool) {
	replace := func(ops []Operand) {
		for i := range ops {
			if ops[i] == L(v) {
				ops[i] = value
			}
		}
	}
	elsewhere := map[int]bool{}
	for b, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.IsBase() && !there(b) {
				elsewhere[in.Cell] = true
			}
			if there(b) {
				replace(in.Args)
			}
		}
		if there(b) {
			replace(blk.Term.Vals)
		}
	}
	for i := range p.Cells {
		if c := &p.Cells[i]; !elsewhere[i] && c.Key == L(v) {
			c.Key = value
		}
	}
}
