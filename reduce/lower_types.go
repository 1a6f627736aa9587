package reduce

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"golang.org/x/tools/go/ssa"
)

// basicKinds are the kinds of the basic types.
var basicKinds = map[types.BasicKind]register.TypeKind{
	types.Bool: register.Bool, types.UntypedBool: register.Bool,
	types.String: register.String, types.UntypedString: register.String,
	types.Int: register.Int, types.Int8: register.Int8, types.Int16: register.Int16,
	types.Int32: register.Int32, types.Int64: register.Int64,
	types.Uint: register.Uint, types.Uint8: register.Uint8, types.Uint16: register.Uint16,
	types.Uint32: register.Uint32, types.Uint64: register.Uint64, types.Uintptr: register.Uintptr,
	types.Float32: register.Float32, types.Float64: register.Float64,
	types.Complex64: register.Complex, types.Complex128: register.Complex,
	types.UnsafePointer: register.Pointer,
}

// TypeOf is a type of Go in the language of registers. Nothing is known of what an
// interface, or a variable of a type parameter's type, holds.
func typeOf(t types.Type) register.Type {
	if t == nil || isTypeParam(t) {
		return register.Type{}
	}
	kind := register.Pointer
	switch u := t.Underlying().(type) {
	case *types.Basic:
		kind = basicKinds[u.Kind()]
		if types.Unalias(t) == types.Typ[u.Kind()] && kind != register.Complex && kind != register.Pointer {
			return register.Type{Kind: kind}
		}
	case *types.Interface, *types.Tuple:
		return register.Type{}
	case *types.Struct, *types.Array:
		kind = register.Aggregate
	}
	if kind == register.NoType {
		return register.Type{}
	}
	return register.Type{Kind: kind, Name: typeName(t)}
}

// arithmeticType is what an operator works at: a number without a type is an int.
func arithmeticType(t types.Type) register.Type {
	kind := typeOf(t).Kind
	if kind == register.Int {
		kind = register.NoType
	}
	return register.Type{Kind: kind}
}

// typed emits an interpreted function that works at a type.
func (l *lowerer) typed(hint, name string, t register.Type, args ...register.Operand) register.Operand {
	d := l.Local(hint)
	l.emit(register.Instr{Op: register.Pure, Dst: []register.Local{d}, Name: name, Type: t, Args: args})
	return register.L(d)
}

// declareTypes gives locals whose definition does not say it the type that the
// value has for which they were made.
func (l *lowerer) declareTypes() {
	open := openLocals(l.P)
	declare := func(o register.Operand, t types.Type) {
		if o.Local != register.None && open[o.Local] {
			l.P.Declare(o.Local, typeOf(t))
			open[o.Local] = false // the first to have it is the one it was made for
		}
	}
	value := func(v ssa.Value) {
		if leaves, ok := l.leaves[v]; ok {
			ts, _ := leafTypes(v.Type(), "")
			for i, o := range leaves[:min(len(leaves), len(ts))] {
				declare(o, ts[i])
			}
			return
		}
		if tuple, ok := v.Type().(*types.Tuple); ok {
			for i, o := range l.tuples[v] {
				declare(o, tuple.At(i).Type())
			}
			return
		}
		if o, ok := l.vals[v]; ok {
			declare(o, v.Type())
		}
	}
	for _, v := range l.fn.Params {
		value(v)
	}
	for _, v := range l.fn.FreeVars {
		if _, captured := l.vars[v]; !captured {
			value(v)
		}
	}
	for _, b := range l.fn.Blocks {
		for _, instr := range b.Instrs {
			if v, ok := instr.(ssa.Value); ok && defines(v) {
				value(v)
			}
		}
	}
}

// openLocals are the locals whose only definition does not say what type they have:
// parameters, results of calls, and of functions that are not interpreted.
func openLocals(p *register.Program) []bool {
	open := make([]bool, len(p.Names))
	for _, l := range p.Params {
		open[l] = true
	}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			plain := in.Op == register.Unknown || in.Op == register.Call || in.Op == register.Pure && !register.Interpreted[in.Name]
			in.Defs(func(l register.Local) { open[l] = plain })
		}
	}
	return open
}

// defines reports whether a value is not another one seen at another type.
func defines(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.TypeAssert, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.Phi, *ssa.Slice,
		*ssa.SliceToArrayPointer, *ssa.Range:
		return false
	}
	return true
}

// boxed is the operand for a value put in an interface. That changes nothing if the
// value says its type itself. A number of another type than int gets its type with it,
// and a nil pointer is not nil there.
func (l *lowerer) boxed(v *ssa.MakeInterface) register.Operand {
	t := typeOf(v.X.Type())
	switch {
	case t.Kind == register.Pointer:
		return l.boxedPointer(v.X, l.operand(v.X))
	case t.Kind == register.NoType || t.Kind == register.Aggregate || t.Kind == register.Complex || t.IsDefault():
		return l.operand(v.X)
	default:
		return l.box(t, l.operand(v.X), l.hint(v.X))
	}
}

