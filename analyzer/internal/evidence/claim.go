package evidence

import (
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/guards"
	"github.com/mapatom/mapatom/analyzer/internal/judge"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/analyzer/internal/topology"
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/mapatom/mapatom/internal/reduce/ways"
)

// Who has found an entry can claim it, before he does anything to it: one of two
// compare-and-swaps on a state of the entry fails.
//
//	v, ok := m.apps.Load(name)
//	if !ok || !v.(*app).state.CompareAndSwap(loaded, gone) { return errBusy }
//	m.apps.Delete(name)
//
// While it is there nobody else removes it, and so nobody puts a newer one there.

// claimed is why a violation is not shown that removes an entry after a claim of that.
func (e *Weigher) claimed(f *violation) string {
	if f.x.Several || f.x.Category != absint.StaleDelete {
		return ""
	}
	removes := func(a *register.Access) bool {
		return a.Writes && !putsEntry(f.Prog, a)
	}
	for _, a := range f.g.Accesses {
		if removes(a) && slices.ContainsFunc(f.g.Accesses, func(b *register.Access) bool { return f.claimsBetween(b, a) }) {
			return "one of two who found it has claimed it by a compare-and-swap"
		}
	}
	return ""
}

// claimsBetween reports whether a compare-and-swap on what one access has found decides
// whether another one happens.
func (f *violation) claimsBetween(found, removes *register.Access) bool {
	values := f.followsFrom(found)
	tree := register.Dominators(f.Prog)
	for b, blk := range f.Prog.Blocks {
		if b == removes.Start.Block || !register.Dominates(tree, b, removes.Start.Block) || !returnsWithout(f.Prog, b, removes.Start.Block) {
			continue
		}
		for i := range blk.Instrs {
			if f.swapsOn(&blk.Instrs[i], values) && goesBy(blk, blk.Instrs[i].Pos) {
				return true
			}
		}
	}
	return false
}

// swapsOn reports whether an instruction is a compare-and-swap on a part of one of some
// values, which is another cell, or one that is not followed.
func (f *violation) swapsOn(in *register.Instr, values map[register.Local]bool) bool {
	switch in.Op {
	case register.CAS:
		return values[f.Prog.Cells[in.Cell].Map.Local]
	case register.Effect:
		return in.Effect().Name == register.OperationEffect(register.CAS) && uses(in, values)
	}
	return false
}

// Who makes something that takes long says so under the lock, and lets the lock go:
//
//	c.mu.Lock()
//	if _, busy := c.loading[key]; busy { … }
//	c.loading[key] = wait
//	c.mu.Unlock()
//	h := open(key)
//	c.mu.Lock()
//	c.entries[key] = h
//	delete(c.loading, key)
//
// Another call of the same function finds that, and does not come as far.

// reserved is why a violation is not shown that takes another call of the function, if
// one at a time comes in.
func (e *Weigher) reserved(f *violation) string {
	if own := e.locksOut(f); own == nil || !(f.byCount() && f.comesItself()) && !e.goneWithout(f, own) {
		return ""
	}
	return "a flag lets one call in at a time"
}

// comesItself reports whether nobody comes in between but the function itself.
func (f *violation) comesItself() bool {
	return !slices.ContainsFunc(f.x.Witness.Events, func(ev absint.Event) bool {
		return ev.Other && strings.TrimSuffix(ev.Name, absint.Within) != f.Name
	})
}

// locksOut tells the steps that a flag keeps out which the call sets if it is not set, or whoever makes
// the call; nil if there is none.
func (e *Weigher) locksOut(f *violation) keeper {
	if f.x.Several && !f.byCount() || !e.reserves(f) && !e.claimedAround(f) {
		return nil
	}
	return func(s *rivals.Step) bool { return e.stepOf(f.Fn, s) }
}

