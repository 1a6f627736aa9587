package analyzer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/contract"
	"github.com/mapatom/mapatom/reduce"
)

// underContract is what a comment says that keeps a violation from happening.
//
//	// Grow makes it larger. The lock must be held.
//	func (b *buffer) grow() { b.size.Store(2*b.size.Load()) }
//
//	// Reset is called by other goroutines, without the lock.
//	func (b *buffer) Reset() { b.size.Store(0) }
func (c *checked) underContract(x *Extension, f *funcInfo, g component) string {
	w := c.contractOf(f, g)
	if w.kind == contract.None || !c.goneWithout(x, f, g, func(s *worldStep) bool { return c.keepsAway(w, s) }) {
		return ""
	}
	return w.says
}

// confined is why only one goroutine makes a step, and what would interrupt it.
func (c *checked) confined(x *Extension, f *funcInfo, g component) string {
	own := c.waysTo(f, g)
	if own.ways == nil || !c.goneWithout(x, f, g, func(s *worldStep) bool { return c.sameGoroutine(own.ways, s) }) {
		return ""
	}
	c.confinement.groups = append(c.confinement.groups, own)
	return own.ways.says(own.fn)
}

// waysTo are the ways to a method that a group is in, on a cell of its object.
func (c *checked) waysTo(f *funcInfo, g component) confinedGroup {
	if c.confinement == nil {
		c.confinement = newConfinement(c.ps)
	}
	positions := f.positions(g.accesses)
	for _, known := range c.confinement.groups {
		if isSubset(known.positions, positions) {
			return known
		}
	}
	if len(f.fn.Params) == 0 || f.fn.Parent() != nil || !f.partOf(g.cells[0], map[string]bool{f.fn.Params[0].Name(): true}) {
		return confinedGroup{}
	}
	return confinedGroup{positions, f.fn, c.confinement.of(f.fn)}
}

func isSubset(some, all []reduce.Pos) bool {
	return !slices.ContainsFunc(some, func(pos reduce.Pos) bool { return !slices.Contains(all, pos) })
}

// sameGoroutine reports whether a step is only made by goroutines that w has.
func (c *checked) sameGoroutine(w ways, s *worldStep) bool {
	if s.fn != nil && c.confinement.of(s.fn).within(w) {
		return true
	}
	return !slices.ContainsFunc(s.positions, func(pos reduce.Pos) bool {
		return !slices.ContainsFunc(c.functionsAt(pos), func(fn *ssa.Function) bool { return c.confinement.of(fn).within(w) })
	})
}

// contractOf is the contract that covers all of a group.
func (c *checked) contractOf(f *funcInfo, g component) written {
	if c.contracts == nil {
		c.contracts = newContracts(c.ps)
	}
	around := c.ps.declaredAround(f.fn)
	if around == nil {
		return written{}
	}
	w := c.contracts.of(around)
	if w.kind == contract.None || w.kind == contract.Concurrent {
		w = c.contractWithin(f, g)
	}
	if w.kind == contract.LockHeld && (f.unlocksWithin(g) || c.contracts.broken(w.fn, map[*ssa.Function]bool{})) {
		return written{}
	}
	return w
}

// contractWithin is the contract of a helper that has all of the group in it, or
// one that f leaves to its own callers.
func (c *checked) contractWithin(f *funcInfo, g component) written {
	fns := c.functionsOf(f.positions(g.accesses))
	if len(fns) == 1 && fns[0] != nil && f.onceEach(g) {
		if w := c.contracts.of(fns[0]); w.kind != contract.None && w.kind != contract.Concurrent {
			return w
		}
	}
	// Who must not run beside a part of f must not run beside f, because nobody
	// outside can tell when that part begins and ends.
	for _, a := range g.accesses {
		for _, pos := range f.positions([]*reduce.Access{a}) {
			for _, fn := range c.functionsAt(pos) {
				if w := c.contracts.of(fn); w.kind == contract.Alone && !f.locksBefore(a) {
					return w
				}
			}
		}
	}
	return written{}
}

// functionsOf are the functions in whose text some operations are, each once; nil
// for one that may run at any time.
func (c *checked) functionsOf(positions []reduce.Pos) []*ssa.Function {
	var out []*ssa.Function
	for _, pos := range positions {
		fn := c.ps.functionAt(c.ps.res.opName(pos).Pos)
		if fn != nil {
			fn = c.ps.declaredAround(fn)
		}
		if !slices.Contains(out, fn) {
			out = append(out, fn)
		}
	}
	return out
}

