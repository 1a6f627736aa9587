package summary

import (
	"fmt"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// What is tried again until nobody was faster is one step:
//
//	for {
//		old := state.Load()
//		if old&closed != 0 { return false }
//		if state.CompareAndSwap(old, old|flag) { return true }
//	}
//
// The last round decides. Its look is confirmed by the compare-and-swap: the variable has the
// same value again, so that it could have been looked at then; and where the round ends without
// one, the look is all that it did. Nothing is left of the rounds before: they changed nothing,
// and the last one begins with what the first one began with. So all of it happens in the
// last round, whatever others do, whatever is computed from the value, and however often.
//
// To take a round that changes nothing for one that did not happen is what Flanagan, Freund and
// Qadeer call purity (Exploiting purity for atomicity, ISSTA 2004).

// roundPhase says how far a round has come.
type roundPhase byte

const (
	// roundUntouched: it has done nothing to the cell.
	roundUntouched roundPhase = iota
	// roundLooked: it knows what was in the cell, and has changed nothing.
	roundLooked
	// roundSwapping: it has tried to change the cell, and not asked yet whether it has.
	roundSwapping
	// roundChanged: it has changed the cell.
	roundChanged
	// roundFailed: somebody else was faster, and it has to begin anew.
	roundFailed
	// roundRenewed: it has looked again after that, and has to go on where the first look led.
	roundRenewed
)

// round is one place in a round, and what is known there.
type round struct {
	block int
	phase roundPhase
	// content are the locals that hold what was in the cell, had those that say whether it held
	// anything, replaced those that say whether it was changed, and derived all that depend on
	// one of these.
	content, had, replaced, derived register.LocalSet
	// is says that the cell held something, isNot that it held nothing.
	is, isNot bool
	// decided says that where the round has gone depends on what it found.
	decided bool
	// first says that the compare-and-swap is the first operation of the round, inserts that it
	// expects nothing, and weak that it may fail for no reason.
	first, inserts, weak bool
}

// rounds looks at those of a program, or of one of its loops.
type rounds struct {
	prog  *register.Program
	live  *register.Liveness
	loops map[int]*register.Loop
	// of is the loop; nil if it is all of the program.
	of *register.Loop
	// enters are the ways into each loop, and again the ways back to its head in which a
	// round ends without effect.
	enters, again map[int][]*round
	// sure are the branches that ask whether a compare-and-swap has succeeded which does, if
	// nobody comes in between; unsure those that may be something else.
	sure, unsure map[int]bool
	seen         map[string]bool
	work         []*round
}

// maxPlaces bounds the places that are looked at.
const maxPlaces = 4000

// IsOneRound reports whether a program of one cell is one step because it tries again until
// nobody was faster.
func IsOneRound(p *register.Program) bool {
	return len(p.Cells) == 1 && newRounds(p, nil).all()
}

// WithoutRetries is p with each loop that tries again until nobody was faster in one section, in
// which nobody is; p itself if there is none.
func WithoutRetries(p *register.Program) *register.Program {
	for _, l := range register.Loops(p) {
		if !swapsOneCell(p, &l) {
			continue
		}
		r := newRounds(p, &l)
		if !r.all() || !r.onlyFails() {
			continue
		}
		if q := r.inSection(); len(register.Loops(q)) < len(register.Loops(p)) {
			return WithoutRetries(q)
		}
	}
	return p
}

func newRounds(p *register.Program, of *register.Loop) *rounds {
	r := &rounds{
		prog: p, of: of, live: register.Live(p), loops: map[int]*register.Loop{}, sure: map[int]bool{}, unsure: map[int]bool{},
		enters: map[int][]*round{}, again: map[int][]*round{}, seen: map[string]bool{},
	}
	loops := register.Loops(p)
	for i := range loops {
		r.loops[loops[i].Head] = &loops[i]
	}
	return r
}

// swapsOneCell reports whether a loop operates on one cell, with a compare-and-swap.
func swapsOneCell(p *register.Program, l *register.Loop) bool {
	cell, swaps := -1, false
	for _, b := range l.Blocks {
		for i := range p.Blocks[b].Instrs {
			in := &p.Blocks[b].Instrs[i]
			if !in.IsBase() {
				continue
			}
			if cell >= 0 && cell != in.Cell {
				return false
			}
			cell, swaps = in.Cell, swaps || in.Op == register.CAS
		}
	}
	return swaps
}

// onlyFails reports whether a round comes back to the head of the loop only where somebody else
// was faster, who is nobody in a section.
func (r *rounds) onlyFails() bool {
	if len(r.again) != 1 || len(r.again[r.of.Head]) == 0 {
		return false
	}
	return !slices.ContainsFunc(r.again[r.of.Head], func(at *round) bool { return at.phase != roundFailed || at.first })
}

// inSection is the program with the loop in a section.
func (r *rounds) inSection() *register.Program {
	q, l := r.prog.Clone(), r.of
	add := func(op register.Op, to int) int {
		q.Blocks = append(q.Blocks, &register.Block{
			Instrs: []register.Instr{{Op: op, Pos: posOf(r.prog, l)}},
			Term:   register.Term{Kind: register.Jump, To: []int{to}},
		})
		return len(q.Blocks) - 1
	}
	enter := add(register.Enter, l.Head)
	for b := range r.prog.Blocks {
		blk := q.Blocks[b]
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; l.Contains(b) && in.Op == register.CAS {
				in.Name = ""
			}
		}
		blk.Term.To = slices.Clone(blk.Term.To)
		for i, to := range blk.Term.To {
			switch {
			case !l.Contains(b) && to == l.Head:
				blk.Term.To[i] = enter
			case l.Contains(b) && !l.Contains(to):
				blk.Term.To[i] = add(register.Leave, to)
			}
		}
		if r.sure[b] && !r.unsure[b] {
			blk.Term = register.Term{Kind: register.Jump, To: blk.Term.To[:1], Pos: blk.Term.Pos}
		}
	}
	q.Prune()
	return q
}

