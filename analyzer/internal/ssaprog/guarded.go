package ssaprog

import (
	"go/constant"
	"go/types"
	"strings"

	"github.com/mapatom/mapatom/analyzer/internal/guards"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/mapatom/mapatom/reduce"
	"golang.org/x/tools/go/ssa"
)

// guardedMemory is the plain memory of a package that is looked at as registers:
// what a lock guards, and some function touches in more than one critical section.
type guardedMemory struct {
	guards *guards.Guards
	// registers are the memories, and locks those that guard them.
	registers map[*types.Var]bool
	locks     map[*types.Var]bool
}

// findGuarded infers which memory that is.
func (r *Resolver) findGuarded(funcs []*ssa.Function) {
	calls := guards.Calls{Locks: r.lockCall, Flags: r.flagCall, Entries: r.entryCall, Through: r.sole, Objects: r.objectCall}
	g := guards.Infer(funcs, calls, func(fn *ssa.Function) bool {
		return strings.HasSuffix(fn.Prog.Fset.Position(fn.Pos()).Filename, "_test.go")
	})
	r.guarded = &guardedMemory{guards: g, registers: g.Registers(), locks: map[*types.Var]bool{}}
	for mem := range r.guarded.registers {
		if guard, ok := g.Of(mem); ok {
			r.guarded.locks[guard.Lock] = true
		}
	}
}

// Repointed reports whether the pointer in a memory of that name is replaced, other than in construction.
func (r *Resolver) Repointed(name string) bool {
	if r.repointed == nil {
		r.repointed = map[string]bool{}
		if r.guarded != nil {
			for _, addr := range r.guarded.guards.Repointed() {
				r.repointed[reduce.MemoryName(addr)] = true
			}
		}
	}
	return r.repointed[name]
}

// lockCall says which calls take or release a lock.
func (r *Resolver) lockCall(call ssa.CallInstruction) (guards.LockCall, bool) {
	t := targetOf(call)
	if t.obj == nil || t.recv == nil || t.wraps(true) {
		return guards.LockCall{}, false
	}
	lc := guards.LockCall{Mutex: t.recv}
	switch r.Classify(t.obj) {
	case catalog.Lock, catalog.TryLock:
	case catalog.RLock, catalog.TryRLock:
		lc.Shared = true
	case catalog.Unlock:
		lc.Release = true
	case catalog.RUnlock:
		lc.Release, lc.Shared = true, true
	default:
		return guards.LockCall{}, false
	}
	return lc, true
}

// isGuard reports whether a mutex guards memory that is looked at.
func (g *guardedMemory) isGuard(mutex ssa.Value) bool {
	if g == nil || len(g.locks) == 0 || mutex == nil {
		return false
	}
	lock := g.guards.Lock(mutex)
	return lock != nil && g.locks[lock]
}

// access is the access that an instruction makes to such memory; nil if none. A
// round of a loop over a map is one to its entry.
func (g *guardedMemory) access(instr ssa.Instruction) *guards.Access {
	if g == nil || len(g.registers) == 0 {
		return nil
	}
	switch v := instr.(type) {
	case *ssa.Next:
		over, ok := v.Iter.(*ssa.Range)
		if !ok {
			return nil
		}
		instr = over
	case *ssa.Range:
		return nil
	case *ssa.UnOp:
		if IsMap(v.Type()) {
			return nil // its entries are what is looked at
		}
		if _, isElement := v.X.(*ssa.IndexAddr); isElement {
			return nil // of a slice that is never changed in place
		}
	case *ssa.Store:
		if IsMap(v.Val.Type()) && !guards.Empties(v) {
			return nil
		}
	}
	a := g.guards.AccessAt(instr)
	if a == nil || !g.registers[a.Memory] || g.guards.Lends(a) {
		return nil
	}
	if st, ok := instr.(*ssa.Store); ok && a.Construction && IsMap(st.Val.Type()) {
		return nil // nothing was there before
	}
	return a
}

