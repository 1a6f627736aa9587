package reduce

import (
	"go/constant"
	"go/types"
	"strconv"

	"github.com/mapatom/mapatom/internal/reduce/register"
	"golang.org/x/tools/go/ssa"
)

// maxLeaves bounds the structs that are kept field by field. Keys and small
// records are; a struct of more leaves is one value.
const maxLeaves = 16

// isSplit reports whether values of type t are known leaf by leaf: structs,
// with the structs in them, of few leaves.
func isSplit(t types.Type) bool {
	_, isStruct := t.Underlying().(*types.Struct)
	return isStruct && leafCount(t, maxLeaves) <= maxLeaves
}

// leafCount counts the leaves of t. It gives up above limit.
func leafCount(t types.Type, limit int) int {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return 1
	}
	n := 0
	for i := 0; i < s.NumFields() && n <= limit; i++ {
		n += leafCount(s.Field(i).Type(), limit)
	}
	return n
}

// leafTypes lists the leaves of t, with names below prefix. It is t itself
// unless t is split.
func leafTypes(t types.Type, prefix string) (leaves []types.Type, names []string) {
	if !isSplit(t) {
		return []types.Type{t}, []string{prefix}
	}
	s := t.Underlying().(*types.Struct)
	for i := 0; i < s.NumFields(); i++ {
		ts, ns := leafTypes(s.Field(i).Type(), prefix+"_"+s.Field(i).Name())
		leaves, names = append(leaves, ts...), append(names, ns...)
	}
	return leaves, names
}

// fieldLeaves is the range of the leaves of a split struct that are those of
// one of its fields.
func fieldLeaves(t types.Type, field int) (lo, hi int) {
	s := t.Underlying().(*types.Struct)
	for i := 0; i < field; i++ {
		lo += leafCount(s.Field(i).Type(), maxLeaves)
	}
	return lo, lo + leafCount(s.Field(field).Type(), maxLeaves)
}

// compose makes one value of the leaves of a split type. Equal leaves give
// equal values: a composite key is the same cell's wherever it is built.
func (l *lowerer) compose(t types.Type, leaves []register.Operand) register.Operand {
	if !isSplit(t) {
		return leaves[0]
	}
	s := t.Underlying().(*types.Struct)
	zero := true
	var parts []register.Operand
	for i := 0; i < s.NumFields(); i++ {
		lo, hi := fieldLeaves(t, i)
		part := l.compose(s.Field(i).Type(), leaves[lo:hi])
		zero = zero && part == register.Lit(zeroText(s.Field(i).Type()))
		parts = append(parts, part)
	}
	if zero {
		return register.Lit(zeroText(t))
	}
	return l.pure("s", register.StructOf+typeName(t), parts...)
}

// split gives the leaves of a value of a split type.
func (l *lowerer) split(v ssa.Value) []register.Operand {
	if ls, ok := l.leaves[v]; ok {
		return ls
	}
	if c, ok := v.(*ssa.Const); ok && c.Value == nil {
		return l.zeroLeaves(v.Type())
	}
	return l.splitOperand(v.Type(), l.operand(v))
}

// splitOperand takes a whole value of a split type apart.
func (l *lowerer) splitOperand(t types.Type, whole register.Operand) []register.Operand {
	if !isSplit(t) {
		return []register.Operand{whole}
	}
	s := t.Underlying().(*types.Struct)
	var leaves []register.Operand
	for i := 0; i < s.NumFields(); i++ {
		leaves = append(leaves, l.splitOperand(s.Field(i).Type(), l.fieldFrom(whole, s.Field(i).Name(), t, i))...)
	}
	return leaves
}

// fieldFrom is a field of a value of type t.
func (l *lowerer) fieldFrom(whole register.Operand, hint string, t types.Type, field int) register.Operand {
	part := l.fieldOfValue(hint, l.fieldOf(t, field), field, whole)
	l.P.Declare(part.Local, typeOf(t.Underlying().(*types.Struct).Field(field).Type()))
	return part
}

// fieldOfValue is the field of a struct with the name that fieldOf gives it.
func (l *lowerer) fieldOfValue(hint, name string, field int, whole register.Operand) register.Operand {
	o := l.pure(hint, register.FieldOf+name, whole)
	l.emitted().Part = int32(field) + 1
	return o
}

func (l *lowerer) zeroLeaves(t types.Type) []register.Operand {
	types, _ := leafTypes(t, "")
	var leaves []register.Operand
	for _, leaf := range types {
		leaves = append(leaves, l.zero(leaf))
	}
	return leaves
}

// operand is the operand for a value, emitting what it takes to compose it.
// A value that is not known, which no well-formed SSA has, is unknown.
func (l *lowerer) operand(v ssa.Value) register.Operand {
	if o, ok := l.vals[v]; ok {
		return o
	}
	if leaves, ok := l.leaves[v]; ok {
		return l.compose(v.Type(), leaves)
	}
	switch v := v.(type) {
	case *ssa.Const:
		return l.constant(v)
	case *ssa.Global:
		return register.Lit(globalName(v))
	case *ssa.Function:
		return register.Lit(globalName(v))
	case *ssa.Builtin:
		return register.Lit("&" + v.Name())
	case *ssa.FieldAddr, *ssa.IndexAddr:
		return l.address(v)
	case *ssa.Alloc:
		return l.objectOperand(v)
	}
	if elems, ok := l.lists[v]; ok {
		return l.pure("args", "slice", l.operands(elems)...)
	}
	return l.unknown(v.Name(), "value")
}

