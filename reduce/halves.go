package reduce

import (
	"go/token"

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
	if fn == nil || !c.touchesCell(fn, 2) || !calls.Awaits(call) && !c.waitsAfter(call) {
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

// waitsAfter reports whether the function waits for something after a call.
func (c *captures) waitsAfter(call ssa.CallInstruction) bool {
	for _, b := range call.Parent().Blocks {
		if b != call.Block() && !ways.Reaches(call.Block(), b, nil) {
			continue
		}
		passed := b != call.Block()
		for _, instr := range b.Instrs {
			if instr == call.(ssa.Instruction) {
				passed = true
			} else if passed && c.waits(instr) {
				return true
			}
		}
	}
	return false
}

// waits reports whether an instruction waits for another goroutine.
func (c *captures) waits(instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.UnOp:
		return v.Op == token.ARROW
	case *ssa.Select:
		return v.Blocking
	case *ssa.Call:
		if _, builtin := v.Call.Value.(*ssa.Builtin); builtin {
			return false
		}
		if calls.IsWait(&v.Call) {
			return true
		}
		return c.res.Call(v.Parent(), v).Kind == calls.Blocking
	default:
		return false
	}
}