// Cell implements reduce.Memory.
func (r *Resolver) Cell(instr ssa.Instruction) (ssa.Value, bool) {
	a := r.guarded.access(instr)
	if a == nil {
		return nil, false
	}
	if call, ok := instr.(ssa.CallInstruction); ok {
		if b, ok := call.Common().Value.(*ssa.Builtin); !ok || b.Name() != "delete" && b.Name() != "clear" {
			return nil, false
		}
	}
	r.noteAccess(instr)
	return a.Address(), true
}

// Drops implements reduce.Memory.
func (r *Resolver) Drops(st *ssa.Store) bool {
	a := r.guarded.access(st)
	return a != nil && r.guarded.guards.Drops(st)
}

// Plain implements reduce.Memory.
func (r *Resolver) Plain(instr ssa.Instruction) (ssa.Value, bool) {
	var addr ssa.Value
	switch instr := instr.(type) {
	case *ssa.UnOp:
		addr = instr.X
	case *ssa.Store:
		addr = instr.Addr
	}
	if !r.atomics[namedMemory(addr)] {
		return nil, false
	}
	r.noteAccess(instr)
	return addr, true
}

// findAtomics notes the plain variables and fields that are given to functions of sync/atomic.
func (r *Resolver) findAtomics(funcs []*ssa.Function) {
	r.atomics = map[string]bool{}
	for _, fn := range funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(ssa.CallInstruction)
				if !ok || len(call.Common().Args) == 0 {
					continue
				}
				if isAtomicFunc(call.Common().StaticCallee()) {
					r.atomics[namedMemory(call.Common().Args[0])] = true
				}
			}
		}
	}
	delete(r.atomics, "")
}

// isAtomicFunc reports whether a function, if any, is one of sync/atomic and no method. A method of the universe is
// in no package.
func isAtomicFunc(fn *ssa.Function) bool {
	return fn != nil && fn.Pkg != nil && fn.Pkg.Pkg.Path() == "sync/atomic" && fn.Signature.Recv() == nil
}

// namedMemory is the name of the field or the package variable at an address; empty if it is none, or that
// of an object that nobody else has yet.
func namedMemory(addr ssa.Value) string {
	switch addr := addr.(type) {
	case *ssa.FieldAddr:
		if !IsMadeHere(addr.X) {
			return reduce.MemoryName(addr)
		}
	case *ssa.Global:
		return reduce.MemoryName(addr)
	}
	return ""
}

// Length implements reduce.Memory.
func (r *Resolver) Length(call ssa.CallInstruction) (ssa.Value, bool) {
	b, ok := call.Common().Value.(*ssa.Builtin)
	if !ok || b.Name() != "len" || !IsMap(call.Common().Args[0].Type()) {
		return nil, false
	}
	a := r.guarded.access(call)
	if a == nil {
		return nil, false
	}
	r.noteAccess(call)
	return a.Address(), true
}

// Whole implements reduce.Memory.
func (r *Resolver) Whole(load *ssa.UnOp) (ssa.Value, bool) {
	g := r.guarded
	if g == nil || len(g.registers) == 0 || !IsMap(load.Type()) || !g.guards.Wholly(load) {
		return nil, false
	}
	a := g.guards.AccessAt(load)
	if !g.registers[a.Memory] || g.guards.Lends(a) {
		return nil, false
	}
	r.noteAccess(load)
	return a.Address(), true
}

// noteAccess enters an access as an operation.
func (r *Resolver) noteAccess(instr ssa.Instruction) {
	if call, ok := instr.(ssa.CallInstruction); ok {
		r.note(call, Call{Operation: Operation{Name: call.Common().Value.Name(), Plain: true}})
		return
	}
	pos := instr.Pos()
	if next, ok := instr.(*ssa.Next); ok {
		pos = next.Iter.Pos() // the loop's
	}
	if !pos.IsValid() {
		return
	}
	op := Call{Operation: Operation{Name: "read", Plain: true, Pos: pos, End: pos + 1}}
	switch instr := instr.(type) {
	case *ssa.Store:
		if op.Name, op.Stored = "write", instr.Val.Type(); IsMap(op.Stored) {
			op.Name, op.Stored = "clear", nil
		}
	case *ssa.MapUpdate:
		op.Name, op.Stored = "write", instr.Value.Type()
	}
	at := r.PosText(pos)
	if before, ok := r.ops[at]; ok && before.Name != op.Name {
		op.Name = "update"
	}
	r.ops[at] = op
}

