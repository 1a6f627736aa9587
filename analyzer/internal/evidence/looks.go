package evidence

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// A look that only decides whether to go on, before what decides again, saves work: what
// it says may be old, and the code that follows is made for that.
//
//	if s := b.state.Load(); s == stopping || s == stopped {
//		return
//	}
//	if b.state.CompareAndSwap(running, stopping) {
//		b.stop()
//	}
//
// The outcome that no atomic run has is that it goes on although it would have returned,
// and then does nothing, or does what it does for whoever comes a little later.

// quickLook is why a violation is not shown that is none without its first look, if what
// comes after that looks again and goes by what it finds then.
func (e *Weigher) quickLook(f *violation) string {
	if f.x.Several || f.x.Category == absint.Crash || f.x.Category == absint.DuplicateInstance || f.by[byPlace] {
		return ""
	}
	for _, a := range f.g.Accesses {
		rest := slices.DeleteFunc(slices.Clone(f.g.Accesses), func(b *register.Access) bool { return a == b })
		if f.leadsOnly(a, rest) && f.decidesAgain(a, rest) && !f.asksMore(a, rest) && e.isAtomic(f, rest) {
			return "a quick look, before the same is looked at again"
		}
	}
	return ""
}

// asksMore reports whether what an access finds is compared with a value with which nothing is compared that the others find: they do
// not look for the same.
//
//	if !c.isCurrent(key, token) { return } // under the lock
//	old, ok := c.take(key)                 // whichever it is by then
func (f *violation) asksMore(a *register.Access, rest []*register.Access) bool {
	follow := f.following(rest)
	with := f.comparands(foundBy(rest...), isEquality, follow)
	return f.ordersMore(a, rest) || slices.ContainsFunc(f.comparands(foundBy(a), isEquality, follow), func(o register.Operand) bool { return !slices.Contains(with, o) })
}

// ordersMore reports whether what an access finds is put in an order with something, and nothing is that the others find:
//
//	if s.expires.Before(now) { … } // under the lock
//	s, ok := p.take(id)            // whether it has expired or not
func (f *violation) ordersMore(a *register.Access, rest []*register.Access) bool {
	return len(f.comparands(foundBy(a), isOrder, f.following(rest))) > 0 && !f.ordered(foundBy(rest...))
}

// following is how it is told what a look goes by: also by what the fields of what it finds hold, unless the others ask for fields too.
func (f *violation) following(rest []*register.Access) func(map[register.Local]bool) {
	if f.asksFields(foundBy(rest...)) {
		return func(found map[register.Local]bool) { closeOver(f.Prog, found) }
	}
	return f.look
}

// asksFields reports whether a branch goes by what the fields of what is found hold, and not by that alone which is found: a mark
// that was set in it says what was found before.
func (f *violation) asksFields(found map[register.Local]bool) bool {
	values := maps.Clone(found)
	closeOver(f.Prog, values)
	f.look(found)
	return slices.ContainsFunc(f.Prog.Blocks, func(blk *register.Block) bool {
		cond := blk.Term.Cond.Local
		return blk.Term.Kind == register.Branch && found[cond] && !values[cond]
	})
}

// ordered reports whether something that follows from some values is put in an order with anything, and be it a constant.
func (f *violation) ordered(found map[register.Local]bool) bool {
	f.look(found)
	return someInstr(f.Prog, func(in register.Instr) bool {
		return in.Op == register.Pure && isOrder(&in) && slices.ContainsFunc(in.Args, func(o register.Operand) bool { return found[o.Local] })
	})
}

// look adds to what is found what is computed from it, and what its fields hold.
func (f *violation) look(found map[register.Local]bool) {
	fields := func(in *register.Instr) bool {
		m := in.Memory()
		return in.Op == register.Pure && in.Name != "choose" || m.IsField() && !m.Writes && !m.Address
	}
	for n := -1; n != len(found); {
		n = len(found)
		passOn(f.Prog, found, fields)
		for _, a := range f.Find.Accesses {
			if found[f.Prog.Cells[a.Cell].Map.Local] {
				maps.Copy(found, foundBy(a))
			}
		}
	}
}