// boxedPointer is v, which is o here, as an interface holds it: nil there if it is nil
// only if it is no pointer.
func (l *lowerer) boxedPointer(v ssa.Value, o register.Operand) register.Operand {
	t := typeOf(v.Type())
	c, isConst := v.(*ssa.Const)
	switch {
	case t.Kind != register.Pointer:
		return o
	case isConst && c.Value == nil:
		return register.Lit(register.BoxedNil(t))
	case calls.MayBeNil(v) || l.putsNil(v.Type()) && !neverNil(v):
		isNil := l.pure("isnil", "eq", o, register.Lit(register.LitNil))
		return l.pure(l.hint(v), "choose", isNil, register.Lit(register.BoxedNil(t)), o)
	default:
		return o
	}
}

func (l *lowerer) box(t register.Type, o register.Operand, hint string) register.Operand {
	if o.IsLit() {
		if v, ok, err := register.Fold("box", t, []register.Value{register.Value(o.Lit)}); ok && err == nil {
			return register.Lit(string(v))
		}
	}
	return l.typed(hint, "box", t, o)
}

// typeAssert panics on nil, or tests for the type. Nil has no type. That an
// assertion without a test fails on another type is not modelled: who writes it
// knows what the map holds.
func (l *lowerer) typeAssert(v *ssa.TypeAssert) {
	t := typeOf(v.AssertedType)
	x := l.operand(v.X)
	if !v.CommaOk {
		l.asserted(v, x)
		l.vals[v] = l.unboxed(v, t, x, l.hint(v))
		return
	}
	var ok register.Operand
	if t.Kind != register.NoType && fromAtomicValue(v.X) != nil {
		isNil := l.pure("isnil", "eq", x, register.Lit(register.LitNil))
		ok = l.pure(l.src.name(v.Pos(), 1, "ok"), "not", isNil)
	} else {
		ok = l.holdsType(v, t, x)
	}
	val := register.NoOperand
	if used(v, 0) {
		hint := l.hint(v)
		val = l.pure(hint, "choose", ok, l.unboxed(v, t, x, hint), l.zero(v.AssertedType))
	}
	l.tuples[v] = []register.Operand{val, ok}
}

const assertedNil = "interface conversion: interface is nil"

// asserted emits the panic of an assertion that fails. In a generic function a nil that
// was stored is a value of the type parameter, as the nil of a pointer type is: only
// where nothing was found the assertion fails.
func (l *lowerer) asserted(v *ssa.TypeAssert, x register.Operand) {
	there, known := l.there[x]
	switch {
	case !known || !isTypeParam(v.AssertedType):
		l.notNil(v.X, assertedNil)
	case !there.IsLit():
		found, missing := l.branch(there)
		l.cur = missing
		l.fail(v.X, assertedNil)
		l.cur = found
	}
}

// fromAtomicValue is the call that v is the result of, if v is what an atomic.Value holds: all that it ever
// holds is of one type, so that who asks for that type asks whether there is anything. It is nil for anything else.
func fromAtomicValue(v ssa.Value) *ssa.Call {
	call, ok := onlyHeld(v).(*ssa.Call)
	if !ok {
		return nil
	}
	fn, _ := calls.Callee(call)
	if fn == nil || fn.Signature.Recv() == nil {
		return nil
	}
	recv, ok := types.Unalias(fn.Signature.Recv().Type()).(*types.Pointer)
	if !ok {
		return nil
	}
	named, ok := types.Unalias(recv.Elem()).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "sync/atomic" || named.Obj().Name() != "Value" {
		return nil
	}
	return call
}

// onlyHeld is v, or what is stored in the variable that v is the value of, if that is assigned once, as
// one is that a closure captures.
func onlyHeld(v ssa.Value) ssa.Value {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return v
	}
	a := CapturedVariable(load.X)
	if a == nil || !onlyAccessed(a) {
		return v
	}
	for _, ref := range *a.Referrers() {
		if mc, ok := ref.(*ssa.MakeClosure); ok && slices.ContainsFunc(boundTo(mc, a), func(fv *ssa.FreeVar) bool { return assigns(fv) }) {
			return v
		}
	}
	if stored := onlyStored(a); stored != nil {
		return stored
	}
	return v
}