// touchesGuarded reports whether a function accesses such memory.
func (g *guardedMemory) touchesGuarded(fn *ssa.Function) bool {
	if g == nil || len(g.registers) == 0 {
		return false
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if g.access(instr) != nil {
				return true
			}
		}
	}
	return false
}

// Guarded are the memories that are looked at as registers, each with its accesses.
func (r *Resolver) Guarded() [][]*guards.Access {
	var out [][]*guards.Access
	for _, mem := range r.guarded.guards.Memories() {
		if r.guarded.registers[mem] {
			out = append(out, r.guarded.guards.Accesses(mem))
		}
	}
	return out
}

// IsNewborn reports whether a parameter is only given objects that nobody else has yet.
func (r *Resolver) IsNewborn(p *ssa.Parameter) bool {
	return r.guarded != nil && r.guarded.guards.IsNewborn(p)
}

// inSection reports whether a function is a part of its callers' critical sections.
func (g *guardedMemory) inSection(fn *ssa.Function) bool {
	return g != nil && len(g.registers) > 0 && g.guards.EntersHeld(fn, g.registers)
}

// Locks that are no mutexes, as package guards finds them, for the programs.

// flagCall says what a call does to an atomic that may be a lock: free is the zero
// value.
func (r *Resolver) flagCall(call ssa.CallInstruction) (ssa.Value, guards.FlagOp) {
	t := targetOf(call)
	if t.obj == nil {
		return nil, guards.FlagOther
	}
	op, ok := r.Cat.Lookup(t.obj)
	if !ok || op.Type.Cell != catalog.AtomicCell || t.wraps(op.Type.Name != "") {
		return nil, guards.FlagOther
	}
	b := r.base(t, op)
	if b.Map == nil {
		return nil, guards.FlagOther
	}
	switch b.Kind {
	case calls.BaseLoad:
		return b.Map, guards.FlagLook
	case calls.BaseCAS:
		switch {
		case isFree(b.Old) && isTaken(b.New):
			return b.Map, guards.FlagTake
		case isTaken(b.Old) && isFree(b.New) && !hasResult(call):
			return b.Map, guards.FlagRelease
		}
	case calls.BaseStore:
		if isFree(b.Value) && !hasResult(call) {
			return b.Map, guards.FlagRelease
		}
	}
	return b.Map, guards.FlagOther
}

// weighted are the methods of semaphores that let in as many as they were made for.
var weighted = map[string]guards.ObjectOp{
	"(*golang.org/x/sync/semaphore.Weighted).Acquire":    {Op: guards.FlagTake, When: guards.IfNil, Counted: true},
	"(*golang.org/x/sync/semaphore.Weighted).TryAcquire": {Op: guards.FlagTake, When: guards.IfTrue, Counted: true},
	"(*golang.org/x/sync/semaphore.Weighted).Release":    {Op: guards.FlagRelease, Counted: true},
}

// objectCall says what a call does to an object of another package that may be a lock.
func (r *Resolver) objectCall(call ssa.CallInstruction) (ssa.Value, guards.ObjectOp, bool) {
	t := targetOf(call)
	if t.obj == nil || t.recv == nil || t.wraps(true) {
		return nil, guards.ObjectOp{}, false
	}
	if op, ok := weighted[vendorless(t.obj.FullName())]; ok {
		if n := t.args[len(t.args)-1]; !isConstant(n, "1", "") {
			op.Op = guards.FlagOther
		}
		return t.recv, op, true
	}
	if fn := r.sole(call); fn != nil {
		t.obj = fn.Object().(*types.Func)
	}
	op, ok := r.lockMethod(t.obj)
	return t.recv, op, ok
}

// lockMethod is what a method of another package does to its object, which may be a lock.
func (r *Resolver) lockMethod(fn *types.Func) (guards.ObjectOp, bool) {
	var fact lockFact
	ok := fn.Pkg() != nil && fn.Pkg() != r.pass.Pkg && r.pass.ImportObjectFact(fn.Origin(), &fact)
	return fact.ObjectOp, ok
}

