package reduce

import (
	"go/types"

	"github.com/mapatom/mapatom/reduce/register"
	"golang.org/x/tools/go/ssa"
)

// Plain memory that a lock guards is a register as a concurrent map's entry is one:
// a field, a package variable, or an entry of a built-in map that one of these
// holds. What a function does to it is a base operation, and a critical section of
// the lock, which nobody can interrupt, is one step of all that lies in it (the
// Enter and Leave of register programs).

// Memory is what a Resolver also implements that knows of such memory. It must
// answer alike when asked twice.
type Memory interface {
	// Cell says whether an instruction reads or writes guarded memory, and which:
	// the address of the field or variable, that of the map for its entries.
	Cell(instr ssa.Instruction) (addr ssa.Value, ok bool)
}

// memoryAt is the address of the guarded memory that instr reads or writes; nil if
// it is no such memory.
func (l *lowerer) memoryAt(instr ssa.Instruction) ssa.Value {
	m, ok := l.res.(Memory)
	if !ok {
		return nil
	}
	addr, ok := m.Cell(instr)
	if !ok {
		return nil
	}
	return addr
}

// memoryCell adds the cell of a field or variable, or that of an entry.
func (l *lowerer) memoryCell(addr, key ssa.Value) int {
	c := register.Cell{Kind: register.Atomic, Map: l.operand(addr), Key: register.NoOperand, Zero: ZeroLiteral(pointee(addr.Type())), Guarded: true}
	c.Type = TypeOf(pointee(addr.Type()))
	if key != nil {
		c.Kind, c.Key, c.KeyType = register.Map, l.operand(key), keyType(key)
		entry := entryType(pointee(addr.Type()))
		c.Zero, c.Type = ZeroLiteral(entry), TypeOf(entry)
	}
	l.P.Cells = append(l.P.Cells, c)
	return len(l.P.Cells) - 1
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

// loadCell lowers the load of guarded memory.
func (l *lowerer) loadCell(v *ssa.UnOp, addr ssa.Value) {
	old, _ := l.readMemory(l.memoryCell(addr, nil), l.loadHint(v), "had")
	l.setLeaves(v, l.splitOperand(v.Type(), old))
}

// lookupCell lowers the look at an entry of a guarded map.
func (l *lowerer) lookupCell(v *ssa.Lookup, addr ssa.Value) {
	old, had := l.readMemory(l.memoryCell(addr, v.Index), l.hint(v), l.src.name(v.Pos(), 1, "had"))
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

// nextCell lowers a round of a loop over a guarded map: some key, and what is there.
// An entry is there when it is its turn.
func (l *lowerer) nextCell(v *ssa.Next, addr ssa.Value) {
	at := l.at
	l.at = l.src.text(v.Iter.Pos())
	defer func() { l.at = at }()
	more := l.unknown("more", "range", l.operand(v.Iter))
	t := pointee(addr.Type()).Underlying().(*types.Map)
	key := l.unknown("key", "range key", l.operand(v.Iter))
	c := register.Cell{
		Kind: register.Map, Map: l.operand(addr), Key: key,
		KeyType: types.TypeString(t.Key(), nil), Zero: ZeroLiteral(t.Elem()), Type: TypeOf(t.Elem()), Guarded: true,
	}
	l.P.Cells = append(l.P.Cells, c)
	old, had := l.readMemory(len(l.P.Cells)-1, "value", "had")
	l.tuples[v] = []register.Operand{l.choose("more", more, had, register.Lit(register.LitFalse)), key, old}
}
