package calls

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// starters are the methods that run a function in another goroutine, or at most once
// for several callers, and the places of the function among their arguments.
var starters = map[string]int{
	"(*sync.WaitGroup).Go": 1,
	groupGo:                1,
	"(*golang.org/x/sync/singleflight.Group).Do":  2,
	"(*github.com/sourcegraph/conc.WaitGroup).Go": 1,
}

// groupGo is the one of them whose group ends its context when a function fails.
const groupGo = "(*golang.org/x/sync/errgroup.Group).Go"

// Started is the function that a call hands to a starter; nil if it is none.
func Started(call ssa.CallInstruction) ssa.Value {
	if callee := call.Common().StaticCallee(); callee != nil {
		if at, ok := starters[callee.String()]; ok && at < len(call.Common().Args) {
			return call.Common().Args[at]
		}
	}
	return nil
}

// Awaits reports whether a call is of a starter that comes back when the function has come to its end.
func Awaits(call ssa.CallInstruction) bool {
	callee := call.Common().StaticCallee()
	return callee != nil && callee.String() == "(*golang.org/x/sync/singleflight.Group).Do"
}

// StartedBeside is the function that a call hands to a starter which runs it beside the caller; nil if it
// is none.
func StartedBeside(call ssa.CallInstruction) ssa.Value {
	if Awaits(call) {
		return nil
	}
	return Started(call)
}

// Beginning is the function value that a goroutine begins with which a go statement starts, or a call such as
// WaitGroup.Go; nil if none is started.
func Beginning(call ssa.CallInstruction) ssa.Value {
	if start, ok := call.(*ssa.Go); ok {
		return start.Call.Value
	}
	return StartedBeside(call)
}

// Begins is Callee for the function that a goroutine begins with.
func Begins(call ssa.CallInstruction) (*ssa.Function, []ssa.Value) {
	if beside := StartedBeside(call); beside != nil {
		return calleeOf(beside, nil)
	}
	return Callee(call)
}

// Joined is the function literal that a call starts in a goroutine, if the next thing
// that happens is that the caller waits for its end; nil if it is not:
//
//	wg.Go(func() { m.Store(k, v) })
//	wg.Wait()
//
// Nothing of the caller runs beside it, so it is the same as a call of the literal.
func Joined(call ssa.CallInstruction) *ssa.MakeClosure {
	f := Started(call)
	_, isGo := call.(*ssa.Go)
	if isGo {
		f = call.Common().Value
	}
	literal, ok := f.(*ssa.MakeClosure)
	next := waitsNext(call)
	if !ok || next == nil {
		return nil
	}
	ended := !isGo && waitsFor(next) == call.Common().Args[0]
	if isGo {
		ended = slices.ContainsFunc(literal.Bindings, func(b ssa.Value) bool { return tellsEnd(literal, b) && waitsFor(next) == b })
	}
	if !ended {
		return nil
	}
	return literal
}

// waitsNext is the instruction that waits for something, if nothing but the preparation
// of that comes after a call; nil if it does.
func waitsNext(call ssa.CallInstruction) ssa.Instruction {
	instrs := call.Block().Instrs
	for _, instr := range instrs[slices.Index(instrs, call.(ssa.Instruction))+1:] {
		switch instr := instr.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			if instr.Op == token.ARROW {
				return instr
			}
		case *ssa.Call:
			return instr
		default:
			return nil
		}
	}
	return nil
}

// waitsFor is the variable of the channel, or the WaitGroup, that an instruction waits for.
func waitsFor(instr ssa.Instruction) ssa.Value {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		return variableOf(instr.X)
	case *ssa.Call:
		if IsWait(&instr.Call) {
			return instr.Call.Args[0]
		}
	}
	return nil
}

// IsWait reports whether a call is a method that waits for others, as a WaitGroup, a group of tasks and a command
// have one; all that say so are called Wait.
func IsWait(call *ssa.CallCommon) bool {
	callee := call.StaticCallee()
	return callee != nil && callee.Name() == "Wait" && callee.Signature.Recv() != nil
}

// variableOf is the variable that a value was loaded from; nil if it is not.
func variableOf(v ssa.Value) ssa.Value {
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		return load.X
	}
	return nil
}

// tellsEnd reports whether the last thing that a literal does, on each way, is to close the
// channel in a captured variable that has no other one, or to call Done on a captured WaitGroup.
func tellsEnd(literal *ssa.MakeClosure, captured ssa.Value) bool {
	fn := literal.Fn.(*ssa.Function)
	variable := fn.FreeVars[slices.Index(literal.Bindings, captured)]
	for _, instr := range fn.Blocks[0].Instrs {
		last, ok := instr.(*ssa.Defer) // the first that is deferred runs last
		if !ok {
			continue
		}
		if b, ok := last.Call.Value.(*ssa.Builtin); ok {
			return b.Name() == "close" && variableOf(last.Call.Args[0]) == ssa.Value(variable) && storesTo(captured) == 1
		}
		callee := last.Call.StaticCallee()
		return callee != nil && callee.String() == "(*sync.WaitGroup).Done" && last.Call.Args[0] == ssa.Value(variable)
	}
	return false
}

// storesTo counts the stores to a variable, also by literals that capture it.
func storesTo(addr ssa.Value) (n int) {
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			n++
		case *ssa.MakeClosure:
			n += storesTo(ref.Fn.(*ssa.Function).FreeVars[slices.Index(ref.Bindings, addr)])
		}
	}
	return n
}