func isEquality(in *register.Instr) bool { return in.Name == "eq" }

// isOrder reports whether an instruction compares two numbers, or times.
func isOrder(in *register.Instr) bool {
	switch in.Name {
	case "lt", "le", "time.Time.Before", "time.Time.After", "time.Time.Compare":
		return true
	}
	return false
}

// comparands are the values, and no constants, with which something is compared in some way that follows from others.
func (f *violation) comparands(found map[register.Local]bool, compares func(*register.Instr) bool, follow func(map[register.Local]bool)) (with []register.Operand) {
	follow(found)
	for _, blk := range f.Prog.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != register.Pure || !compares(in) || len(in.Args) != 2 {
				continue
			}
			for k, o := range in.Args {
				if other := in.Args[1-k]; found[o.Local] && !other.IsLit() && !found[other.Local] {
					with = append(with, f.N.Source(other))
				}
			}
		}
	}
	return with
}

// leadsOnly reports whether an access looks before all others, and no more than whether
// they happen is made of what it finds.
func (f *violation) leadsOnly(a *register.Access, rest []*register.Access) bool {
	i := slices.Index(f.Find.Accesses, a)
	return !a.Writes && i >= 0 && !f.actsOn(a) && !slices.ContainsFunc(rest, func(b *register.Access) bool {
		return !f.Find.Dominates(a, b) || f.Find.Computes(i, b) || f.effectBetween(a, b)
	})
}

// actsOn reports whether something is done with what an access has found.
func (f *violation) actsOn(a *register.Access) bool {
	return f.doesWith(f.followsFrom(a))
}

// doesWith reports whether something is done with one of some values.
func (f *violation) doesWith(vals map[register.Local]bool) bool {
	return someInstr(f.Prog, func(in register.Instr) bool { return in.Op == register.Effect && uses(&in, vals) })
}

// effectBetween reports whether something is done between two accesses that others see,
// without going round to the first of them again.
func (f *violation) effectBetween(a, b *register.Access) bool {
	from, to := a.Start, b.Start
	for k, blk := range f.Prog.Blocks {
		for i := range blk.Instrs {
			between := false
			switch {
			case blk.Instrs[i].Op != register.Effect:
			case k == from.Block:
				between = i > from.Instr && (k != to.Block || i < to.Instr)
			case from.Block == to.Block:
			case k == to.Block:
				between = i < to.Instr
			default:
				between = reaches(f.Prog, from.Block, k, to.Block) && reaches(f.Prog, k, to.Block, from.Block)
			}
			if between {
				return true
			}
		}
	}
	return false
}

// decidesAgain reports whether one of the accesses comes before all others but the first
// one, and a branch goes by what it finds.
func (f *violation) decidesAgain(first *register.Access, rest []*register.Access) bool {
	return slices.ContainsFunc(rest, func(b *register.Access) bool {
		i := slices.Index(f.Find.Accesses, b)
		ahead := !slices.ContainsFunc(rest, func(c *register.Access) bool { return c != b && !f.Find.Dominates(b, c) })
		return i >= 0 && ahead && slices.Contains(f.Find.Influence(i).Blocks, true) && first.Cell == b.Cell && !f.goesOnAnyway(first, b) &&
			!(f.Kept && f.removesAny(b))
	})
}

// removesAny reports whether an access takes away what it finds for no other reason than that it is there: whose it is
// decides nothing then.
func (f *violation) removesAny(a *register.Access) bool {
	_, ok := register.Removal(f.Prog, f.N, a.Ops[0])
	return ok
}

// goesOnAnyway reports whether something is done, or returned, after two looks that the first one
// decides and the second one does not, and that has nothing to do with what the second one finds:
// whoever comes second does it as well.
//
//	if s.has(id) {
//		return
//	}
//	s.add(id) // adds it, if it is not there
//	send(id)
func (f *violation) goesOnAnyway(first, again *register.Access) bool {
	found := f.followsFrom(again)
	ofAgain := func(op register.Operand) bool { return !op.IsLit() && found[op.Local] }
	for _, blk := range f.leftToFirst(first, again) {
		returns := blk.Term.Kind == register.Return && len(blk.Term.Vals) > 0 && !slices.ContainsFunc(blk.Term.Vals, ofAgain)
		if returns || len(f.blindEffects(blk, found)) > 0 {
			return true
		}
	}
	return false
}

