package guards

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// value is the number of an SSA value: equal numbers are equal values, as far as
// fields that lead to objects are not assigned in between.
type value int

// term is what tells values apart: an SSA value, or a load from a location.
type term struct {
	v    ssa.Value
	base value
	path path
}

// maxFields bounds how many structs lie in one another.
const maxFields = 4

// path are the fields from a pointer to a location, outermost first. An element of an array
// or a slice is taken for a field that goes by its index: see element.
type path [maxFields]*types.Var

func (p path) len() int {
	n := 0
	for n < maxFields && p[n] != nil {
		n++
	}
	return n
}

// then is the path to a field of the struct that p leads to; false if it is too
// long to be followed.
func (p path) then(f *types.Var) (path, bool) {
	n := p.len()
	if n == maxFields {
		return p, false
	}
	p[n] = f
	return p, true
}

// from is what follows the first n fields.
func (p path) from(n int) path {
	var q path
	copy(q[:], p[n:])
	return q
}

// location is memory reached from a pointer, or from a package variable, through
// fields of structs that lie in one another.
type location struct {
	base value
	path path
}

// numbering numbers the values of a package. Package variables are values, too.
type numbering struct {
	numbers map[term]value
	values  []term
	// elements are those with the same index, and places the reverse.
	elements map[value]*types.Var
	places   map[*types.Var]bool
}

func newNumbering() *numbering {
	return &numbering{numbers: map[term]value{}, elements: map[value]*types.Var{}, places: map[*types.Var]bool{}}
}

// element stands for the elements at an index: of two lists as well, as a lock in one of them
// can be that of what the other one has at the same place.
func (n *numbering) element(index ssa.Value) *types.Var {
	i := n.number(index)
	v, ok := n.elements[i]
	if !ok {
		v = types.NewVar(token.NoPos, nil, "[]", index.Type())
		n.elements[i], n.places[v] = v, true
	}
	return v
}

// declared is the last field on a way that is one; nil if there is none.
func (n *numbering) declared(p path) *types.Var {
	for i := p.len() - 1; i >= 0; i-- {
		if !n.places[p[i]] {
			return p[i]
		}
	}
	return nil
}

func (n *numbering) intern(t term) value {
	v, ok := n.numbers[t]
	if !ok {
		v = value(len(n.values))
		n.numbers[t] = v
		n.values = append(n.values, t)
	}
	return v
}

// number is the number of v. Loads of one location are one value.
func (n *numbering) number(v ssa.Value) value {
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op != token.MUL {
			break
		}
		if stored, isVariable := variableValue(v.X); stored != nil {
			return n.number(stored)
		} else if isVariable {
			break
		}
		if loc, ok := n.locate(v.X); ok {
			return n.intern(term{base: loc.base, path: loc.path})
		}
	case *ssa.ChangeType:
		return n.number(v.X)
	}
	return n.intern(term{v: v})
}

// locate is the location that addr points to.
func (n *numbering) locate(addr ssa.Value) (location, bool) {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		outer, ok := n.locate(a.X)
		if !ok {
			return location{}, false
		}
		f := field(a)
		if f == nil {
			return location{}, false
		}
		outer.path, ok = outer.path.then(f)
		return outer, ok
	case *ssa.IndexAddr:
		outer := location{base: n.number(a.X)}
		if _, isArray := a.X.Type().Underlying().(*types.Pointer); isArray {
			outer, _ = n.locate(a.X)
		}
		var ok bool
		outer.path, ok = outer.path.then(n.element(a.Index))
		return outer, ok
	}
	return location{base: n.number(addr)}, true
}

// field is the field that a FieldAddr addresses, as the generic type declares it.
func field(a *ssa.FieldAddr) *types.Var {
	p, ok := a.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	s, ok := p.Elem().Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	return s.Field(a.Field).Origin()
}

// variableValue is the only value that the variable at addr ever has, also where a
// closure asks for what it captures; nil if there are several.
func variableValue(addr ssa.Value) (only ssa.Value, isVariable bool) {
	switch a := addr.(type) {
	case *ssa.Alloc:
		return onlyStore(a), true
	case *ssa.FreeVar:
		mc := onlyClosure(a.Parent())
		if mc == nil {
			return nil, true
		}
		for i, fv := range a.Parent().FreeVars {
			if fv == a {
				only, _ = variableValue(mc.Bindings[i])
			}
		}
		return only, true
	}
	return nil, false
}

// onlyClosure is the only place that makes a closure of fn.
func onlyClosure(fn *ssa.Function) *ssa.MakeClosure {
	var only *ssa.MakeClosure
	for _, ref := range *fn.Referrers() {
		mc, ok := ref.(*ssa.MakeClosure)
		if !ok || only != nil {
			return nil
		}
		only = mc
	}
	return only
}

// onlyStore is what is stored to a variable that is assigned once and of which
// only loads and closures have the address: a parameter that a closure captures.
func onlyStore(a *ssa.Alloc) ssa.Value {
	var stored ssa.Value
	for _, ref := range *a.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr != ssa.Value(a) || stored != nil {
				return nil
			}
			stored = ref.Val
		case *ssa.MakeClosure:
			if assigns(ref, a) {
				return nil
			}
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return nil
		}
	}
	return stored
}

// assigns reports whether the closure, or one inside of it, assigns the variable
// that it captures.
func assigns(mc *ssa.MakeClosure, captured ssa.Value) bool {
	fn := mc.Fn.(*ssa.Function)
	for i, b := range mc.Bindings {
		if b != captured {
			continue
		}
		fv := fn.FreeVars[i]
		for _, ref := range *fv.Referrers() {
			switch ref := ref.(type) {
			case *ssa.UnOp, *ssa.DebugRef:
			case *ssa.MakeClosure:
				if assigns(ref, fv) {
					return true
				}
			default:
				return true
			}
		}
	}
	return false
}
