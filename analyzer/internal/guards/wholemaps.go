package guards

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A map that is loaded as a whole goes elsewhere. Its entries are changed by nobody but who holds
// the lock all the same, if it goes to those who only look at it:
//
//	names := slices.Sorted(maps.Keys(t.rooms))
//
// or if it is taken out, so that it is another one from then on which the lock guards:
//
//	batch := q.pending
//	q.pending = map[string]int{}

// lookers are functions that only look at the maps which they are given.
var lookers = map[string][]string{
	"maps":                  {"Keys", "Values", "All", "Clone", "Equal", "EqualFunc"},
	"golang.org/x/exp/maps": {"Keys", "Values", "Clone", "Equal", "EqualFunc"},
}

// Wholly reports whether an instruction loads a map for somebody who looks at any of its entries, or takes
// it out.
func (g *Guards) Wholly(instr ssa.Instruction) bool {
	load, ok := instr.(*ssa.UnOp)
	return ok && g.in.byInstr[instr] != nil && isMap(load.Type()) && (takenOut(load) || !onlyCompared(load))
}

// onlyLooked reports whether nothing becomes of a map but that its entries are looked at, here and in the
// functions that are given it.
func (in *inference) onlyLooked(m ssa.Value, depth int) bool {
	return depth > 0 && !slices.ContainsFunc(*m.Referrers(), func(ref ssa.Instruction) bool {
		switch ref := ref.(type) {
		case *ssa.DebugRef, *ssa.Lookup, *ssa.Range, *ssa.BinOp:
			return false
		case *ssa.MapUpdate:
			return ref.Map != m || !isField(m)
		case *ssa.ChangeType:
			return !in.onlyLooked(ref, depth-1)
		case *ssa.Call:
			return !in.callLooks(ref, m, depth)
		}
		return true
	})
}

// isField reports whether a map is what was loaded from somewhere, so that what is done to its entries is
// known to be done there.
func isField(m ssa.Value) bool { return loadedFrom(m) != nil }

// callLooks reports whether a call only looks at a map that it is given.
func (in *inference) callLooks(call *ssa.Call, m ssa.Value, depth int) bool {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		return b.Name() == "len" || (b.Name() == "delete" || b.Name() == "clear") && isField(m)
	}
	callee := call.Call.StaticCallee()
	if callee == nil {
		return false
	}
	if callee.Origin() != nil {
		callee = callee.Origin()
	}
	if callee.Object() != nil && callee.Object().Pkg() != nil {
		path := callee.Object().Pkg().Path()
		if slices.Contains(lookers[path], callee.Name()) || lookers[path] != nil && callee.Name() == "Copy" && call.Call.Args[0] != m {
			return true
		}
	}
	own := in.local(callee)
	if own == nil || len(own.Params) != len(call.Call.Args) || len(own.Blocks) == 0 {
		return false
	}
	for i, arg := range call.Call.Args {
		if arg == m && !in.onlyLooked(own.Params[i], depth-1) {
			return false
		}
	}
	return true
}

// takenOut reports whether an empty map is put in the place of the one that is loaded, before anything is
// done with that or the lock is let go.
func takenOut(load *ssa.UnOp) bool {
	if load.Op != token.MUL || !isMap(load.Type()) {
		return false
	}
	instrs := load.Block().Instrs
	for _, instr := range instrs[slices.Index(instrs, ssa.Instruction(load))+1:] {
		if st, ok := instr.(*ssa.Store); ok && samePlace(st.Addr, load.X) {
			return Empties(st)
		}
		switch instr := instr.(type) {
		case *ssa.FieldAddr, *ssa.MakeMap, *ssa.DebugRef:
		case *ssa.UnOp:
			if instr.Op != token.MUL {
				return false
			}
		case *ssa.Call:
			if b, ok := instr.Call.Value.(*ssa.Builtin); !ok || b.Name() != "len" {
				return false
			}
		default:
			return false
		}
	}
	return false
}

// samePlace reports whether two addresses are of one variable or field of one object.
func samePlace(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	f, ok := a.(*ssa.FieldAddr)
	g, also := b.(*ssa.FieldAddr)
	if ok && also {
		return f.Field == g.Field && samePlace(f.X, g.X)
	}
	l, m := loadedFrom(a), loadedFrom(b)
	return l != nil && m != nil && samePlace(l, m)
}
