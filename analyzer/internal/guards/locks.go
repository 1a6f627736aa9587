package guards

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// lock names a lock inside of one function: so many fields up from a pointer, and
// a path down from there. up is not zero only for what a caller holds around a
// struct of which the function got the address of a part.
type lock struct {
	base value
	up   int
	path path
}

// hold says how a lock is held.
type hold struct {
	exclusive bool
	// at is the call that took it, nil if the caller did.
	at ssa.Instruction
}

// before says which of several comes first: the one that is taken first in the text of
// the program, and one that the caller took before none.
func (h hold) before(other hold) bool {
	return h.at != nil && (other.at == nil || h.at.Pos() < other.at.Pos())
}

// lockSet are the locks that are certainly held. A nil lockSet is that of a place
// that is not reached.
type lockSet map[lock]hold

// meet keeps what is held in both sets, in the weaker mode.
func meet(s, t lockSet) (lockSet, bool) {
	if s == nil {
		return maps.Clone(t), t != nil
	}
	if t == nil {
		return s, false
	}
	changed := false
	for l, h := range s {
		o, ok := t[l]
		weak := hold{exclusive: h.exclusive && o.exclusive, at: h.at}
		if o.at != h.at {
			weak.at = nil
		}
		switch {
		case !ok:
			delete(s, l)
			changed = true
		case weak != h:
			s[l] = weak
			changed = true
		}
	}
	return s, changed
}

// effect is what a call of a function does to locks that its arguments lead to, or
// package variables: those in takes are held afterwards, those in drops are not.
type effect struct {
	takes map[argument]bool // to whether exclusively
	drops map[argument]bool
	// perhaps are held afterwards if a result says so.
	perhaps map[argument]ObjectOp
}

// argument is a lock as the callers of a function know it: reached from its
// parameter number index, or from a package variable.
type argument struct {
	index  int
	global *ssa.Global
	path   path
}

// flow is the analysis of one function.
type flow struct {
	*inference
	fn    *ssa.Function
	entry lockSet
	in    map[*ssa.BasicBlock]lockSet
	// told are what calls have taken where their results say so, by the blocks that are entered then.
	told map[*ssa.BasicBlock][]told
}

// told is a lock that a call has taken.
type told struct {
	lock argument
	by   *ssa.Call
}

// findTold finds those of a function.
func (f *flow) findTold() {
	f.told = map[*ssa.BasicBlock][]told{}
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			for a, op := range f.effects[f.local(call.Common().StaticCallee())].perhaps {
				if into := whenTaken(call, op); into != nil {
					f.told[into] = append(f.told[into], told{a, call})
				}
			}
		}
	}
}

// solve computes what is held at the beginning of each block.
func (f *flow) solve() {
	f.in = map[*ssa.BasicBlock]lockSet{}
	f.findTold()
	if len(f.fn.Blocks) == 0 {
		return
	}
	f.in[f.fn.Blocks[0]] = maps.Clone(f.entry)
	work := []*ssa.BasicBlock{f.fn.Blocks[0]}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		out := f.into(b)
		for _, instr := range b.Instrs {
			f.step(out, instr)
		}
		for _, succ := range b.Succs {
			joined, changed := meet(f.in[succ], out)
			f.in[succ] = joined
			if changed {
				work = append(work, succ)
			}
		}
	}
}

// each calls visit for every instruction, with what is held before it.
func (f *flow) each(visit func(ssa.Instruction, lockSet)) {
	for _, b := range f.fn.Blocks {
		if f.in[b] == nil {
			continue
		}
		held := f.into(b)
		for _, instr := range b.Instrs {
			visit(instr, held)
			f.step(held, instr)
		}
	}
}

