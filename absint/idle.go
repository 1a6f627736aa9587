package absint

import (
	"slices"
	"strconv"
	"sync"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// An idle loop touches no cell and takes no lock:
//
//	for _, w := range words { if w == name { found = true; break } }
//
// How often it goes round is nobody's concern. What it leaves in its locals,
// and which way it goes on, are functions of what it begins with, of which
// nothing else is known.

// Names of the functions that stand for idle loops, up to a number. What an idle
// loop with an unpredictable call in it gives cannot be predicted either.
const (
	idleLoop = "loop"
	idleSite = "round"
)

// withoutIdleLoops is p with each idle loop replaced by one instruction; p itself if
// there is none.
func withoutIdleLoops(p *register.Program) *register.Program {
	for n := 1; ; n++ {
		l := outermostIdle(p)
		if l == nil {
			return p
		}
		p = replaceLoop(p, l, n)
	}
}

// outermostIdle is an idle loop that is in no other one, nil if there is none.
func outermostIdle(p *register.Program) *register.Loop {
	var best *register.Loop
	for _, l := range register.Loops(p) {
		if isIdle(p, &l) && (best == nil || len(l.Blocks) > len(best.Blocks)) {
			best = &l
		}
	}
	return best
}

func isIdle(p *register.Program, l *register.Loop) bool {
	if l.Head == 0 {
		return false
	}
	for _, b := range l.Blocks {
		for i := range p.Blocks[b].Instrs {
			if in := &p.Blocks[b].Instrs[i]; in.IsBase() && in.Yields() {
				return false
			}
		}
	}
	return isBalanced(p, l) && mayEnd(p, l)
}

// isBalanced reports whether what a loop enters and locks it leaves and unlocks again, in
// each round and on each way out of it. What comes between is no part of the loop then: it
// keeps nobody from anything.
func isBalanced(p *register.Program, l *register.Loop) bool {
	open := map[int][]string{l.Head: {}}
	work := []int{l.Head}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		now := slices.Clone(open[b])
		for i := range p.Blocks[b].Instrs {
			switch in := &p.Blocks[b].Instrs[i]; in.Op {
			case register.Enter:
				now = append(now, "")
			case register.Lock:
				now = append(now, in.Args[0].Lit)
			case register.Leave, register.Unlock:
				lock := ""
				if in.Op == register.Unlock {
					lock = in.Args[0].Lit
				}
				at := lastIndex(now, lock)
				if at < 0 {
					return false
				}
				now = slices.Delete(now, at, at+1)
			}
		}
		for _, to := range p.Blocks[b].Term.To {
			if at, known := open[to]; known || !slices.Contains(l.Blocks, to) {
				if !slices.Equal(at, now) {
					return false
				}
				continue
			}
			open[to] = now
			work = append(work, to)
		}
	}
	return true
}

func lastIndex(in []string, x string) int {
	for i := len(in) - 1; i >= 0; i-- {
		if in[i] == x {
			return i
		}
	}
	return -1
}

