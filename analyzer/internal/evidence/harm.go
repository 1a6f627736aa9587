package evidence

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/judge"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// harm is the answer to W5: what is wrong afterwards, and who minds. An object that is only remembered is no harm
// if it is lost, but something else may be.
func (e *Weigher) harm(v *violation) Support {
	s := e.firstHarm(v)
	if s.by != byLost {
		return s
	}
	if v.remembered = e.onlyRemembered(v); v.remembered {
		if other := e.firstHarm(v); other.Answer == Shown {
			return other
		}
	}
	return s
}

// firstHarm is the first of all that can be wrong.
func (e *Weigher) firstHarm(v *violation) Support {
	at := v.x.Pos
	if v.x.Category == absint.Crash {
		return shown(at, "the call panics")
	}
	if by, ok := e.goesByOther(v); ok {
		return by.harm(e, v)
	}
	if s := v.renewing(); s != nil && v.x.Category == absint.StaleDelete {
		return shown(e.at(v, s), "%s changes what is found, and it is taken away for what it was", s.Step.Name)
	}
	if v.byCount() && v.refused() && !e.unread(v) {
		return shown(at, "more are let in than there is room for").shows(byLeave)
	}
	tells, told := v.tellsByOld()
	switch s, ok := e.twice(v); {
	case v.x.Category == absint.StaleDelete && v.onlySeen() && !v.removesLock():
		return likely(at, "somebody may mind that an entry was there for a while")
	case (losesOne(v) || v.x.Category == absint.StaleDelete) && v.evicted():
		return likely(at, "the cache drops entries by itself as well")
	case ok:
		return s
	case v.x.Several && v.writesSeveral() && v.x.Category == absint.StaleDelete && !e.belongTogether(v):
		return likely(at, "it may matter that one map has forgotten something, and not the other")
	case v.x.Several && v.writesSeveral() && e.leavesOne(v):
		return shown(at, "an entry is left in one map, and not in the other")
	case v.x.Category == absint.LostUpdate && v.updatesEntry():
		return shown(at, "the new value is made from the old one, so a change in between is lost").shows(byOld)
	case v.x.Category == absint.StaleDelete && v.removesNothing():
		return likely(at, "it may matter that it is removed twice")
	case told:
		return shown(e.placeOf(tells.Pos), "whether to %s goes by what was there before", e.doing(tells))
	case !v.onMap() && v.carriesOn():
		return shown(at, "the new value is made from the old one, so a change in between is lost").shows(byOld)
	case v.x.Category == absint.StaleDelete && v.removesOwn() && v.removesLock():
		return shown(at, "who waits for the lock that is removed comes in beside who makes the next one")
	case v.x.Category == absint.StaleDelete && v.removesOwn() && (e.losesObject(v) || e.removesMutable(v)):
		return likely(at, "others have only seen the object that is removed, which is its own")
	case !v.remembered && (v.x.Category != absint.InconsistentRead || e.readsBack(v)) && e.losesObject(v):
		return shown(at, "the object that is lost has state of its own").shows(byLost)
	case e.losesCount(v):
		return shown(at, "what is counted on the one that is lost is told to nobody")
	case losesOne(v) && e.losesCloser(v):
		return shown(at, "what is lost has to be closed, and nobody has it any more who does so")
	case e.losesDrawn(v):
		return shown(at, "two calls give out what they have drawn, of which one is lost").shows(byChance)
	case v.x.Category != absint.StaleDelete && v.cutsByOld():
		return shown(at, "what is there now is cut at a place that was found before").shows(byPlace)
	case v.x.Category == absint.InconsistentRead && v.indexesByOld():
		return shown(at, "what is there now is looked into at a place that was found before").shows(byPlace)
	case v.x.Category != absint.StaleDelete && v.takesUnlooked():
		return shown(at, "what was there when it looked is taken, and may be gone").shows(byPlace)
	case v.x.Category != absint.StaleDelete && v.takesOther():
		return shown(at, "another one is taken away than was found, and given out").shows(byPlace)
	case v.dropsAdded():
		return shown(at, "what is added in between is dropped")
	case e.overwritesGiven(v):
		return shown(at, "what one caller stores is replaced by what another one stores")
	case v.leftUnder() != "":
		return shown(at, "what is replaced is left in %s", v.leftUnder())
	case v.lone() && e.emptied(v):
		return shown(at, "what is cleared in between is set to an old value").shows(byReset)
	case v.x.Category == absint.InconsistentRead && v.onMap() && mixes(v.x.Region):
		return shown(at, "the result is made from two different contents")
	case v.x.Category == absint.InconsistentRead && e.drawsAgain(v):
		return shown(at, "two calls are both given the same number")
	case v.x.Category == absint.InconsistentRead && e.lastTwice(v):
		return shown(at, "two calls both find that they are the last")
	case v.x.Category == absint.InconsistentRead && v.takesUnasked(v.ordersMore):
		return shown(at, "what is taken away need not be what was compared")
	case v.x.Category == absint.InconsistentRead:
		return likely(at, "somebody may compare the two reads")
	case v.x.Category == absint.StaleDelete && e.removesMutable(v):
		return shown(at, "the object that is removed has state of its own")
	case v.x.Category == absint.StaleDelete && e.comesAgain(v):
		return shown(at, "an entry that was just stored is lost")
	case v.x.Category == absint.LostUpdate && takesOld(v.x.Region) && !e.unread(v):
		return shown(at, "two calls are both given the old value")
	case v.x.Category == absint.LostUpdate && v.putsAllBack():
		return likely(at, "an object that was replaced may be put back")
	case v.x.Category == absint.LostUpdate && v.derived() && !(v.lone() && v.swaps()):
		return shown(at, "the new value is made from the old one, so a change in between is lost").shows(byOld)
	case v.x.Category == absint.LostUpdate && v.onMap() && v.restores():
		return shown(at, "what was found before is put back, so a change in between is lost")
	case v.x.Category == absint.LostUpdate && !v.lone() && (v.compared() || e.comparesGiven(v)):
		return shown(at, "the new value was compared with one that is no longer there")
	case v.x.Category == absint.LostUpdate && e.overwritesSum(v):
		return shown(at, "what is added in between is lost").shows(bySum)
	case v.x.Category != absint.InconsistentRead && v.takesUnasked(v.asksMore):
		return shown(at, "what is taken away need not be what was compared")
	case v.x.Category == absint.NonAtomic && v.limited():
		return likely(at, "the check before it no longer holds, which may matter")
	}
	return likely(at, "it may matter")
}

