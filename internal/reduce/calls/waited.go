package calls

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// reportDepth is how many calls deep what a goroutine tells is looked for.
const reportDepth = 4

// WaitsFor reports whether an instruction that waits can go on because of the goroutine that a call
// starts, which runs fn: because a group of tasks has come to its end, or because something is received
// from a channel that the goroutine may close or send to. Who waits for a signal to stop, or for another
// goroutine, does not wait for that one.
func WaitsFor(wait ssa.Instruction, start ssa.CallInstruction, fn *ssa.Function) bool {
	switch wait := wait.(type) {
	case *ssa.UnOp:
		return wait.Op == token.ARROW && tells(start, fn, wait.X)
	case *ssa.Select:
		for _, s := range wait.States {
			if wait.Blocking && s.Dir == types.RecvOnly && tells(start, fn, s.Chan) {
				return true
			}
		}
	case *ssa.Call:
		return IsWait(&wait.Call)
	}
	return false
}

// tells reports whether a goroutine may close the channel that somebody waits for, or send to it.
func tells(start ssa.CallInstruction, fn *ssa.Function, awaited ssa.Value) bool {
	if StartedBeside(start) != nil && start.Common().StaticCallee().String() == groupGo && isDone(awaited) {
		return true // the group ends the context when one of them fails
	}
	t := teller{awaited: awaited, at: placeOf(awaited), seen: map[*ssa.Function]bool{}}
	return t.within(fn, reportDepth)
}

// teller looks for what tells those who wait for a channel.
type teller struct {
	awaited ssa.Value
	at      any
	seen    map[*ssa.Function]bool
}

func (t *teller) within(fn *ssa.Function, depth int) bool {
	if t.seen[fn] {
		return false
	}
	t.seen[fn] = true
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if t.by(fn, instr, depth) {
				return true
			}
		}
	}
	return false
}

// by is within for one instruction.
func (t *teller) by(fn *ssa.Function, instr ssa.Instruction, depth int) bool {
	switch instr := instr.(type) {
	case *ssa.Send:
		return t.mayBe(instr.Chan)
	case *ssa.Select:
		for _, s := range instr.States {
			if s.Dir == types.SendOnly && t.mayBe(s.Chan) {
				return true
			}
		}
	case ssa.CallInstruction:
		return t.byCall(fn, instr, depth)
	}
	return false
}

// byCall is within for a call. One that cannot be followed tells those who wait for what is not seen to be another channel: for
// something that it is given, or that another call has given; if it is of a function value, for a variable, which that may
// have captured, and for the end of a context.
func (t *teller) byCall(fn *ssa.Function, call ssa.CallInstruction, depth int) bool {
	common := call.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		return b.Name() == "close" && t.mayBe(common.Args[0])
	}
	for _, arg := range common.Args {
		if literal, ok := arg.(*ssa.MakeClosure); ok && depth == reportDepth && t.within(literal.Fn.(*ssa.Function), depth-1) {
			return true
		}
		if elemOf(arg) != nil && t.mayBe(arg) {
			return true
		}
	}
	callee, _ := Callee(call)
	switch {
	case callee == nil && !common.IsInvoke():
		_, variable := t.at.(*ssa.Alloc)
		return variable || isDone(t.awaited) && common.Signature().Results().Len() == 0
	case callee == nil, callee.Pkg != fn.Pkg && callee.Pkg != nil, depth == 0:
		_, given := t.awaited.(*ssa.Call)
		return given && !isDone(t.awaited)
	}
	return t.within(callee, depth-1)
}

// mayBe reports whether a channel can be the one that is waited for: two fields of one struct are two, and so are two variables
// that are each made of their own; of others it is asked what they carry.
func (t *teller) mayBe(channel ssa.Value) bool {
	if one, known := areOne(placeOf(channel), t.at); known {
		return one
	}
	a, b := elemOf(channel), elemOf(t.awaited)
	return a != nil && b != nil && !isDone(t.awaited) && types.Identical(a, b)
}

// place is a field of a struct.
type place struct {
	of    *types.Struct
	field int
}

// areOne reports whether two places can have one channel, as far as that is known.
func areOne(a, b any) (one, known bool) {
	f, isField := a.(place)
	g, too := b.(place)
	switch {
	case a == nil || b == nil:
		return false, false
	case isField && too:
		return f.field == g.field, types.Identical(f.of, g.of)
	case a == b:
		return true, true
	}
	return false, hasItsOwn(a) && hasItsOwn(b)
}

// hasItsOwn reports whether a variable is assigned a channel that was made for it, and nothing else.
func hasItsOwn(at any) bool {
	v, ok := at.(*ssa.Alloc)
	if !ok || storesTo(v) != 1 {
		return false
	}
	for _, ref := range *v.Referrers() {
		if st, ok := ref.(*ssa.Store); ok && st.Addr == ssa.Value(v) {
			made, ok := st.Val.(*ssa.MakeChan)
			return ok && onlyKept(made)
		}
	}
	return false
}

// onlyKept reports whether a channel that is made is only put into one place.
func onlyKept(made *ssa.MakeChan) bool {
	stores := 0
	for _, ref := range *made.Referrers() {
		switch ref.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			stores++
		default:
			return false
		}
	}
	return stores == 1
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
		if p, ok := at.X.Type().Underlying().(*types.Pointer); ok {
			if of, ok := p.Elem().Underlying().(*types.Struct); ok {
				return place{of, at.Field}
			}
		}
	case *ssa.Alloc, *ssa.Global:
		return at
	}
	return nil
}

// elemOf is what a channel carries; nil if a value is none.
func elemOf(channel ssa.Value) types.Type {
	if c, ok := channel.Type().Underlying().(*types.Chan); ok {
		return c.Elem()
	}
	return nil
}

// isDone reports whether a channel is the one that tells that a context has ended.
func isDone(channel ssa.Value) bool {
	call, ok := channel.(*ssa.Call)
	return ok && call.Call.IsInvoke() && call.Call.Method.FullName() == "(context.Context).Done"
}
