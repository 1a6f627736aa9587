package topology

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/ways"
	"golang.org/x/tools/go/ssa"
)

// A method that goes round and takes what comes out of a channel of its object is run once
// for each object. What it is sent is how others have it do something:
//
//	func (s *Sampler) Run() {
//		for sample := range s.samples { s.add(sample) }
//	}
//
// Nobody need start it in this package. If somebody does, and several times, it is one of
// many workers.

// maxWay bounds the ways from an object to what is a part of it.
const maxWay = 8

// Consumer is the only method that a method of the same type is reached from, if that takes
// what is sent to its object; nil if there is none.
func (t *Topology) Consumer(fn *ssa.Function) *ssa.Function {
	if fn.Signature.Recv() == nil {
		return nil
	}
	var loop *ssa.Function
	for _, entry := range t.Entries(fn) {
		if entry.Several || entry.Kind == Handler || loop != nil && entry.Fn != loop {
			return nil
		}
		loop = entry.Fn
	}
	if loop == nil || loop.Signature.Recv() == nil || !types.Identical(loop.Signature.Recv().Type(), fn.Signature.Recv().Type()) || !consumes(loop) {
		return nil
	}
	return loop
}

// consumes reports whether a method goes round a receive from a channel of its object.
func consumes(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return ways.Loops(b) && slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool { return receivesOwn(instr, fn.Params[0]) })
	})
}

// receivesOwn reports whether an instruction waits for what is sent to a channel of an
// object.
func receivesOwn(instr ssa.Instruction, object ssa.Value) bool {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		return instr.Op == token.ARROW && ReachedFrom(instr.X, object, maxWay)
	case *ssa.Select:
		return instr.Blocking && slices.ContainsFunc(instr.States, func(s *ssa.SelectState) bool {
			return s.Dir == types.RecvOnly && ReachedFrom(s.Chan, object, maxWay)
		})
	}
	return false
}

// ReachedFrom reports whether an address is that of a part of an object, or of what that
// refers to.
func ReachedFrom(addr, object ssa.Value, depth int) bool {
	for range depth {
		if addr == object {
			return true
		}
		switch v := addr.(type) {
		case *ssa.FieldAddr:
			addr = v.X
		case *ssa.IndexAddr:
			addr = v.X
		case *ssa.UnOp:
			addr = v.X
		default:
			return false
		}
	}
	return false
}