// onlySeen reports whether others have done nothing in the interleaving but look: one in which they do was looked for,
// and so nobody loses what is removed. What is there while a call works and gone afterwards is its own:
//
//	t.inflight[k] = f // where there is none
//	f.work()
//	delete(t.inflight, k)
func (v *violation) onlySeen() bool {
	return !v.x.Several && v.onlyWatched()
}

// writesSeveral reports whether the call writes to several maps: two entries of one map need not be
// there together, and a number or a flag has no entries.
func (v *violation) writesSeveral() bool {
	var roots []string
	for cell := range writtenCells(v.x.Region) {
		if r := v.Root(v.g.Cells[cell]); v.x.Region.Cells[cell].Kind == register.Map && !slices.Contains(roots, r) {
			roots = append(roots, r)
		}
	}
	return len(roots) > 1
}

// leavesOne reports whether two maps are left with an entry in one of them only, although
// entries of both are removed: of one that only grows nobody expects that what is in it
// is in the other. Two looks that differ leave nothing.
func (e *Weigher) leavesOne(v *violation) bool {
	if v.x.Transient || v.x.Category == absint.InconsistentRead {
		return false
	}
	return e.belongTogether(v) && !slices.ContainsFunc(v.g.Cells, func(cell int) bool {
		return v.Prog.Cells[cell].Kind == register.Map && !e.removesFrom(v.Root(cell))
	})
}

// belongTogether reports whether some function puts entries of one thing in two of the maps, or puts in one what it has found
// in another one. Of two that are filled apart, each remembers something, and who finds nothing in it finds that out again.
func (e *Weigher) belongTogether(v *violation) bool {
	var roots []string
	for _, cell := range v.g.Cells {
		if v.Prog.Cells[cell].Kind == register.Map {
			roots = append(roots, v.Root(cell))
		}
	}
	return v.fillsTwo(roots) || slices.ContainsFunc(roots, func(root string) bool {
		return slices.ContainsFunc(e.judge.World.Steps[root], func(s *rivals.Step) bool {
			return s.From != nil && (&violation{Function: s.From}).fillsTwo(roots)
		})
	})
}

// fillsTwo is belongTogether for one function.
func (v *violation) fillsTwo(roots []string) bool {
	all := v.Find.Accesses
	for _, a := range all {
		root := v.Root(a.Cell)
		if !slices.Contains(roots, root) || !putsEntry(v.Prog, a) {
			continue
		}
		for i, b := range all {
			other := v.Root(b.Cell)
			if other == root || !slices.Contains(roots, other) {
				continue
			}
			if v.Find.Computes(i, a) || putsEntry(v.Prog, b) && v.ofOne(a, b) {
				return true
			}
		}
	}
	return false
}

// ofOne reports whether two entries have something in common: the key of one is that of the other one, or a
// part of what is stored there.
func (v *violation) ofOne(a, b *register.Access) bool {
	in := v.partsOfEntry(b)
	return slices.ContainsFunc(v.partsOfEntry(a), func(l register.Local) bool { return slices.Contains(in, l) })
}

// partsOfEntry are what the key of an entry and what is stored there are put together from.
func (v *violation) partsOfEntry(a *register.Access) []register.Local {
	parts := v.madeOf(v.Prog.Cells[a.Cell].Key, 0)
	for _, op := range a.Ops {
		if val, ok := judge.StoredOperand(&v.Prog.Blocks[op.Block].Instrs[op.Instr]); ok {
			parts = append(parts, v.madeOf(val, 0)...)
		}
	}
	return parts
}

// removesFrom reports whether somebody removes an entry of a map.
func (e *Weigher) removesFrom(root string) bool {
	return slices.ContainsFunc(e.judge.World.Steps[root], func(s *rivals.Step) bool {
		return s.From != nil && slices.ContainsFunc(s.Accesses, func(a *register.Access) bool {
			return s.From.Root(a.Cell) == root && slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
				in := &s.From.Prog.Blocks[op.Block].Instrs[op.Instr]
				return (in.Op == register.Write || in.Op == register.CAS) && !putsSomething(in)
			})
		})
	})
}

// emptied reports whether somebody empties an atomic, whatever is in it, that the step
// fills when it is empty, with something that it may have had before that. A constant is
// never old.
func (e *Weigher) emptied(v *violation) bool {
	looks := func(in register.Instr) bool { return in.Op == register.Read || in.Op == register.CAS }
	fills := func(in register.Instr) bool {
		val, ok := judge.StoredOperand(&in)
		return ok && !val.IsLit()
	}
	return losesOne(v) && !someInstr(v.x.Region, empties(v.x.Region)) && someInstr(v.x.Region, fills) && slices.ContainsFunc(v.x.Rivals, func(s *rivals.Step) bool {
		return someInstr(s.Step.Program, empties(s.Step.Program)) && !someInstr(s.Step.Program, looks)
	})
}

// empties reports whether an instruction of a program writes what an atomic holds at first, or a list of which
// nothing is left.
func empties(p *register.Program) func(register.Instr) bool {
	return func(in register.Instr) bool {
		switch {
		case in.Op != register.Write || in.Args[0].IsNone():
			return false
		case in.Args[0].IsLit():
			return in.Args[0].Lit == p.Cells[in.Cell].Zero
		}
		def := p.OnlyDef(in.Args[0].Local)
		return def != nil && def.Op == register.Pure && def.Name == register.SliceOf && def.Args[2].IsLit() && def.Args[2].Lit == "0"
	}
}

