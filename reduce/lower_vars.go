package reduce

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/mapatom/mapatom/internal/reduce/ways"
	"golang.org/x/tools/go/ssa"
)

// newVariable makes the locals of a variable at addr.
func (l *lowerer) newVariable(addr ssa.Value, name string) *variable {
	v := &variable{typ: pointee(addr.Type()), volatile: l.caps.isVolatile(addr)}
	if v.volatile {
		return v
	}
	_, names := leafTypes(v.typ, name)
	for _, n := range names {
		v.locals = append(v.locals, l.Local(n))
	}
	return v
}

// capturedVariable is the variable that a closure captures; nil if fv is a
// value, or the address of an object.
func (l *lowerer) capturedVariable(fv *ssa.FreeVar) *variable {
	if !l.caps.isVariable(fv) {
		return nil
	}
	v := l.newVariable(fv, fv.Name())
	v.out = !v.volatile && assigns(fv)
	return v
}

// outs are the captured variables that the function assigns, to be returned
// after its results.
func (l *lowerer) outs() []register.Operand {
	var outs []register.Operand
	for _, fv := range l.fn.FreeVars {
		if v := l.vars[fv]; v != nil && v.out {
			outs = append(outs, locals(v.locals)...)
		}
	}
	return outs
}

// bound is what a closure captures: the locals of the variables that it
// assigns, and the operands for all others.
type bound struct {
	outs []register.Local
	ins  []register.Operand
}

// bindings are what the closure mc of fn captures.
func (l *lowerer) bindings(fn *ssa.Function, mc *ssa.MakeClosure) bound {
	var b bound
	for i, fv := range fn.FreeVars {
		if mc == nil || i >= len(mc.Bindings) {
			return b
		}
		v := l.vars[mc.Bindings[i]]
		switch {
		case v == nil:
			b.ins = append(b.ins, l.operand(mc.Bindings[i]))
		case v.volatile:
		case assigns(fv):
			b.outs = append(b.outs, v.locals...)
		default:
			b.ins = append(b.ins, locals(v.locals)...)
		}
	}
	return b
}

// closureValue is a closure as a value: two of the same function that captured
// the same values are the same. One that is only called in plain sight is no
// value, see funcArg.
func (l *lowerer) closureValue(mc *ssa.MakeClosure) {
	fn, ok := mc.Fn.(*ssa.Function)
	if !ok || !calls.IsBound(fn) && l.caps.isSeen(mc) {
		l.vals[mc] = register.Lit("{closure " + mc.Fn.Name() + "}")
		return
	}
	b := l.bindings(fn, mc)
	ins := l.zeroArgs(fn)
	for i, o := range b.ins { // by the time it is called, it may be another
		if l.isReassigned(o, mc) {
			b.ins[i] = l.unknown("captured", "captured variable")
		}
	}
	l.vals[mc] = l.pure(mc.Name(), register.Closure+l.key(fn), append(ins, b.ins...)...)
}

// key is FuncKey, noting which function has it.
func (l *lowerer) key(fn *ssa.Function) string {
	k := calls.FuncKey(fn)
	l.funcs[k] = fn
	return k
}

// isReassigned reports whether a local is that of a variable that can be assigned after a closure was
// made. What was assigned before is what it has by then: a name that is cleaned first, for example.
func (l *lowerer) isReassigned(o register.Operand, mc *ssa.MakeClosure) bool {
	for addr, v := range l.vars {
		if a, ok := addr.(*ssa.Alloc); ok && slices.Contains(v.locals, o.Local) {
			return assignedAfter(a, mc, a.Block())
		}
	}
	return false
}

// assignedAfter reports whether a variable, given by its address or that of a part of it, can be assigned
// after a closure was made, or by another one. When its declaration is come to again, it is another variable.
func assignedAfter(addr ssa.Value, mc *ssa.MakeClosure, declared *ssa.BasicBlock) bool {
	return slices.ContainsFunc(*addr.Referrers(), func(ref ssa.Instruction) bool {
		switch ref := ref.(type) {
		case *ssa.Store:
			return ways.Earlier(mc, ref) || ways.Reaches(mc.Block(), ref.Block(), declared)
		case *ssa.FieldAddr:
			return assignedAfter(ref, mc, declared)
		case *ssa.IndexAddr:
			return assignedAfter(ref, mc, declared)
		case *ssa.MakeClosure:
			return ref != mc && slices.ContainsFunc(boundTo(ref, addr), func(fv *ssa.FreeVar) bool { return assigns(fv) })
		}
		return false
	})
}

// funcArg is a function as an argument of a call that may be inlined, with the
// variables that it assigns when it is called: the call assigns them.
func (l *lowerer) funcArg(v ssa.Value) (register.Operand, []register.Local) {
	fn, mc := l.caps.closure(v)
	switch {
	case fn == nil, mc == nil && len(fn.Blocks) == 0, mc != nil && (calls.IsBound(fn) || !l.caps.isSeen(mc)):
		return l.operand(v), nil
	}
	return l.closureTerm(fn, mc)
}

// closureTerm is a function as a value with what it captures now.
func (l *lowerer) closureTerm(fn *ssa.Function, mc *ssa.MakeClosure) (register.Operand, []register.Local) {
	b := l.bindings(fn, mc)
	args := append(append(locals(b.outs), l.zeroArgs(fn)...), b.ins...)
	return l.pure("f", register.Closure+l.key(fn), args...), b.outs
}
