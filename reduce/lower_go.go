package reduce

import (
	"go/token"

	"github.com/mapatom/mapatom/internal/reduce/register"
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

// start lowers a go statement of which nobody waits for the goroutine: it is another
// thread, but that it is started is something that can be told.
func (l *lowerer) start(v *ssa.Go) {
	s := l.siteOf(v)
	name := "func"
	if fn, _ := Callee(v); fn == nil || fn.Parent() == nil {
		name = calleeName(s.c)
	}
	l.effect("go "+name, l.argValues(s)...)
}

// started lowers the call of a starter; false if it is none, or its function is none
// of concern.
func (l *lowerer) started(s *callSite) ([]register.Operand, bool) {
	f := l.caps.started(s.CallInstruction)
	if f == nil {
		return nil, false
	}
	l.emit(register.Instr{Op: register.Omit, Name: register.OmitLook})
	unlock := l.lockFlight(s)
	results := l.callback(f, nil, make([]string, resultCount(f)))
	unlock()
	for len(results) < s.n {
		results = append(results, l.unknown("shared", s.c.StaticCallee().Name()))
	}
	return results[:s.n], true
}

// lockFlight takes the lock that a singleflight group is for each of its keys: it runs
// one function for a key at a time. It returns what releases it.
func (l *lowerer) lockFlight(s *callSite) (unlock func()) {
	if !awaited[s.c.StaticCallee().String()] {
		return func() {}
	}
	of := l.pure("flight", "&elem", l.operand(s.c.Args[0]), l.operand(s.c.Args[1]))
	l.emit(register.Instr{Op: register.Lock, Name: "w", Args: []register.Operand{of}})
	return func() { l.emit(register.Instr{Op: register.Unlock, Name: "w", Args: []register.Operand{of}}) }
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

// touchesCell reports whether a function, or one that it calls, makes an operation, or
// accesses guarded memory.
func (c *captures) touchesCell(fn *ssa.Function, depth int) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if m, ok := c.res.(Memory); ok {
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