// twice is the harm of two calls that find the same, if both then do something, or are both
// told that they may.
func (e *Weigher) twice(v *violation) (Support, bool) {
	if pos, ok := answerAfter(v.x.Region, register.CAS); ok && v.swapsUnasked() && v.refused() && e.meetsItself(v) && !e.unread(v) {
		return shown(e.placeOf(pos), "two calls are both told to go ahead").shows(byLeave), true
	}
	if v.x.Category == absint.InconsistentRead && !v.looksBeforeWrite() {
		return e.bothGoOn(v)
	}
	if v.lone() && (v.swaps() || !v.limited()) {
		return Support{}, false
	}
	if s, ok := e.bothTold(v); ok {
		return s, ok
	}
	if !e.meetsItself(v) {
		return Support{}, false
	}
	if pos, ok := v.letsInTwo(); ok && !v.x.Several {
		return shown(e.position(pos), "two calls both go ahead, of which one should be refused").shows(byLeave), true
	}
	if in, ok := e.addsToList(v); ok && v.onMap() && v.limited() {
		return shown(in.Pos(), "two calls both add to %s", fieldOf(in)), true
	}
	if in, ok := e.toldOtherwise(v); ok {
		return shown(e.placeOf(in.Pos), "two calls both go ahead, of which one should call %s", in.Effect().Callee).shows(byLeave), true
	}
	return Support{}, false
}

// bothTold is what two calls both do, or are both told.
func (e *Weigher) bothTold(v *violation) (Support, bool) {
	itself := e.meetsItself(v)
	if !itself && !e.meetsInlined(v) {
		return Support{}, false
	}
	twice := func(in *register.Instr) bool {
		return e.matters(in) && v.onceMore(in) && !claimed(v.x.Region, in, v.x.Category == absint.StaleDelete)
	}
	if in, ok := decidedEffect(v.x.Region, twice); ok && itself {
		return shown(e.placeOf(in.Pos), "two calls both %s", e.doing(in)).shows(byEffect), true
	}
	if in, ok := e.countsDown(v); ok {
		return shown(e.placeOf(in.Pos), "two calls both count down for one entry, and somebody goes by that number").shows(byEffect), true
	}
	if pos, ok := decidedAnswer(v.x.Region); ok && v.refused() && !e.unread(v) {
		return shown(e.position(pos), "two calls are both told to go ahead").shows(byLeave), true
	}
	if pos, ok := v.decidedCode(); ok && !e.unread(v) {
		return shown(e.position(pos), "two calls are both told to go ahead").shows(byLeave), true
	}
	if pos, ok := v.goesOnPast(); ok && v.goesOn() && !e.unread(v) {
		return shown(e.placeOf(pos), "two calls both go ahead, of which one should be refused").shows(byLeave), true
	}
	if in, ok := e.doesPast(v); ok && itself && v.goesOn() {
		return shown(e.placeOf(in.Pos), "two calls both %s", e.doing(in)).shows(byEffect), true
	}
	return Support{}, false
}

// countsDown is where a number is counted down because of what was found, which somebody waits for, or lets others in
// by: with one entry it goes down twice.
//
//	if v, ok := t.peers.Load(id); ok { t.peers.Delete(id); t.live.Add(-1) }
//	for t.live.Load() > 0 { wait() }
func (e *Weigher) countsDown(v *violation) (*register.Instr, bool) {
	p := v.x.Region
	if !v.onMap() || v.x.Category != absint.StaleDelete {
		return nil, false
	}
	tree := register.Dominators(p)
	for b, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Effect().Kind != register.Operated || e.countsBy(in.Pos) >= 0 || !goesWithWrite(p, tree, b) || !decided(p, b) {
				continue
			}
			if v.onceMore(in) && !claimed(p, in, true) && e.goneBy(in.Pos) {
				return in, true
			}
		}
	}
	return nil, false
}

// goneBy reports whether some function goes by what the atomic holds that is changed at a place.
func (e *Weigher) goneBy(pos register.Pos) bool {
	call := e.callAt(pos)
	name := placeName(call.Args[0])
	if name == "" {
		return false
	}
	return slices.ContainsFunc(e.ps.Funcs, func(fn *ssa.Function) bool {
		return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
			br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
			if !ok {
				return false
			}
			cmp, ok := br.Cond.(*ssa.BinOp)
			return ok && (holds(cmp.X, name) || holds(cmp.Y, name))
		})
	})
}

// holds reports whether a value is what an atomic holds.
func holds(v ssa.Value, name string) bool {
	call, ok := v.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil || len(call.Call.Args) == 0 {
		return false
	}
	obj, ok := call.Call.StaticCallee().Object().(*types.Func)
	return ok && obj.Pkg() != nil && obj.Pkg().Path() == "sync/atomic" && placeName(call.Call.Args[0]) == name
}

// doesPast is what the call always does after the step that has written, where it goes on, and that matters. Who
// counts himself in does it for himself.
//
//	if r.failure() != nil { return }
//	r.recordFailure(err)
//	r.undo(step)
func (e *Weigher) doesPast(v *violation) (*register.Instr, bool) {
	tree := register.Dominators(v.Prog)
	for _, a := range v.g.Accesses {
		if !a.Writes || len(a.Ops) > 1 {
			continue
		}
		for b, blk := range v.Prog.Blocks {
			if !register.Dominates(tree, a.Start.Block, b) || b != a.Start.Block && returnsWithout(v.Prog, a.Start.Block, b) {
				continue
			}
			for i := range blk.Instrs {
				if in := &blk.Instrs[i]; (b != a.Start.Block || i > a.Start.Instr) && e.mattersPast(v.Prog, in) {
					return in, true
				}
			}
		}
	}
	return nil, false
}

// mattersPast is matters for what a call does after its step: not to what it has made, nor to wake or to wait for others.
func (e *Weigher) mattersPast(p *register.Program, in *register.Instr) bool {
	does := in.Effect()
	return e.matters(in) && does.Kind != register.Operated && !onOwn(p, in) && !keepsTime[does.Callee] && !closesForNew(p, in)
}

// goesOn reports whether the call goes on with something else in the witness, and would have returned if it
// were made after those that come in between.
func (v *violation) goesOn() bool {
	last, ok := v.afterOthers()
	return ok && v.x.Witness.Result.Label != "" && last.Label == "" && !last.Panic
}

