package ssaprog

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// changedMap is the map that an instruction changes; nil if it changes none.
func changedMap(instr ssa.Instruction) ssa.Value {
	switch instr := instr.(type) {
	case *ssa.MapUpdate:
		return instr.Map
	case ssa.CallInstruction:
		c := instr.Common()
		if b, ok := c.Value.(*ssa.Builtin); ok && (b.Name() == "delete" || b.Name() == "clear") && IsMap(c.Args[0].Type()) {
			return c.Args[0]
		}
	}
	return nil
}

// IsMap reports whether a type is that of a built-in map.
func IsMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// isMapMadeHere reports whether a map was made by the function that has it, whichever way
// it came there.
func isMapMadeHere(m ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[m] {
		return true
	}
	seen[m] = true
	switch m := m.(type) {
	case *ssa.MakeMap:
		return true
	case *ssa.ChangeType:
		return isMapMadeHere(m.X, seen)
	case *ssa.Phi:
		return !slices.ContainsFunc(m.Edges, func(v ssa.Value) bool { return !isMapMadeHere(v, seen) })
	}
	return false
}
