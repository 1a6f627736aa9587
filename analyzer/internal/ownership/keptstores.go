package ownership

import (
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/ways"
	"golang.org/x/tools/go/ssa"
)

// What is stored in memory that may keep its objects: only what was made for it.

// storeContainer is a store of a container, which is new as well, or the one that
// is there already. The elements of a new one are stored with it.
func (k *keeping) storeContainer(v ssa.Value, by holder, at ssa.Instruction) {
	switch v := v.(type) {
	case *ssa.Const:
		k.lost = k.lost || !ssaprog.IsNil(v)
		return
	case *ssa.MakeMap, *ssa.MakeSlice:
		k.storeMade(v, by, at)
		k.container(v, by)
		return
	case *ssa.Slice:
		if a, ok := v.X.(*ssa.Alloc); ok { // a literal
			k.storeMade(a, by, at)
			k.container(v, by)
			for _, x := range ssaprog.LiteralElements(v) {
				k.store(x, by, at)
			}
			return
		}
	}
	k.lost = k.lost || !k.partOf(v, by)
}

// store is a store of something in the memory: it was made for that, or is
// there already.
func (k *keeping) store(v ssa.Value, by holder, at ssa.Instruction) {
	v = valueStored(v)
	switch v := v.(type) {
	case *ssa.Const:
		k.lost = k.lost || !ssaprog.IsNil(v)
		return
	case *ssa.ChangeType:
		k.store(v.X, by, at)
		return
	case *ssa.Phi:
		k.storePhi(v, by, at)
		return
	case *ssa.Slice:
		if a, ok := v.X.(*ssa.Alloc); ok {
			k.filled = true
			k.storeMade(a, by, at)
			return
		}
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice, *ssa.Call:
		if !k.partOf(v, by) {
			k.filled = true
			k.storeMade(v, by, at)
		}
		return
	}
	k.lost = k.lost || !k.isThere(v, by)
}

func (k *keeping) storePhi(v *ssa.Phi, by holder, at ssa.Instruction) {
	if k.visited[visit{v, by}] {
		return
	}
	k.visited[visit{v, by}] = true
	for _, edge := range v.Edges {
		k.store(edge, by, at)
	}
}

// isThere reports whether a value was found in the memory of the same owner, or is
// a part of the container there.
func (k *keeping) isThere(v ssa.Value, by holder) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		if ia, ok := v.X.(*ssa.IndexAddr); ok && k.elems {
			return k.partOf(ia.X, by)
		}
		return !k.elems && k.isMine(v.X, by)
	case *ssa.Slice:
		return !k.elems && k.partOf(v, by)
	case *ssa.Lookup:
		return k.elems && !v.CommaOk && k.partOf(v.X, by)
	case *ssa.Extract:
		if l, ok := v.Tuple.(*ssa.Lookup); ok && v.Index == 0 {
			return k.elems && k.partOf(l.X, by)
		}
	}
	return false
}

// storeMade notes the owner of what was made. It is made again before it is stored
// again, unless the owner is the same throughout the call.
func (k *keeping) storeMade(v ssa.Value, by holder, at ssa.Instruction) {
	have, known := k.owners[v]
	made, ok := v.(ssa.Instruction)
	if !ok || made.Parent() != at.Parent() || !k.isMade(v) {
		k.lost = true
		return
	}
	k.shared = k.shared || known && have != by
	switch by.v.(type) {
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Global:
	default:
		k.shared = k.shared || ways.Reaches(at.Block(), at.Block(), made.Block())
	}
	k.owners[v] = by
}

// isMade reports whether a value is a new object.
func (k *keeping) isMade(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return true
	}
	if body := k.ps.Res.Local(call.Call.StaticCallee()); body != nil {
		return body.Signature.Results().Len() == 1 && k.ps.Res.Sums.Returned(body) == ssaprog.AllMade
	}
	return k.ps.Res.Call(call.Parent(), call).Kind == calls.Fresh
}

// returnStored finds constructors that keep themselves what they return: it has an
// owner before the caller gives it one.
func (k *keeping) returnStored() {
	for v := range k.owners {
		call, ok := v.(*ssa.Call)
		if !ok {
			continue
		}
		for _, b := range bodyOf(k.ps, call) {
			if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && k.hasOwner(ret.Results[0], 0) {
				k.shared = true
			}
		}
	}
}

func bodyOf(ps *ssaprog.Programs, call *ssa.Call) []*ssa.BasicBlock {
	if body := ps.Res.Local(call.Call.StaticCallee()); body != nil {
		return body.Blocks
	}
	return nil
}

func (k *keeping) hasOwner(v ssa.Value, depth int) bool {
	if _, ok := k.owners[v]; ok || depth > 4 {
		return true
	}
	phi, ok := v.(*ssa.Phi)
	for i := 0; ok && i < len(phi.Edges); i++ {
		if k.hasOwner(phi.Edges[i], depth+1) {
			return true
		}
	}
	return false
}

// valueStored is v, or if that is what a local variable holds, what was assigned
// to the variable just before.
func valueStored(v ssa.Value) ssa.Value {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return v
	}
	a, ok := load.X.(*ssa.Alloc)
	if !ok || a.Heap {
		return v
	}
	last := v
	for _, instr := range load.Block().Instrs {
		if instr == ssa.Instruction(load) {
			break
		}
		if st, ok := instr.(*ssa.Store); ok && st.Addr == ssa.Value(a) {
			last = st.Val
		}
	}
	return last
}