// onceMore reports whether the interleaving itself has an effect more often than the call would have it
// if it were made after those that come in between: it goes by what they have changed. What is done in any
// case, or in neither, is not done twice because of them.
func (v *violation) onceMore(in *register.Instr) bool {
	w := v.x.Witness
	changed := slices.ContainsFunc(w.Events, func(ev absint.Event) bool { return ev.Other && ev.Op != "look" })
	if last, ok := v.afterOthers(); ok && changed {
		return v.times(w.Result, in) > v.times(last, in)
	}
	return v.times(w.Result, in) > 0 // somebody has only looked, and says nothing of it
}

// times is how often a run has had an effect.
func (v *violation) times(run absint.Ending, in *register.Instr) int {
	n, act := 0, in.Effect()
	for i := range run.Effects {
		if run.Effects[i].Kind == act.Kind && run.Effects[i].Callee == act.Callee {
			n++
		}
	}
	return n
}

// afterOthers is what the call would do if it were made after those that come in between.
func (v *violation) afterOthers() (absint.Ending, bool) {
	orders := v.x.Witness.Atomic
	if len(orders) == 0 {
		return absint.Ending{}, false
	}
	return slices.MaxFunc(orders, func(a, b absint.Order) int { return a.After - b.After }).Result, true
}

// toldOtherwise is a call that tells somebody that he is refused, by what he has brought along, where
// nothing that is returned says so:
//
//	if current() != "" {
//		http.Error(w, "taken", http.StatusConflict)
//		return
//	}
//	become(name)
//
// The look decides that it is made and nothing is written, and the call would come to it after
// those that come in between. Who writes an answer in any case is not refused because it is another one,
// unless it says the same each time, and nothing else.
func (e *Weigher) toldOtherwise(v *violation) (*register.Instr, bool) {
	w, p := v.x.Witness, v.x.Region
	last, ok := v.afterOthers()
	if !ok || len(last.Vals) > 0 || absint.SameEffects(last.Effects, w.Result.Effects) {
		return nil, false
	}
	for b, blk := range p.Blocks {
		if blk.Term.Kind != register.Return || !lookDecides(p, b) || after(p, b, register.Write) {
			continue
		}
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			refuses := in.Effect().Kind == register.Called && e.onGiven(in.Pos) && !v.afterWrite(in.Pos)
			if refuses && (v.times(last, in) > v.times(w.Result, in) || e.isFixed(in.Pos)) && !e.answersOtherwise(blk) {
				return in, true
			}
		}
	}
	return nil, false
}

// answersOtherwise reports whether what callers bring along is told something else than constants: who is told what
// was found has been served.
func (e *Weigher) answersOtherwise(blk *register.Block) bool {
	return slices.ContainsFunc(blk.Instrs, func(in register.Instr) bool {
		return in.Effect().Kind == register.Called && e.onGiven(in.Pos) && !e.isFixed(in.Pos)
	})
}

// afterWrite reports whether what is at a place of the function can come after the step has
// written: it is for those who go ahead as well. An access can write on some of its ways only.
func (v *violation) afterWrite(pos register.Pos) bool {
	writes := func(op register.Ref) bool {
		in := &v.Prog.Blocks[op.Block].Instrs[op.Instr]
		return in.Op == register.Write || in.Op == register.CAS
	}
	for b, blk := range v.Prog.Blocks {
		for i := range blk.Instrs {
			at := register.Ref{Block: b, Instr: i}
			if blk.Instrs[i].Pos == pos && slices.ContainsFunc(v.g.Accesses, func(a *register.Access) bool {
				return slices.ContainsFunc(a.Ops, func(op register.Ref) bool { return writes(op) && v.Before(op, at) })
			}) {
				return true
			}
		}
	}
	return false
}

// refused reports whether the call, made after those that come in between in the witness,
// is told something else: it is refused what it was let have. Who only remembers a result gives
// the same to both.
func (v *violation) refused() bool {
	last, ok := v.afterOthers()
	if !ok {
		return false
	}
	w, then := v.x.Witness, last.Vals
	for k, val := range w.Result.Vals {
		if k < len(then) && then[k] != val && (isVerdict(val) || isVerdict(then[k])) {
			return true
		}
	}
	return len(then) != len(w.Result.Vals)
}

// isVerdict reports whether a value says yes or no: a truth value, or that there is no error.
func isVerdict(val register.Value) bool {
	return val == register.LitTrue || val == register.LitFalse || val == register.LitNil
}

// matters reports whether it matters that an effect happens twice: something is started,
// sent or closed, or a function is called that somebody has given for it. What any other
// function does may be the same the second time.
func (e *Weigher) matters(in *register.Instr) bool {
	switch does := in.Effect(); does.Kind {
	case register.Started, register.Sent, register.Closed:
		return true
	case register.Operated: // a compare-and-swap decides again, and one of two fails
		return does.Name != register.OperationEffect(register.CAS)
	case register.NoEffect:
		return false
	}
	return e.callsValue(in.Pos) && !e.cancels(in.Pos)
}

// lone reports whether it is about one atomic.
func (v *violation) lone() bool {
	return !v.x.Several && v.x.Region.Cells[0].Kind == register.Atomic && !v.x.Region.Cells[0].Guarded
}

// mixes reports whether a region returns something that is made of what two looks found.
func mixes(p *register.Program) bool {
	of := map[register.Local]int{} // how many of the looks
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			if blk.Instrs[i].Op != register.Read {
				continue
			}
			found := map[register.Local]bool{blk.Instrs[i].Dst[0]: true}
			delete(found, register.None)
			closeOver(p, found)
			for l := range found {
				of[l]++
			}
		}
	}
	return slices.ContainsFunc(p.Blocks, func(blk *register.Block) bool {
		return blk.Term.Kind == register.Return && slices.ContainsFunc(blk.Term.Vals, func(op register.Operand) bool { return !op.IsLit() && of[op.Local] > 1 })
	})
}

