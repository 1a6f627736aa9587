package reduce

import (
	"go/types"

	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"golang.org/x/tools/go/ssa"
)

// Plain memory that a lock guards is a register as a concurrent map's entry is one:
// a field, a package variable, or an entry of a built-in map that one of these
// holds. What a function does to it is a base operation, and a critical section of
// the lock, which nobody can interrupt, is one step of all that lies in it (the
// Enter and Leave of register programs).

// memoryAt is the address of the guarded memory that instr reads or writes; nil if
// it is no such memory.
func (l *lowerer) memoryAt(instr ssa.Instruction) ssa.Value {
	m, ok := l.res.(calls.Memory)
	if !ok {
		return nil
	}
	addr, ok := m.Cell(instr)
	if !ok {
		return nil
	}
	return addr
}

// plainAt is the address of the atomic that instr reads or writes without the operations of that; nil if it is none.
// Whoever does so holds a lock that keeps others from writing it:
//
//	if atomic.LoadUint32(&o.done) == 1 { return }
//	o.mu.Lock()
//	defer o.mu.Unlock()
//	if o.done == 0 { … atomic.StoreUint32(&o.done, 1) }
func (l *lowerer) plainAt(instr ssa.Instruction) ssa.Value {
	m, ok := l.res.(calls.Memory)
	if !ok {
		return nil
	}
	addr, ok := m.Plain(instr)
	if !ok {
		return nil
	}
	return addr
}

// plainCell adds the cell of such an atomic.
func (l *lowerer) plainCell(addr ssa.Value) int {
	cell := l.memoryCell(addr, nil)
	l.P.Cells[cell].Guarded = false
	return cell
}

// countedMap is the address of the guarded map whose length a call asks for; nil if it is none.
func (l *lowerer) countedMap(call ssa.CallInstruction) ssa.Value {
	m, ok := l.res.(calls.Memory)
	if !ok {
		return nil
	}
	addr, _ := m.Length(call)
	return addr
}

// wholeMap marks where a guarded map is given to somebody who may look at all that is in it.
func (l *lowerer) wholeMap(load *ssa.UnOp) {
	m, ok := l.res.(calls.Memory)
	if !ok {
		return
	}
	if addr, ok := m.Whole(load); ok {
		l.emit(register.Instr{Op: register.Omit, Name: register.OmitLook, Args: []register.Operand{l.operand(addr)}})
	}
}

// copyEntries looks at an entry of a guarded map that a call copies, any of them, as a round of a loop does that
// copies each of them:
//
//	batch := maps.Clone(c.counts)
func (l *lowerer) copyEntries(s *callSite, results []register.Operand) {
	var to register.Operand
	var from ssa.Value
	switch name := genericName(s.c.StaticCallee()); {
	case name == "maps.Clone" && len(results) == 1:
		to, from = results[0], s.c.Args[0]
	case name == "maps.Copy":
		to, from = l.operand(s.c.Args[0]), s.c.Args[1]
	}
	load, ok := from.(*ssa.UnOp)
	m, hasMemory := l.res.(calls.Memory)
	if !ok || !hasMemory || to.IsNone() {
		return
	}
	addr, ok := m.Whole(load)
	if !ok {
		return
	}
	at := l.at
	l.at = l.src.pos(load)
	defer func() { l.at = at }()
	key, cell := l.someEntry(addr, l.unknown("key", "some key"))
	value, had := l.readMemory(cell, "value", "had")
	l.guarded(had, func() {
		l.emit(register.Instr{Op: register.Effect, Name: "map assign", Args: []register.Operand{to, key, value}})
	})
}

// genericName is the name of a function, if any, without the types that it is for.
func genericName(fn *ssa.Function) string {
	switch {
	case fn == nil:
		return ""
	case fn.Origin() != nil:
		fn = fn.Origin()
	}
	return fn.String()
}

// someEntry adds the cell of an entry under a key that nothing says.
func (l *lowerer) someEntry(addr ssa.Value, key register.Operand) (register.Operand, int) {
	t := heldAt(addr).Underlying().(*types.Map)
	l.P.Cells = append(l.P.Cells, register.Cell{
		Kind: register.Map, Map: l.operand(addr), Key: key,
		KeyType: types.TypeString(t.Key(), nil), Zero: ZeroLiteral(t.Elem()), Type: typeOf(t.Elem()), Guarded: true,
	})
	return key, len(l.P.Cells) - 1
}