// reserves reports whether the call has looked at other memory under a lock, or by a compare-and-swap,
// goes on only if nobody else has marked that, marks it, and does not take the mark away before it has
// done what the violation is about.
func (e *Weigher) reserves(f *violation) bool {
	return slices.ContainsFunc(f.Find.Accesses, func(marks *register.Access) bool {
		apart := !slices.Contains(f.g.Cells, marks.Cell) && f.sameKey(marks.Cell)
		return apart && (f.Prog.Cells[marks.Cell].Guarded || e.swapsFlag(f, marks)) && f.marks(marks)
	})
}

// swapsFlag reports whether an access is a compare-and-swap of an atomic that is left to who wins it.
func (e *Weigher) swapsFlag(f *violation, a *register.Access) bool {
	return f.Prog.Cells[a.Cell].Kind == register.Atomic && !slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
		in := &f.Prog.Blocks[op.Block].Instrs[op.Instr]
		call := e.callAt(in.Pos)
		return in.Op != register.CAS || call == nil || len(call.Args) == 0 || !e.swaps(call) || !e.leftToWinner(call.Args[0], f.Fn)
	})
}

// swaps reports whether a call is a compare-and-swap, or one of a method of another package that says by
// its result whether its own has succeeded: one that does it by the way may say anything.
func (e *Weigher) swaps(call *ssa.CallCommon) bool {
	callee := call.StaticCallee()
	op, known := e.ps.Res.LockObject(call)
	return callee != nil && (comparesAndSwaps(callee.Name()) || e.ps.Res.Local(callee) != nil) || known && op.Op == guards.FlagTake
}

// sameKey reports whether a cell is there once, or has the key that the violation is about. Of an element of a
// list there are as many as the list has.
//
//	if !u.parts[n].CompareAndSwap(nil, data) { return errTwice } // another one has another n
func (f *violation) sameKey(cell int) bool {
	key, about := f.Prog.Cells[cell].Key, f.g.Cells[0]
	if strings.Contains(f.Root(cell), extension.ElemStep) && !strings.Contains(f.Root(about), extension.ElemStep) {
		return false
	}
	return key.IsNone() || f.N.Term(key) == f.N.Term(f.Prog.Cells[about].Key)
}

// marks reports whether an access looks, and writes what it has found to be free, in one hold
// of a lock, and it is so until the last access that the violation is about. A number that is
// counted up or down is no mark: the next one counts on.
func (f *violation) marks(marks *register.Access) bool {
	if !marks.Writes || len(marks.Outcome) == 0 || f.countsOn(marks) {
		return false
	}
	after := false
	for _, b := range f.g.Accesses {
		if !b.Writes {
			continue
		}
		after = true
		if !f.Find.Dominates(marks, b) || !f.decides(marks, b) || slices.ContainsFunc(f.Find.Accesses, func(u *register.Access) bool {
			return u != marks && u.Writes && u.Cell == marks.Cell && f.Find.Dominates(marks, u) && f.Find.Precedes(u, b)
		}) {
			return false
		}
	}
	return after && f.looksMarked(marks)
}

// looksMarked reports whether one of the looks that the violation is about is made in the section of a mark, or once that is there: who
// has only looked before that may come to the mark when the one who was there has gone.
func (f *violation) looksMarked(marks *register.Access) bool {
	looks := slices.DeleteFunc(slices.Clone(f.g.Accesses), func(a *register.Access) bool { return a.Writes })
	return len(looks) == 0 || slices.ContainsFunc(looks, func(a *register.Access) bool {
		return f.Find.Dominates(marks, a) || f.UnderOne(a, marks)
	})
}

// countsOn reports whether an access writes what it has made of what it has found, or of what was found
// there before.
func (f *violation) countsOn(a *register.Access) bool {
	found := map[register.Local]bool{}
	for _, before := range f.Find.Accesses {
		if before.Cell == a.Cell {
			maps.Copy(found, f.followsFrom(before))
		}
	}
	return slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
		to, ok := judge.StoredOperand(&f.Prog.Blocks[op.Block].Instrs[op.Instr])
		return ok && !to.IsLit() && found[to.Local]
	})
}

