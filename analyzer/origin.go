package analyzer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// making says which of the returned objects the function made.
type making int

const (
	noneMade making = iota
	someMade
	allMade
)

// returned looks at the first result with an identity, which is the one that
// CallFresh makes new. Errors are compared by contents: they have none.
func (s *summaries) returned(fn *ssa.Function) making {
	first := -1
	results := fn.Signature.Results()
	for i := results.Len() - 1; i >= 0; i-- {
		if t := results.At(i).Type(); hasIdentity(t) && !isError(t) {
			first = i
		}
	}
	if first < 0 {
		return noneMade
	}
	all, some := true, false
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for i, v := range ret.Results {
			made := s.origin(v, map[ssa.Value]bool{})
			if i == first && made != allMade && !(isNil(v) && fails(ret)) {
				all = false
			}
			if hasIdentity(v.Type()) && !isError(v.Type()) && made != noneMade {
				some = true
			}
		}
	}
	switch {
	case all && some:
		return allMade
	case some:
		return someMade
	}
	return noneMade
}

// hasIdentity is what Lower takes for pointer-like.
func hasIdentity(t types.Type) bool {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Chan, *types.Slice, *types.Signature, *types.Interface:
		return true
	}
	return false
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

// fails reports whether a return has an error that is not nil.
func fails(ret *ssa.Return) bool {
	for _, v := range ret.Results {
		if isError(v.Type()) && !isNil(v) {
			return true
		}
	}
	return false
}

// origin says whether the function made what v is.
func (s *summaries) origin(v ssa.Value, seen map[ssa.Value]bool) making {
	if seen[v] {
		return allMade // what the other ways say
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Alloc:
		return allMade
	case *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeSlice, *ssa.MakeClosure:
		return allMade
	case *ssa.MakeInterface:
		if !hasIdentity(v.X.Type()) {
			return noneMade
		}
		return s.origin(v.X, seen)
	case *ssa.ChangeType:
		return s.origin(v.X, seen)
	case *ssa.ChangeInterface:
		return s.origin(v.X, seen)
	case *ssa.Slice:
		return s.origin(v.X, seen)
	case *ssa.FieldAddr:
		return s.origin(v.X, seen)
	case *ssa.IndexAddr:
		return s.origin(v.X, seen)
	case *ssa.Call, *ssa.Extract:
		if s.isOwn(v) {
			return allMade
		}
	case *ssa.Phi:
		return s.originPhi(v, seen)
	}
	return noneMade
}

// originPhi is allMade if all ways are.
func (s *summaries) originPhi(v *ssa.Phi, seen map[ssa.Value]bool) making {
	all, some := true, false
	for _, edge := range v.Edges {
		m := s.origin(edge, seen)
		all = all && m == allMade
		some = some || m != noneMade
	}
	switch {
	case all:
		return allMade
	case some:
		return someMade
	}
	return noneMade
}