// into is what is held at the first instruction of a block.
func (f *flow) into(b *ssa.BasicBlock) lockSet {
	held := maps.Clone(f.in[b])
	for _, t := range f.wide.into[b] {
		if l, ok := f.lockOf(t.LockCall); ok && held != nil {
			held[l] = hold{exclusive: true, at: t.by}
		}
	}
	for _, t := range f.told[b] {
		if l, ok := f.fromArgument(t.lock, t.by.Common()); ok && held != nil {
			held[l] = hold{exclusive: true, at: t.by}
		}
	}
	return held
}

// lockCall is what an instruction does to a lock by itself, now or at the exit.
func (in *inference) lockCall(instr ssa.Instruction) (LockCall, bool) {
	if lc, ok := in.wide.at[instr]; ok {
		return lc, true
	}
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return LockCall{}, false
	}
	return in.Locks(call)
}

// step is what an instruction does to the locks that are held. A deferred release
// happens at the exit, where nobody asks any more.
func (f *flow) step(held lockSet, instr ssa.Instruction) {
	if _, isDefer := instr.(*ssa.Defer); isDefer {
		return
	}
	if lc, ok := f.lockCall(instr); ok {
		if l, ok := f.lockOf(lc); ok {
			if lc.Release {
				delete(held, l)
			} else {
				held[l] = hold{exclusive: !lc.Shared, at: instr}
			}
		}
		return
	}
	call, ok := instr.(*ssa.Call)
	if !ok {
		return
	}
	callee := f.local(call.Common().StaticCallee())
	if callee == nil {
		return
	}
	e := f.effects[callee]
	for a := range e.drops {
		if l, ok := f.fromArgument(a, call.Common()); ok {
			delete(held, l)
		}
	}
	for a, exclusive := range e.takes {
		if l, ok := f.fromArgument(a, call.Common()); ok {
			held[l] = hold{exclusive: exclusive, at: instr}
		}
	}
}

// lockAt is the lock that a mutex is, given by its address or, where an interface
// or a pointer leads to it, by its value.
func (in *inference) lockAt(mutex ssa.Value) (lock, bool) {
	if m, ok := mutex.(*ssa.MakeInterface); ok {
		mutex = m.X
	}
	if a := variableOf(mutex); a != nil {
		mutex = a
	}
	loc, ok := in.num.locate(mutex)
	if ok && loc.path == (path{}) {
		if t := in.num.values[loc.base]; t.v == nil { // a field that points to the lock stands for it
			loc = location{base: t.base, path: t.path}
		}
	}
	return lock{base: loc.base, path: loc.path}, ok
}

// lockOf is the lock of a call, by its key if it has one.
func (in *inference) lockOf(lc LockCall) (lock, bool) {
	l, ok := in.lockAt(lc.Mutex)
	if ok && lc.Key != nil {
		l.path, ok = l.path.then(in.num.element(lc.Key))
	}
	return l, ok
}

// variable is the field, package variable or other variable that declares a lock;
// nil if there is none.
func (in *inference) variable(l lock) *types.Var {
	if f := in.num.declared(l.path); f != nil {
		return f
	}
	t := in.num.values[l.base]
	if l.path.len() > 0 && t.v == nil { // an element of what a field holds
		return in.num.declared(t.path)
	}
	switch g := t.v.(type) {
	case *ssa.Global:
		v, _ := g.Object().(*types.Var)
		return v
	case *ssa.Alloc:
		return in.variableAt(g)
	}
	return nil
}

// fromArgument is a callee's lock as its caller names it.
func (in *inference) fromArgument(a argument, call *ssa.CallCommon) (lock, bool) {
	if a.global != nil {
		return lock{base: in.num.intern(term{v: a.global}), path: a.path}, true
	}
	if a.index >= len(call.Args) {
		return lock{}, false
	}
	loc, ok := in.num.locate(call.Args[a.index])
	if !ok {
		return lock{}, false
	}
	for i := range a.path.len() {
		if loc.path, ok = loc.path.then(a.path[i]); !ok {
			return lock{}, false
		}
	}
	return lock{base: loc.base, path: loc.path}, true
}