// withoutEmptySections is p without the sections of a block with no operation in them, but
// for reads that nothing comes of; p itself if there are none.
func withoutEmptySections(p *register.Program) *register.Program {
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

// mayEnd reports whether something in the loop can change the answer to a question that
// decides whether it is left. One that is not left at once is never left else.
func mayEnd(p *register.Program, l *register.Loop) bool {
	assigned := map[register.Local]bool{}
	for _, b := range l.Blocks {
		for i := range p.Blocks[b].Instrs {
			p.Blocks[b].Instrs[i].Defs(func(x register.Local) { assigned[x] = true })
		}
	}
	for _, b := range l.Blocks {
		t := &p.Blocks[b].Term
		for _, to := range t.To {
			if !slices.Contains(l.Blocks, to) && t.Kind == register.Branch && assigned[t.Cond.Local] {
				return true
			}
		}
	}
	return false
}

// replaceLoop puts one instruction in the place of the loop's head. It says
// which of the exits is taken, and what the locals are from there on.
func replaceLoop(p *register.Program, l *register.Loop, n int) *register.Program {
	q := p.Clone()
	in := register.Instr{Op: register.Pure, Name: idleLoop + "#" + strconv.Itoa(n), Pos: posOf(p, l)}
	effects := idleEffects(p, l)
	if unpredictable(p, l) {
		in.Op, in.Name = register.Unknown, idleSite+"#"+strconv.Itoa(n)
	}
	exits, outs := exitsOf(p, l)
	in.Dst = slices.Clone(outs)
	in.Args = inputsOf(p, l, outs)
	head := &register.Block{Instrs: []register.Instr{in}}
	for _, e := range effects {
		head.Instrs = append(head.Instrs, register.Instr{Op: register.Effect, Name: e.Name, Args: in.Args, Pos: e.Pos})
	}
	q.Blocks[l.Head] = head
	// The answers to which exit it is are asked one by one.
	for i, e := range exits {
		if i == len(exits)-1 {
			head.Term = register.Term{Kind: register.Jump, To: []int{e}}
			break
		}
		taken := q.NewLocal("exit")
		q.Declare(taken, register.Type{Kind: register.Bool})
		first := &q.Blocks[l.Head].Instrs[0]
		first.Dst = append(first.Dst, taken)
		next := &register.Block{}
		q.Blocks = append(q.Blocks, next)
		head.Term = register.Term{Kind: register.Branch, Cond: register.L(taken), To: []int{e, len(q.Blocks) - 1}}
		head = next
	}
	q.Prune()
	return q
}

func posOf(p *register.Program, l *register.Loop) register.Pos {
	for _, in := range p.Blocks[l.Head].Instrs {
		if !in.Pos.IsZero() {
			return in.Pos
		}
	}
	return p.Blocks[l.Head].Term.Pos
}

// unpredictable reports whether the loop makes calls that nobody can predict, or
// new objects.
func unpredictable(p *register.Program, l *register.Loop) bool {
	for _, b := range l.Blocks {
		for i := range p.Blocks[b].Instrs {
			if op := p.Blocks[b].Instrs[i].Op; op == register.Unknown || op == register.Fresh || op == register.Blocking {
				return true
			}
		}
	}
	return false
}

// idleEffects are the effects in the loop. Done to what the loop begins with, they are
// the same each time that it is.
func idleEffects(p *register.Program, l *register.Loop) []register.Instr {
	var out []register.Instr
	for _, b := range l.Blocks {
		for _, in := range p.Blocks[b].Instrs {
			if in.Op == register.Effect {
				out = append(out, in)
			}
		}
	}
	return out
}

// exitsOf lists the blocks to which the loop is left, and the locals that it assigns
// and somebody reads there.
func exitsOf(p *register.Program, l *register.Loop) (exits []int, outs []register.Local) {
	live := register.Live(p)
	assigned := map[register.Local]bool{}
	for _, b := range l.Blocks {
		for i := range p.Blocks[b].Instrs {
			p.Blocks[b].Instrs[i].Defs(func(x register.Local) { assigned[x] = true })
		}
		for _, to := range p.Blocks[b].Term.To {
			if !slices.Contains(l.Blocks, to) && !slices.Contains(exits, to) {
				exits = append(exits, to)
			}
		}
	}
	slices.Sort(exits)
	for _, e := range exits {
		for _, x := range live.In(e, 0) {
			if assigned[x] && !slices.Contains(outs, x) {
				outs = append(outs, x)
			}
		}
	}
	slices.Sort(outs)
	return exits, outs
}

// inputsOf are the locals that the loop reads before it assigns them, and those that
// it may leave as they were.
func inputsOf(p *register.Program, l *register.Loop, outs []register.Local) []register.Operand {
	used := map[register.Local]bool{}
	note := func(x register.Local) { used[x] = true }
	for _, b := range l.Blocks {
		for i := range p.Blocks[b].Instrs {
			p.Blocks[b].Instrs[i].Uses(note)
		}
		p.Blocks[b].Term.Uses(note)
	}
	var args []register.Operand
	for _, x := range register.Live(p).In(l.Head, 0) {
		if used[x] || slices.Contains(outs, x) {
			args = append(args, register.L(x))
		}
	}
	return args
}

// unasked is the problem without what only unpredictable calls are given: whatever that
// is, nobody can tell what they make of it.
func (p Problem) unasked() Problem {
	p.Region = p.Memo.withoutArguments(p.Region)
	p.Steps = slices.Clone(p.Steps)
	for i := range p.Steps {
		p.Steps[i].Program = p.Memo.withoutArguments(p.Steps[i].Program)
	}
	return p
}

// withoutArguments is a program that gives its unpredictable calls nothing; p itself if it
// gives them nothing as it is.
func withoutArguments(p *register.Program) *register.Program {
	gives := func(in register.Instr) bool { return in.Op == register.Unknown && len(in.Args) > 0 }
	if !slices.ContainsFunc(p.Blocks, func(b *register.Block) bool { return slices.ContainsFunc(b.Instrs, gives) }) {
		return p
	}
	q := deepCopy(p)
	for _, b := range q.Blocks {
		for i := range b.Instrs {
			if gives(b.Instrs[i]) {
				b.Instrs[i].Args = nil
			}
		}
	}
	tidyInside(q)
	return q
}

// tidyInside tidies a copy of a program, whose cells stay what they are, by their numbers:
// nothing in it makes one of them another one.
func tidyInside(q *register.Program) {
	cells := slices.Clone(q.Cells)
	for i := range q.Cells {
		q.Cells[i].Map, q.Cells[i].Key = register.Lit("{cell "+strconv.Itoa(i)+"}"), register.NoOperand
	}
	register.Tidy(q)
	q.Cells = cells
}

// deepCopy is a copy of a program that can be tidied, which changes instructions in place.
func deepCopy(p *register.Program) *register.Program {
	q := p.Clone()
	for _, b := range q.Blocks {
		for i := range b.Instrs {
			b.Instrs[i].Dst, b.Instrs[i].Args = slices.Clone(b.Instrs[i].Dst), slices.Clone(b.Instrs[i].Args)
		}
	}
	return q
}

// recall is what make makes of a program, once for each if there is a memo.
func recall(of *map[*register.Program]*register.Program, p *register.Program, make func(*register.Program) *register.Program) *register.Program {
	if q, ok := (*of)[p]; ok {
		return q
	}
	q := make(p)
	if *of == nil || len(*of) >= maxKept {
		*of = map[*register.Program]*register.Program{}
	}
	(*of)[p] = q
	return q
}

// summary is a program with empty sections left out and idle loops replaced.
func (m *Memo) summary(p *register.Program) *register.Program {
	return recall(&m.summarised, p, func(p *register.Program) *register.Program {
		return withoutIdleLoops(withoutEmptySections(withoutSecondLooks(p)))
	})
}

// withoutArguments is a program that gives its unpredictable calls nothing.
func (m *Memo) withoutArguments(p *register.Program) *register.Program {
	return recall(&m.unasked, p, withoutArguments)
}

// What a step does to the cells is asked far more often than what it is told there. So
// it is walked as what is left of it without its results and its effects:
//
//	if hdr.flags&syn != 0 { if err := s.incoming(hdr); err != nil { return err } }
//	…
//	if failed { s.goAway.Store(1) }
//
// Of the first line nothing is left if incoming does nothing to goAway, and a branch that
// decides about nothing else goes straight to where its ways meet again.

// withBare is the problem with steps that know what they do to the cells, once somebody
// asks.
func (p Problem) withBare() Problem {
	p.Steps = slices.Clone(p.Steps)
	for i := range p.Steps {
		if p.Steps[i].bare != nil {
			continue
		}
		program := p.Steps[i].Program
		p.Steps[i].bare = sync.OnceValue(func() *register.Program { return bareOf(program) })
		p.Steps[i].telling = sync.OnceValue(func() *register.Program { return tellingOf(program) })
	}
	return p
}

// bareOf is a program without what is of no consequence for what it does to cells. It has
// the same parameters, cells and places as the program; what is left out is a loop, too,
// that may not end.
func bareOf(p *register.Program) *register.Program {
	q := deepCopy(p)
	for _, b := range q.Blocks {
		b.Instrs = slices.DeleteFunc(b.Instrs, func(in register.Instr) bool { return !register.IsSilent(in.Op) && !in.IsBase() })
	}
	return consequential(q)
}

// tells is the effect of telling what is known then: see tellingOf.
const tells = "tells"

// tellingOf is bareOf for a program that also says what its results and effects are made
// of, as soon as that is known. So nothing has to be kept until it ends.
func tellingOf(p *register.Program) *register.Program {
	q := deepCopy(p)
	saved, exits := onlyReturned(q), 0
	for _, b := range q.Blocks {
		if len(b.Term.To) == 0 {
			exits++
		}
	}
	for _, b := range q.Blocks {
		var kept []register.Instr
		for _, in := range b.Instrs {
			switch {
			case in.Op == register.Copy && in.Dst[0] != register.None && saved.Has(in.Dst[0]):
				kept = append(kept, register.Instr{Op: register.Effect, Name: tells, Args: in.Args})
			case in.Op == register.Effect:
				kept = append(kept, register.Instr{Op: register.Effect, Name: tells, Args: in.Args})
			case register.IsSilent(in.Op), in.IsBase():
				kept = append(kept, in)
			}
		}
		if len(b.Term.To) == 0 {
			told := slices.DeleteFunc(slices.Clone(b.Term.Vals), func(v register.Operand) bool { return v.IsLit() || saved.Has(v.Local) })
			if exits > 1 || len(told) > 0 { // which exit it is tells something, too
				kept = append(kept, register.Instr{Op: register.Effect, Name: tells, Args: told})
			}
		}
		b.Instrs = kept
	}
	return consequential(q)
}

// onlyReturned are the locals that are copies of others, for being returned.
func onlyReturned(p *register.Program) register.LocalSet {
	returned, other := register.NewLocalSet(len(p.Names)), register.NewLocalSet(len(p.Names))
	for _, l := range p.Params {
		other.Add(l)
	}
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			in := &b.Instrs[i]
			in.Uses(other.Add)
			if in.Op != register.Copy {
				in.Defs(other.Add)
			}
		}
		if b.Term.Kind == register.Return {
			b.Term.Uses(returned.Add)
		} else {
			b.Term.Uses(other.Add)
		}
	}
	for l := range p.Names {
		if l := register.Local(l); other.Has(l) {
			returned.Remove(l)
		}
	}
	return returned
}