// readsBack reports whether what is read twice was written in between, by the call itself.
// Of a lone atomic that says nothing: whoever has set it, if it was not set, and then loads
// it takes what is current.
func (e *Weigher) readsBack(v *violation) bool {
	if !v.onMap() && v.x.Guard == "" {
		return false
	}
	for _, a := range v.g.Accesses {
		breaks := slices.ContainsFunc(v.Positions([]*register.Access{a}), func(pos register.Pos) bool { return e.position(pos) == v.x.Pos })
		if breaks && slices.ContainsFunc(v.g.Accesses, func(w *register.Access) bool { return w.Writes && w.Cell == a.Cell && v.Find.Precedes(w, a) }) {
			return true
		}
	}
	return false
}

// swaps reports whether all writes are compare-and-swaps: who writes that has thought of
// the others.
func (v *violation) swaps() bool {
	some := false
	for _, blk := range v.x.Region.Blocks {
		for i := range blk.Instrs {
			switch blk.Instrs[i].Op {
			case register.Write:
				return false
			case register.CAS:
				some = true
			}
		}
	}
	return some
}

// position is that of an operation, or NoPos for another place of a program.
func (e *Weigher) position(pos register.Pos) token.Pos { return e.ps.Res.OpName(pos).Pos }

// meetsItself reports whether another call of the function can come in between, by itself or
// as a part of one that calls it.
func (e *Weigher) meetsItself(v *violation) bool {
	return slices.ContainsFunc(v.x.Rivals, func(s *rivals.Step) bool { return s.Writes && e.stepOf(v.Fn, s) })
}

// meetsInlined reports whether what the function writes is a part of what can come in between: of a call of
// it, or of one that calls it and goes on with the same memory.
func (e *Weigher) meetsInlined(v *violation) bool {
	var own []register.Pos
	for _, a := range v.g.Accesses {
		if a.Writes {
			own = append(own, v.Positions([]*register.Access{a})...)
		}
	}
	return slices.ContainsFunc(v.x.Rivals, func(s *rivals.Step) bool {
		return s.Writes && slices.ContainsFunc(s.Positions, func(pos register.Pos) bool { return slices.Contains(own, pos) })
	})
}

// doing is what a call does that has an effect, in a sentence about two of them.
func (e *Weigher) doing(in *register.Instr) string {
	act := in.Effect()
	switch {
	case act.Kind == register.Started && act.Callee == "":
		return "start a goroutine"
	case act.Kind == register.Started:
		return "start " + act.Callee
	case act.Kind == register.Sent:
		return "send"
	case act.Kind == register.Closed:
		return "close the channel"
	case act.Kind == register.Operated:
		return "go on with something else that is shared"
	case act.Callee == "":
		return "call " + valueName(e.callAt(in.Pos))
	}
	return "call " + act.Callee
}

// derived reports whether a later access stores what an earlier one of the same cell found,
// changed; not if it goes by what is there now as well, as what puts something back into a
// list does.
func (v *violation) derived() bool { return v.derivedIn(func(*register.Access) bool { return true }) }

// derivedIn is derived for some of the accesses.
func (v *violation) derivedIn(some func(*register.Access) bool) bool {
	for i, a := range v.Find.Accesses {
		if !slices.Contains(v.g.Accesses, a) {
			continue
		}
		for _, b := range v.g.Accesses {
			if b != a && b.Cell == a.Cell && b.Writes && some(b) && (v.Find.Computes(i, b) || v.filledFrom(a, b)) && !v.putsBack(a, b) && !v.inOneSection(a, b) && !v.looksAt(b) && !v.onlyIfNone(a, b) {
				return true
			}
		}
	}
	return false
}

// restores reports whether the call puts back what it has found, after it has stored something else there.
func (v *violation) restores() bool {
	for _, looks := range v.g.Accesses {
		for _, back := range v.g.Accesses {
			if back == looks || !back.Writes || back.Cell != looks.Cell || !v.Find.Precedes(looks, back) || !v.putsBack(looks, back) {
				continue
			}
			if looks.Writes || slices.ContainsFunc(v.g.Accesses, func(mark *register.Access) bool {
				return mark.Writes && mark.Cell == back.Cell && v.Find.Precedes(looks, mark) && v.Find.Precedes(mark, back)
			}) {
				return true
			}
		}
	}
	return false
}

// filledFrom reports whether one access stores an object that the call has made and filled with
// what it found in another one, such as a copy of a map.
func (v *violation) filledFrom(looks, stores *register.Access) bool {
	found := v.followsFrom(looks)
	passOn(v.Prog, found, func(in *register.Instr) bool { return !in.IsBase() && in.Op != register.Fresh })
	return v.fills(stores, found)
}

// fills reports whether an access stores an object that the call has made and filled with one of
// some values.
func (v *violation) fills(stores *register.Access, found map[register.Local]bool) bool {
	return someInstr(v.Prog, func(in register.Instr) bool {
		if !changes(&in) || !uses(&register.Instr{Args: in.Args[1:]}, found) {
			return false
		}
		object := v.N.Source(in.Args[0])
		return v.Prog.IsFresh(object.Local) && slices.ContainsFunc(stores.Ops, func(op register.Ref) bool {
			val, ok := judge.StoredOperand(&v.Prog.Blocks[op.Block].Instrs[op.Instr])
			return ok && v.N.Source(val) == object
		})
	})
}

// carriesOn reports whether an object that the call has made takes the place of one that it was made
// of, as a changed copy does: it has in it what was there, and not what was put there since. What a
// test of that has chosen has none of it.
func (v *violation) carriesOn() bool {
	if v.x.Category != absint.LostUpdate || v.swaps() || !v.derived() {
		return false
	}
	for _, looks := range v.g.Accesses {
		parts := v.partsOf(looks)
		for _, b := range v.g.Accesses {
			if b == looks || b.Cell != looks.Cell || !b.Writes {
				continue
			}
			made := slices.ContainsFunc(b.Ops, func(op register.Ref) bool {
				val, ok := judge.StoredOperand(&v.Prog.Blocks[op.Block].Instrs[op.Instr])
				object := v.N.Source(val).Local
				return ok && parts[object] && v.Prog.IsFresh(object)
			})
			if made || v.fills(b, parts) {
				return true
			}
		}
	}
	return false
}

