package ownership

import (
	"go/types"
	"slices"

	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/ways"
	"golang.org/x/tools/go/ssa"
)

// timerOf is where a method is made the function of a timer, if that is all that
// becomes of it, and the object has one such timer at a time: it stops the one that
// it has before it makes the next.
//
//	func (m *Manager) restart(d time.Duration) {
//		if m.timer != nil {
//			m.timer.Stop()
//		}
//		m.timer = time.AfterFunc(d, m.expire)
//	}
//
// Stop does not wait for a function that runs already, so that this is likely and
// not certain.
func (c *Confinement) timerOf(fn *ssa.Function) ssa.Instruction {
	if c.ps.Refs.Invoked[fn.Name()] {
		return nil
	}
	var timer ssa.Instruction
	for _, in := range c.ps.Funcs {
		for _, b := range in.Blocks {
			for _, instr := range b.Instrs {
				if !mentions(instr, fn) {
					continue
				}
				mc, ok := instr.(*ssa.MakeClosure)
				if !ok || timer != nil || !isTimer(mc, in) {
					return nil
				}
				timer = instr
			}
		}
	}
	return timer
}

// mentions reports whether an instruction uses fn as a value.
func mentions(instr ssa.Instruction, fn *ssa.Function) bool {
	if call, ok := instr.(ssa.CallInstruction); ok && call.Common().StaticCallee() != nil {
		return slices.ContainsFunc(call.Common().Args, func(v ssa.Value) bool { return isFunction(v, fn) })
	}
	return slices.ContainsFunc(instr.Operands(nil), func(v *ssa.Value) bool { return isFunction(*v, fn) })
}

func isFunction(v ssa.Value, fn *ssa.Function) bool {
	f, ok := v.(*ssa.Function)
	return ok && ssaprog.Declared(f) == fn
}

// isTimer reports whether a method value is passed to a function that makes a timer
// of it, which is put where the same object's last one is stopped.
func isTimer(mc *ssa.MakeClosure, in *ssa.Function) bool {
	if in.Signature.Recv() == nil || len(mc.Bindings) != 1 || !isReceiver(mc.Bindings[0], in) {
		return false
	}
	calls := 0
	for _, ref := range *mc.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.Call:
			if calls++; !ssaprog.IsArg(ref, mc) || !kept(ref, in) {
				return false
			}
		default:
			return false
		}
	}
	return calls == 1
}

// kept reports whether the timer that a call makes only goes into a field of the
// receiver that was stopped before.
func kept(call *ssa.Call, in *ssa.Function) bool {
	if call.Type().String() != "*time.Timer" {
		return false
	}
	for _, ref := range *call.Referrers() {
		if _, ok := ref.(*ssa.DebugRef); ok {
			continue
		}
		store, ok := ref.(*ssa.Store)
		if !ok {
			return false
		}
		fa, ok := store.Addr.(*ssa.FieldAddr)
		if !ok || !isReceiver(fa.X, in) || !stops(in, ssaprog.AddressedField(fa), call) {
			return false
		}
	}
	return true
}

// stops reports whether a function stops the timer in a field on some way to a
// call.
func stops(in *ssa.Function, field *types.Var, before *ssa.Call) bool {
	for _, b := range in.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || (b != before.Block() && !ways.Reaches(b, before.Block(), nil)) {
				continue
			}
			fn, args := calls.Callee(call)
			if fn == nil || fn.String() != "(*time.Timer).Stop" || len(args) != 1 {
				continue
			}
			if load, ok := args[0].(*ssa.UnOp); ok {
				if fa, ok := load.X.(*ssa.FieldAddr); ok && ssaprog.AddressedField(fa) == field && isReceiver(fa.X, in) {
					return true
				}
			}
		}
	}
	return false
}
