package reduce

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/ways"
	"golang.org/x/tools/go/ssa"
)

// A sweep collects keys in one loop and acts on them in another one:
//
//	for key, e := range c.entries {
//		if e.until.Before(now) {
//			old = append(old, key)
//		}
//	}
//	for _, key := range old {
//		delete(c.entries, key)
//	}
//
// What it does to one entry is what it does where that is the only one that it finds.
// So a program of its own has a sweep that looks at one entry: the loop is left after
// that, and all that can be in the slice is that key. The loop that collects may be in a function of its own, which
// returns the slice: there the key stands for the slice, and nil for an empty one.

// Collected is one such sweep.
type Collected struct {
	append *ssa.Call
	// by is the function that collects, if it is another one, and call where it is called.
	by   *Collected
	call *ssa.Call
	// key is what is appended.
	key ssa.Value
	// exits are where the loops go when they are done, by their headers: that which
	// collects and those that go through what it has collected. The conditions of
	// these ask whether there is more.
	exits map[*ssa.BasicBlock]*ssa.BasicBlock
	more  map[*ssa.BinOp]bool
	// lists are the values that are the slice, and empty those that it begins as in a function that returns it.
	lists, empty map[ssa.Value]bool
}

// FindCollected finds the sweeps of a function. Local is a function of the package that may collect for it.
func FindCollected(fn *ssa.Function, local func(*ssa.Function) *ssa.Function) []*Collected {
	var out []*Collected
	add := func(c *Collected) {
		if c != nil && c.reads() && c.isLeft() {
			out = append(out, c)
		}
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			add(collectedAt(call))
			if by := local(call.Call.StaticCallee()); by != nil && by != fn {
				add(collectedBy(by, call))
			}
		}
	}
	return out
}

// collectedAt is what an append collects; nil if that are not the keys of a loop over a map.
func collectedAt(call *ssa.Call) *Collected {
	if len(call.Call.Args) != 2 || !isBuiltin(call, "append") {
		return nil
	}
	c := newCollected()
	c.append, c.key = call, onlyAppended(call.Call.Args[1])
	next := rangeKey(c.key)
	if next == nil {
		return nil
	}
	c.exits[next.Block()] = loopExit(next)
	c.follow(call)
	return c
}

func newCollected() *Collected {
	return &Collected{lists: map[ssa.Value]bool{}, empty: map[ssa.Value]bool{}, exits: map[*ssa.BasicBlock]*ssa.BasicBlock{}, more: map[*ssa.BinOp]bool{}}
}

// collectedBy is what a function collects that is called; nil if that are no keys of a loop over a map, or they can be nil, or it returns more.
func collectedBy(fn *ssa.Function, call *ssa.Call) *Collected {
	if fn.Signature.Results().Len() != 1 {
		return nil
	}
	var by *Collected
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if c, ok := instr.(*ssa.Call); ok && by == nil {
				by = collectedAt(c)
			}
		}
	}
	if by == nil || !by.isLeft() || !isPlain(by.key.Type()) || !by.returned(fn) {
		return nil
	}
	c := newCollected()
	c.by, c.call = by, call
	c.follow(call)
	return c
}

// isPlain reports whether values of a type are never nil, and none is put together from others.
func isPlain(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&(types.IsString|types.IsInteger) != 0
}

// returned reports whether a function returns the slice, and nothing else, and whether that begins empty: it notes as what.
func (c *Collected) returned(fn *ssa.Function) bool {
	other := func(v ssa.Value) bool {
		c.empty[v] = isEmptyList(v)
		return !c.lists[v] && !c.empty[v]
	}
	for _, b := range fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && b != fn.Recover && other(ret.Results[0]) {
			return false
		}
	}
	for v := range c.lists {
		switch v := v.(type) {
		case *ssa.Phi:
			if slices.ContainsFunc(v.Edges, other) {
				return false
			}
		case *ssa.UnOp:
			if slices.ContainsFunc(*v.X.Referrers(), func(ref ssa.Instruction) bool {
				store, ok := ref.(*ssa.Store)
				return ok && other(store.Val)
			}) {
				return false
			}
		}
	}
	return true
}

