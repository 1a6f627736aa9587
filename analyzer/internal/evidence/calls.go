package evidence

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// The calls of the source that the operations of a program stand for.

// callsFunction reports whether there is a call of a function at a place, and not of a
// method: by the type of that nobody can tell whether it makes what it gives.
func (e *Weigher) callsFunction(pos register.Pos) bool {
	call := e.callAt(pos)
	return call != nil && !isMethodCall(call)
}

// callsValue reports whether a function value is called at a place that somebody has given
// to this one; a sequence that it has made itself, to go through, is none.
func (e *Weigher) callsValue(pos register.Pos) bool {
	call := e.callAt(pos)
	if call == nil || call.IsInvoke() || call.StaticCallee() != nil {
		return false
	}
	return !isBuilt(call.Value, map[ssa.Value]bool{})
}

// cancelling are the types of functions of which every call but the first does nothing, as their
// documentation says.
var cancelling = []string{"context.CancelFunc", "context.CancelCauseFunc"}

// cancels reports whether a function value is called at a place that does nothing the second time.
func (e *Weigher) cancels(pos register.Pos) bool {
	call := e.callAt(pos)
	return call != nil && slices.Contains(cancelling, types.TypeString(call.Value.Type(), nil))
}

// isBuilt reports whether a function is built in, or the result of a call, whichever way it has come
// to where it is called: of one that is nil otherwise, there is no other to be called.
func isBuilt(v ssa.Value, seen map[ssa.Value]bool) bool {
	switch v := v.(type) {
	case *ssa.Builtin, *ssa.Call, *ssa.Extract:
		return true
	case *ssa.Const:
		return v.IsNil()
	case *ssa.ChangeType:
		return isBuilt(v.X, seen)
	case *ssa.Phi:
		if seen[v] {
			return true
		}
		seen[v] = true
		return !slices.ContainsFunc(v.Edges, func(edge ssa.Value) bool { return !isBuilt(edge, seen) })
	}
	return false
}

// callAt is the call at a place; nil if there is none.
func (e *Weigher) callAt(pos register.Pos) *ssa.CallCommon {
	e.place()
	return e.calls[pos]
}

// keyAt is the key under which a built-in map is given an entry at a place; nil if none is.
func (e *Weigher) keyAt(pos register.Pos) ssa.Value {
	e.place()
	return e.updates[pos]
}

// place notes where calls and updates of maps are.
func (e *Weigher) place() {
	if e.calls != nil {
		return
	}
	e.calls, e.updates = map[register.Pos]*ssa.CallCommon{}, map[register.Pos]ssa.Value{}
	for _, fn := range e.ps.Funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				switch instr := instr.(type) {
				case ssa.CallInstruction:
					at, _, _ := e.ps.Res.Place(instr)
					e.calls[e.ps.Res.PosText(at)] = instr.Common()
				case *ssa.MapUpdate:
					e.updates[e.ps.Res.PosText(instr.Pos())] = instr.Key
				}
			}
		}
	}
}

// placeOf is where the call at a place is, for readers; NoPos if that is in another package.
func (e *Weigher) placeOf(pos register.Pos) token.Pos {
	if call := e.callAt(pos); call != nil {
		return call.Pos()
	}
	return token.NoPos
}

// valueName is what a function value is called that is called, and has no name of its own: the
// variable that it is in, or what it was got from.
func valueName(call *ssa.CallCommon) string {
	if call == nil || call.IsInvoke() {
		return "a function value"
	}
	switch v := call.Value.(type) {
	case *ssa.Phi:
		if v.Comment != "" {
			return v.Comment
		}
	case *ssa.Call:
		if fn := v.Call.StaticCallee(); fn != nil {
			return "what " + fn.Name() + " returns"
		}
	}
	return "a function value"
}

// onGiven reports whether the call at a place is on something that its function is given, or gives
// that to another one, other than the object of a method and what only says how long it may take.
func (e *Weigher) onGiven(pos register.Pos) bool {
	call := e.callAt(pos)
	if call == nil {
		return false
	}
	return slices.ContainsFunc(append([]ssa.Value{call.Value}, call.Args...), func(v ssa.Value) bool {
		return isBrought(v) && !isContext(v.Type())
	})
}

// isFixed reports whether the call at a place is given constants, beside what callers bring along.
func (e *Weigher) isFixed(pos register.Pos) bool {
	call := e.callAt(pos)
	return call != nil && !slices.ContainsFunc(call.Args, func(v ssa.Value) bool { return !isBrought(v) && !isConstant(v) })
}

// isConstant reports whether a value is a constant, as another type or not.
func isConstant(v ssa.Value) bool {
	if c, ok := v.(*ssa.Convert); ok {
		v = c.X
	}
	_, ok := v.(*ssa.Const)
	return ok
}

// isBrought reports whether a value is one that callers bring along: a parameter, and not the
// object of a method.
func isBrought(v ssa.Value) bool {
	p, ok := v.(*ssa.Parameter)
	return ok && (p.Parent().Signature.Recv() == nil || p.Parent().Params[0] != p)
}

func isContext(t types.Type) bool {
	named := ssaprog.Named(t)
	return named != nil && named.Pkg() != nil && named.Pkg().Path() == "context"
}

func isMethodCall(c *ssa.CallCommon) bool {
	if c.IsInvoke() {
		return true
	}
	fn := c.StaticCallee()
	if fn == nil {
		return false
	}
	obj, ok := fn.Object().(*types.Func)
	return ok && obj.Signature().Recv() != nil
}

// canFail reports whether a call gives an error as well.
func canFail(call *ssa.CallCommon) bool {
	results := call.Signature().Results()
	return results.Len() > 1 && ssaprog.IsError(results.At(results.Len()-1).Type())
}
