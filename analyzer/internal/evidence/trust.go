package evidence

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/contract"
	"github.com/mapatom/mapatom/analyzer/internal/ownership"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// underContract is what a comment says that keeps a violation from happening.
//
//	// Grow makes it larger. The lock must be held.
//	func (b *buffer) grow() { b.size.Store(2*b.size.Load()) }
//
//	// Reset is called by other goroutines, without the lock.
//	func (b *buffer) Reset() { b.size.Store(0) }
func (e *Weigher) underContract(f *violation) string {
	if f.x.Several {
		return ""
	}
	w := e.contractOf(f)
	if w.kind == contract.None || !e.goneWithout(f, func(s *rivals.Step) bool { return e.keepsAway(w, s) }) {
		return ""
	}
	return w.says
}

// oneGoroutine is why only one goroutine makes a step, and what would interrupt it.
func (e *Weigher) oneGoroutine(f *violation) string {
	own := e.waysTo(f)
	if own.Ways == nil {
		return e.consumed(f)
	}
	if f.x.Several || !e.goneWithout(f, e.runsWith(f)) {
		return ""
	}
	e.confinement.Groups = append(e.confinement.Groups, own)
	return own.Ways.Says(own.Fn)
}

// runsWith tells the steps that are made by the one goroutine which an object has for itself; nil if
// it has none.
func (e *Weigher) runsWith(f *violation) keeper {
	own := e.waysTo(f)
	if own.Ways == nil || f.x.Several {
		return nil
	}
	return func(s *rivals.Step) bool { return e.sameGoroutine(own.Ways, s) }
}

// consumed is why only one goroutine comes to a method and to what would interrupt it: the
// one that takes what is sent to the object.
func (e *Weigher) consumed(f *violation) string {
	same := e.consumedWith(f)
	if same == nil || !e.goneWithout(f, same) {
		return ""
	}
	return "only " + e.goroutines().Consumer(f.Fn).Name() + " runs it, which takes what is sent to the object"
}

// consumedWith tells the steps of the goroutine that takes what is sent to the object; nil if that
// does not come to the violation.
func (e *Weigher) consumedWith(f *violation) keeper {
	loop := e.goroutines().Consumer(f.Fn)
	if f.x.Several || loop == nil || !f.PartOf(f.g.Cells[0], map[ssa.Value]bool{f.Fn.Params[0]: true}) {
		return nil
	}
	return func(s *rivals.Step) bool { return s.Fn != nil && e.goroutines().Consumer(s.Fn) == loop }
}

// waysTo are the ways to a method that a group is in, on a cell of its object.
func (e *Weigher) waysTo(f *violation) ownership.ConfinedGroup {
	e.confinements()
	positions := f.Positions(f.g.Accesses)
	for _, known := range e.confinement.Groups {
		if isSubset(known.Positions, positions) {
			return known
		}
	}
	if len(f.Fn.Params) == 0 || f.Fn.Parent() != nil || !f.PartOf(f.g.Cells[0], map[ssa.Value]bool{f.Fn.Params[0]: true}) {
		return ownership.ConfinedGroup{}
	}
	return ownership.ConfinedGroup{Positions: positions, Fn: f.Fn, Ways: e.confinement.Of(f.Fn)}
}

// confinements finds which goroutine an object has for itself.
func (e *Weigher) confinements() *ownership.Confinement {
	if e.confinement == nil {
		e.confinement = ownership.NewConfinement(e.ps)
	}
	return e.confinement
}

func isSubset(some, all []register.Pos) bool {
	return !slices.ContainsFunc(some, func(pos register.Pos) bool { return !slices.Contains(all, pos) })
}

// sameGoroutine reports whether a step is only made by goroutines that w has.
func (e *Weigher) sameGoroutine(w ownership.Ways, s *rivals.Step) bool {
	if s.Fn != nil && e.confinement.Of(s.Fn).Within(w) {
		return true
	}
	return !slices.ContainsFunc(s.Positions, func(pos register.Pos) bool {
		return !slices.ContainsFunc(e.functionsAt(pos), func(fn *ssa.Function) bool { return e.confinement.Of(fn).Within(w) })
	})
}

// contractOf is the contract that covers all of a group.
func (e *Weigher) contractOf(f *violation) written {
	if e.contracts == nil {
		e.contracts = newContracts(e.ps)
	}
	around := e.ps.DeclaredAround(f.Fn)
	if around == nil {
		return written{}
	}
	w := e.contracts.of(around)
	if w.kind == contract.None || w.kind == contract.Concurrent {
		w = e.contractWithin(f)
	}
	if w.kind == contract.LockHeld && (f.Later || f.unlocksWithin() || e.contracts.broken(w.fn, map[*ssa.Function]bool{})) {
		return written{}
	}
	return w
}

// contractWithin is the contract of a helper that has all of the group in it, or
// one that f leaves to its own callers.
func (e *Weigher) contractWithin(f *violation) written {
	fns := e.functionsOf(f.Positions(f.g.Accesses))
	if len(fns) == 1 && fns[0] != nil && f.onceEach() {
		if w := e.contracts.of(fns[0]); w.kind != contract.None && w.kind != contract.Concurrent {
			return w
		}
	}
	// Who must not run beside a part of f must not run beside f, because nobody
	// outside can tell when that part begins and ends.
	for _, a := range f.g.Accesses {
		for _, pos := range f.Positions([]*register.Access{a}) {
			for _, fn := range e.functionsAt(pos) {
				if w := e.contracts.of(fn); w.kind == contract.Alone && !f.locksBefore(a) {
					return w
				}
			}
		}
	}
	return written{}
}

