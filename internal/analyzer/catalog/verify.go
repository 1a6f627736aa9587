package catalog

import (
	"fmt"
	"go/types"
	"strings"
)

// Verify compares the table with a package as it really is: every type,
// operation and exactly named rule of that package must exist, and the
// roles of an operation must fit its signature. It returns one error for
// each line that does not fit, in order. It finds a wrong arity, a bool for
// a value, a key for a value of another type; what a method does it cannot
// know.
func (c *Catalog) Verify(pkg *types.Package) []error {
	path := ImportPath(pkg)
	agreed := map[string]*shape{}
	var errs []error
	for _, op := range c.Ops() {
		if op.Type.Pkg != path {
			continue
		}
		s := agreed[op.Type.Name]
		if s == nil {
			s = &shape{typ: op.Type}
			agreed[op.Type.Name] = s
		}
		if err := c.verifyOp(pkg, op, s); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", op, err))
		}
	}
	for _, rs := range c.exact[path] {
		for _, r := range rs.rules {
			if !verifyRule(pkg, r) {
				errs = append(errs, fmt.Errorf("%s: no function matches %s", path, strings.TrimPrefix(r.typ+"."+r.name, ".")))
			}
		}
	}
	return errs
}

func (c *Catalog) verifyOp(pkg *types.Package, op *Op, s *shape) error {
	fn := findFunc(pkg, op.Type.Name, op.Name)
	if fn == nil {
		return fmt.Errorf("package %s has no such function", pkg.Path())
	}
	sig := fn.Signature()
	if op.Params != nil && sig.Params().Len() != len(op.Params) {
		return fmt.Errorf("has %d parameters, the table says %d", sig.Params().Len(), len(op.Params))
	}
	if op.Results != nil && sig.Results().Len() != len(op.Results) {
		return fmt.Errorf("has %d results, the table says %d", sig.Results().Len(), len(op.Results))
	}
	if err := c.verifyTuple(op, s, op.Params, sig.Params()); err != nil {
		return fmt.Errorf("parameter %w", err)
	}
	if err := c.verifyTuple(op, s, op.Results, sig.Results()); err != nil {
		return fmt.Errorf("result %w", err)
	}
	return nil
}

func (c *Catalog) verifyTuple(op *Op, s *shape, roles []Role, tuple *types.Tuple) error {
	for i, r := range roles {
		t := tuple.At(i).Type()
		if r == Callback {
			if err := c.verifyCallback(op, s, t); err != nil {
				return fmt.Errorf("%d: %w", i, err)
			}
		} else if !c.typeFits(s, r, t) {
			return fmt.Errorf("%d: the table's role does not fit type %s", i, t)
		}
	}
	return nil
}

func (c *Catalog) verifyCallback(op *Op, s *shape, t types.Type) error {
	cb, ok := t.Underlying().(*types.Signature)
	if !ok {
		return fmt.Errorf("%s is not a func", t)
	}
	want := op.Callback
	if cb.Params().Len() != len(want.Params) || cb.Results().Len() != len(want.Results) {
		return fmt.Errorf("the table's func has another shape than %s", t)
	}
	if err := c.verifyTuple(op, s, want.Params, cb.Params()); err != nil {
		return fmt.Errorf("parameter %w", err)
	}
	if err := c.verifyTuple(op, s, want.Results, cb.Results()); err != nil {
		return fmt.Errorf("result %w", err)
	}
	return nil
}

// typeFits reports whether a parameter or result of type t can have role r.
// The first key and the first value that are seen of a type set the types of
// the others.
func (c *Catalog) typeFits(s *shape, r Role, t types.Type) bool {
	switch r {
	case Key:
		return agree(&s.key, t)
	case Keys:
		slice, ok := t.Underlying().(*types.Slice)
		return ok && agree(&s.key, slice.Elem())
	case Value, Old, New, Actual, Last:
		return agree(&s.value, t)
	case Had, NotHad, Present, OK, NotOK, DeleteFlag, CancelFlag, More, Stop:
		return isBasic(t, types.IsBoolean)
	case Opcode:
		return isBasic(t, types.IsInteger)
	case Delta:
		return isBasic(t, types.IsNumeric)
	case Err:
		return types.Identical(t, types.Universe.Lookup("error").Type())
	case CellAddr:
		_, ok := t.Underlying().(*types.Pointer)
		return ok
	case ItemOld, ItemNew, ItemActual:
		known, ok := c.TypeOf(t)
		return ok && known.Item
	}
	return true
}

// agree reports whether t can be used for what *have stands for, in one of
// the two directions: a method may ask for, or give, less than another.
func agree(have *types.Type, t types.Type) bool {
	if *have == nil {
		*have = t
		return true
	}
	// Each method of a generic type has type parameters of its own; they
	// correspond by position.
	if a, ok := (*have).(*types.TypeParam); ok {
		b, ok := t.(*types.TypeParam)
		return ok && a.Index() == b.Index()
	}
	if _, ok := t.(*types.TypeParam); ok {
		return false
	}
	if isGeneric(*have) && isGeneric(t) {
		return true
	}
	return types.AssignableTo(t, *have) || types.AssignableTo(*have, t)
}

// isGeneric reports whether t is a pointer to a type parameter, as in the
// methods of atomic.Pointer[T].
func isGeneric(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	_, ok = p.Elem().(*types.TypeParam)
	return ok
}

func isBasic(t types.Type, info types.BasicInfo) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&info != 0
}

// findFunc finds a declared function, or a method that the type itself
// declares. The type need not be exported.
func findFunc(pkg *types.Package, typ, name string) *types.Func {
	if typ == "" {
		fn, _ := pkg.Scope().Lookup(name).(*types.Func)
		return fn
	}
	obj, ok := pkg.Scope().Lookup(typ).(*types.TypeName)
	if !ok {
		return nil
	}
	for _, fn := range declaredMethods(obj.Type()) {
		if fn.Name() == name {
			return fn
		}
	}
	return nil
}

// declaredMethods are a named type's own methods, of an interface also those
// that it embeds: calls of the latter are seen as methods of the interface
// that declares them, but the table may name either.
func declaredMethods(t types.Type) []*types.Func {
	n, ok := namedOf(t)
	if !ok {
		return nil
	}
	var fns []*types.Func
	if iface, ok := n.Underlying().(*types.Interface); ok {
		for i := range iface.NumMethods() {
			fns = append(fns, iface.Method(i))
		}
		return fns
	}
	for i := range n.NumMethods() {
		fns = append(fns, n.Method(i))
	}
	return fns
}

// verifyRule reports whether a rule matches anything in the package.
func verifyRule(pkg *types.Package, r rule) bool {
	for _, name := range pkg.Scope().Names() {
		switch obj := pkg.Scope().Lookup(name).(type) {
		case *types.Func:
			if r.matches(funcKey{name: name}) {
				return true
			}
		case *types.TypeName:
			for _, fn := range declaredMethods(obj.Type()) {
				if r.matches(funcKey{typ: name, name: fn.Name()}) {
					return true
				}
			}
		}
	}
	return false
}