// blindEffects are what a block does with anything but some values.
func (f *violation) blindEffects(blk *register.Block, but map[register.Local]bool) (out []*register.Instr) {
	for i := range blk.Instrs {
		if in := &blk.Instrs[i]; in.Op == register.Effect && !uses(in, but) {
			out = append(out, in)
		}
	}
	return out
}

// leftToFirst are the blocks after two looks to which the first one leads, whatever the second
// one finds, of which the one with the second look begins with that.
func (f *violation) leftToFirst(first, again *register.Access) (out []*register.Block) {
	i, j := slices.Index(f.Find.Accesses, first), slices.Index(f.Find.Accesses, again)
	byFirst, byAgain := f.Find.Influence(i).Blocks, f.Find.Influence(j).Blocks
	for b, blk := range f.Prog.Blocks {
		switch {
		case !byFirst[b] || byAgain[b]:
		case b == again.Start.Block:
			out = append(out, &register.Block{Instrs: blk.Instrs[again.Start.Instr:], Term: blk.Term})
		case f.Before(again.Start, register.Ref{Block: b}):
			out = append(out, blk)
		}
	}
	return out
}

// bothGoOn is what two calls both do, which have been told by their first looks to go on, if that
// matters: what the second look finds only decides what is written.
func (e *Weigher) bothGoOn(f *violation) (Support, bool) {
	if f.x.Several || !e.meetsItself(f) {
		return Support{}, false
	}
	for _, first := range f.g.Accesses {
		for _, again := range f.g.Accesses {
			if first == again || first.Writes || !f.looksToWrite(again) || first.Cell != again.Cell || !f.Find.Dominates(first, again) {
				continue
			}
			found := f.followsFrom(again)
			for _, blk := range f.leftToFirst(first, again) {
				for _, in := range f.blindEffects(blk, found) {
					if e.matters(in) && f.times(f.x.Witness.Result, in) > 0 && !onOwn(f.Prog, in) && !f.doneInAnyCase(in, first, again) {
						return shown(e.placeOf(in.Pos), "two calls both %s", e.doing(in)).shows(byEffect), true
					}
				}
			}
			if pos, ok := decidedAnswer(f.x.Region); ok && f.goesByFirst(first, again) && f.refused() && !e.unread(f) {
				return shown(e.position(pos), "two calls are both told to go ahead").shows(byLeave), true
			}
		}
	}
	return Support{}, false
}

// swapsUnasked reports whether an atomic is changed by compare-and-swaps, of which the later ones expect what
// nobody has asked whether it will do: what was found at first was.
//
//	left := b.left.Load()
//	if left < n { return errNone }
//	for !b.left.CompareAndSwap(left, left-n) { left = b.left.Load() }
func (f *violation) swapsUnasked() bool {
	p := f.x.Region
	if !f.lone() || !f.swaps() {
		return false
	}
	asked, unasked := false, false
	for _, blk := range p.Blocks {
		for _, in := range blk.Instrs {
			if in.Op != register.Read || in.Dst[0] == register.None {
				continue
			}
			found := map[register.Local]bool{in.Dst[0]: true}
			passOn(p, found, func(in *register.Instr) bool { return !in.IsBase() })
			expected := someInstr(p, func(in register.Instr) bool { return in.Op == register.CAS && found[in.Args[0].Local] })
			decides := slices.ContainsFunc(p.Blocks, func(blk *register.Block) bool {
				return blk.Term.Kind == register.Branch && found[blk.Term.Cond.Local]
			})
			asked, unasked = asked || decides, unasked || expected && !decides
		}
	}
	return asked && unasked
}

