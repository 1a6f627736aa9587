package summary

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

// Names of the functions that stand for idle loops, up to a number: what they give is told by that. What an idle
// loop with unpredictable calls in it gives cannot be predicted either; if it begins with what was found in a cell, it follows
// from that, and from what those calls give, which is one unpredictable value.
const (
	idleLoop = "computed"
	idleSite = "computed"
)

// WithoutIdleLoops is p with each idle loop replaced by one instruction; p itself if
// there is none.
func WithoutIdleLoops(p *register.Program) *register.Program {
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
	return isBalanced(p, l) && mayEnd(p, l) && !isShort(p, l)
}

// maxRounds is how often a loop goes round at the most that is gone through.
const maxRounds = 4

// isShort reports whether a loop counts from a number to a number, and not far: it is gone through
// round by round, and is no function of which nothing is known.
//
//	for i := 0; i < 2; i++ { if v { return m.Load() } } // never comes to Load without v
func isShort(p *register.Program, l *register.Loop) bool {
	head := p.Blocks[l.Head]
	n := len(head.Instrs) - 1
	if n < 0 || head.Term.Kind != register.Branch || slices.Contains(l.Blocks, head.Term.To[1]) {
		return false
	}
	less := &head.Instrs[n]
	if less.Op != register.Pure || less.Name != "lt" || less.Dst[0] != head.Term.Cond.Local {
		return false
	}
	i := less.Args[0].Local
	to, isNumber := number(less.Args[1])
	if i == register.None || !isNumber || !countsUp(p, l, i) {
		return false
	}
	for _, b := range register.Preds(p)[l.Head] {
		if slices.Contains(l.Blocks, b) {
			continue
		}
		if from, isNumber := lastNumber(p.Blocks[b], i); !isNumber || to-from > maxRounds {
			return false
		}
	}
	return true
}

// countsUp reports whether all that a loop does to i is that it adds one, in each round.
func countsUp(p *register.Program, l *register.Loop, i register.Local) bool {
	var sums []register.Local
	counts := true
	eachDefinition(p, l, i, func(in *register.Instr) {
		if in.Op == register.Copy {
			sums = append(sums, in.Args[0].Local)
		} else {
			counts = false
		}
	})
	if !counts || len(sums) != 1 || sums[0] == register.None {
		return false
	}
	n := 0
	eachDefinition(p, l, sums[0], func(in *register.Instr) {
		n++
		counts = in.Op == register.Pure && in.Name == "add" && in.Args[0] == register.L(i) && in.Args[1] == register.Lit("1")
	})
	return counts && n == 1 && eachRound(p, l, i)
}

// eachRound reports whether x is assigned on each way from the head of a loop back to it.
func eachRound(p *register.Program, l *register.Loop, x register.Local) bool {
	seen := map[int]bool{l.Head: true}
	for work := []int{l.Head}; len(work) > 0; work = work[1:] {
		blk := p.Blocks[work[0]]
		if slices.ContainsFunc(blk.Instrs, func(in register.Instr) bool { return slices.Contains(in.Dst, x) }) {
			continue
		}
		for _, to := range blk.Term.To {
			if to == l.Head {
				return false
			}
			if slices.Contains(l.Blocks, to) && !seen[to] {
				seen[to] = true
				work = append(work, to)
			}
		}
	}
	return true
}

// lastNumber is the number that a block leaves in x.
func lastNumber(blk *register.Block, x register.Local) (n int, ok bool) {
	for k := len(blk.Instrs) - 1; k >= 0; k-- {
		if in := &blk.Instrs[k]; slices.Contains(in.Dst, x) {
			if in.Op != register.Copy {
				return 0, false
			}
			return number(in.Args[0])
		}
	}
	return 0, false
}