// all reports whether what is looked at is one step.
func (r *rounds) all() bool {
	none := func() register.LocalSet { return register.NewLocalSet(len(r.prog.Names)) }
	first := &round{content: none(), had: none(), replaced: none(), derived: none()}
	if r.of != nil {
		first.block = r.of.Head
		r.enters[first.block] = []*round{first.clone()}
	}
	r.push(first)
	for len(r.work) > 0 {
		at := r.work[len(r.work)-1]
		r.work = r.work[:len(r.work)-1]
		if len(r.seen) > maxPlaces || !r.walk(at) {
			return false
		}
	}
	for head, ways := range r.again {
		if !r.beginsAnew(r.loops[head], ways) {
			return false
		}
	}
	return true
}

func (r *rounds) push(at *round) {
	key := fmt.Sprint(*at)
	if !r.seen[key] {
		r.seen[key] = true
		r.work = append(r.work, at)
	}
}

// walk goes through a block; false if the call may be more than one step.
func (r *rounds) walk(at *round) bool {
	b := r.prog.Blocks[at.block]
	for i := range b.Instrs {
		if !at.instr(r.prog, &b.Instrs[i]) {
			return false
		}
	}
	switch t := &b.Term; t.Kind {
	case register.Jump:
		return r.follow(at, t.To[0])
	case register.Branch:
		return r.branch(at, t)
	}
	return at.mayEnd()
}

// mayEnd reports whether a round can end where it is.
func (at *round) mayEnd() bool {
	switch at.phase {
	case roundSwapping:
		return at.first && !at.weak
	case roundFailed, roundRenewed:
		return false
	}
	return true
}

// clone is a round that may go another way.
func (at *round) clone() *round {
	c := *at
	for _, s := range []*register.LocalSet{&c.content, &c.had, &c.replaced, &c.derived} {
		*s = slices.Clone(*s)
	}
	return &c
}

// forget drops what is known of a local.
func (at *round) forget(l register.Local) {
	for _, s := range []register.LocalSet{at.content, at.had, at.replaced, at.derived} {
		s.Remove(l)
	}
}

// learn is what a round knows after an operation that found something.
func (at *round) learn(dst []register.Local, second register.LocalSet) {
	for _, s := range []register.LocalSet{at.content, at.had, at.replaced, at.derived} {
		clear(s)
	}
	at.is, at.isNot = false, false
	for i, s := range []register.LocalSet{at.content, second} {
		if i < len(dst) && dst[i] != register.None {
			s.Add(dst[i])
		}
	}
}

// instr goes on by one instruction; false if the round may be more than one step.
func (at *round) instr(p *register.Program, in *register.Instr) bool {
	switch in.Op {
	case register.Read:
		switch at.phase {
		case roundUntouched:
			at.phase = roundLooked
		case roundFailed:
			at.phase = roundRenewed
		default:
			return false
		}
		at.learn(in.Dst, at.had)
	case register.Write:
		if at.phase != roundUntouched || in.Name == register.Every {
			return false
		}
		at.phase = roundChanged
		at.learn(in.Dst, at.had)
	case register.CAS:
		at.first, at.inserts, at.weak = at.phase == roundUntouched, in.Args[0] == register.Absent, in.Name == register.Weak
		if !at.first && !at.confirms(p, in) {
			return false
		}
		at.phase = roundSwapping
		at.learn(in.Dst, at.replaced)
	case register.Effect:
		return register.IsTail(in.Name) && at.phase != roundFailed && at.phase != roundRenewed
	case register.Copy, register.Pure, register.Fresh, register.Unknown:
		at.compute(in)
	case register.Blocking:
	default:
		return false
	}
	return true
}

