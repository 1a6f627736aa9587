package catalog

import (
	"go/types"
	"slices"
	"strings"
)

// shapeOps are sync.Map's methods, written as in the tables. The parameters
// and results are compared by role: every key has Load's key type, every
// value Load's value type, every flag is a bool.
var shapeOps = []string{
	"Load(key) (old, had) = load",
	"Store(key, value) = store",
	"LoadOrStore(key, value) (actual, had) = insert",
	"LoadAndDelete(key) (old, had) = delete",
	"Delete(key) = delete",
	"Swap(key, value) (old, had) = store",
	"CompareAndSwap(key, old, new) (ok) = cas",
	"CompareAndDelete(key, old) (ok) = cad",
	"Range(func(key, old) (more)) = range",
	"Clear() = clear",
}

// ShapeOperation is what follows the name in the line of sync.Map's method with
// that name, such as "(key) (old, had) = load" for Load; ok is false if sync.Map
// has no such method.
func ShapeOperation(name string) (line string, ok bool) {
	for _, text := range shapeOps {
		if method, rest, _ := strings.Cut(text, "("); method == name {
			return "(" + rest, true
		}
	}
	return "", false
}

// shapeThird are the methods of which a map-like type needs one beside Load
// and Store. Without it a type is as likely a file store or a register.
var shapeThird = []string{"LoadOrStore", "LoadAndDelete", "Delete", "Range"}

// Shape recognizes a type by its methods: one that has sync.Map's Load and
// Store, one of Delete, LoadOrStore, LoadAndDelete and Range, and any of the
// others, all about one key and one value type, is taken to be a concurrent
// map. It returns the operations that the type has, in a fixed order, or
// nil. Methods of the same name and another signature are not operations.
//
// t is a named type, a pointer to one, an interface or a type parameter.
// Names promise nothing: where the bodies can be read they are to be
// preferred, since a wrapper may itself be the bug.
func Shape(t types.Type) []*Op {
	methods := shapeMethods(t)
	load, ok := methods["Load"]
	if !ok || load.Params().Len() != 1 || load.Results().Len() != 2 {
		return nil
	}
	s := &shape{
		key:   load.Params().At(0).Type(),
		value: load.Results().At(0).Type(),
		typ:   shapeType(t),
	}
	var ops []*Op
	for _, text := range shapeOps {
		op, err := parseOp(text)
		if err != nil {
			panic("catalog: " + err.Error())
		}
		if sig, ok := methods[op.Name]; ok && s.fits(op, sig) {
			op.Type = s.typ
			ops = append(ops, op)
		}
	}
	has := func(name string) bool {
		return slices.ContainsFunc(ops, func(op *Op) bool { return op.Name == name })
	}
	if !has("Load") || !has("Store") || !slices.ContainsFunc(shapeThird, has) {
		return nil
	}
	return ops
}

// LookupShape finds the operation that fn is when it is called on a value of
// type recv and recv has the shape of a map. It knows nothing of the tables;
// Lookup goes first.
func LookupShape(recv types.Type, fn *types.Func) (*Op, bool) {
	// Most calls are of other methods: look at the name before the type.
	named := func(text string) bool { return strings.HasPrefix(text, fn.Name()+"(") }
	if fn.Signature().Recv() == nil || !slices.ContainsFunc(shapeOps, named) {
		return nil, false
	}
	for _, op := range Shape(recv) {
		if op.Name == fn.Name() {
			return op, true
		}
	}
	return nil, false
}

// shape is what the methods of one type have to agree on.
type shape struct {
	key, value types.Type
	typ        *Type
}

// fits reports whether sig has the parameters and results that op names.
func (s *shape) fits(op *Op, sig *types.Signature) bool {
	return !sig.Variadic() &&
		s.tupleFits(op, op.Params, sig.Params()) &&
		s.tupleFits(op, op.Results, sig.Results())
}

func (s *shape) tupleFits(op *Op, roles []Role, tuple *types.Tuple) bool {
	if tuple.Len() != len(roles) {
		return false
	}
	for i, r := range roles {
		if !s.roleFits(op, r, tuple.At(i).Type()) {
			return false
		}
	}
	return true
}

func (s *shape) roleFits(op *Op, r Role, t types.Type) bool {
	switch r {
	case Key:
		return types.Identical(t, s.key)
	case Value, Old, New, Actual:
		return types.Identical(t, s.value)
	case Had, OK, More:
		b, ok := t.Underlying().(*types.Basic)
		return ok && b.Kind() == types.Bool
	case Callback:
		cb, ok := t.Underlying().(*types.Signature)
		return ok &&
			s.tupleFits(op, op.Callback.Params, cb.Params()) &&
			s.tupleFits(op, op.Callback.Results, cb.Results())
	}
	return false
}

// shapeMethods has the signatures of the exported methods that can be called
// on an addressable value of type t.
func shapeMethods(t types.Type) map[string]*types.Signature {
	t = instantiated(types.Unalias(t))
	if _, isPtr := t.(*types.Pointer); !isPtr && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	methods := map[string]*types.Signature{}
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		fn, ok := set.At(i).Obj().(*types.Func)
		if ok && fn.Exported() {
			// The selection's type has the receiver's type arguments
			// filled in; the function's own may be generic.
			methods[fn.Name()] = set.At(i).Type().(*types.Signature)
		}
	}
	return methods
}

// instantiated gives a generic type its own type parameters as arguments.
// Without that each of its methods has type parameters of its own, and no two
// methods agree on a key.
func instantiated(t types.Type) types.Type {
	if p, ok := t.(*types.Pointer); ok {
		return types.NewPointer(instantiated(types.Unalias(p.Elem())))
	}
	n, ok := t.(*types.Named)
	if !ok || n.TypeParams().Len() == 0 || n.TypeArgs().Len() > 0 {
		return t
	}
	var args []types.Type
	for i := range n.TypeParams().Len() {
		args = append(args, n.TypeParams().At(i))
	}
	if inst, err := types.Instantiate(nil, n, args, false /* validate */); err == nil {
		return inst
	}
	return t
}

// shapeType describes a recognized type; an unnamed one has no package.
func shapeType(t types.Type) *Type {
	out := &Type{Display: "map-like interface", Cell: MapCell}
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	var obj *types.TypeName
	switch t := t.(type) {
	case *types.Named:
		obj = t.Obj()
	case *types.TypeParam:
		obj = t.Obj()
	default:
		return out
	}
	out.Name, out.Display = obj.Name(), obj.Name()
	if obj.Pkg() != nil {
		out.Pkg, out.Display = ImportPath(obj.Pkg()), obj.Pkg().Name()+"."+obj.Name()
	}
	return out
}