// claimedAround reports whether all who call a method have won a compare-and-swap of a flag of the object
// just for that:
//
//	if !s.busy.CompareAndSwap(false, true) { return }
//	defer s.busy.Store(false)
//	s.reload()
//
// Who makes the object calls it before others can.
func (e *Weigher) claimedAround(f *violation) bool {
	objects := f.objects()
	return len(objects) == 1 && e.calledByWinner(f.Fn, objects[0], true)
}

// calledByWinner is claimedAround for any function and object; the flag is left to who wins it, if that is asked.
func (e *Weigher) calledByWinner(fn *ssa.Function, object ssa.Value, left bool) bool {
	if fn.Parent() != nil {
		return e.wonAround(fn, object, left)
	}
	param := slices.IndexFunc(fn.Params, func(p *ssa.Parameter) bool { return object == ssa.Value(p) })
	if param < 0 || e.ps.Exported(fn) || e.ps.Escapes(fn) {
		return false
	}
	some := false
	for _, call := range slices.Concat(e.ps.Callers(fn), e.ps.Refs.Started[fn]) {
		given := givenAt(call, param)
		if ssaprog.IsTest(call.Parent()) || ssaprog.IsMadeHere(given) {
			continue
		}
		if !e.wonBefore(call, given, left) {
			return false
		}
		some = true
	}
	return some
}

// givenAt is what a call gives for a parameter, or what starts a goroutine with the function.
func givenAt(call ssa.CallInstruction, param int) ssa.Value {
	if calls.Beginning(call) == nil {
		return call.Common().Args[param]
	}
	_, args := calls.Begins(call)
	return args[param]
}

// wonBefore reports whether an instruction is only come to by who has won a compare-and-swap on an
// object, and has left the flag as it is; of a literal, whether that is only made by him.
func (e *Weigher) wonBefore(at ssa.Instruction, object ssa.Value, left bool) bool {
	if load, ok := object.(*ssa.UnOp); ok {
		object = load.X // a variable that a literal captures is read wherever it is used
	}
	for b := at.Block(); b != nil; b = b.Idom() {
		if swap := e.wonInto(b); swap != nil && topology.ReachedFrom(swap.Call.Args[0], object, maxSource) {
			return !e.changedBetween(swap, at) && (!left || e.leftToWinner(swap.Call.Args[0], nil))
		}
	}
	return e.wonAround(at.Parent(), object, left)
}

// wonAround reports whether a literal is only made by who has won a compare-and-swap on the object that it
// captures.
func (e *Weigher) wonAround(fn *ssa.Function, object ssa.Value, left bool) bool {
	at := slices.IndexFunc(fn.FreeVars, func(free *ssa.FreeVar) bool { return object == ssa.Value(free) })
	made := ssaprog.ClosuresOf(fn)
	return at >= 0 && len(made) > 0 && !slices.ContainsFunc(made, func(m *ssa.MakeClosure) bool {
		return !e.wonBefore(m, m.Bindings[at], left)
	})
}

// leftToWinner reports whether a flag is changed otherwise than by a compare-and-swap only by who has won
// one, or in a function that begins with it: Stop sets back a flag that Start has won, and lets in the next
// one while the first is still there.
func (e *Weigher) leftToWinner(flag ssa.Value, winner *ssa.Function) bool {
	for _, fn := range e.ps.Funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(ssa.CallInstruction)
				if !ok || !e.sets(call.Common(), flag) || fn == winner || ssaprog.IsTest(fn) {
					continue
				}
				if field, ok := call.Common().Args[0].(*ssa.FieldAddr); !ok || !ssaprog.IsMadeHere(field.X) && !e.byWinner(call, field.X) {
					return false
				}
			}
		}
	}
	return true
}

