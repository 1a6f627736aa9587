package ssaprog

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/mapatom/mapatom/internal/analyzer/catalog"
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/mapatom/mapatom/reduce"
	"golang.org/x/tools/go/ssa"
)

// baseKinds are the operations that differ in nothing but the name.
var baseKinds = map[catalog.Kind]calls.BaseKind{
	catalog.Load: calls.BaseLoad, catalog.Store: calls.BaseStore,
	catalog.Delete: calls.BaseDelete, catalog.Insert: calls.BaseInsert,
	catalog.Replace: calls.BaseReplace, catalog.CAS: calls.BaseCAS,
	catalog.CAD: calls.BaseCAD, catalog.Update: calls.BaseUpdate,
	catalog.Compute: calls.BaseCompute, catalog.Whole: calls.BaseWhole,
}

var cellKinds = map[catalog.CellKind]register.CellKind{
	catalog.MapCell: register.Map, catalog.AtomicCell: register.Atomic, catalog.LatchCell: register.Latch,
}

// resultRoles translates the roles of results. Of a compute, Last is the
// content before or after as Actual is. Items stand for what they wrap.
var resultRoles = map[catalog.Role]calls.Role{
	catalog.Old: calls.RoleOld, catalog.New: calls.RoleNew,
	catalog.Actual: calls.RoleActual, catalog.Last: calls.RoleActual,
	catalog.Had: calls.RoleHad, catalog.NotHad: calls.RoleNotHad,
	catalog.Present: calls.RoleOk, catalog.OK: calls.RoleOk, catalog.NotOK: calls.RoleNotOk,
	catalog.Err: calls.RoleErr, catalog.DeleteFlag: calls.RoleReturn,
	catalog.ItemOld: calls.RoleItem, catalog.ItemNew: calls.RoleNew, catalog.ItemActual: calls.RoleActual,
}

// callbackRoles translates those of a callback's parameters and results.
var callbackRoles = map[catalog.Role]calls.Role{
	catalog.Key: calls.RoleKey, catalog.Old: calls.RoleOld, catalog.ItemOld: calls.RoleOld,
	catalog.Had: calls.RoleHad, catalog.Value: calls.RoleValue, catalog.New: calls.RoleNew,
	catalog.DeleteFlag: calls.RoleDelete, catalog.CancelFlag: calls.RoleCancel, catalog.Opcode: calls.RoleOp,
}

func translate(roles []catalog.Role, table map[catalog.Role]calls.Role) []calls.Role {
	var out []calls.Role
	for _, role := range roles {
		to, ok := table[role]
		if !ok {
			to = calls.RoleNone
		}
		out = append(out, to)
	}
	return out
}

// operation is a call of an operation of the tables, or one by shape.
func (r *Resolver) operation(call ssa.CallInstruction, t target, op *catalog.Op, name string) calls.Info {
	switch op.Kind {
	case catalog.Plain:
		return calls.Info{Kind: calls.ReadOnly, Name: name}
	case catalog.Unwrap:
		if op.Result(catalog.Key) >= 0 {
			return calls.Info{Kind: calls.Pure, Name: name}
		}
		return calls.Info{Kind: calls.Same, Name: name}
	}
	b := r.base(t, op)
	if b.Map == nil {
		return calls.Info{Name: name}
	}
	if r.guarded != nil && b.Key != nil && r.guarded.guards.IsTable(b.Map) {
		return calls.Info{Kind: calls.Table, Name: name, Base: b}
	}
	r.note(call, Call{Operation: Operation{Name: sourceName(op)}, Stored: storedType(b)})
	if info, ok := r.splitCall(t, op, b, name); ok {
		return info
	}
	if info, ok := r.wholeCall(t, op, b, name); ok {
		return info
	}
	return calls.Info{Kind: calls.Base, Name: name, Base: b}
}

// sourceName is the operation as the source writes it after the receiver.
func sourceName(op *catalog.Op) string {
	if op.Type.Name == "" {
		return op.Type.Display + "." + op.Name
	}
	return op.Name
}