// updatesEntry reports whether what one access has found is stored again by another one, changed, in what is most likely
// the same entry: it has the key that was found in the old value, or is in a part of the same map that the same function
// has picked for the same key.
//
//	r, ok := b.get(name)
//	r.points += n
//	b.put(r) // b.records[r.name] = r
func (v *violation) updatesEntry() bool {
	for _, looks := range v.g.Accesses {
		parts := v.partsOf(looks)
		for _, b := range v.g.Accesses {
			if looks.Writes || b.Cell == looks.Cell || !b.Writes || v.Root(b.Cell) != v.Root(looks.Cell) || !v.Find.Precedes(looks, b) || !v.sameEntry(looks.Cell, b.Cell, parts) || v.putsBack(looks, b) {
				continue
			}
			if slices.ContainsFunc(b.Ops, func(op register.Ref) bool {
				in := &v.Prog.Blocks[op.Block].Instrs[op.Instr]
				val, ok := judge.StoredOperand(in)
				return ok && in.Op == register.Write && parts[v.N.Source(val).Local]
			}) {
				return true
			}
		}
	}
	return false
}

// sameEntry reports whether two entries of a map are most likely one, of which the first has the given parts.
func (v *violation) sameEntry(first, second int, parts map[register.Local]bool) bool {
	a, b := v.Prog.Cells[first], v.Prog.Cells[second]
	if a.Key.IsNone() || b.Key.IsNone() {
		return false
	}
	if v.N.Term(a.Key) == v.N.Term(b.Key) {
		return v.pickedAlike(a.Map, b.Map, 0)
	}
	def := v.Prog.OnlyDef(v.N.Source(b.Key).Local)
	isPart := def != nil && (def.Memory().IsField() || strings.HasPrefix(def.Name, register.FieldOf)) && parts[def.Dst[0]]
	return isPart && v.N.Path(a.Map) == v.N.Path(b.Map)
}

// pickedAlike reports whether two maps are the same part of what one function gives that is asked the same.
func (v *violation) pickedAlike(a, b register.Operand, depth int) bool {
	if v.N.Term(a) == v.N.Term(b) {
		return true
	}
	one, other := v.Prog.OnlyDef(v.N.Source(a).Local), v.Prog.OnlyDef(v.N.Source(b).Local)
	if depth > maxSource || one == nil || other == nil || one.Op != other.Op || one.Site() != other.Site() || len(one.Args) != len(other.Args) || len(one.Args) == 0 {
		return false
	}
	if one.Op != register.Pure && one.Op != register.Unknown {
		return false
	}
	for i := range one.Args {
		if !v.pickedAlike(one.Args[i], other.Args[i], depth+1) {
			return false
		}
	}
	return true
}

// partsOf are what an access has found, and what has some of that in it.
func (v *violation) partsOf(a *register.Access) map[register.Local]bool { return v.with(foundBy(a)) }

// onlyIfNone reports whether one access is only made if another one has found no entry: nothing
// can be made of that.
func (v *violation) onlyIfNone(looks, stores *register.Access) bool {
	return v.onOneSide(looks, stores, func(register.Local, *register.Instr) bool { return false }, false)
}

// goesByPresence reports whether one access is only made if another one has found no entry, or nil, so that what is there stays
// there, or only if it has found something, so that what was taken away stays away.
func (v *violation) goesByPresence(looks, stores *register.Access) bool {
	return v.onOneSide(looks, stores, func(asked register.Local, read *register.Instr) bool {
		def := v.Prog.OnlyDef(asked)
		return def != nil && def.Op == register.Pure && def.Name == "eq" && def.Args[1] == register.Lit(register.LitNil) && v.N.Source(def.Args[0]).Local == read.Dst[0]
	}, true)
}

// onOneSide reports whether one access comes after a branch on whether another one has found something, and never on the way on
// which it has; or, if either will do, never on the way on which it has not. Which conditions say that it has found nothing is given,
// beside the one that is a result of the look.
func (v *violation) onOneSide(looks, stores *register.Access, nothing func(register.Local, *register.Instr) bool, either bool) bool {
	tree, at := register.Dominators(v.Prog), v.storesAt(stores)
	for b, blk := range v.Prog.Blocks {
		if blk.Term.Kind != register.Branch || !register.Dominates(tree, b, at) {
			continue
		}
		asked, holds, fails := v.question(blk)
		for _, op := range looks.Ops {
			in := &v.Prog.Blocks[op.Block].Instrs[op.Instr]
			if in.Op != register.Read || len(in.Dst) < 2 || asked == register.None {
				continue
			}
			found, none := holds, fails
			if asked != in.Dst[1] {
				found, none = fails, holds
			}
			without := func(side int) bool { return side != at && !reaches(v.Prog, side, at, b) }
			if (asked == in.Dst[1] || nothing(asked, in)) && (without(found) || either && without(none)) {
				return true
			}
		}
	}
	return false
}

// looksAt reports whether what an access to guarded memory stores is made of what the
// same section has found there.
func (v *violation) looksAt(stores *register.Access) bool {
	if !v.Prog.Cells[stores.Cell].Guarded {
		return false
	}
	for i, c := range v.Find.Accesses {
		same := c == stores || v.Before(c.Start, stores.Start) && v.inOneSection(c, stores)
		if same && c.Cell == stores.Cell && v.Find.Computes(i, stores) {
			return true
		}
	}
	return false
}

// inOneSection reports whether two accesses to guarded memory are made without letting
// the lock go in between.
func (v *violation) inOneSection(a, b *register.Access) bool {
	return v.Prog.Cells[b.Cell].Guarded && !v.comesBetween(a, b, register.Unlock)
}

// comesBetween reports whether there is an instruction of a kind on a way from one access to
// another one.
func (v *violation) comesBetween(a, b *register.Access, op register.Op) bool {
	for k, blk := range v.Prog.Blocks {
		for i := range blk.Instrs {
			at := register.Ref{Block: k, Instr: i}
			if blk.Instrs[i].Op == op && v.Before(a.Start, at) && v.Before(at, b.Start) {
				return true
			}
		}
	}
	return false
}

