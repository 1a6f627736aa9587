package reduce

import (
	"go/token"
	"go/types"

	"github.com/mapatom/mapatom/internal/reduce/calls"
	"golang.org/x/tools/go/ssa"
)

// Local variables whose address is taken are of two kinds. One whose address
// only serves to load and store it, or a part of it, here or in closures, is
// a variable: it becomes locals. One whose address goes elsewhere is an
// object (see lower_object.go).

// captures decides that, for one function and the closures around and in it.
// The answers are the same in all of these functions.
type captures struct {
	res      calls.Resolver
	variable map[ssa.Value]bool
	volatile map[ssa.Value]bool
	called   map[ssa.Value]bool
	asked    []ssa.Value // the functions of called, in order
}

func newCaptures(r calls.Resolver) *captures {
	return &captures{
		res: r, variable: map[ssa.Value]bool{},
		volatile: map[ssa.Value]bool{}, called: map[ssa.Value]bool{},
	}
}

// CapturedVariable is the Alloc whose address v is, v being an Alloc or the free
// variable of a closure, through closures in closures; nil if it is something
// else, or not known.
func CapturedVariable(v ssa.Value) *ssa.Alloc {
	for v != nil {
		if a, ok := v.(*ssa.Alloc); ok {
			return a
		}
		v = calls.Captured(v)
	}
	return nil
}

// isVariable reports whether the address v, an Alloc or a free variable, is
// that of a variable.
func (c *captures) isVariable(v ssa.Value) bool {
	a := CapturedVariable(v)
	if a == nil {
		return false
	}
	if _, ok := c.variable[a]; !ok {
		c.variable[a] = onlyAccessed(a)
	}
	return c.variable[a]
}

// onlyAccessed reports whether addr is only used to load and store.
func onlyAccessed(addr ssa.Value) bool {
	if addr.Referrers() == nil {
		return false
	}
	for _, ref := range *addr.Referrers() {
		if !isAccess(addr, ref) {
			return false
		}
	}
	return true
}

func isAccess(addr ssa.Value, ref ssa.Instruction) bool {
	switch ref := ref.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.Store:
		return ref.Addr == addr && ref.Val != addr
	case *ssa.UnOp:
		return ref.Op == token.MUL
	case *ssa.FieldAddr:
		return onlyAccessed(ref)
	case *ssa.IndexAddr:
		return ref.X == addr && isArrayPointer(addr.Type()) && onlyAccessed(ref)
	case *ssa.MakeClosure:
		for _, fv := range boundTo(ref, addr) {
			if fv.Parent().Parent() == nil || !onlyAccessed(fv) {
				return false
			}
		}
		return true
	default:
		return false
	}
}

func isArrayPointer(t types.Type) bool {
	_, ok := pointee(t).Underlying().(*types.Array)
	return ok
}

// boundTo lists the free variables of the closure that are bound to v.
func boundTo(mc *ssa.MakeClosure, v ssa.Value) []*ssa.FreeVar {
	fn := mc.Fn.(*ssa.Function)
	var fvs []*ssa.FreeVar
	for i, b := range mc.Bindings {
		if b == v && i < len(fn.FreeVars) {
			fvs = append(fvs, fn.FreeVars[i])
		}
	}
	return fvs
}

// isVolatile reports whether the variable v may change at any time: a closure
// that assigns it may run at any time, because it is not known where it goes.
func (c *captures) isVolatile(v ssa.Value) bool {
	a := CapturedVariable(v)
	if a == nil {
		return true
	}
	if _, ok := c.volatile[a]; !ok {
		c.volatile[a] = false // while looking: closures can be recursive
		c.volatile[a] = c.assignedUnseen(a)
	}
	return c.volatile[a]
}

func (c *captures) assignedUnseen(v ssa.Value) bool {
	for _, ref := range *v.Referrers() {
		mc, ok := ref.(*ssa.MakeClosure)
		if !ok {
			continue
		}
		seen := c.isSeen(mc)
		for _, fv := range boundTo(mc, v) {
			if !seen && assigns(fv) || c.assignedUnseen(fv) {
				return true
			}
		}
	}
	return false
}

// assigns reports whether the variable whose address is addr is assigned, as
// a whole or in part, by the function that addr belongs to or a closure in it.
func assigns(addr ssa.Value) bool {
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			return true
		case *ssa.FieldAddr:
			if assigns(ref) {
				return true
			}
		case *ssa.IndexAddr:
			if assigns(ref) {
				return true
			}
		case *ssa.MakeClosure:
			for _, fv := range boundTo(ref, addr) {
				if assigns(fv) {
					return true
				}
			}
		}
	}
	return false
}

// isSeen reports whether all calls of the closure are in plain sight: calls
// and defers of it in the function that makes it, directly or through a
// variable, goroutines that are waited for at once, operations known to call it before they return, and functions to
// be inlined that do no more with it than that. The body of a range over a
// function cannot be called after the loop.
func (c *captures) isSeen(mc *ssa.MakeClosure) bool {
	return isYield(mc.Fn) || c.onlyCalled(mc)
}