// consequential makes of a program what changes cells in it, what is told, and what that
// follows from. All exits become one.
func consequential(q *register.Program) *register.Program {
	exit := len(q.Blocks)
	for _, b := range q.Blocks {
		if len(b.Term.To) == 0 {
			b.Term = register.Term{Kind: register.Jump, To: []int{exit}, Pos: b.Term.Pos}
		}
	}
	q.Blocks = append(q.Blocks, &register.Block{Term: register.Term{Kind: register.Return}})
	c := &consequences{
		p: q, deps: register.ControlDeps(q), loops: register.Loops(q), defs: register.DefCounts(q),
		locals: register.NewLocalSet(len(q.Names)), blocks: make([]bool, len(q.Blocks)), decides: make([]bool, len(q.Blocks)),
	}
	c.find()
	post := register.PostDominators(q)
	for b, blk := range q.Blocks {
		if blk.Term.Kind == register.Branch && !c.decides[b] && post[b] >= 0 {
			blk.Term = register.Term{Kind: register.Jump, To: []int{post[b]}, Pos: blk.Term.Pos}
		}
		blk.Instrs = slices.DeleteFunc(blk.Instrs, func(in register.Instr) bool { return !c.matters(&in) })
	}
	tidyInside(q)
	return q
}

// consequences are the locals, blocks and branches of a program of which something follows
// for what it does to cells.
type consequences struct {
	p       *register.Program
	deps    [][]int
	loops   []register.Loop
	defs    []int
	locals  register.LocalSet
	blocks  []bool
	decides []bool
	changed bool
}

