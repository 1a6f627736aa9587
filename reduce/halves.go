package reduce

import (
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/ways"
	"golang.org/x/tools/go/ssa"
)

// started is the function that a call of a starter starts, if that is a half; nil if
// not.
func (c *captures) started(call ssa.CallInstruction) ssa.Value {
	f := calls.Started(call)
	if f == nil || calls.Joined(call) != nil {
		return f
	}
	fn, _ := c.closure(f)
	if fn == nil || !c.touchesCell(fn, 2) || !calls.Awaits(call) && !c.waitsAfter(call, fn) {
		return nil
	}
	return f
}

// touchesCell reports whether a function, or one that it calls, makes an operation, or
// accesses guarded memory.
func (c *captures) touchesCell(fn *ssa.Function, depth int) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if m, ok := c.res.(calls.Memory); ok {
				if _, guarded := m.Cell(instr); guarded {
					return true
				}
			}
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if _, builtin := call.Common().Value.(*ssa.Builtin); builtin {
				continue
			}
			if c.res.Call(fn, call).Kind == calls.Base {
				return true
			}
			callee, _ := calls.Callee(call)
			if callee != nil && callee != fn && depth > 0 && callee.Pkg == fn.Pkg && c.touchesCell(callee, depth-1) {
				return true
			}
		}
	}
	return false
}

// waitsAfter reports whether the function waits, after a call, for the goroutine that the call starts,
// which runs fn.
func (c *captures) waitsAfter(call ssa.CallInstruction, fn *ssa.Function) bool {
	for _, b := range call.Parent().Blocks {
		if b != call.Block() && !ways.Reaches(call.Block(), b, nil) {
			continue
		}
		passed := b != call.Block()
		for _, instr := range b.Instrs {
			if instr == call.(ssa.Instruction) {
				passed = true
			} else if passed && (calls.WaitsFor(instr, call, fn) || c.blocks(instr)) {
				return true
			}
		}
	}
	return false
}

// blocks reports whether an instruction is a call of which it is known that it waits for others, and not
// for which.
func (c *captures) blocks(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok || calls.IsWait(&call.Call) {
		return false
	}
	_, builtin := call.Call.Value.(*ssa.Builtin)
	return !builtin && c.res.Call(call.Parent(), call).Kind == calls.Blocking
}