// differInType reports whether x is what an atomic.Value holds, and y is of another type than all
// that the function takes out of it: see fromAtomicValue.
func (l *lowerer) differInType(x, y ssa.Value) bool {
	boxed, ok := y.(*ssa.MakeInterface)
	held := fromAtomicValue(x)
	if !ok || held == nil {
		return false
	}
	asked := false
	for _, b := range l.fn.Blocks {
		for _, in := range b.Instrs {
			a, ok := in.(*ssa.TypeAssert)
			if !ok || types.IsInterface(a.AssertedType) {
				continue
			}
			if of := fromAtomicValue(a.X); of == nil || !sameReceiver(of, held) {
				continue
			}
			if types.Identical(a.AssertedType, boxed.X.Type()) {
				return false
			}
			asked = true
		}
	}
	return asked
}

// assertedOther reports whether x has been asserted to be of another type than y is where the two are compared.
func assertedOther(x, y ssa.Value, at *ssa.BinOp) bool {
	boxed, ok := y.(*ssa.MakeInterface)
	if !ok || x.Referrers() == nil || !isWhole(boxed.X.Type()) {
		return false
	}
	return slices.ContainsFunc(*x.Referrers(), func(ref ssa.Instruction) bool {
		a, ok := ref.(*ssa.TypeAssert)
		if !ok || a.CommaOk || !isWhole(a.AssertedType) || types.Identical(a.AssertedType, boxed.X.Type()) {
			return false
		}
		before, b := a.Block(), at.Block()
		return before != b && before.Dominates(b) || before == b && slices.Index(b.Instrs, ssa.Instruction(a)) < slices.Index(b.Instrs, ssa.Instruction(at))
	})
}

// isWhole reports whether a type is one that has a name, and no part of it is a type parameter, or a pointer to such a one.
func isWhole(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return true
	case *types.Named:
		return t.TypeArgs().Len() == 0 && t.TypeParams().Len() == 0 && !types.IsInterface(t)
	case *types.Pointer:
		return isWhole(t.Elem())
	}
	return false
}

// sameReceiver reports whether two methods are called on the same variable, or field of one.
func sameReceiver(a, b *ssa.Call) bool {
	x, y := a.Call.Args[0], b.Call.Args[0]
	f, isField := x.(*ssa.FieldAddr)
	g, areFields := y.(*ssa.FieldAddr)
	return x == y || isField && areFields && f.X == g.X && f.Field == g.Field
}

// holdsType is the answer of an assertion that asks.
func (l *lowerer) holdsType(v *ssa.TypeAssert, t register.Type, x register.Operand) register.Operand {
	hint := l.src.name(v.Pos(), 1, "ok")
	if t.Kind != register.NoType {
		return l.typed(hint, "is", t, x)
	}
	is := l.Typed("is", register.Type{Kind: register.Bool})
	l.emit(register.Instr{Op: register.Pure, Dst: []register.Local{is}, Name: "implements " + typeName(v.AssertedType), Args: []register.Operand{x}})
	isNil := l.pure("isnil", "eq", x, register.Lit(register.LitNil))
	return l.pure(hint, "choose", isNil, register.Lit(register.LitFalse), register.L(is))
}

// unboxed is what an interface holds that holds a value of a type. Whether it is a
// nil pointer only matters if the function asks, or if somebody puts one in.
func (l *lowerer) unboxed(v *ssa.TypeAssert, t register.Type, x register.Operand, hint string) register.Operand {
	switch {
	case t.Kind == register.Pointer && (calls.NilMatters(v, 0) || l.holdsNil(v.AssertedType)):
		return l.unboxedPointer(t, x, hint)
	case t.Kind == register.NoType || t.Kind >= register.Complex || t.IsDefault():
		return x
	default:
		return l.typed(hint, "unbox", t, x)
	}
}

func (l *lowerer) unboxedPointer(t register.Type, x register.Operand, hint string) register.Operand {
	null := l.pure("isnil", "eq", x, register.Lit(register.BoxedNil(t)))
	return l.pure(hint, "choose", null, register.Lit(register.LitNil), x)
}

// putsNil reports whether the package puts a nil of a pointer type in an interface.
func (l *lowerer) putsNil(t types.Type) bool {
	r, ok := l.res.(calls.Nils)
	return ok && r.PutsNil(t)
}

// holdsNil reports whether an interface may hold a nil of a pointer type: somebody puts
// one there, or the function asks another one that it has taken out.
func (l *lowerer) holdsNil(t types.Type) bool {
	return l.putsNil(t) || calls.AsksForNil(l.fn, t)
}

// operators are the pure functions for binary operators.
var operators = map[token.Token]string{
	token.ADD: "add", token.SUB: "sub", token.MUL: "mul", token.QUO: "quo", token.REM: "rem",
	token.SHL: "shl", token.SHR: "shr", token.AND: "and", token.OR: "or", token.XOR: "xor",
	token.AND_NOT: "andnot", token.LSS: "lt", token.LEQ: "le",
}