// putsBack reports whether one access stores what another one found, as it is.
func (v *violation) putsBack(found, stores *register.Access) bool {
	return !slices.ContainsFunc(stores.Ops, func(op register.Ref) bool {
		val, ok := judge.StoredOperand(&v.Prog.Blocks[op.Block].Instrs[op.Instr])
		return !ok || !slices.Contains(found.Outcome, v.N.Source(val).Local)
	})
}

// asFound reports whether a value of a program is one of some that were found, as it is: taken out of an interface or put into
// one, or nil where there is none.
func asFound(p *register.Program, n *register.Numbering, val register.Operand, found []register.Local, depth int) bool {
	val = n.Source(val)
	if val.IsLit() || depth == maxAsFound {
		return false
	}
	if slices.Contains(found, val.Local) {
		return true
	}
	var from []register.Operand
	known := true
	someInstr(p, func(in register.Instr) bool {
		switch {
		case !slices.Contains(in.Dst, val.Local):
		case in.Op == register.Copy, in.Op == register.Pure && (in.Name == "box" || in.Name == "unbox"):
			from = append(from, in.Args[0])
		case in.Op == register.Pure && in.Name == "choose":
			from = append(from, in.Args[1:]...)
		default:
			known = false
		}
		return !known
	})
	is := func(o register.Operand) bool { return asFound(p, n, o, found, depth+1) }
	return known && slices.ContainsFunc(from, is) && !slices.ContainsFunc(from, func(o register.Operand) bool { return !o.IsLit() && !is(o) })
}

// maxAsFound bounds how far a value is followed back.
const maxAsFound = 6

// replaces reports whether a step puts something else into a cell than it has found, or takes that away. What it is given to
// put there is its caller's.
func replaces(s *rivals.Step) bool {
	p := s.Step.Program
	n := register.Number(p)
	var found []register.Local
	someInstr(p, func(in register.Instr) bool {
		if in.Op == register.Read && len(in.Dst) > 0 && in.Dst[0] != register.None {
			found = append(found, in.Dst[0])
		}
		return false
	})
	return someInstr(p, func(in register.Instr) bool {
		if in.Op != register.Write && (in.Op != register.CAS || in.Args[0] == register.Absent) {
			return false
		}
		val := n.Source(in.Args[len(in.Args)-1])
		given := slices.Contains(p.Params, val.Local)
		return val == register.Absent || !given && !asFound(p, n, val, found, 0)
	})
}

// putsAllBack reports whether the call stores nothing but what it has found in the same cell, as it is, and nobody in the package
// does otherwise: another call of it changes an object in place, and replaces none.
//
//	w := s.loads.Get("current")
//	w.Busy = busy
//	s.loads.Set("current", w)
func (v *violation) putsAllBack() bool {
	if slices.ContainsFunc(v.x.Rivals, replaces) {
		return false
	}
	found := []register.Value{}
	for _, ev := range v.x.Witness.Events {
		switch {
		case ev.Other:
		case ev.Op == "read" && ev.Results[1] == register.LitTrue:
			found = append(found, ev.Results[0])
		case ev.Op == "write" && !slices.Contains(found, ev.Args[len(ev.Args)-1]):
			return false // there was none, and it is nil
		}
	}
	return !slices.ContainsFunc(v.g.Accesses, func(stores *register.Access) bool {
		return stores.Writes && !slices.ContainsFunc(v.g.Accesses, func(looks *register.Access) bool {
			return looks != stores && looks.Cell == stores.Cell && v.Find.Precedes(looks, stores) &&
				!slices.ContainsFunc(stores.Ops, func(op register.Ref) bool {
					val, ok := judge.StoredOperand(&v.Prog.Blocks[op.Block].Instrs[op.Instr])
					return !ok || !asFound(v.Prog, v.N, val, looks.Outcome, 0)
				})
		})
	})
}

// compared reports whether what is stored was put in order with what was there: the
// greatest is kept, or the newest.
func (v *violation) compared() bool {
	p := v.x.Region
	found, stored := map[register.Local]bool{}, map[register.Local]bool{}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			switch in := &blk.Instrs[i]; {
			case in.Op == register.Read:
				found[in.Dst[0]] = true
			case in.Op == register.Write && !in.Args[0].IsLit():
				stored[in.Args[0].Local] = true
			}
		}
	}
	for _, blk := range p.Blocks {
		for _, in := range blk.Instrs {
			if in.Op != register.Pure || in.Name != "lt" || len(in.Args) != 2 {
				continue
			}
			a, b := in.Args[0].Local, in.Args[1].Local
			if found[a] && stored[b] || found[b] && stored[a] {
				return true
			}
		}
	}
	return false
}

// comparesGiven is compared for a part of what is stored, which a caller gives, and a part of what was there:
//
//	if cents <= l.current().Cents { return errTooLow }
//	l.set(Bid{who, cents})
func (e *Weigher) comparesGiven(v *violation) bool {
	for _, look := range v.g.Accesses {
		found := v.followsFrom(look)
		for _, set := range v.g.Accesses {
			if !set.Writes || set.Cell != look.Cell || !v.decides(look, set) {
				continue
			}
			given := e.givenParts(v, set)
			if someInstr(v.Prog, func(in register.Instr) bool {
				if in.Op != register.Pure || in.Name != "lt" && in.Name != "le" || len(in.Args) != 2 {
					return false
				}
				a, b := v.N.Source(in.Args[0]).Local, v.N.Source(in.Args[1]).Local
				return found[a] && given[b] || found[b] && given[a]
			}) {
				return true
			}
		}
	}
	return false
}

// givenParts are the parts of what an access stores that callers give.
func (e *Weigher) givenParts(v *violation, set *register.Access) map[register.Local]bool {
	out := map[register.Local]bool{}
	for _, ref := range set.Ops {
		val, ok := judge.StoredOperand(&v.Prog.Blocks[ref.Block].Instrs[ref.Instr])
		if !ok {
			continue
		}
		for _, l := range v.madeOf(val, 0) {
			if p, ok := v.Parameter(l).(*ssa.Parameter); ok && isBrought(p) {
				out[l] = true
			}
		}
	}
	return out
}