// functionsOf are the functions in whose text some operations are, each once; nil
// for one that may run at any time.
func (e *Weigher) functionsOf(positions []register.Pos) []*ssa.Function {
	var out []*ssa.Function
	for _, pos := range positions {
		fn := e.ps.FunctionAt(e.ps.Res.OpName(pos).Pos)
		if fn != nil {
			fn = e.ps.DeclaredAround(fn)
		}
		if !slices.Contains(out, fn) {
			out = append(out, fn)
		}
	}
	return out
}

// onceEach reports whether f has each operation of a group once: the helper that
// they are in is not called from two places, between which others may come.
func (f *violation) onceEach() bool {
	times := map[register.Pos]int{}
	for _, pos := range f.Positions(f.Find.Accesses) {
		times[pos]++
	}
	return !slices.ContainsFunc(f.Positions(f.g.Accesses), func(pos register.Pos) bool { return times[pos] > 1 })
}

// keepsAway reports whether a step does not run beside what is under a contract:
// it is under the same one, or under a lock, for a contract that is about a lock.
//
// Which lock the comment means is not known. One that the step shares with the
// cell, because both belong to one object, is taken to be it; the lock of another
// object is not.
func (e *Weigher) keepsAway(w written, s *rivals.Step) bool {
	if w.kind == contract.Alone || w.kind == contract.LockHeld && anyExclusive(s.Always) {
		return true
	}
	if s.Fn != nil && e.agrees(w, e.contracts.of(s.Fn)) {
		return true
	}
	return !slices.ContainsFunc(s.Positions, func(pos register.Pos) bool { return !e.agreesAt(w, pos) })
}

// agreesAt is agrees for the functions that an operation is in.
func (e *Weigher) agreesAt(w written, pos register.Pos) bool {
	return slices.ContainsFunc(e.functionsAt(pos), func(fn *ssa.Function) bool { return e.agrees(w, e.contracts.of(fn)) })
}

// functionsAt are the functions that an operation is in. That of a function which
// makes one operation and does nothing else has the place of its call.
func (e *Weigher) functionsAt(pos register.Pos) []*ssa.Function {
	op := e.ps.Res.OpName(pos)
	fn := e.ps.FunctionAt(op.Pos)
	if fn == nil {
		return nil
	}
	fns := e.ps.CalledAt(fn, op.Pos, op.End)
	if around := e.ps.DeclaredAround(fn); around != nil {
		fns = append(fns, around)
	}
	return fns
}

// agrees reports whether a function with contract o stays away from one with w, or
// says that it needs not to: the author has thought of both.
func (e *Weigher) agrees(w, o written) bool {
	switch w.kind {
	case contract.LockHeld:
		return o.kind == contract.LockHeld
	case contract.OneAtATime:
		return o.fn == w.fn || o.kind == contract.Concurrent
	}
	return false
}

func anyExclusive(held rivals.LockSet) bool {
	for _, h := range held {
		if h.Exclusive {
			return true
		}
	}
	return false
}

// unlocksWithin reports whether f releases between two operations of a group a lock
// that it has not taken in between: maybe the one that its callers hold.
func (f *violation) unlocksWithin() bool {
	for b, blk := range f.Prog.Blocks {
		for i := range blk.Instrs {
			at := register.Ref{Block: b, Instr: i}
			if blk.Instrs[i].Op == register.Unlock && f.between(at) && !f.lockedWithin(at) {
				return true
			}
		}
	}
	return false
}

// between reports whether a place can come after one operation of a group and
// before another one.
func (f *violation) between(at register.Ref) bool {
	after := slices.ContainsFunc(f.g.Accesses, func(a *register.Access) bool { return f.Before(a.Start, at) })
	return after && slices.ContainsFunc(f.g.Accesses, func(a *register.Access) bool { return f.Before(at, a.Start) })
}

// lockedWithin reports whether the lock that is released at a place was taken since
// an operation of the group.
func (f *violation) lockedWithin(unlock register.Ref) bool {
	lock := f.N.Term(f.Prog.Blocks[unlock.Block].Instrs[unlock.Instr].Args[0])
	for b, blk := range f.Prog.Blocks {
		for i := range blk.Instrs {
			at := register.Ref{Block: b, Instr: i}
			in := &blk.Instrs[i]
			if in.Op == register.Lock && f.N.Term(in.Args[0]) == lock && f.Before(at, unlock) && f.between(at) {
				return true
			}
		}
	}
	return false
}

// locksBefore reports whether f can have taken a lock when it comes to an access.
func (f *violation) locksBefore(a *register.Access) bool {
	for b, blk := range f.Prog.Blocks {
		for i := range blk.Instrs {
			if blk.Instrs[i].Op == register.Lock && f.Before(register.Ref{Block: b, Instr: i}, a.Start) {
				return true
			}
		}
	}
	return false
}