// isYield reports whether f is the body of a range over a function.
func isYield(f ssa.Value) bool {
	fn, ok := f.(*ssa.Function)
	return ok && fn.Synthetic == "range-over-func yield"
}

// onlyCalled is isSeen for any function value: a closure, a parameter, or a
// load of a variable that holds one.
func (c *captures) onlyCalled(f ssa.Value) bool {
	if seen, ok := c.called[f]; ok {
		return seen
	}
	c.called[f] = true // while looking: functions can be recursive
	begun := len(c.asked)
	c.asked = append(c.asked, f)
	if !c.lookOnlyCalled(f) {
		// What was said of others meanwhile may rest on that: they are asked again.
		for _, g := range c.asked[begun:] {
			if c.called[g] {
				delete(c.called, g)
			}
		}
		c.called[f] = false
	}
	return c.called[f]
}

func (c *captures) lookOnlyCalled(f ssa.Value) bool {
	if f.Referrers() == nil {
		return false
	}
	for _, ref := range *f.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.ChangeType:
			if !c.onlyCalled(ref) {
				return false
			}
		case *ssa.Store:
			a, ok := ref.Addr.(*ssa.Alloc)
			if !ok || ref.Val != f || !c.isHolder(a) {
				return false
			}
		case *ssa.Call, *ssa.Defer:
			if !c.isCalledBy(f, ref.(ssa.CallInstruction)) {
				return false
			}
		case *ssa.Go:
			if literal := calls.Joined(ref); literal == nil || ssa.Value(literal) != f {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isHolder reports whether the variable at a holds a function, once assigned,
// and is only loaded to call it.
func (c *captures) isHolder(a *ssa.Alloc) bool {
	return onlyStored(a) != nil && c.onlyLoaded(a)
}

// onlyLoaded reports whether the variable at addr is only loaded to call it,
// apart from stores; here or in closures that are in plain sight.
func (c *captures) onlyLoaded(addr ssa.Value) bool {
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if ref.Addr != addr {
				return false
			}
		case *ssa.UnOp:
			if ref.Op != token.MUL || !c.onlyCalled(ref) {
				return false
			}
		case *ssa.MakeClosure:
			if !c.isSeen(ref) {
				return false
			}
			for _, fv := range boundTo(ref, addr) {
				if !c.onlyLoaded(fv) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// isCalledBy reports whether all that call does with f is to call it: as its
// function, or in turn.
func (c *captures) isCalledBy(f ssa.Value, call ssa.CallInstruction) bool {
	common := call.Common()
	at, passed := -1, 0
	callee, args := calls.Callee(call)
	for i, arg := range args {
		if arg == f {
			at, passed = i, passed+1
		}
	}
	if passed == 0 {
		return common.Value == f && !common.IsInvoke()
	}
	if passed > 1 || common.Value == f {
		return false
	}
	if callee != nil && callee.Parent() != nil {
		return c.paramOnlyCalled(callee, at)
	}
	if g := c.started(call); g != nil {
		return g == f
	}
	switch info := c.res.Call(call.Parent(), call); {
	case info.Kind == calls.Once:
		return info.Callback == f
	case info.Kind == calls.Base && info.Base != nil:
		return info.Base.Callback == f
	case info.Kind == calls.Inline && callee != nil:
		return c.paramOnlyCalled(callee, at)
	}
	return false
}

// paramOnlyCalled is onlyCalled for a parameter of a function with a body.
func (c *captures) paramOnlyCalled(fn *ssa.Function, i int) bool {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	return len(fn.Blocks) > 0 && i < len(fn.Params) && c.onlyCalled(fn.Params[i])
}

// closure is the function that a call of f runs, and the closure that it is
// made of unless it needs none; both are nil if that is not known.
func (c *captures) closure(f ssa.Value) (*ssa.Function, *ssa.MakeClosure) {
	switch f := calls.StripFunc(f).(type) {
	case *ssa.Function:
		return f, nil
	case *ssa.MakeClosure:
		fn, _ := f.Fn.(*ssa.Function)
		return fn, f
	case *ssa.UnOp:
		a, ok := f.X.(*ssa.Alloc)
		if !ok || f.Op != token.MUL {
			return nil, nil
		}
		if mc, ok := onlyStored(a).(*ssa.MakeClosure); ok && c.isHolder(a) {
			fn, _ := mc.Fn.(*ssa.Function)
			return fn, mc
		}
	}
	return nil, nil
}

// onlyStored is the value of the only store to a; nil if there are several.
func onlyStored(a *ssa.Alloc) ssa.Value {
	var stored ssa.Value
	for _, ref := range *a.Referrers() {
		if st, ok := ref.(*ssa.Store); ok {
			if stored != nil {
				return nil
			}
			stored = calls.StripFunc(st.Val)
		}
	}
	return stored
}