// isEmptyList reports whether a value is a slice without elements.
func isEmptyList(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return v.Value == nil
	case *ssa.MakeSlice:
		return isZero(v.Len)
	case *ssa.Slice: // []T{}, or a short slice that is made with room
		a, ok := v.X.(*ssa.Alloc)
		if !ok {
			return false
		}
		array, ok := a.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array)
		return ok && (array.Len() == 0 || v.High != nil && isZero(v.High))
	}
	return false
}

func isZero(v ssa.Value) bool {
	n, ok := v.(*ssa.Const)
	return ok && n.Value != nil && n.Int64() == 0
}

// isLeft reports whether its loops go somewhere when they are done where no variable has one of several values.
func (c *Collected) isLeft() bool {
	for _, exit := range c.exits {
		if exit == nil || isPhi(exit.Instrs) {
			return false
		}
	}
	return true
}

// onlyAppended is the element of a slice that was made for one append.
func onlyAppended(v ssa.Value) ssa.Value {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return nil
	}
	a, ok := s.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	elems, ok := variadicElems(a)
	if !ok || len(elems) != 1 {
		return nil
	}
	return elems[0]
}

// rangeKey is the round of a loop over a map that v is the key of.
func rangeKey(v ssa.Value) *ssa.Next {
	e, ok := v.(*ssa.Extract)
	if !ok || e.Index != 1 {
		return nil
	}
	next, ok := e.Tuple.(*ssa.Next)
	if !ok || next.IsString {
		return nil
	}
	return next
}

// loopExit is where a loop goes when there is nothing left.
func loopExit(next *ssa.Next) *ssa.BasicBlock {
	branch, ok := next.Block().Instrs[len(next.Block().Instrs)-1].(*ssa.If)
	if !ok {
		return nil
	}
	more, ok := branch.Cond.(*ssa.Extract)
	if !ok || more.Tuple != ssa.Value(next) || more.Index != 0 {
		return nil
	}
	return next.Block().Succs[1]
}

// follow notes the values that a slice goes through.
func (c *Collected) follow(v ssa.Value) {
	if c.lists[v] {
		return
	}
	c.lists[v] = true
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Phi:
			c.follow(ref)
		case *ssa.Store: // as a result is kept while deferred calls run
			if a, ok := ref.Addr.(*ssa.Alloc); ok && !a.Heap && ref.Val == v {
				c.followLoads(a)
			}
		}
	}
}

// followLoads is follow for all that a variable is loaded as.
func (c *Collected) followLoads(a *ssa.Alloc) {
	for _, ref := range *a.Referrers() {
		if load, ok := ref.(*ssa.UnOp); ok && load.Op == token.MUL {
			c.follow(load)
		}
	}
}

// reads notes the loops that go through the slice, and reports whether there is one.
func (c *Collected) reads() bool {
	for v := range c.lists {
		for _, ref := range *v.Referrers() {
			if call, ok := ref.(*ssa.Call); ok && isBuiltin(call, "len") {
				c.loops(call)
			}
		}
	}
	return len(c.more) > 0
}

func isBuiltin(call *ssa.Call, name string) bool {
	b, ok := call.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == name
}

// loops notes the loops that go on while an index is below the length.
func (c *Collected) loops(length *ssa.Call) {
	for _, ref := range *length.Referrers() {
		cmp, ok := ref.(*ssa.BinOp)
		if !ok || cmp.Op != token.LSS || cmp.Y != ssa.Value(length) {
			continue
		}
		for _, use := range *cmp.Referrers() {
			if branch, ok := use.(*ssa.If); ok && ways.Loops(branch.Block()) {
				c.more[cmp] = true
				c.exits[branch.Block()] = branch.Block().Succs[1]
			}
		}
	}
}