// looksBeforeWrite reports whether the look that finds something else is in one hold of the lock with a write
// that always comes after it: what is put there does not go by that, as by the last look at what has run out.
func (f *violation) looksBeforeWrite() bool {
	w := f.x.Witness
	if w.Breaking < 0 {
		return false
	}
	for _, section := range f.g.Accesses {
		if !section.Writes || !f.Prog.Cells[section.Cell].Guarded {
			continue
		}
		for _, at := range section.Ops {
			in := &f.Prog.Blocks[at.Block].Instrs[at.Instr]
			if in.Op == register.Read && in.Pos == w.Events[w.Breaking].Pos && slices.ContainsFunc(section.Ops, func(to register.Ref) bool {
				return f.Prog.Blocks[to.Block].Instrs[to.Instr].Op == register.Write && f.Before(at, to) && !returnsWithout(f.Prog, at.Block, to.Block)
			}) {
				return true
			}
		}
	}
	return false
}

// drawsAgain reports whether the call adds to an atomic, and returns what it loads from there after that:
// whoever has added as well returns the same.
//
//	s.last.Add(1)
//	return s.last.Load()
func (e *Weigher) drawsAgain(v *violation) bool {
	parts := e.loadedAfterAdding(v)
	passOn(v.x.Region, parts, func(in *register.Instr) bool {
		return in.Op == register.Copy || in.Op == register.Fresh || in.Op == register.Pure && !register.IsTest(in.Name)
	})
	return slices.ContainsFunc(v.x.Region.Blocks, func(blk *register.Block) bool {
		return blk.Term.Kind == register.Return && slices.ContainsFunc(blk.Term.Vals, func(op register.Operand) bool { return !op.IsLit() && parts[op.Local] })
	})
}

// lastTwice reports whether the call adds to an atomic, and asks what it loads from there after that whether it
// is the last: of two that have added both find that they are.
//
//	u.received.Add(1)
//	if u.received.Load() == u.parts { return u.commit() }
//
// Who asks whether it is more than a limit may find so as well, and does no more than one too many; but what is counted
// down to nothing is less than one for all who come after that.
func (e *Weigher) lastTwice(v *violation) bool {
	p, found := v.x.Region, e.loadedAfterAdding(v)
	passOn(p, found, func(in *register.Instr) bool {
		return in.Op == register.Copy || in.Op == register.Pure && !register.IsTest(in.Name)
	})
	return len(found) > 0 && slices.ContainsFunc(p.Blocks, func(blk *register.Block) bool {
		if blk.Term.Kind != register.Branch {
			return false
		}
		test := p.OnlyDef(blk.Term.Cond.Local)
		if test == nil || test.Op != register.Pure || !uses(test, found) || test.Name != "eq" && !(asksForNone(test) && e.countsBy(v.Positions(v.g.Accesses[:1])[0]) < 0) {
			return false
		}
		one, other := blk.Term.To[0], blk.Term.To[1]
		return answersApart(p, one, other) && !e.unread(v) || actsIn(p, one) != actsIn(p, other)
	})
}

// asksForNone reports whether a test compares a number with zero by its order.
func asksForNone(test *register.Instr) bool {
	return (test.Name == "lt" || test.Name == "le") && slices.ContainsFunc(test.Args, func(op register.Operand) bool { return op.Lit == "0" })
}

// actsIn reports whether a block does something besides: who is the last does it for all, and once.
func actsIn(p *register.Program, block int) bool {
	return slices.ContainsFunc(p.Blocks[block].Instrs, func(in register.Instr) bool { return in.Op == register.Effect })
}

// answersApart reports whether a region goes on on one way, or says yes, and returns on the other one, or says no.
func answersApart(p *register.Program, one, other int) bool {
	a, b := p.Blocks[one].Term, p.Blocks[other].Term
	return a.Kind == register.Return && b.Kind == register.Return && ((a.Label == "") != (b.Label == "") || otherAnswer(a.Vals, b.Vals))
}