// base describes the call for Lower. An operation on several keys, or on keys
// that come in a slice, is one on the whole map.
func (r *Resolver) base(t target, op *catalog.Op) *calls.BaseCall {
	arg := func(role catalog.Role) ssa.Value {
		if i := op.Param(role); i >= 0 && i < len(t.args) {
			return t.args[i]
		}
		return nil
	}
	b := &calls.BaseCall{
		Kind: baseKinds[op.Kind], Cell: cellKinds[op.Type.Cell], Evicts: op.Type.Evicts,
		Map: t.recv, Key: arg(catalog.Key), Value: arg(catalog.Value),
		Old: arg(catalog.Old), New: arg(catalog.New), Delta: arg(catalog.Delta),
		Func: op.FN, FromZero: op.When == catalog.Always,
		OnMiss: op.When == catalog.IfAbsent, OnHit: op.When == catalog.IfPresent,
		Callback: arg(catalog.Callback), Results: translate(op.Results, resultRoles),
	}
	if addr := arg(catalog.CellAddr); addr != nil {
		b.Map = addr
	}
	if keys := arg(catalog.Keys); keys != nil {
		if b.Key = onlyElement(keys); b.Key == nil {
			b.Kind = calls.BaseWhole
		}
	}
	if op.Whole == catalog.Range && b.Callback != nil {
		b.Kind = calls.BaseRange
	}
	r.callback(b, op)
	r.constants(b, t, op)
	return b
}

// callback describes the function that the operation calls.
func (r *Resolver) callback(b *calls.BaseCall, op *catalog.Op) {
	if op.Callback == nil {
		return
	}
	b.Params = translate(op.Callback.Params, callbackRoles)
	b.Returns = translate(op.Callback.Results, callbackRoles)
	b.OpWrite, b.OpDelete = "1", "2"
}

// constants gives the operation what it has without an argument: the value of
// a reset, the step of an increment, the content of an empty cell.
func (r *Resolver) constants(b *calls.BaseCall, t target, op *catalog.Op) {
	content := r.contentType(t, op)
	b.Zero = register.LitNil
	if content != nil && b.Cell != register.Latch {
		b.Zero = reduce.ZeroLiteral(content)
	}
	if op.Const != "" && content != nil {
		c := constantOf(op.Const, content)
		if op.Kind == catalog.Store {
			b.Value = c
		} else {
			b.Delta = c
		}
	}
	if op.FN == "not" { // of one operand, where an update has two
		b.Func, b.Delta = "eq", ssa.NewConst(constant.MakeBool(false), types.Typ[types.Bool])
	}
}

// constantOf is the constant of a table.
func constantOf(text string, t types.Type) ssa.Value {
	if text == "nil" {
		return ssa.NewConst(nil, t)
	}
	if text == "true" || text == "false" {
		return ssa.NewConst(constant.MakeBool(text == "true"), t)
	}
	return ssa.NewConst(constant.MakeFromLiteral(text, token.INT, 0), t)
}

// contentMethods are the names of methods that return what a cell holds.
var contentMethods = []string{"Load", "Get", "Value", "Peek"}

// contentType is the type of what the cells of an operation hold; nil if that
// is not known. It goes by the receiver and not by the operation, so that all
// operations on a cell agree.
func (r *Resolver) contentType(t target, op *catalog.Op) types.Type {
	if t.recv == nil {
		if i := op.Param(catalog.CellAddr); i >= 0 && i < len(t.args) {
			if p, ok := t.args[i].Type().Underlying().(*types.Pointer); ok {
				return p.Elem()
			}
		}
		return nil
	}
	for _, name := range contentMethods {
		obj, _, _ := types.LookupFieldOrMethod(t.recv.Type(), true /* addressable */, r.pass.Pkg, name)
		fn, ok := obj.(*types.Func)
		if !ok {
			continue
		}
		get, ok := r.Cat.Lookup(fn)
		if !ok {
			get, ok = catalog.LookupShape(t.recv.Type(), fn)
		}
		if !ok || get.Kind != catalog.Load {
			continue
		}
		if i := get.Result(catalog.Old); i >= 0 {
			return fn.Signature().Results().At(i).Type()
		}
	}
	return lastTypeArg(t.recv.Type())
}

// onlyElement is the element of a slice made for one variadic argument; nil if
// the slice is something else.
func onlyElement(v ssa.Value) ssa.Value {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return nil
	}
	a, ok := s.X.(*ssa.Alloc)
	if !ok || a.Comment != "varargs" {
		return nil
	}
	var elem ssa.Value
	for _, ref := range *a.Referrers() {
		addr, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, use := range *addr.Referrers() {
			st, ok := use.(*ssa.Store)
			if !ok || elem != nil {
				return nil
			}
			elem = st.Val
		}
	}
	return elem
}