// compute notes what the results of an instruction are.
func (at *round) compute(in *register.Instr) {
	var into register.LocalSet
	for _, s := range []register.LocalSet{at.content, at.had, at.replaced, at.derived} {
		in.Uses(func(l register.Local) {
			if s.Has(l) {
				into = s
			}
		})
	}
	in.Defs(func(l register.Local) { at.forget(l) })
	switch {
	case into == nil:
		return
	case in.Op != register.Copy:
		into = at.derived
	}
	in.Defs(func(l register.Local) { into.Add(l) })
}

// confirms reports whether a compare-and-swap succeeds only if the cell holds what the round
// has found there.
func (at *round) confirms(p *register.Program, in *register.Instr) bool {
	expected := in.Args[0]
	switch {
	case at.phase != roundLooked:
		return false
	case expected == register.Absent:
		return at.isNot
	case expected.Local == register.None || !at.content.Has(expected.Local):
		return false
	}
	return at.is || p.Cells[in.Cell].Kind == register.Atomic
}

// branch follows both ways of a branch.
func (r *rounds) branch(at *round, t *register.Term) bool {
	for i, to := range t.To {
		c, yes := at.clone(), i == 0
		if l := t.Cond.Local; l != register.None {
			if at.phase == roundSwapping && !at.first && at.replaced.Has(l) {
				r.sure[at.block] = true
			} else {
				r.unsure[at.block] = true
			}
			if !c.chooses(l, yes) {
				return false
			}
		}
		if !r.follow(c, to) {
			return false
		}
	}
	return true
}

// chooses goes on with the answer to a question; false if it must not be asked.
func (at *round) chooses(l register.Local, yes bool) bool {
	switch {
	case at.phase == roundSwapping && at.replaced.Has(l):
		at.decided = true
		switch {
		case yes:
			at.phase = roundChanged
		case at.first && !at.weak:
			at.phase, at.is = roundLooked, at.inserts
		default:
			at.phase = roundFailed
		}
	case at.phase == roundSwapping:
		return !at.derived.Has(l)
	case at.phase == roundRenewed:
		return false
	case at.had.Has(l):
		at.is, at.isNot, at.decided = yes, !yes, true
	case at.content.Has(l), at.derived.Has(l), at.replaced.Has(l):
		at.decided = true
	}
	return true
}

// follow goes on to a block; false if it is no round that comes to an end or begins anew.
func (r *rounds) follow(at *round, to int) bool {
	if r.of != nil && !r.of.Contains(to) {
		return at.mayEnd()
	}
	back := false
	loop := r.loops[to]
	if loop != nil {
		back = slices.Contains(loop.Back, at.block)
	}
	next := at.clone()
	next.block = to
	switch {
	case loop == nil || back && !r.operates(loop):
	case !back:
		r.enters[to] = append(r.enters[to], next.clone())
	case at.phase == roundLooked || at.phase == roundFailed || at.phase == roundRenewed:
		r.again[to] = append(r.again[to], next)
		return true
	case at.phase == roundSwapping:
		return false
	}
	r.push(next)
	return true
}

func (r *rounds) operates(l *register.Loop) bool {
	return slices.ContainsFunc(l.Blocks, func(b int) bool {
		return slices.ContainsFunc(r.prog.Blocks[b].Instrs, func(in register.Instr) bool { return in.IsBase() })
	})
}

// beginsAnew reports whether the rounds that come back to the head of a loop go on as if they
// came there for the first time: what the call has there was not made in the loop, but for
// what has just been found in the cell, and it has had no effect in the loop.
func (r *rounds) beginsAnew(l *register.Loop, ways []*round) bool {
	made := register.NewLocalSet(len(r.prog.Names))
	for _, b := range l.Blocks {
		for i := range r.prog.Blocks[b].Instrs {
			in := &r.prog.Blocks[b].Instrs[i]
			if in.Op == register.Effect {
				return false
			}
			in.Defs(made.Add)
		}
	}
	live := r.live.In(l.Head, 0)
	for _, at := range ways {
		for _, enter := range r.enters[l.Head] {
			if !at.like(enter, live, made) {
				return false
			}
		}
	}
	return true
}

// like reports whether a round that comes back goes on as one that enters.
func (at *round) like(enter *round, live []register.Local, made register.LocalSet) bool {
	if at.phase != roundRenewed {
		return enter.phase == roundUntouched && !slices.ContainsFunc(live, made.Has)
	}
	if enter.phase != roundLooked || enter.decided {
		return false
	}
	return !slices.ContainsFunc(live, func(l register.Local) bool {
		if at.content.Has(l) && enter.content.Has(l) {
			return false
		}
		return made.Has(l) || enter.content.Has(l) || enter.had.Has(l) || enter.replaced.Has(l) || enter.derived.Has(l)
	})
}