// memoryCell adds the cell of a field or variable, or that of an entry.
func (l *lowerer) memoryCell(addr, key ssa.Value) int {
	c := register.Cell{Kind: register.Atomic, Map: l.operand(addr), Key: register.NoOperand, Zero: ZeroLiteral(heldAt(addr)), Guarded: true}
	c.Type = typeOf(heldAt(addr))
	if key != nil {
		c.Kind, c.Key, c.KeyType = register.Map, l.operand(key), keyType(key)
		entry := entryType(heldAt(addr))
		c.Zero, c.Type = ZeroLiteral(entry), typeOf(entry)
	}
	l.P.Cells = append(l.P.Cells, c)
	return len(l.P.Cells) - 1
}

// heldAt is the type of what is at an address; that of a map that is a parameter is its own.
func heldAt(addr ssa.Value) types.Type {
	if _, isPointer := addr.Type().Underlying().(*types.Pointer); !isPointer {
		return addr.Type()
	}
	return pointee(addr.Type())
}

// entryType is what the entries of a built-in map are.
func entryType(t types.Type) types.Type {
	if m, ok := t.Underlying().(*types.Map); ok {
		return m.Elem()
	}
	return t
}

// readMemory emits the read of a cell.
func (l *lowerer) readMemory(cell int, hint, hadHint string) (old, had register.Operand) {
	dst := []register.Local{l.Local(hint), l.Local(hadHint)}
	l.emit(register.Instr{Op: register.Read, Dst: dst, Cell: cell})
	return register.L(dst[0]), register.L(dst[1])
}

// loadCell lowers the load of guarded memory. In a generic function what was never stored is nil,
// and its zero value one that only the caller knows.
func (l *lowerer) loadCell(v *ssa.UnOp, addr ssa.Value) {
	hint := l.loadHint(v)
	old, _ := l.readMemory(l.memoryCell(addr, nil), hint, "had")
	if isTypeParam(v.Type()) {
		never := l.pure("never", "eq", old, register.Lit(register.LitNil))
		old = l.choose(hint, never, l.zero(v.Type()), old)
	}
	l.setLeaves(v, l.splitOperand(v.Type(), l.partAt(v.X, addr, old)))
}

// partAt is the part of a struct that is at an address, where the struct is at another one, or that one itself.
func (l *lowerer) partAt(addr, of ssa.Value, whole register.Operand) register.Operand {
	fa, ok := addr.(*ssa.FieldAddr)
	if addr == of || !ok {
		return whole
	}
	t := pointee(fa.X.Type())
	return l.fieldFrom(l.partAt(fa.X, of, whole), t.Underlying().(*types.Struct).Field(fa.Field).Name(), t, fa.Field)
}

// lookupCell lowers the look at an entry of a guarded map.
func (l *lowerer) lookupCell(v *ssa.Lookup, addr ssa.Value) {
	hint := l.hint(v)
	old, had := l.readMemory(l.memoryCell(addr, v.Index), hint, l.src.name(v.Pos(), 1, "had"))
	if entry := entryType(v.X.Type()); isTypeParam(entry) {
		old = l.choose(hint, had, old, l.zero(entry))
	}
	if v.CommaOk {
		l.tuples[v] = []register.Operand{old, had}
		return
	}
	l.setLeaves(v, l.splitOperand(v.Type(), old))
}

// writeMemory lowers an assignment to guarded memory.
func (l *lowerer) writeMemory(addr, key, val ssa.Value) {
	o := register.Absent
	if val != nil {
		o = l.operand(val)
	}
	l.write(l.memoryCell(addr, key), o)
}

// emptyMemory lowers what takes all entries of a guarded map away.
func (l *lowerer) emptyMemory(addr ssa.Value) {
	_, cell := l.someEntry(addr, l.unknown("key", "some key"))
	l.emit(register.Instr{
		Op: register.Write, Name: register.Every, Dst: []register.Local{register.None, register.None},
		Cell: cell, Args: []register.Operand{register.Absent},
	})
}

// nextCell lowers a round of a loop over a guarded map: some key, and what is there.
// An entry is there when it is its turn.
func (l *lowerer) nextCell(v *ssa.Next, addr ssa.Value) {
	at := l.at
	l.at = l.src.text(v.Iter.Pos())
	defer func() { l.at = at }()
	more := l.unknown("more", register.MoreVisited, l.operand(v.Iter))
	key, cell := l.someEntry(addr, l.unknown("key", register.VisitedKey, l.operand(v.Iter)))
	old, had := l.readMemory(cell, "value", "had")
	l.tuples[v] = []register.Operand{l.choose("more", more, had, register.Lit(register.LitFalse)), key, old}
}

