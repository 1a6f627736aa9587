package guards

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A lock for each key comes out of a table: a map of mutexes that is filled as keys come
// along, and from which nothing is ever taken away. Whoever asks for a key then gets one
// and the same mutex, whether or not somebody has asked before: the table is a function
// of the key, and to look is no operation on shared memory.
//
// If entries are also removed, or two callers can each put a mutex of their own there,
// it is no such table.

// EntryOp is what a call does to an entry of a map that may be such a table.
type EntryOp int

const (
	// EntryOther is anything that a table has not.
	EntryOther EntryOp = iota
	// EntryLook looks.
	EntryLook
	// EntryFill stores, if nothing is there, and gives what is there then.
	EntryFill
)

// Entries says what a call does to an entry of a concurrent map, and to which map,
// given by its address; and what is stored.
type Entries func(ssa.CallInstruction) (addr ssa.Value, op EntryOp, stored ssa.Value)

// findTables finds those among the concurrent maps.
func (in *inference) findTables() {
	tables, refused := map[*types.Var]bool{}, map[*types.Var]bool{}
	calls := map[ssa.Instruction]bool{}
	for _, fn := range in.funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(ssa.CallInstruction)
				if !ok {
					continue
				}
				addr, op, stored := in.Entries(call)
				v := declared(addr)
				if v == nil {
					continue
				}
				calls[instr] = true
				tables[v] = tables[v] || op == EntryFill
				refused[v] = refused[v] || op == EntryOther || op == EntryFill && (!in.isNewMutex(stored) || !takesResult(call) && isUsedElsewhere(stored, call))
			}
		}
	}
	for _, fn := range in.funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if isDebug(instr) || calls[instr] {
					continue
				}
				for _, op := range instr.Operands(nil) {
					if v := declared(*op); v != nil && tables[v] {
						refused[v] = true
					}
				}
			}
		}
	}
	in.tables = map[*types.Var]bool{}
	for v := range tables {
		in.tables[v] = tables[v] && !refused[v] && !v.Exported()
	}
}

// isNewMutex reports whether a value is a pointer to a mutex that is made for it.
func (in *inference) isNewMutex(v ssa.Value) bool {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	return v != nil && isMutexPointer(v.Type()) && in.isFresh(v)
}

// takesResult reports whether somebody looks at what a call says is there: else it goes on with what it would have
// put there, which another one may be in the place of.
func takesResult(call ssa.CallInstruction) bool {
	v := call.Value()
	if v == nil {
		return false
	}
	_, isTuple := v.Type().(*types.Tuple)
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.Extract:
			if ref.Index == 0 && len(*ref.Referrers()) > 0 {
				return true
			}
		default:
			if !isTuple {
				return true
			}
		}
	}
	return false
}

// isUsedElsewhere reports whether something is done with a value but to give it to a call.
func isUsedElsewhere(v ssa.Value, call ssa.CallInstruction) bool {
	m, ok := v.(*ssa.MakeInterface)
	return isUsedBeside(v, call) || ok && isUsedBeside(m.X, m)
}

// isUsedBeside reports whether something is done with a value beside an instruction.
func isUsedBeside(v ssa.Value, but ssa.Instruction) bool {
	refs := v.Referrers()
	return refs == nil || slices.ContainsFunc(*refs, func(ref ssa.Instruction) bool { return ref != but && !isDebug(ref) })
}

func isDebug(instr ssa.Instruction) bool {
	_, is := instr.(*ssa.DebugRef)
	return is
}

func isMutexPointer(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok || !isAtomicOrLock(p) {
		return false
	}
	name := types.Unalias(p.Elem()).(*types.Named).Obj().Name()
	return name == "Mutex" || name == "RWMutex"
}

// addPlainTables finds those among the built-in maps that a lock guards.
func (g *Guards) addPlainTables() {
	for mem := range g.guarded {
		m, ok := mem.Type().Underlying().(*types.Map)
		if ok && isMutexPointer(m.Elem()) && g.onlyFilled(mem) {
			g.in.tables[mem] = true
		}
	}
}

// onlyFilled reports whether all that ever happens to a map is that one section looks
// at an entry and puts a new mutex there.
func (g *Guards) onlyFilled(mem *types.Var) bool {
	if len(g.Unguarded(mem)) > 0 || mem.Exported() {
		return false
	}
	for _, a := range g.in.accesses[mem] {
		switch instr := a.Instr.(type) {
		case *ssa.Lookup:
		case *ssa.Store:
			if !a.Construction && !fillsNil(instr) {
				return false
			}
		case *ssa.UnOp:
			if !onlyCompared(instr) {
				return false
			}
		case *ssa.MapUpdate:
			if !g.in.isNewMutex(instr.Value) || !g.lookedFirst(a, instr) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// lookedFirst reports whether the section that an update lies in has looked at the
// same entry.
func (g *Guards) lookedFirst(update *Access, instr *ssa.MapUpdate) bool {
	at, held := g.Section(update)
	for _, a := range g.in.accesses[update.Memory] {
		look, ok := a.Instr.(*ssa.Lookup)
		if !ok || look.Parent() != instr.Parent() || g.in.num.number(look.Index) != g.in.num.number(instr.Key) {
			continue
		}
		if from, ok := g.Section(a); held && ok && from == at && look.Block().Dominates(instr.Block()) {
			return true
		}
	}
	return false
}

// IsTable reports whether the map at an address is a table of locks.
func (g *Guards) IsTable(addr ssa.Value) bool {
	v := declared(addr)
	return v != nil && g.in.tables[v]
}
