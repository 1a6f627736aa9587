package reduce

import (
	"go/token"

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
// that, and all that can be in the slice is that key.

// Collected is one such sweep.
type Collected struct {
	append *ssa.Call
	// key is what is appended.
	key ssa.Value
	// exits are where the loops go when they are done, by their headers: that which
	// collects and those that go through what it has collected. The conditions of
	// these ask whether there is more.
	exits map[*ssa.BasicBlock]*ssa.BasicBlock
	more  map[*ssa.BinOp]bool
	// lists are the values that are the slice.
	lists map[ssa.Value]bool
}

// FindCollected finds the sweeps of a function.
func FindCollected(fn *ssa.Function) []*Collected {
	var out []*Collected
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if c := collectedAt(instr); c != nil {
				out = append(out, c)
			}
		}
	}
	return out
}

// collectedAt is the sweep whose append this is; nil if it is none.
func collectedAt(instr ssa.Instruction) *Collected {
	call, ok := instr.(*ssa.Call)
	if !ok || len(call.Call.Args) != 2 || !isBuiltin(call, "append") {
		return nil
	}
	c := &Collected{
		append: call, key: onlyAppended(call.Call.Args[1]), lists: map[ssa.Value]bool{},
		exits: map[*ssa.BasicBlock]*ssa.BasicBlock{}, more: map[*ssa.BinOp]bool{},
	}
	next := rangeKey(c.key)
	if next == nil {
		return nil
	}
	c.exits[next.Block()] = loopExit(next)
	c.follow(call)
	if !c.reads() {
		return nil
	}
	for _, exit := range c.exits {
		if exit == nil || isPhi(exit.Instrs) {
			return nil
		}
	}
	return c
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
		if phi, ok := ref.(*ssa.Phi); ok {
			c.follow(phi)
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