func number(o register.Operand) (n int, ok bool) {
	if !o.IsLit() {
		return 0, false
	}
	n, err := strconv.Atoi(o.Lit)
	return n, err == nil
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
	effects := idleEffects(p, l)
	exits, outs := exitsOf(p, l)
	in := register.Instr{Op: register.Pure, Dst: slices.Clone(outs), Args: inputsOf(p, l, outs), Pos: posOf(p, l)}
	is := identityOf(p, l, in.Args, outs, exits)
	in.Name = idleLoop + Mark + is
	calls := unpredictable(p, l)
	if calls && !goesByCells(p, in.Args) {
		in.Op, in.Name, calls = register.Unknown, idleSite+"#"+strconv.Itoa(n)+Mark+is, false
	}
	head := &register.Block{Instrs: []register.Instr{in}}
	for _, e := range effects {
		args, some := doneTo(p, l, &e)
		for _, x := range some {
			is := q.NewLocal(p.Names[x])
			q.Declare(is, typeIn(p, l, x))
			head.Instrs[0].Dst = append(head.Instrs[0].Dst, is)
			args = append(args, register.L(is))
		}
		head.Instrs = append(head.Instrs, register.Instr{
			Op: register.Effect, Name: e.Name, Args: append(args, in.Args...), Beside: uint16(len(in.Args)), Counts: e.Counts, Pos: e.Pos,
		})
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
	if calls {
		given := q.NewLocal("calls")
		first := q.Blocks[l.Head]
		first.Instrs[0].Args = append(slices.Clone(first.Instrs[0].Args), register.L(given))
		site := register.Instr{Op: register.Unknown, Dst: []register.Local{given}, Name: idleSite + "#" + strconv.Itoa(n) + Mark + is, Pos: in.Pos}
		first.Instrs = slices.Insert(first.Instrs, 0, site)
	}
	q.Prune()
	return q
}

// goesByCells reports whether some of what a loop begins with follows from what was found in a cell.
func goesByCells(p *register.Program, begins []register.Operand) bool {
	found := register.FoundIn(p)
	return slices.ContainsFunc(begins, func(o register.Operand) bool { return o.Local != register.None && found.Has(o.Local) })
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

// idleEffects are the effects in the loop. They follow from what the loop begins with: they
// are the same each time that it does with the same.
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

// doneTo tells what an effect in a loop is done to. These are values with which the loop
// begins, and some that it comes by, of which nothing is known but their types:
//
//	sd := &description{}
//	for i := range n { sd.fields = append(sd.fields, field(t, i)) }
//
// is done to sd, and not to t. An object that the loop itself makes is nobody else's.
func doneTo(p *register.Program, l *register.Loop, effect *register.Instr) (args []register.Operand, some []register.Local) {
	for _, o := range effect.Args {
		if o.IsLit() {
			continue
		}
		begins, comesBy := sourcesIn(p, l, o.Local)
		for _, x := range begins {
			if !slices.Contains(args, register.L(x)) {
				args = append(args, register.L(x))
			}
		}
		if comesBy && !slices.Contains(some, o.Local) {
			some = append(some, o.Local)
		}
	}
	return args, some
}

// sourcesIn are the locals from before a loop that x can be a copy of in it; comesBy says that it
// can be something else than those, a literal, and what the loop makes.
func sourcesIn(p *register.Program, l *register.Loop, x register.Local) (begins []register.Local, comesBy bool) {
	before := register.Live(p).In(l.Head, 0)
	seen := map[register.Local]bool{}
	var from func(x register.Local)
	from = func(x register.Local) {
		if seen[x] {
			return
		}
		seen[x] = true
		if slices.Contains(before, x) {
			begins = append(begins, x)
		}
		eachDefinition(p, l, x, func(in *register.Instr) {
			switch {
			case in.Op == register.Copy && in.Args[0].IsLit(), in.Op == register.Fresh:
			case in.Op == register.Copy:
				from(in.Args[0].Local)
			default:
				comesBy = true
			}
		})
	}
	from(x)
	return begins, comesBy
}

// eachDefinition calls f for the instructions of a loop that assign x.
func eachDefinition(p *register.Program, l *register.Loop, x register.Local, f func(*register.Instr)) {
	for _, b := range l.Blocks {
		for i := range p.Blocks[b].Instrs {
			in := &p.Blocks[b].Instrs[i]
			if slices.Contains(in.Dst, x) {
				f(in)
			}
		}
	}
}

// typeIn is the type of a local of a loop: the one that is declared, or that all have which are
// assigned to it there.
func typeIn(p *register.Program, l *register.Loop, x register.Local) register.Type {
	seen := map[register.Local]bool{}
	var found []register.Type
	var from func(x register.Local)
	from = func(x register.Local) {
		if seen[x] {
			return
		}
		seen[x] = true
		if t := p.TypeOf(x); t.Kind != register.NoType {
			found = append(found, t)
			return
		}
		eachDefinition(p, l, x, func(in *register.Instr) {
			switch {
			case in.Op == register.Copy && !in.Args[0].IsLit():
				from(in.Args[0].Local)
			case in.Op == register.Copy && in.Args[0].Lit == register.LitNil:
			case in.Op == register.Pure:
				found = append(found, register.ResultType(in.Name, in.Type))
			default:
				found = append(found, register.Type{})
			}
		})
	}
	from(x)
	for _, t := range found {
		if t != found[0] {
			return register.Type{}
		}
	}
	if len(found) == 0 {
		return register.Type{}
	}
	return found[0]
}
