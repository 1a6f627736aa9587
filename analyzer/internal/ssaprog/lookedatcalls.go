package ssaprog

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// What calls do with an object that is followed.

// call is what a call does with an object that it is given, or made on.
func (f *follower) call(x followed, call ssa.CallInstruction) {
	c := call.Common()
	_, started := call.(*ssa.Go)
	switch b, ok := c.Value.(*ssa.Builtin); {
	case started, c.Value == x.v && !c.IsInvoke():
		f.changed = true
	case ok:
		f.builtin(x, b.Name(), call)
	case c.IsInvoke() && c.Value == x.v:
		f.invoked(x, c.Method)
	case f.ps.Res.Local(c.StaticCallee()) != nil:
		f.enters(x, f.ps.Res.Local(c.StaticCallee()), c)
	case isOn(c, x.v):
		f.method(x, c.StaticCallee(), call)
	default:
		f.leaves(x.v.Type(), x.part)
	}
}

// invoked is what a method of an interface does, of which the package may have the body.
func (f *follower) invoked(x followed, m *types.Func) {
	if !x.part && f.isOurs(f.made) {
		f.methodsOf(f.made, func(name string) bool { return name == m.Name() })
		return
	}
	f.changed = f.changed || changesByName(m)
}

// isOn reports whether a call is of a method of a value.
func isOn(c *ssa.CallCommon, v ssa.Value) bool {
	fn := c.StaticCallee()
	return fn != nil && fn.Signature.Recv() != nil && len(c.Args) > 0 && c.Args[0] == v && !slices.Contains(c.Args[1:], v)
}

// enters follows an object into a function of the package that is called.
func (f *follower) enters(x followed, fn *ssa.Function, c *ssa.CallCommon) {
	for i, arg := range c.Args {
		if arg == x.v && i < len(fn.Params) {
			f.follow(x.as(fn.Params[i]))
		}
	}
}

// builtin is what a function of the language does with an object.
func (f *follower) builtin(x followed, name string, call ssa.CallInstruction) {
	on := call.Common().Args[0] == x.v
	switch name {
	case "append":
		if v, ok := call.(*ssa.Call); ok {
			f.follow(followed{v: v, part: x.part || !on, after: x.after})
		}
	case "copy", "delete", "clear", "close":
		f.changed = f.changed || on
	case "ssa:wrapnilchk":
		if v, ok := call.(*ssa.Call); ok {
			f.follow(followed{v: v, part: x.part, after: x.after})
		}
	}
}

// method is what a method of another package does to what it is called on.
func (f *follower) method(x followed, fn *ssa.Function, call ssa.CallInstruction) {
	obj, ok := fn.Object().(*types.Func)
	if !ok || obj.Pkg() == nil {
		f.changed = true
		return
	}
	switch name := obj.Name(); obj.Pkg().Path() {
	case "sync":
		f.synchronizes(name, obj, call)
	case "sync/atomic":
		if name != "Load" {
			f.changed = true
			return
		}
		if v, ok := call.(*ssa.Call); ok {
			f.follow(followed{v: v, part: true, after: x.after})
		}
	default:
		f.changed = f.changed || changesByName(obj)
	}
}

// synchronizes is what a method of package sync says of the object that it is called on a part of.
func (f *follower) synchronizes(name string, obj *types.Func, call ssa.CallInstruction) {
	fn := outermost(call.Parent())
	switch {
	case name == "Lock" || name == "RLock":
		f.locks = append(f.locks, fn)
	case name == "Unlock" || name == "RUnlock":
	case name == "Do" && fillsIn(call):
		f.fills[fn] = true
	default:
		f.changed = true
	}
}

// changesByName reports whether a method of another package, or of an interface, changes what it is called on.
func changesByName(m *types.Func) bool {
	return (isMutator(m.Name()) || m.Signature().Results().Len() == 0) && !writesOut(m.Signature())
}

// fillsOnce reports whether an assignment fills a part of an object that is empty until somebody asks for it.
func (f *follower) fillsOnce(st *ssa.Store) bool {
	addr, ok := st.Addr.(*ssa.FieldAddr)
	if !ok || !isRemembered(st.Val.Type()) {
		return false
	}
	if mc := onlyMade(st.Parent()); mc != nil && isDoneOnce(mc) {
		return true
	}
	for b := st.Block(); b != nil; b = b.Idom() {
		if len(b.Preds) == 1 && isIfEmpty(b.Preds[0], b, addr) {
			return true
		}
	}
	return false
}