// storedType is the type of what b stores, out of its interface.
func storedType(b *calls.BaseCall) types.Type {
	v := b.Value
	if v == nil {
		v = b.New
	}
	if v == nil {
		return nil
	}
	// An interface that becomes any still has its methods, and a type parameter its types.
	for {
		switch c := v.(type) {
		case *ssa.ChangeInterface:
			v = c.X
			continue
		case *ssa.ChangeType:
			if _, isParam := types.Unalias(c.X.Type()).(*types.TypeParam); isParam {
				return c.X.Type()
			}
		}
		return Unboxed(v).Type()
	}
}

// iterated recognizes the call that a range over a function makes of the
// iterator, where that is one over a map: for k, v := range m.All().
func (r *Resolver) iterated(call ssa.CallInstruction) (calls.Info, bool) {
	c := call.Common()
	src, ok := c.Value.(*ssa.Call)
	if !ok || c.IsInvoke() || len(c.Args) != 1 {
		return calls.Info{}, false
	}
	t := targetOf(src)
	if t.obj == nil || t.recv == nil {
		return calls.Info{}, false
	}
	op, ok := r.Cat.Lookup(t.obj)
	if !ok || op.Whole != catalog.Iter || t.wraps(true) {
		return calls.Info{}, false
	}
	b := r.base(t, op)
	b.Kind, b.Callback, b.Results = calls.BaseRange, c.Args[0], nil
	b.Params = []calls.Role{calls.RoleKey, calls.RoleOld}
	if sig, ok := c.Args[0].Type().Underlying().(*types.Signature); !ok || sig.Params().Len() != 2 {
		b.Params = []calls.Role{calls.RoleNone}
	}
	r.note(call, Call{Operation: Operation{Name: sourceName(op)}})
	return calls.Info{Kind: calls.Base, Name: r.funcName(t.obj), Base: b}, true
}

// note enters an operation in the table.
func (r *Resolver) note(call ssa.CallInstruction, op Call) {
	if at, from, to := r.Place(call); at.IsValid() {
		op.Pos, op.End = from, to
		r.ops[r.PosText(at)] = op
	}
}

// noteCall enters the call of a function that is inlined. It becomes an
// operation if the function turns out to be a wrapper.
func (r *Resolver) noteCall(call ssa.CallInstruction, fn *ssa.Function) {
	at, from, to := r.Place(call)
	if !at.IsValid() {
		return
	}
	name := fn.Name()
	if obj, ok := fn.Object().(*types.Func); ok {
		if name = obj.Name(); obj.Signature().Recv() == nil {
			name = r.funcName(obj)
		}
	}
	op := Call{Operation: Operation{Name: name, Pos: from, End: to}, Wrapper: true}
	if args := call.Common().Args; len(args) > 0 {
		op.Stored = Unboxed(args[len(args)-1]).Type()
	}
	r.calls[r.PosText(at)] = op
}

func (r *Resolver) PosText(p token.Pos) register.Pos {
	at := r.pass.Fset.Position(p)
	return register.Pos{File: at.Filename, Line: at.Line, Column: at.Column}
}

// Place is where Lower says that a call is, and the part of the source that it
// is. Lower has the position of the function's name, or where a loop calls its
// body, that of the body.
func (r *Resolver) Place(call ssa.CallInstruction) (at, from, to token.Pos) {
	c := call.Common()
	at = c.Pos()
	if expr := r.syntax[at]; expr != nil {
		return namePos(expr.Fun), expr.Pos(), expr.End()
	}
	for _, arg := range c.Args {
		if mc, ok := arg.(*ssa.MakeClosure); ok && !at.IsValid() {
			at = mc.Fn.Pos()
		}
	}
	return at, at, at
}

// namePos is the position of the name of the called function.
func namePos(fun ast.Expr) token.Pos {
	switch f := fun.(type) {
	case *ast.ParenExpr:
		return namePos(f.X)
	case *ast.SelectorExpr:
		return f.Sel.Pos()
	case *ast.IndexExpr:
		return namePos(f.X)
	case *ast.IndexListExpr:
		return namePos(f.X)
	}
	return fun.Pos()
}

// OperationAt is the base operation at a position of a program.
func (r *Resolver) OperationAt(pos register.Pos) (Call, bool) {
	op, ok := r.ops[pos]
	return op, ok
}

// OpName is the operation at a position of a program as the source writes it,
// Load or atomic.AddInt32, with the place of the call; empty if there is none.
func (r *Resolver) OpName(pos register.Pos) Operation { return r.ops[pos].Operation }
