package reduce

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Cell takes the fields of types named Guarded, but for their locks, for guarded.
func (r toyResolver) Cell(instr ssa.Instruction) (ssa.Value, bool) {
	addr := toyMap(instr)
	if addr == nil {
		addr = toyField(instr)
	}
	return addr, isToyGuarded(addr)
}

func isToyGuarded(addr ssa.Value) bool {
	f, ok := addr.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	named, ok := pointee(f.X.Type()).(*types.Named)
	return ok && named.Obj().Name() == "Guarded"
}

// Length takes the maps of types named Guarded for guarded.
func (r toyResolver) Length(call ssa.CallInstruction) (ssa.Value, bool) {
	b, ok := call.Common().Value.(*ssa.Builtin)
	if !ok || b.Name() != "len" {
		return nil, false
	}
	load, ok := call.Common().Args[0].(*ssa.UnOp)
	if _, isMap := call.Common().Args[0].Type().Underlying().(*types.Map); !ok || !isMap {
		return nil, false
	}
	return load.X, isToyGuarded(load.X)
}

// Whole takes no map for one that is given away.
func (r toyResolver) Drops(*ssa.Store) bool { return false }

func (r toyResolver) Whole(*ssa.UnOp) (ssa.Value, bool) { return nil, false }

// toyMap is where the map of an access was loaded from.
func toyMap(instr ssa.Instruction) ssa.Value {
	var m ssa.Value
	switch instr := instr.(type) {
	case *ssa.Lookup:
		m = instr.X
	case *ssa.MapUpdate:
		m = instr.Map
	case *ssa.Next:
		m = instr.Iter.(*ssa.Range).X
	case *ssa.Call:
		if b, ok := instr.Call.Value.(*ssa.Builtin); ok && b.Name() == "delete" {
			m = instr.Call.Args[0]
		}
	}
	if load, ok := m.(*ssa.UnOp); ok {
		return load.X
	}
	return nil
}

// toyField is the address of a field that is no map.
func toyField(instr ssa.Instruction) ssa.Value {
	var addr ssa.Value
	switch instr := instr.(type) {
	case *ssa.UnOp:
		addr = instr.X
	case *ssa.Store:
		addr = instr.Addr
	}
	if f, ok := addr.(*ssa.FieldAddr); ok {
		if _, isMap := pointee(f.Type()).Underlying().(*types.Map); !isMap {
			return addr
		}
	}
	return nil
}

// guardsToy reports whether a lock is that of a type named Guarded.
func guardsToy(mutex ssa.Value) bool {
	f, ok := mutex.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	named, ok := pointee(f.X.Type()).(*types.Named)
	return ok && named.Obj().Name() == "Guarded"
}

func (toyResolver) Plain(ssa.Instruction) (ssa.Value, bool) { return nil, false }