// isIfEmpty reports whether a branch goes to a block only if a field has its zero value.
func isIfEmpty(from, to *ssa.BasicBlock, field *ssa.FieldAddr) bool {
	br, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	isField := func(v ssa.Value) bool {
		load, ok := v.(*ssa.UnOp)
		if !ok || load.Op != token.MUL {
			return false
		}
		g, ok := load.X.(*ssa.FieldAddr)
		return ok && g.Field == field.Field && sameObject(g.X, field.X)
	}
	c, ok := br.Cond.(*ssa.BinOp)
	if !ok || !(isField(c.X) && isZero(c.Y) || isField(c.Y) && isZero(c.X)) {
		return false
	}
	return c.Op == token.EQL && from.Succs[0] == to || c.Op == token.NEQ && from.Succs[1] == to
}

// isRemembered reports whether a value of type t can be one that is only remembered: a flag says that something
// was done, and not what came of it.
func isRemembered(t types.Type) bool {
	_, isChan := t.Underlying().(*types.Chan)
	return isPlainValue(t) && !isBool(t) || !isPlainValue(t) && !isChan && !hasToEnd(t)
}

// sameObject reports whether two values of a function are one object: of a captured variable each use is a load.
func sameObject(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	x, ok := a.(*ssa.UnOp)
	y, also := b.(*ssa.UnOp)
	return ok && also && x.Op == token.MUL && y.Op == token.MUL && x.X == y.X
}

// isZero reports whether a value is the zero constant of its type.
func isZero(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && (c.Value == nil || slices.Contains([]string{"0", "false", `""`}, c.Value.ExactString()))
}

// onlyMade is the only place where a literal is made; nil if there are more, or it is none.
func onlyMade(fn *ssa.Function) *ssa.MakeClosure {
	if made := ClosuresOf(fn); len(made) == 1 {
		return made[0]
	}
	return nil
}

// isDoneOnce reports whether all that becomes of a literal is that a sync.Once runs it.
func isDoneOnce(mc *ssa.MakeClosure) bool {
	done := false
	for _, ref := range *mc.Referrers() {
		if IsDebugRef(ref) {
			continue
		}
		call, ok := ref.(*ssa.Call)
		if done = ok && isOnceDo(call.Call.StaticCallee()); !done {
			return false
		}
	}
	return done
}

func isOnceDo(fn *ssa.Function) bool {
	return fn != nil && fn.Name() == "Do" && fn.Signature.Recv() != nil && types.TypeString(fn.Signature.Recv().Type(), nil) == "*sync.Once"
}