// onceEach reports whether f has each operation of a group once: the helper that
// they are in is not called from two places, between which others may come.
func (f *funcInfo) onceEach(g component) bool {
	times := map[reduce.Pos]int{}
	for _, pos := range f.positions(f.find.accesses) {
		times[pos]++
	}
	return !slices.ContainsFunc(f.positions(g.accesses), func(pos reduce.Pos) bool { return times[pos] > 1 })
}

// keepsAway reports whether a step does not run beside what is under a contract:
// it is under the same one, or under a lock, for a contract that is about a lock.
//
// Which lock the comment means is not known. One that the step shares with the
// cell, because both belong to one object, is taken to be it; the lock of another
// object is not.
func (c *checked) keepsAway(w written, s *worldStep) bool {
	if w.kind == contract.Alone || w.kind == contract.LockHeld && anyExclusive(s.always) {
		return true
	}
	if s.fn != nil && c.agrees(w, c.contracts.of(s.fn)) {
		return true
	}
	return !slices.ContainsFunc(s.positions, func(pos reduce.Pos) bool { return !c.agreesAt(w, pos) })
}

// agreesAt is agrees for the functions that an operation is in.
func (c *checked) agreesAt(w written, pos reduce.Pos) bool {
	return slices.ContainsFunc(c.functionsAt(pos), func(fn *ssa.Function) bool { return c.agrees(w, c.contracts.of(fn)) })
}

// functionsAt are the functions that an operation is in. That of a function which
// makes one operation and does nothing else has the place of its call.
func (c *checked) functionsAt(pos reduce.Pos) []*ssa.Function {
	op := c.ps.res.opName(pos)
	fn := c.ps.functionAt(op.Pos)
	if fn == nil {
		return nil
	}
	fns := c.ps.calledAt(fn, op.Pos, op.End)
	if around := c.ps.declaredAround(fn); around != nil {
		fns = append(fns, around)
	}
	return fns
}

// agrees reports whether a function with contract o stays away from one with w, or
// says that it needs not to: the author has thought of both.
func (c *checked) agrees(w, o written) bool {
	switch w.kind {
	case contract.LockHeld:
		return o.kind == contract.LockHeld
	case contract.OneAtATime:
		return o.fn == w.fn || o.kind == contract.Concurrent
	}
	return false
}

func anyExclusive(held lockSet) bool {
	for _, h := range held {
		if h.exclusive {
			return true
		}
	}
	return false
}

// unlocksWithin reports whether f releases between two operations of a group a lock
// that it has not taken in between: maybe the one that its callers hold.
func (f *funcInfo) unlocksWithin(g component) bool {
	for b, blk := range f.prog.Blocks {
		for i := range blk.Instrs {
			at := reduce.Ref{Block: b, Instr: i}
			if blk.Instrs[i].Op == reduce.Unlock && f.between(g, at) && !f.lockedWithin(g, at) {
				return true
			}
		}
	}
	return false
}

// between reports whether a place can come after one operation of a group and
// before another one.
func (f *funcInfo) between(g component, at reduce.Ref) bool {
	after := slices.ContainsFunc(g.accesses, func(a *reduce.Access) bool { return f.before(a.Start, at) })
	return after && slices.ContainsFunc(g.accesses, func(a *reduce.Access) bool { return f.before(at, a.Start) })
}

// lockedWithin reports whether the lock that is released at a place was taken since
// an operation of the group.
func (f *funcInfo) lockedWithin(g component, unlock reduce.Ref) bool {
	lock := f.n.Term(f.prog.Blocks[unlock.Block].Instrs[unlock.Instr].Args[0])
	for b, blk := range f.prog.Blocks {
		for i := range blk.Instrs {
			at := reduce.Ref{Block: b, Instr: i}
			in := &blk.Instrs[i]
			if in.Op == reduce.Lock && f.n.Term(in.Args[0]) == lock && f.before(at, unlock) && f.between(g, at) {
				return true
			}
		}
	}
	return false
}

// locksBefore reports whether f can have taken a lock when it comes to an access.
func (f *funcInfo) locksBefore(a *reduce.Access) bool {
	for b, blk := range f.prog.Blocks {
		for i := range blk.Instrs {
			if blk.Instrs[i].Op == reduce.Lock && f.before(reduce.Ref{Block: b, Instr: i}, a.Start) {
				return true
			}
		}
	}
	return false
}