// toArgument is the reverse: false if the callers have no name for the lock.
func (in *inference) toArgument(fn *ssa.Function, l lock) (argument, bool) {
	if l.up > 0 {
		return argument{}, false
	}
	t := in.num.values[l.base]
	if g, ok := t.v.(*ssa.Global); ok {
		return argument{index: -1, global: g, path: l.path}, true
	}
	for i, p := range fn.Params {
		if t.v == ssa.Value(p) {
			return argument{index: i, path: l.path}, true
		}
	}
	return argument{}, false
}

// findEffect looks at what is held at the exits: locks that the function leaves
// locked, or releases though it did not take them.
func (f *flow) findEffect() effect {
	e := effect{takes: map[argument]bool{}, drops: map[argument]bool{}, perhaps: map[argument]ObjectOp{}}
	deferred := map[lock]bool{}
	var exits lockSet
	reached, at := false, map[*ssa.Return]lockSet{}
	f.each(func(instr ssa.Instruction, held lockSet) {
		switch instr := instr.(type) {
		case *ssa.Defer:
			for _, l := range f.released(instr) {
				deferred[l] = true
			}
		case *ssa.Return:
			at[instr] = maps.Clone(held)
			if !reached {
				exits, reached = maps.Clone(held), true
				return
			}
			exits, _ = meet(exits, held)
		default:
			if a, ok := f.drops(instr, held); ok {
				e.drops[a] = true
			}
		}
	})
	for l, h := range exits {
		if a, ok := f.toArgument(f.fn, l); ok && h.at != nil && !deferred[l] {
			e.takes[a] = h.exclusive
		}
	}
	f.addPerhaps(e, at, deferred)
	return e
}

// addPerhaps adds the locks that are held exclusively at some returns, if a result says at which.
func (f *flow) addPerhaps(e effect, at map[*ssa.Return]lockSet, deferred map[lock]bool) {
	if f.fn.Signature.Results().Len() == 0 || len(at) < 2 {
		return
	}
	returns := slices.Collect(maps.Keys(at))
	for _, held := range at {
		for l, h := range held {
			a, ok := f.toArgument(f.fn, l)
			if _, always := e.takes[a]; !ok || always || !h.exclusive || h.at == nil || deferred[l] {
				continue
			}
			if op, ok := takes(f.fn, returns, func(r *ssa.Return) bool { _, is := at[r][l]; return is }); ok {
				e.perhaps[a] = op
			}
		}
	}
}

// drops is the lock that an instruction releases which the function has not taken.
func (f *flow) drops(instr ssa.Instruction, held lockSet) (argument, bool) {
	lc, ok := f.lockCall(instr)
	if !ok || !lc.Release {
		return argument{}, false
	}
	l, ok := f.lockOf(lc)
	if h, own := held[l]; !ok || own && h.at != nil {
		return argument{}, false
	}
	return f.toArgument(f.fn, l)
}

// released are the locks that a deferred call releases, by itself or in a literal.
func (f *flow) released(d *ssa.Defer) []lock {
	var out []lock
	add := func(instr ssa.Instruction) {
		if lc, ok := f.lockCall(instr); ok && lc.Release {
			if l, ok := f.lockOf(lc); ok {
				out = append(out, l)
			}
		}
	}
	add(d)
	mc, ok := d.Call.Value.(*ssa.MakeClosure)
	if !ok {
		return out
	}
	for _, b := range mc.Fn.(*ssa.Function).Blocks {
		for _, instr := range b.Instrs {
			add(instr)
		}
	}
	return out
}

// isAtomicOrLock reports whether t is a type of package sync or sync/atomic, which
// need no lock, or a pointer to one.
func isAtomicOrLock(t types.Type) bool {
	named := namedOf(t)
	if named == nil || named.Obj().Pkg() == nil {
		return false
	}
	path := named.Obj().Pkg().Path()
	return path == "sync" || path == "sync/atomic"
}