// loadedAfterAdding is what the call loads from an atomic after it has added one to that, or taken one away, if
// nobody does anything else to it; none if it does not do that.
func (e *Weigher) loadedAfterAdding(v *violation) map[register.Local]bool {
	parts := map[register.Local]bool{}
	if !v.lone() || len(v.g.Accesses) != 2 || slices.ContainsFunc(v.x.Rivals, func(s *rivals.Step) bool { return s.Writes && !e.stepOf(v.Fn, s) }) {
		return parts
	}
	adding, loading := v.g.Accesses[0], v.g.Accesses[1]
	if !adding.Writes || loading.Writes || !v.Find.Dominates(adding, loading) || e.countsBy(v.Positions(v.g.Accesses[:1])[0]) == 0 {
		return parts
	}
	for _, blk := range v.x.Region.Blocks {
		for _, in := range blk.Instrs {
			if in.Op == register.Read && slices.Contains(v.Positions(v.g.Accesses[1:]), in.Pos) {
				parts[in.Dst[0]] = true
			}
		}
	}
	delete(parts, register.None)
	return parts
}

// goesByFirst reports whether a look decides that another one comes, which decides nothing: what that
// one finds has something added to it.
//
//	if len(s.open(user)) >= s.max { return ErrTooMany } // under the lock
//	s.add(user, c)                                      // to those that are open, under the lock
func (f *violation) goesByFirst(first, again *register.Access) bool {
	j := slices.Index(f.Find.Accesses, again)
	return !f.lone() && f.Find.Decides(first, again) && !slices.Contains(f.Find.Influence(j).Blocks, true)
}

// looksToWrite reports whether an access writes, and looks before that.
func (f *violation) looksToWrite(a *register.Access) bool {
	return a.Writes && slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
		in := &f.Prog.Blocks[op.Block].Instrs[op.Instr]
		return in.Op != register.Write || len(in.Dst) > 1 && in.Dst[1] != register.None
	})
}

// doneInAnyCase reports whether an effect comes also where the first look has told the call not to
// go on to the second one, as what is deferred does: it is not what the call was told to do.
func (f *violation) doneInAnyCase(in *register.Instr, first, again *register.Access) bool {
	byFirst := f.Find.Influence(slices.Index(f.Find.Accesses, first)).Blocks
	for b, blk := range f.Prog.Blocks {
		if !byFirst[b] || b == again.Start.Block || f.Before(again.Start, register.Ref{Block: b}) || reaches(f.Prog, b, -1, again.Start.Block) {
			continue
		}
		if slices.ContainsFunc(blk.Instrs, func(o register.Instr) bool {
			return o.Op == register.Effect && o.Name == in.Name && o.Pos == in.Pos
		}) {
			return true
		}
	}
	return false
}

// What is remembered in an atomic saves a lock. Under the lock something else decides, so that the
// one who has missed what was just stored there only asks once more:
//
//	if p.ready.Load() { return p.conn }
//	p.mu.Lock()
//	defer p.mu.Unlock()
//	if p.err == nil { p.ready.Store(true) }

// looksBeforeLock is why two that are told to go ahead are no harm: what they are told is decided
// under a lock, by something else than the look before that.
func (e *Weigher) looksBeforeLock(f *violation) string {
	if !f.lone() || !f.by[byLeave] {
		return ""
	}
	for _, a := range f.g.Accesses {
		rest := slices.DeleteFunc(slices.Clone(f.g.Accesses), func(b *register.Access) bool { return a == b })
		if f.leadsOnly(a, rest) && !slices.ContainsFunc(rest, func(b *register.Access) bool { return !b.Writes || !f.decidedLocked(a, b) }) {
			return "it is decided under the lock, by something else"
		}
	}
	return ""
}

// decidedLocked reports whether a lock is taken between two accesses, and a branch after that goes
// by something else than what the first one found, and decides whether the second one is made.
func (f *violation) decidedLocked(looks, writes *register.Access) bool {
	found := f.followsFrom(looks)
	for b, blk := range f.Prog.Blocks {
		for i := range blk.Instrs {
			lock := register.Ref{Block: b, Instr: i}
			if blk.Instrs[i].Op != register.Lock || !f.Before(looks.Start, lock) || !f.Before(lock, writes.Start) {
				continue
			}
			for at, under := range f.Prog.Blocks {
				end := register.Ref{Block: at, Instr: len(under.Instrs)}
				if len(under.Term.To) > 1 && !found[under.Term.Cond.Local] && at != writes.Start.Block && f.Before(lock, end) && f.Before(end, writes.Start) && returnsWithout(f.Prog, at, writes.Start.Block) {
					return true
				}
			}
		}
	}
	return false
}