// byWinner reports whether a call is only made by who has won a compare-and-swap on an object.
func (e *Weigher) byWinner(call ssa.CallInstruction, object ssa.Value) bool {
	if e.wonBefore(call, object, false) {
		return true
	}
	p, ok := object.(*ssa.Parameter)
	return ok && e.calledByWinner(call.Parent(), p, false)
}

// sets reports whether a call changes a flag otherwise than by a compare-and-swap.
func (e *Weigher) sets(call *ssa.CallCommon, flag ssa.Value) bool {
	callee := call.StaticCallee()
	op, known := e.ps.Res.LockObject(call)
	if callee == nil || known && op.Op != guards.FlagRelease || !known && (len(call.Args) < 2 || comparesAndSwaps(callee.Name())) {
		return false
	}
	f, ok := guards.PlaceOf(flag).(*ssa.FieldAddr)
	g, also := guards.PlaceOf(call.Args[0]).(*ssa.FieldAddr)
	if !ok || !also {
		return flag == call.Args[0]
	}
	return f.Field == g.Field && types.Identical(ssaprog.Deref(f.X.Type()), ssaprog.Deref(g.X.Type()))
}

// wonInto is the compare-and-swap that has succeeded where a block is entered; nil if there is none.
func (e *Weigher) wonInto(b *ssa.BasicBlock) *ssa.Call {
	if len(b.Preds) != 1 {
		return nil
	}
	br, ok := b.Preds[0].Instrs[len(b.Preds[0].Instrs)-1].(*ssa.If)
	if !ok {
		return nil
	}
	call, when, branch := asked(br.Cond)
	if call == nil || call.Call.StaticCallee() == nil || len(call.Call.Args) == 0 || b.Preds[0].Succs[branch] != b {
		return nil
	}
	op, known := e.ps.Res.LockObject(&call.Call)
	if known && op.Op == guards.FlagTake && op.When == when || !known && when == guards.IfTrue && comparesAndSwaps(call.Call.StaticCallee().Name()) {
		return call
	}
	return nil
}

// asked is the call whose result a condition asks for, what it asks, and the branch where that is so.
func asked(cond ssa.Value) (call *ssa.Call, when guards.When, branch int) {
	cmp, ok := cond.(*ssa.BinOp)
	if !ok {
		call, _ = cond.(*ssa.Call)
		return call, guards.IfTrue, 0
	}
	if c, isConst := cmp.Y.(*ssa.Const); !isConst || !c.IsNil() || cmp.Op != token.EQL && cmp.Op != token.NEQ {
		return nil, guards.Always, 0
	}
	if cmp.Op == token.NEQ {
		branch = 1
	}
	call, _ = cmp.X.(*ssa.Call)
	return call, guards.IfNil, branch
}

// changedBetween reports whether something else may be done to the flag of a compare-and-swap on the way
// from there: what is deferred comes after.
func (e *Weigher) changedBetween(swap *ssa.Call, to ssa.Instruction) bool {
	flag := swap.Call.Args[0]
	for _, b := range swap.Parent().Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if ok && e.sets(&call.Call, flag) && ways.Before(swap, call) && ways.Before(call, to) {
				return true
			}
		}
	}
	return false
}

// stepOf reports whether a step is one of a function, or puts something there in that only,
// wherever it was inlined.
func (e *Weigher) stepOf(fn *ssa.Function, s *rivals.Step) bool {
	if s.Fn == fn || s.From == nil {
		return s.Fn == fn
	}
	puts := false
	for _, a := range s.Accesses {
		if !putsEntry(s.From.Prog, a) {
			continue
		}
		for _, pos := range s.From.Positions([]*register.Access{a}) {
			if puts = slices.Contains(e.functionsAt(pos), fn); !puts {
				return false
			}
		}
	}
	return puts
}

// Who does something to an entry that takes long puts a mark into it under the lock, and whoever finds the mark
// steps back:
//
//	m.mu.Lock()
//	cur, ok := m.mounts[target]
//	if !ok || cur.phase == changing { m.mu.Unlock(); return ErrBusy }
//	m.mounts[target] = mount{cur.source, changing}
//	m.mu.Unlock()
//	unmount(target)
//	m.settle(target, nil)