func (l *lowerer) binop(v *ssa.BinOp) register.Operand {
	x, y := l.operand(v.X), l.operand(v.Y)
	op, hint := v.Op, l.hint(v)
	if l.differInType(v.X, v.Y) || l.differInType(v.Y, v.X) || assertedOther(v.X, v.Y, v) || assertedOther(v.Y, v.X, v) {
		return register.Lit(strconv.FormatBool(op == token.NEQ)) // no other operator compares interfaces
	}
	if isNilConstant(v.X) && neverNil(v.Y) || isNilConstant(v.Y) && neverNil(v.X) {
		return register.Lit(strconv.FormatBool(op == token.NEQ)) // nor pointers with nil
	}
	switch op {
	case token.EQL:
		return l.equality(hint, v.X.Type(), x, y)
	case token.NEQ:
		return l.pure(hint, "not", l.equality("eq", v.X.Type(), x, y))
	case token.GTR:
		op, x, y = token.LSS, y, x
	case token.GEQ:
		op, x, y = token.LEQ, y, x
	}
	at, kind := arithmeticType(v.X.Type()), typeOf(v.X.Type()).Kind
	switch {
	case kind == register.String && op == token.ADD:
		return l.pure(hint, "concat", x, y)
	case kind == register.String, kind.IsFloat():
		return l.typed(hint, operators[op], at, x, y)
	case kind.IsInteger():
		l.mayPanic(v, x, y)
		return l.typed(hint, operators[op], at, x, y)
	default:
		return l.pure(hint, "op "+op.String(), x, y)
	}
}

func isNilConstant(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// equality compares two values of a type. A number that is none is not equal to
// itself, and a truth value that is compared with a constant is asked itself.
func (l *lowerer) equality(hint string, t types.Type, x, y register.Operand) register.Operand {
	at := typeOf(t)
	if x.IsLit() {
		x, y = y, x
	}
	switch {
	case at.Kind.IsFloat() || at.Kind == register.Complex:
		return l.typed(hint, "feq", register.Type{Kind: at.Kind}, x, y)
	case at.Kind == register.Bool && y == register.Lit(register.LitTrue):
		return x
	case at.Kind == register.Bool && y == register.Lit(register.LitFalse):
		return l.not(x)
	}
	return l.pure(hint, "eq", x, y)
}

// mayPanic emits the checks of operators on integers.
func (l *lowerer) mayPanic(v *ssa.BinOp, x, y register.Operand) {
	switch v.Op {
	case token.QUO, token.REM:
		if y.Lit == "0" || !y.IsLit() {
			l.panicIf(v.Y, l.pure("iszero", "eq", y, register.Lit("0")), "integer divide by zero")
		}
	case token.SHL, token.SHR:
		if count := typeOf(v.Y.Type()); !y.IsLit() && !count.Kind.IsUnsigned() {
			l.panicIf(v.Y, l.typed("negative", "lt", arithmeticType(v.Y.Type()), y, register.Lit("0")), "negative shift amount")
		}
	}
}

// panicIf emits a panic under a condition on a value.
func (l *lowerer) panicIf(about ssa.Value, cond register.Operand, label string) {
	panics, next := l.branch(cond)
	l.cur = panics
	l.fail(about, label)
	l.cur = next
}

// negative is -x.
func (l *lowerer) negative(v *ssa.UnOp) register.Operand {
	at, x := arithmeticType(v.X.Type()), l.operand(v.X)
	switch kind := typeOf(v.X.Type()).Kind; {
	case kind.IsInteger():
		return l.typed(l.hint(v), "sub", at, register.Lit("0"), x)
	case kind.IsFloat():
		return l.typed(l.hint(v), "neg", at, x)
	default:
		return l.pure(l.hint(v), "op -", x)
	}
}

// converted is a conversion that does not keep the value as it is.
func (l *lowerer) converted(v ssa.Value, x ssa.Value) register.Operand {
	from, to := typeOf(x.Type()).Kind, typeOf(v.Type()).Kind
	isNumber := func(k register.TypeKind) bool { return k.IsInteger() || k.IsFloat() }
	if isNumber(from) && isNumber(to) {
		return l.typed(l.hint(v), "convert", register.Type{Kind: to}, l.operand(x))
	}
	return l.pure(l.hint(v), "convert:"+typeName(v.Type()), l.operand(x))
}

// contentType is the type of what a base operation's cell holds.
func contentType(s *callSite, b *calls.BaseCall) register.Type {
	for _, v := range []ssa.Value{b.Value, b.New, b.Old, b.Delta} {
		if v != nil {
			return typeOf(v.Type())
		}
	}
	sig := signature(s.c)
	for i, r := range b.Results {
		if (r == calls.RoleOld || r == calls.RoleActual || r == calls.RoleNew) && sig != nil && i < sig.Results().Len() {
			return typeOf(sig.Results().At(i).Type())
		}
	}
	return register.Type{}
}