func (l *lowerer) operands(vs []ssa.Value) []register.Operand {
	var ops []register.Operand
	for _, v := range vs {
		ops = append(ops, l.operand(v))
	}
	return ops
}

// constant is the literal for a constant, or what stands for a zero value.
func (l *lowerer) constant(c *ssa.Const) register.Operand {
	if c.Value == nil {
		return l.zero(c.Type())
	}
	switch c.Value.Kind() {
	case constant.String:
		return register.Str(constant.StringVal(c.Value))
	case constant.Bool, constant.Int, constant.Float:
		return register.Lit(numberText(c))
	default:
		return register.Lit("{" + c.Value.ExactString() + "}")
	}
}

// ConstLiteral is the literal for a constant, as a cell can hold it; empty for the
// zero value of a type parameter, of which nothing is known.
func ConstLiteral(c *ssa.Const) register.Value {
	switch {
	case c.Value == nil && isTypeParam(c.Type()):
		return ""
	case c.Value == nil:
		return register.Value(zeroText(c.Type()))
	}
	var l lowerer
	return register.Value(l.constant(c).Lit)
}

// numberText is the literal for a number or a truth value: exactly what the type can
// hold, if it is a fraction.
func numberText(c *ssa.Const) string {
	exact := c.Value.ExactString()
	if kind := typeOf(c.Type()).Kind; kind.IsFloat() {
		if text, ok := register.Real(kind, exact); ok {
			return text
		}
	}
	return exact
}

// zero is the zero value of a type. For a type parameter it is a parameter:
// the caller knows.
func (l *lowerer) zero(t types.Type) register.Operand {
	if tp, ok := types.Unalias(t).(*types.TypeParam); ok {
		if z, ok := l.zeros[tp.Obj().Name()]; ok {
			return register.L(z)
		}
	}
	return register.Lit(zeroText(t))
}

// ZeroLiteral is the literal for the zero value of a type, as Cell.Zero has
// it. Of a type parameter it is nil: whoever reads such a cell in a generic
// function has to make up for that, as Lower does.
func ZeroLiteral(t types.Type) string {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return register.LitNil
	}
	return zeroText(t)
}

func zeroText(t types.Type) string {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return "{zero " + typeName(t) + "}"
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return register.LitFalse
		case u.Info()&types.IsString != 0:
			return strconv.Quote("")
		case u.Info()&types.IsNumeric != 0:
			return "0"
		}
		return register.LitNil
	case *types.Struct, *types.Array:
		return "{zero " + typeName(t) + "}"
	default:
		return register.LitNil
	}
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// isPointerLike reports whether values of type t refer to something that has
// an identity.
func isPointerLike(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Chan, *types.Slice, *types.Signature, *types.Interface:
		return !isTypeParam(t)
	}
	return false
}

// use counts how often the result i of a value is used, at most to one.
func used(v ssa.Value, i int) bool {
	if v == nil || v.Referrers() == nil {
		return false
	}
	_, isTuple := v.Type().(*types.Tuple)
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.Extract:
			if ref.Index == i || !isTuple {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// Checks for nil.

// notNil emits the panic of using v while it is nil, unless v cannot be, or
// this has been checked on the way here.
func (l *lowerer) notNil(v ssa.Value, label string) {
	if neverNil(v) {
		return
	}
	o := l.operand(v)
	if o.IsLit() && o.Lit != register.LitNil || l.knownNonNil(o) {
		return
	}
	l.checkNil(v, o, label)
}

// checkNil emits the check itself, of the operand that stands for v.
func (l *lowerer) checkNil(v ssa.Value, o register.Operand, label string) {
	isNil, next := l.branch(l.pure("isnil", "eq", o, register.Lit(register.LitNil)))
	l.cur = isNil
	l.fail(v, label)
	l.cur = next
	l.setNonNil(l.block, o)
}

const nilDereference = "nil dereference"

// neverNil reports whether v is an address or something else just made.
func neverNil(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Function, *ssa.Builtin,
		*ssa.MakeClosure, *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeSlice, *ssa.MakeInterface:
		return true
	case *ssa.FreeVar:
		return v.Parent() != nil && v.Parent().Parent() != nil
	case *ssa.ChangeType:
		return neverNil(v.X)
	default:
		return false
	}
}

func (l *lowerer) setNonNil(b *ssa.BasicBlock, o register.Operand) {
	if b == nil || o.IsLit() {
		return
	}
	if l.nonNil[b] == nil {
		l.nonNil[b] = map[register.Operand]bool{}
	}
	l.nonNil[b][o] = true
}

func (l *lowerer) knownNonNil(o register.Operand) bool {
	for b := l.block; b != nil; b = b.Idom() {
		if l.nonNil[b][o] {
			return true
		}
	}
	return false
}

// learnNil notes what the only way into b has compared with nil.
func (l *lowerer) learnNil(b *ssa.BasicBlock) {
	if len(b.Preds) != 1 || len(b.Preds[0].Succs) != 2 {
		return
	}
	instrs := b.Preds[0].Instrs
	branch, ok := instrs[len(instrs)-1].(*ssa.If)
	if !ok {
		return
	}
	cmp, ok := branch.Cond.(*ssa.BinOp)
	if !ok || cmp.Op.String() != "==" && cmp.Op.String() != "!=" {
		return
	}
	if c, ok := cmp.Y.(*ssa.Const); !ok || !c.IsNil() {
		return
	}
	if o, ok := l.vals[cmp.X]; ok && (cmp.Op.String() == "!=") == (b.Preds[0].Succs[0] == b) {
		l.setNonNil(b, o)
	}
}
