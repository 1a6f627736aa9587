package calls

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// reportDepth is how many calls deep what a goroutine tells is looked for.
const reportDepth = 2

// WaitsFor reports whether an instruction that waits can go on because of the goroutine that a call
// starts, which runs fn: because a group of tasks has come to its end, or because something is received
// from a channel that the goroutine closes or sends to. Who waits for a signal to stop, or for another
// goroutine, does not wait for that one.
func WaitsFor(wait ssa.Instruction, start ssa.CallInstruction, fn *ssa.Function) bool {
	switch wait := wait.(type) {
	case *ssa.UnOp:
		return wait.Op == token.ARROW && tells(fn, wait.X, reportDepth)
	case *ssa.Select:
		for _, s := range wait.States {
			if wait.Blocking && s.Dir == types.RecvOnly && tells(fn, s.Chan, reportDepth) {
				return true
			}
		}
	case *ssa.Call:
		return IsWait(&wait.Call) && (StartedBeside(start) == nil || sameReceiver(&wait.Call, start.Common()))
	}
	return false
}

// sameReceiver reports whether two methods are of one type.
func sameReceiver(a, b *ssa.CallCommon) bool {
	return types.Identical(a.Args[0].Type(), b.Args[0].Type())
}

// tells reports whether a function, or one of its package that it calls, closes a channel or sends to it.
func tells(fn *ssa.Function, channel ssa.Value, depth int) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if tellsIn(fn, instr, channel, depth) {
				return true
			}
		}
	}
	return false
}

// tellsIn is tells for one instruction of a function.
func tellsIn(fn *ssa.Function, instr ssa.Instruction, channel ssa.Value, depth int) bool {
	switch instr := instr.(type) {
	case *ssa.Send:
		return mayBeOne(instr.Chan, channel)
	case *ssa.Select:
		for _, s := range instr.States {
			if s.Dir == types.SendOnly && mayBeOne(s.Chan, channel) {
				return true
			}
		}
	case *ssa.Go:
	case ssa.CallInstruction:
		if b, ok := instr.Common().Value.(*ssa.Builtin); ok {
			return b.Name() == "close" && mayBeOne(instr.Common().Args[0], channel)
		}
		if isDone(channel) && isCancel(instr.Common()) {
			return true
		}
		callee, _ := Callee(instr)
		return callee != nil && callee != fn && depth > 0 && callee.Pkg == fn.Pkg && tells(callee, channel, depth-1)
	}
	return false
}

// mayBeOne reports whether two channels can be one: they are of one field or variable, or, where either
// comes from somewhere else, of one type.
func mayBeOne(a, b ssa.Value) bool {
	pa, pb := placeOf(a), placeOf(b)
	if pa != nil && pb != nil {
		return pa == pb
	}
	ea, eb := elemOf(a), elemOf(b)
	return ea != nil && eb != nil && !isDone(b) && types.Identical(ea, eb)
}

// placeOf is the field, or the variable, that a channel is loaded from; nil if it is not.
func placeOf(channel ssa.Value) any {
	at := variableOf(channel)
	for {
		outer := Captured(at)
		if outer == nil {
			break
		}
		at = outer
	}
	switch at := at.(type) {
	case *ssa.FieldAddr:
		owner, _ := at.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
		return owner.Field(at.Field).Origin()
	case *ssa.Alloc, *ssa.Global:
		return at
	}
	return nil
}

// elemOf is what a channel carries.
func elemOf(channel ssa.Value) types.Type {
	if c, ok := channel.Type().Underlying().(*types.Chan); ok {
		return c.Elem()
	}
	return nil
}

// isDone reports whether a channel is the one that tells that a context has ended.
func isDone(channel ssa.Value) bool {
	call, ok := channel.(*ssa.Call)
	if !ok {
		return false
	}
	if call.Call.IsInvoke() {
		return call.Call.Method.FullName() == "(context.Context).Done"
	}
	return false
}

// isCancel reports whether a call ends a context.
func isCancel(call *ssa.CallCommon) bool {
	named, ok := types.Unalias(call.Value.Type()).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	name := named.Obj().Name()
	return named.Obj().Pkg().Path() == "context" && (name == "CancelFunc" || name == "CancelCauseFunc")
}