// fillsIn reports whether what a sync.Once runs is there to fill something in, and not for anything else that it does.
func fillsIn(call ssa.CallInstruction) bool {
	args := call.Common().Args
	mc, ok := args[len(args)-1].(*ssa.MakeClosure)
	if !ok {
		return false
	}
	for _, b := range mc.Fn.(*ssa.Function).Blocks {
		for _, instr := range b.Instrs {
			st, ok := instr.(*ssa.Store)
			if !ok {
				continue
			}
			if _, ok := st.Addr.(*ssa.FieldAddr); ok && !IsError(st.Val.Type()) && isRemembered(st.Val.Type()) {
				return true
			}
		}
	}
	return false
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// leaves is for an object of which the package does not say what becomes, or a part of one: others may do with it
// what its type has methods for. Whoever has an object as anything may ask what it is.
func (f *follower) leaves(t types.Type, part bool) {
	t = types.Unalias(t)
	if f.changed || f.shown[t] || isPlainValue(t) {
		return
	}
	f.shown[t] = true
	u, isInterface := t.Underlying().(*types.Interface)
	if instances := f.ps.Res.instancesOf(t); len(instances) > 0 {
		for _, t := range instances {
			f.leaves(t, part)
		}
		return
	}
	if _, isParam := t.(*types.TypeParam); isParam { // others can make it anything
		f.changed = true
		return
	}
	switch {
	case isInterface && !part && f.isOurs(f.made):
		f.methodsOf(f.made, func(name string) bool { return ast.IsExported(name) && (u.Empty() || hasMethod(u, name)) })
	case f.isOurs(t):
		f.methodsOf(t, ast.IsExported)
	case isInterface && !part && u.Empty():
		f.changed = f.changesElsewhere(f.made)
	default:
		f.changed = f.changesElsewhere(t)
	}
}

// changesElsewhere reports whether others can change what is of a type that is not of this package.
func (f *follower) changesElsewhere(t types.Type) bool {
	none := changed{map[types.Object]bool{}, new(typeutil.Map)}
	return states{f.ps.Res.Sums, none}.mutable(t, map[types.Type]bool{})
}

// isOurs reports whether a type is a structure of the package, or a pointer to one.
func (f *follower) isOurs(t types.Type) bool {
	obj := Named(t)
	if obj == nil || obj.Pkg() != f.ps.Pass.Pkg {
		return false
	}
	_, ok := obj.Type().Underlying().(*types.Struct)
	return ok
}

// methodsOf follows what some of the methods of a type do to their object. Where there are none, the type alone says
// whether it is changed.
func (f *follower) methodsOf(t types.Type, some func(name string) bool) {
	if !isPointer(t) {
		t = types.NewPointer(t)
	}
	set := types.NewMethodSet(t)
	if set.Len() == 0 {
		f.changed = f.ps.Res.ChangedOnceMade(t)
	}
	for m := range set.Methods() {
		fn, ok := m.Obj().(*types.Func)
		if !ok || !some(fn.Name()) {
			continue
		}
		if body := f.ps.Res.Local(f.ps.Pkg.Prog.FuncValue(fn)); body != nil && len(body.Params) > 0 {
			f.follow(followed{v: body.Params[0]})
			continue
		}
		f.changed = f.changed || changesByName(fn) // it is promoted from another package
	}
}

func hasMethod(t *types.Interface, name string) bool {
	for m := range t.Methods() {
		if m.Name() == name {
			return true
		}
	}
	return false
}

// An object that runs, or has something in it that has to be ended, is there twice if it was made twice, whoever looks at it:
//
//	func open(name string) *Room { r := &Room{name: name}; go r.run(); return r }

// runs follows a value back to where it is made, and asks that of what is made there.
func (f *follower) runs(v ssa.Value, depth int) {
	if f.changed || depth > maxSetup {
		return
	}
	switch v := v.(type) {
	case *ssa.Alloc:
		f.starts(v, depth)
	case *ssa.MakeInterface:
		f.runs(v.X, depth+1)
	case *ssa.Phi:
		for _, edge := range v.Edges {
			f.runs(edge, depth+1)
		}
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			f.maker(call, v.Index, depth)
		}
	case *ssa.Call:
		f.maker(v, 0, depth)
	}
}

// maker is runs of the result i of a call.
func (f *follower) maker(call *ssa.Call, i, depth int) {
	fn := f.ps.Res.Local(call.Call.StaticCallee())
	if fn == nil {
		t := call.Call.Signature().Results().At(i).Type()
		f.changed = !isPlainValue(t) && hasToEnd(t)
		return
	}
	for _, b := range fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && i < len(ret.Results) {
			f.runs(ret.Results[i], depth+1)
		}
	}
}

// starts reports it where an object is given to a goroutine, or to a function that somebody else runs, while it is
// made, or keeps something that was made for it and has to be ended.
func (f *follower) starts(object ssa.Value, depth int) {
	if f.changed || depth > maxSetup || object.Referrers() == nil {
		return
	}
	for _, ref := range *object.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Go:
			f.changed = true
		case *ssa.MakeClosure:
			f.changed = f.changed || !isDoneOnce(ref) && !onlyCalled(ref)
		case *ssa.FieldAddr:
			for _, val := range StoredIn(ref) {
				f.keeps(val)
			}
		case *ssa.Call:
			if fn := f.ps.Res.Local(ref.Call.StaticCallee()); fn != nil {
				for i, arg := range ref.Call.Args {
					if arg == object && i < len(fn.Params) {
						f.starts(fn.Params[i], depth+1)
					}
				}
			}
		}
	}
}

// keeps is for what is put in an object that is made.
func (f *follower) keeps(val ssa.Value) {
	if e, ok := val.(*ssa.Extract); ok {
		val = e.Tuple
	}
	if mi, ok := val.(*ssa.MakeInterface); ok {
		val = mi.X
	}
	call, ok := val.(*ssa.Call)
	if !ok || f.ps.Res.Local(call.Call.StaticCallee()) != nil {
		return
	}
	results := call.Call.Signature().Results()
	for r := range results.Variables() {
		f.changed = f.changed || !isPlainValue(r.Type()) && hasToEnd(r.Type())
	}
}

// onlyCalled reports whether all that becomes of a literal is that its function calls it.
func onlyCalled(mc *ssa.MakeClosure) bool {
	for _, ref := range *mc.Referrers() {
		if call, ok := ref.(ssa.CallInstruction); !IsDebugRef(ref) && (!ok || call.Common().Value != ssa.Value(mc)) {
			return false
		}
	}
	return true
}