// mark is a constant in a field of an entry that is a struct.
type mark struct{ field, is string }

// stepsBack is why it is left open whether anybody comes in between: each of those who do has looked before, and
// has put a mark there from which the call steps back, as they do from its own.
func (e *Weigher) stepsBack(f *violation) string {
	between := f.interrupting()
	if f.x.Several || !f.onMap() || len(between) == 0 {
		return ""
	}
	for _, look := range f.g.Accesses {
		for _, m := range f.marksIn(look) {
			if f.backsFrom(look, m) && !slices.ContainsFunc(between, func(s *rivals.Step) bool { return !hasMarked(s, m) }) {
				return "who is at it has put a mark into the entry, from which others step back"
			}
		}
	}
	return ""
}

// marksIn are the marks in what an access stores.
func (f *violation) marksIn(a *register.Access) []mark {
	var out []mark
	for _, op := range a.Ops {
		val, ok := judge.StoredOperand(&f.Prog.Blocks[op.Block].Instrs[op.Instr])
		if !ok || val.IsLit() {
			continue
		}
		def := f.Prog.OnlyDef(f.N.Source(val).Local)
		if def == nil || !strings.HasPrefix(def.Name, register.StructOf) {
			continue
		}
		for field, place := range f.Prog.FieldPlaces {
			if place < len(def.Args) && def.Args[place].IsLit() && strings.HasPrefix(field, strings.TrimPrefix(def.Name, register.StructOf)+".") {
				out = append(out, mark{field, def.Args[place].Lit})
			}
		}
	}
	return out
}

// backsFrom reports whether the call writes nothing there any more where an access has found a mark.
func (f *violation) backsFrom(look *register.Access, m mark) bool {
	return slices.ContainsFunc(f.Prog.Blocks, func(blk *register.Block) bool {
		to, ok := f.wayFrom(blk, look, m)
		return ok && !slices.ContainsFunc(f.g.Accesses, func(a *register.Access) bool {
			return a.Writes && slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
				writes := f.Prog.Blocks[op.Block].Instrs[op.Instr].Op != register.Read
				return writes && (op.Block == to || reaches(f.Prog, to, op.Block, -1))
			})
		})
	})
}

// wayFrom is where a block leads that asks whether there is a mark in what an access has found, if it is there.
func (f *violation) wayFrom(blk *register.Block, look *register.Access, m mark) (int, bool) {
	if blk.Term.Kind != register.Branch {
		return 0, false
	}
	def, way := f.Prog.OnlyDef(blk.Term.Cond.Local), 0
	if def != nil && def.Name == "not" {
		def, way = f.Prog.OnlyDef(def.Args[0].Local), 1
	}
	switch {
	case def == nil:
		return 0, false
	case def.Name == "eq" && def.Args[1].IsLit() && def.Args[1].Lit == m.is:
		def = f.Prog.OnlyDef(def.Args[0].Local)
	case m.is != string(register.LitTrue):
		return 0, false
	}
	is := def != nil && def.Name == register.FieldOf+m.field && foundBy(look)[f.N.Source(def.Args[0]).Local]
	return blk.Term.To[way], is
}

// hasMarked reports whether a step writes only what a mark was put into before, if what was found there let the
// call go on.
func hasMarked(s *rivals.Step, m mark) bool {
	if s.From == nil {
		return false
	}
	f := &violation{Function: s.From}
	return !slices.ContainsFunc(s.Accesses, func(a *register.Access) bool {
		return a.Writes && !slices.ContainsFunc(s.From.Find.Accesses, func(b *register.Access) bool {
			return b != a && b.Cell == a.Cell && s.From.Find.Dominates(b, a) && f.decides(b, a) && slices.Contains(f.marksIn(b), m)
		})
	})
}