func (c *consequences) find() {
	for c.changed = true; c.changed; {
		c.changed = false
		for b := len(c.p.Blocks) - 1; b >= 0; b-- {
			c.block(b)
		}
		for i := range c.loops {
			c.loop(&c.loops[i])
		}
	}
}

// loop keeps what decides how often a loop goes round, if it gives something that is needed.
func (c *consequences) loop(l *register.Loop) {
	gives := slices.ContainsFunc(l.Blocks, func(b int) bool {
		return slices.ContainsFunc(c.p.Blocks[b].Instrs, func(in register.Instr) bool { return c.matters(&in) })
	})
	for _, b := range l.Blocks {
		leaves := slices.ContainsFunc(c.p.Blocks[b].Term.To, func(to int) bool { return !l.Contains(to) })
		if gives && leaves && !c.decides[b] {
			c.decides[b], c.changed = true, true
		}
	}
}

// counts reports whether an instruction changes a cell, or tells something.
func counts(in *register.Instr) bool {
	return in.Op == register.Write || in.Op == register.CAS || in.Op == register.Effect
}

// matters reports whether an instruction counts, or gives something that is needed.
func (c *consequences) matters(in *register.Instr) bool {
	is := counts(in)
	in.Defs(func(l register.Local) { is = is || c.locals.Has(l) })
	return is
}

func (c *consequences) need(l register.Local) {
	c.changed = c.changed || !c.locals.Has(l)
	c.locals.Add(l)
}

func (c *consequences) block(b int) {
	blk := c.p.Blocks[b]
	for i := len(blk.Instrs) - 1; i >= 0; i-- {
		in := &blk.Instrs[i]
		if !c.matters(in) {
			continue
		}
		in.Uses(c.need)
		here := counts(in)
		in.Defs(func(l register.Local) { here = here || c.locals.Has(l) && c.defs[l] > 1 })
		if here && !c.blocks[b] {
			c.blocks[b], c.changed = true, true
		}
	}
	if c.decides[b] {
		blk.Term.Uses(c.need)
		c.blocks[b] = true
	}
	if !c.blocks[b] {
		return
	}
	for _, d := range c.deps[b] {
		c.changed = c.changed || !c.decides[d]
		c.decides[d] = true
	}
}

// branches counts the branches of a program.
func branches(p *register.Program) (n int) {
	for _, b := range p.Blocks {
		if b.Term.Kind == register.Branch {
			n++
		}
	}
	return n
}
