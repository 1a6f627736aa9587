package reduce

import (
	"go/token"

	"github.com/mapatom/mapatom/reduce/register"
	"golang.org/x/tools/go/ssa"
)

// What a goroutine does belongs to another thread, unless the function waits for it:
// then it is a half of what the function does. It is lowered as if it ran at once, when
// it is started, which is one of the ways in which it can go. Of the others nothing is
// said, so there is an Omit in front.

// starters are the methods that run a function in another goroutine, or at most once
// for several callers, and the places of the function among their arguments.
var starters = map[string]int{
	"(*sync.WaitGroup).Go":                        1,
	"(*golang.org/x/sync/errgroup.Group).Go":      1,
	"(*golang.org/x/sync/singleflight.Group).Do":  2,
	"(*github.com/sourcegraph/conc.WaitGroup).Go": 1,
}

// awaited are those that wait themselves.
var awaited = map[string]bool{"(*golang.org/x/sync/singleflight.Group).Do": true}

// isHalf reports whether a function that is started touches a cell and is waited for,
// and says then that it is not followed in every way.
func (l *lowerer) isHalf(call ssa.CallInstruction) bool {
	fn, _ := Callee(call)
	if closure, _ := l.caps.closure(call.Common().Value); closure != nil {
		fn = closure
	}
	if fn == nil || !l.caps.touchesCell(fn, 2) || !l.caps.waitsAfter(call) {
		return false
	}
	l.emit(register.Instr{Op: register.Omit, Name: register.OmitLook})
	return true
}

// started lowers the call of a starter; false if it is none, or its function is none
// of concern.
func (l *lowerer) started(s *callSite) ([]register.Operand, bool) {
	f := l.caps.started(s.CallInstruction)
	if f == nil {
		return nil, false
	}
	l.emit(register.Instr{Op: register.Omit, Name: register.OmitLook})
	results := l.callback(f, nil, make([]string, resultCount(f)))
	for len(results) < s.n {
		results = append(results, l.unknown("shared", s.c.StaticCallee().Name()))
	}
	return results[:s.n], true
}

// started is the function that a call of a starter starts, if that is a half; nil if
// not.
func (c *captures) started(call ssa.CallInstruction) ssa.Value {
	callee := call.Common().StaticCallee()
	if callee == nil {
		return nil
	}
	at, ok := starters[callee.String()]
	if !ok || at >= len(call.Common().Args) {
		return nil
	}
	f := call.Common().Args[at]
	fn, _ := c.closure(f)
	if fn == nil || !c.touchesCell(fn, 2) || !awaited[callee.String()] && !c.waitsAfter(call) {
		return nil
	}
	return f
}

// touchesCell reports whether a function, or one that it calls, makes an operation.
func (c *captures) touchesCell(fn *ssa.Function, depth int) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if _, builtin := call.Common().Value.(*ssa.Builtin); builtin {
				continue
			}
			if c.res.Call(fn, call).Kind == CallBase {
				return true
			}
			callee, _ := Callee(call)
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
		if b != call.Block() && !reaches(call.Block(), b) {
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
		if callee := v.Call.StaticCallee(); callee != nil && callee.Name() == "Wait" {
			return true
		}
		return c.res.Call(v.Parent(), v).Kind == CallBlocking
	default:
		return false
	}
}