// A function that runs one that it was given, and then looks again, does so because
// the world may have changed meanwhile:
//
//	if b.state.Load() == open {
//		return errOpen
//	}
//	err := fn()
//	if b.state.Load() == halfOpen && err == nil {
//		b.state.CompareAndSwap(halfOpen, closed)
//	}
//
// The caller's function may take as long as it likes, and call whatever it likes.
// What is done before it and what is done after it are one step each, unless
// something is carried over: v := m.Load(k); w := fn(v); m.Store(k, w).

// looksAgain is why a violation is not reported of which the accesses fall apart
// into those before a call of a function parameter and those after it, the first one
// of which looks, and there is nothing wrong with either.
func (e *Weigher) looksAgain(f *violation) string {
	if f.x.Several || f.x.Category != absint.InconsistentRead {
		return ""
	}
	for _, call := range f.callbacks(e.ps.Res) {
		before, after := f.around(call)
		if len(before) > 0 && len(after) > 0 && f.freshLook(before, after) && e.isAtomic(f, before) && e.isAtomic(f, after) {
			return "it looks again after it has called a function that it was given"
		}
	}
	return ""
}

// callbacks are the places of the program where the function calls its parameters.
func (f *violation) callbacks(r *ssaprog.Resolver) []register.Ref {
	calls := map[register.Pos]bool{}
	for _, b := range f.Fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || call.Call.IsInvoke() {
				continue
			}
			if _, isParam := call.Call.Value.(*ssa.Parameter); !isParam {
				continue
			}
			if _, isFunc := call.Call.Value.Type().Underlying().(*types.Signature); isFunc {
				at, _, _ := r.Place(call)
				calls[r.PosText(at)] = true
			}
		}
	}
	var out []register.Ref
	for b, blk := range f.Prog.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; calls[in.Pos] && (in.Op == register.Unknown || in.Op == register.Effect) {
				out = append(out, register.Ref{Block: b, Instr: i})
			}
		}
	}
	return out
}

// around divides the accesses of a group into those that only happen before a place
// and those that only happen after it; nil if some do neither.
func (f *violation) around(at register.Ref) (before, after []*register.Access) {
	call := &register.Access{Start: at}
	for _, a := range f.g.Accesses {
		switch {
		case f.Find.Dominates(call, a) && !f.Find.Precedes(a, call):
			after = append(after, a)
		case !f.Find.Precedes(call, a):
			before = append(before, a)
		default:
			return nil, nil
		}
	}
	return before, after
}

// freshLook reports whether each of the later accesses that writes comes after one
// that looks, and none is given what the earlier ones found.
func (f *violation) freshLook(before, after []*register.Access) bool {
	for _, b := range after {
		looked := func(a *register.Access) bool { return !a.Writes && f.Find.Dominates(a, b) }
		if b.Writes && !slices.ContainsFunc(after, looked) {
			return false
		}
		for i, a := range f.Find.Accesses {
			if slices.Contains(before, a) && f.Find.Arguments(i, b) {
				return false
			}
		}
	}
	return true
}

// byCount reports whether the step goes by how many entries a map has, and others have put one there meanwhile.
func (v *violation) byCount() bool {
	return v.x.Category == absint.NonAtomic && len(v.x.Witness.Counted) > 0
}

// onlyWatched reports whether nobody in the interleaving does more than to look.
func (v *violation) onlyWatched() bool {
	return !slices.ContainsFunc(v.x.Witness.Events, func(ev absint.Event) bool { return ev.Other && ev.Op != "look" })
}

// heldOver is where a lock was taken that is held over all of it, on each way between its parts; false if there is none.
func (v *violation) heldOver() (register.Ref, bool) {
	torn := holding{v.Function, v.torn()}
	return torn.heldBut(torn.takenAnew())
}