// locksInto emits what is taken on the way into a block.
func (l *lowerer) locksInto(b *ssa.BasicBlock) {
	locks, ok := l.res.(calls.Locks)
	if !ok {
		return
	}
	for _, step := range locks.LocksInto(b) {
		l.at = l.src.pos(b.Instrs[0])
		l.lockStep(step)
	}
}

// lockAt emits an instruction that takes or releases a lock, and reports whether it is
// one. What is received along with it is nothing that anybody looks at.
func (l *lowerer) lockAt(instr ssa.Instruction) bool {
	locks, ok := l.res.(calls.Locks)
	if !ok {
		return false
	}
	if _, isCall := instr.(ssa.CallInstruction); isCall {
		return false
	}
	step, ok := locks.LockAt(instr)
	if !ok {
		return false
	}
	l.lockStep(step)
	if v, ok := instr.(*ssa.UnOp); ok {
		if v.CommaOk {
			l.tuples[v] = l.unknowns(v, 2, register.Instr{Op: register.Unknown, Name: "token"})
		} else {
			l.vals[v] = l.unknown(l.hint(v), "token")
		}
	}
	return true
}

func (l *lowerer) lockStep(step calls.LockStep) {
	o := l.lockOperand(step.Mutex, step.Key)
	l.emit(register.Instr{Op: step.Op, Name: "w", Args: []register.Operand{o}, Guard: step.Guard})
}

// lockOperand is a lock, or the one of many that a key chooses.
func (l *lowerer) lockOperand(mutex, key ssa.Value) register.Operand {
	o := l.operand(mutex)
	if key == nil {
		return o
	}
	return l.pure("lock", "&elem", o, l.operand(key))
}

// locksBySend reports whether a case of a select sends the token of a lock.
func (l *lowerer) locksBySend(v *ssa.Select, s *ssa.SelectState) bool {
	locks, ok := l.res.(calls.Locks)
	if !ok {
		return false
	}
	for _, b := range v.Parent().Blocks {
		for _, step := range locks.LocksInto(b) {
			if step.Mutex == s.Chan {
				return true
			}
		}
	}
	return false
}

// lockWithin emits, at the beginning, what is held whenever the function runs.
func (l *lowerer) lockWithin() {
	locks, ok := l.res.(calls.Locks)
	if !ok {
		return
	}
	owner, fields := locks.LockWithin(l.fn)
	if owner == nil {
		return
	}
	o, t := l.captured(owner)
	if o.IsNone() {
		return
	}
	for i, f := range fields {
		prefix := "&"
		if i == len(fields)-1 {
			prefix = ""
		}
		index := fieldIndex(t, f)
		if index < 0 {
			return
		}
		o = l.pure(f.Name(), prefix+fieldName(t, index), o)
		t = f.Type()
	}
	l.emit(register.Instr{Op: register.Lock, Name: "w", Args: []register.Operand{o}})
}

// captured is what a captured variable holds, which is never assigned; no operand if
// that is not one value.
func (l *lowerer) captured(fv *ssa.FreeVar) (register.Operand, types.Type) {
	if v := l.vars[fv]; v != nil && len(v.locals) == 1 {
		return register.L(v.locals[0]), v.typ
	}
	return register.NoOperand, nil
}

// fieldIndex is the place of a field in a struct, or in what t points to; -1 if it is
// of another one.
func fieldIndex(t types.Type, f *types.Var) int {
	s, ok := pointee(t).Underlying().(*types.Struct)
	for i := 0; ok && i < s.NumFields(); i++ {
		if s.Field(i).Origin() == f {
			return i
		}
	}
	return -1
}

// tableAt is the address of the table that is looked at; nil if it is none.
func (l *lowerer) tableAt(v *ssa.Lookup) ssa.Value {
	locks, ok := l.res.(calls.Locks)
	if !ok {
		return nil
	}
	addr, _ := locks.TableAt(v)
	return addr
}

// tableEntry is what a table has for a key. It is there: who finds nothing puts it
// there, and nobody can tell.
func (l *lowerer) tableEntry(table ssa.Value, key register.Operand) register.Operand {
	entry := l.pure("entry", "&elem", l.operand(table), key)
	l.setNonNil(l.block, entry)
	return entry
}

// tableCall lowers a calls.Table.
func (l *lowerer) tableCall(s *callSite) []register.Operand {
	b := s.info.Base
	entry := l.tableEntry(b.Map, l.keyOf(b))
	var results []register.Operand
	for i := range s.n {
		role := calls.RoleNone
		if i < len(b.Results) {
			role = b.Results[i]
		}
		switch role {
		case calls.RoleOld, calls.RoleActual:
			results = append(results, entry)
		default:
			results = append(results, register.Lit(register.LitTrue))
		}
	}
	return results
}