// LockObject is what a call of a method of another package does to its object, which may be a lock.
func (r *Resolver) LockObject(call *ssa.CallCommon) (guards.ObjectOp, bool) {
	callee := call.StaticCallee()
	if callee == nil {
		return guards.ObjectOp{}, false
	}
	fn, ok := callee.Object().(*types.Func)
	if !ok {
		return guards.ObjectOp{}, false
	}
	return r.lockMethod(fn)
}

// entryCall says what a call does to an entry of a map that may be a table of locks.
func (r *Resolver) entryCall(call ssa.CallInstruction) (ssa.Value, guards.EntryOp, ssa.Value) {
	t := targetOf(call)
	if t.obj == nil {
		return nil, guards.EntryOther, nil
	}
	op, ok := r.Cat.Lookup(t.obj)
	if !ok || op.Type.Cell != catalog.MapCell || t.wraps(op.Type.Name != "") {
		return nil, guards.EntryOther, nil
	}
	switch b := r.base(t, op); b.Kind {
	case calls.BaseLoad:
		return b.Map, guards.EntryLook, nil
	case calls.BaseInsert:
		return b.Map, guards.EntryFill, b.Value
	default:
		return b.Map, guards.EntryOther, nil
	}
}

// TableAt implements reduce.Locks.
func (r *Resolver) TableAt(look *ssa.Lookup) (ssa.Value, bool) {
	load, ok := look.X.(*ssa.UnOp)
	if !ok || r.guarded == nil || !r.guarded.guards.IsTable(load.X) {
		return nil, false
	}
	return load.X, true
}

// hasResult reports whether something is done with what a call returns.
func hasResult(call ssa.CallInstruction) bool {
	v, ok := call.(*ssa.Call)
	return ok && v.Referrers() != nil && len(*v.Referrers()) > 0
}

func isFree(v ssa.Value) bool  { return isConstant(v, "0", "false") }
func isTaken(v ssa.Value) bool { return isConstant(v, "1", "true") }

func isConstant(v ssa.Value, number, truth string) bool {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil {
		return false
	}
	return c.Value.Kind() == constant.Int && c.Value.ExactString() == number || c.Value.Kind() == constant.Bool && c.Value.String() == truth
}

// LockAt implements reduce.Locks.
func (r *Resolver) LockAt(instr ssa.Instruction) (calls.LockStep, bool) {
	if r.guarded == nil {
		return calls.LockStep{}, false
	}
	lc, ok := r.guarded.guards.LockAt(instr)
	return r.lockStep(lc), ok
}

// LocksInto implements reduce.Locks.
func (r *Resolver) LocksInto(b *ssa.BasicBlock) []calls.LockStep {
	if r.guarded == nil {
		return nil
	}
	var out []calls.LockStep
	for _, lc := range r.guarded.guards.LocksInto(b) {
		out = append(out, r.lockStep(lc))
	}
	return out
}

// LockWithin implements reduce.Locks.
func (r *Resolver) LockWithin(fn *ssa.Function) (*ssa.FreeVar, []*types.Var) {
	if r.guarded == nil {
		return nil, nil
	}
	w, ok := r.guarded.guards.Within(fn)
	if !ok {
		return nil, nil
	}
	return w.Var, w.Fields
}

func (r *Resolver) lockStep(lc guards.LockCall) calls.LockStep {
	op := register.Lock
	if lc.Release {
		op = register.Unlock
	}
	return calls.LockStep{Op: op, Mutex: lc.Mutex, Key: lc.Key, Guard: lc.Key == nil && r.guarded.isGuard(lc.Mutex)}
}

// flagLock is a call on an atomic that is a lock; false if it is none.
func (r *Resolver) flagLock(call ssa.CallInstruction, name string) (calls.Info, bool) {
	if r.guarded == nil {
		return calls.Info{}, false
	}
	if lc, ok := r.guarded.guards.LockAt(call); ok {
		info := calls.Info{Kind: calls.Lock, Name: name, Mutex: lc.Mutex, LockKey: lc.Key, Guard: lc.Key == nil && r.guarded.isGuard(lc.Mutex)}
		if lc.Release {
			info.Kind = calls.Unlock
		}
		return info, true
	}
	return calls.Info{Kind: calls.Quiet, Name: name}, r.guarded.guards.IsLock(call)
}
