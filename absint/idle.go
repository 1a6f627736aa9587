package absint

import (
	"slices"
	"strconv"

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
	p.Region = withoutArguments(p.Region)
	p.Steps = slices.Clone(p.Steps)
	for i := range p.Steps {
		p.Steps[i].Program = withoutArguments(p.Steps[i].Program)
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
