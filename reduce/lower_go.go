package reduce

import (
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"golang.org/x/tools/go/ssa"
)

// What a goroutine does belongs to another thread, unless the function waits for it:
// then it is a half of what the function does. It is lowered as if it ran at once, when
// it is started, which is one of the ways in which it can go. Of the others nothing is
// said, so there is an Omit in front, unless there are none: see calls.Joined.

// isHalf reports whether a function that is started is a half. Unless it is waited for at
// once, it says that it is not followed in every way.
func (l *lowerer) isHalf(call ssa.CallInstruction) bool {
	if calls.Joined(call) != nil {
		return true
	}
	fn, _ := calls.Callee(call)
	if closure, _ := l.caps.closure(call.Common().Value); closure != nil {
		fn = closure
	}
	if fn == nil || !l.caps.touchesCell(fn, 2) || !l.caps.waitsAfter(call, fn) {
		return false
	}
	l.emit(register.Instr{Op: register.Omit, Name: register.OmitLook})
	return true
}

// start lowers a go statement of which nobody waits for the goroutine: it is another
// thread, but that it is started is something that can be told.
func (l *lowerer) start(v *ssa.Go) {
	s := l.siteOf(v)
	name := register.Literal
	if fn, _ := calls.Callee(v); fn == nil || fn.Parent() == nil {
		name = calleeName(s.c)
	}
	l.effect(register.StartEffect+name, l.argValues(s)...)
}

// started lowers the call of a starter; false if it is none, or its function is none
// of concern.
func (l *lowerer) started(s *callSite) ([]register.Operand, bool) {
	f := l.caps.started(s.CallInstruction)
	if f == nil {
		return nil, false
	}
	if calls.Joined(s.CallInstruction) == nil {
		l.emit(register.Instr{Op: register.Omit, Name: register.OmitLook})
	}
	unlock := l.lockFlight(s)
	results := l.callback(f, nil, make([]string, resultCount(f)))
	unlock()
	for len(results) < s.n {
		results = append(results, l.unknownOf("shared", s.c.StaticCallee().Name()))
	}
	return results[:s.n], true
}

// lockFlight takes the lock that a singleflight group is for each of its keys: it runs
// one function for a key at a time. It returns what releases it.
func (l *lowerer) lockFlight(s *callSite) (unlock func()) {
	if !calls.Awaits(s.CallInstruction) {
		return func() {}
	}
	of := l.pure("flight", "&elem", l.operand(s.c.Args[0]), l.operand(s.c.Args[1]))
	l.emit(register.Instr{Op: register.Lock, Name: "w", Args: []register.Operand{of}})
	return func() { l.emit(register.Instr{Op: register.Unlock, Name: "w", Args: []register.Operand{of}}) }
}