// takesUnasked reports whether an entry is taken away because of what an earlier look has compared with a value, and it may be another
// one by then, which nobody has compared:
//
//	if !c.isCurrent(key, token) { return }
//	c.drop(key)
func (v *violation) takesUnasked(more func(*register.Access, []*register.Access) bool) bool {
	if v.x.Several || !v.onMap() || v.onlySeen() || v.removesNothing() {
		return false
	}
	return slices.ContainsFunc(v.g.Accesses, func(look *register.Access) bool {
		rest := slices.DeleteFunc(slices.Clone(v.g.Accesses), func(a *register.Access) bool { return a == look })
		takes := func(a *register.Access) bool { return v.decides(look, a) && !putsEntry(v.Prog, a) && a.Writes }
		return !look.Writes && slices.ContainsFunc(rest, takes) && more(look, rest)
	})
}

// overwritesSum reports whether what comes in between adds to what was there.
func (e *Weigher) overwritesSum(v *violation) bool {
	if v.x.Region.Cells[0].Kind == register.Map {
		return false // the Add of a cache puts something there
	}
	return slices.ContainsFunc(v.interrupting(), e.addsSome)
}

// addsSome reports whether a step adds to what is there.
func (e *Weigher) addsSome(s *rivals.Step) bool {
	return slices.ContainsFunc(s.Positions, func(pos register.Pos) bool { return adds(e.ps.Res.OpName(pos).Name) })
}

// limited reports whether a look comes before what is written: a limit, the last
// reference, or a flag. Of an atomic, or a field, it has to decide whether that is written: who
// takes away what he has found, or puts it back, leaves what others have added since.
func (v *violation) limited() bool {
	for _, a := range v.g.Accesses {
		for _, b := range v.g.Accesses {
			if a != b && b.Writes && v.Find.Dominates(a, b) && (v.onMap() || v.decides(a, b)) {
				return true
			}
		}
	}
	return false
}

// decides reports whether what one access finds decides whether another one is made.
func (v *violation) decides(a, b *register.Access) bool { return v.decidesBlock(a, b.Start.Block) }

// removesNothing reports whether what is removed in the interleaving has gone before: then
// no newer entry is lost.
func (v *violation) removesNothing() bool {
	w := v.x.Witness
	if w.Breaking < 0 || w.Breaking >= len(w.Events) {
		return false
	}
	ev := w.Events[w.Breaking]
	return len(ev.Results) == 2 && ev.Results[1] == register.LitFalse
}

// removesOwn reports whether what is removed in the interleaving is what the call has put there, and nobody has done
// more than to look meanwhile: so far no newer entry is lost.
func (v *violation) removesOwn() bool {
	w := v.x.Witness
	if w.Breaking < 0 || w.Breaking >= len(w.Events) || len(w.Events[w.Breaking].Results) == 0 {
		return false
	}
	removed := w.Events[w.Breaking]
	for _, ev := range slices.Backward(w.Events[:w.Breaking]) {
		switch {
		case ev.Other && ev.Op != "look":
			return false
		case !ev.Other && ev.Cell == removed.Cell && (ev.Op == "write" || ev.Op == "cas"):
			return ev.Args[len(ev.Args)-1] == removed.Results[0]
		}
	}
	return false
}

// removesLock reports whether the call takes a lock that lies in what it has found or put there, and removes the entry
// then, without another look: others who have found the entry wait for that lock, and whoever comes after that makes
// another one.
//
//	l := t.get(key) // or a new one, which is put there
//	l.Lock()
//	defer func() { t.drop(key); l.Unlock() }()
func (v *violation) removesLock() bool {
	for _, a := range v.g.Accesses {
		lies := v.objectsAt(a)
		for b, blk := range v.Prog.Blocks {
			for i := range blk.Instrs {
				in, lock := &blk.Instrs[i], register.Ref{Block: b, Instr: i}
				if in.Op == register.Lock && lies[in.Args[0].Local] && v.Before(a.Start, lock) && v.removesAfter(lock, a) {
					return true
				}
			}
		}
	}
	return false
}

// objectsAt are what an access finds or puts there, and the places in that.
func (v *violation) objectsAt(a *register.Access) map[register.Local]bool {
	out := foundBy(a)
	for _, op := range a.Ops {
		if val, ok := judge.StoredOperand(&v.Prog.Blocks[op.Block].Instrs[op.Instr]); ok && !val.IsLit() {
			out[val.Local] = true
		}
	}
	passOn(v.Prog, out, func(in *register.Instr) bool {
		return in.Op == register.Copy || in.Op == register.Pure && (in.Memory().Address || in.Name == "choose")
	})
	return out
}

// removesAfter reports whether the call always removes the entry of an access after it has come to a place, and does
// not look at it again before that.
func (v *violation) removesAfter(at register.Ref, entry *register.Access) bool {
	removes := map[int]bool{}
	for _, b := range v.Find.Accesses {
		if b == entry || b.Cell != entry.Cell || !v.Before(at, b.Start) {
			continue
		}
		last := b.Ops[len(b.Ops)-1]
		in := &v.Prog.Blocks[last.Block].Instrs[last.Instr]
		if in.Op != register.Write || putsSomething(in) || v.decides(b, b) {
			return false
		}
		removes[last.Block] = true
	}
	return len(removes) > 0 && !returnsPast(v.Prog, at.Block, removes)
}

// returnsPast reports whether a return can be reached from a block past some others.
func returnsPast(p *register.Program, from int, past map[int]bool) bool {
	seen := map[int]bool{}
	for work := []int{from}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] || past[b] {
			continue
		}
		if seen[b] = true; p.Blocks[b].Term.Kind == register.Return {
			return true
		}
		work = append(work, p.Blocks[b].Term.To...)
	}
	return false
}

// removesMutable reports whether the entries of the map have a state that somebody
// changes.
func (e *Weigher) removesMutable(v *violation) bool {
	if v.x.Region.Cells[0].Kind != register.Map {
		return false
	}
	for _, s := range v.x.Rivals {
		for _, pos := range s.Positions {
			op, ok := e.ps.Res.OperationAt(pos)
			if ok && op.Stored != nil && e.ps.Res.MutableValue(op.Stored) {
				return true
			}
		}
	}
	return false
}
