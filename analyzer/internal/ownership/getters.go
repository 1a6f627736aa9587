package ownership

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/mapatom/mapatom/reduce"
)

// An object may have been found by a function that does nothing else to cells, so
// that it is not followed into:
//
//	func (s *store) get(i int) *item {
//		s.mu.RLock()
//		defer s.mu.RUnlock()
//		return s.items[i]
//	}
//
// What such a function returns was reached from its argument, as if that had been
// written where it is called.
type Gets struct {
	ps *ssaprog.Programs
	// at are the functions that are called, by the position of the call.
	at    map[register.Pos]*ssa.Function
	known map[getter]way
	// values are the ways to values; one that depends on itself has none.
	values map[ssa.Value]way
}

// repointed reports whether the pointer in a field is replaced, once the object is made: what it points to is no part of that.
func (g *Gets) repointed(field string) bool { return g != nil && g.ps.Res.Repointed(field) }

// getter is a result of a function.
type getter struct {
	fn     *ssa.Function
	result int
}

// way is how a value is reached from a parameter: by steps, as in the key of a
// lock, through memory that pointers were loaded from.
type way struct {
	param  *ssa.Parameter
	steps  string
	memory []string
}

func (w way) equal(o way) bool { return w.param == o.param && w.steps == o.steps }

// to is w and one more step, which loads a pointer from memory if that has a name.
func (w way) to(step, memory string) way {
	w.steps += step + ">"
	if memory != "" {
		w.memory = append(slices.Clip(w.memory), memory)
	}
	return w
}

func NewGets(ps *ssaprog.Programs) *Gets {
	g := &Gets{ps: ps, at: map[register.Pos]*ssa.Function{}, known: map[getter]way{}, values: map[ssa.Value]way{}}
	for fn, calls := range ps.Refs.Calls {
		if ps.Res.Local(fn) == nil {
			continue
		}
		for _, call := range calls {
			at, _, _ := ps.Res.Place(call)
			g.at[ps.Res.PosText(at)] = fn
		}
	}
	return g
}

// got is how the result of a call was reached, and from which of its arguments.
func (g *Gets) got(in *register.Instr, result int) (w way, from register.Operand, ok bool) {
	if g == nil || in == nil || in.Op != register.Unknown {
		return way{}, from, false
	}
	fn := g.at[in.Pos]
	if fn == nil || in.Site() != ssaprog.FuncDocName(fn) {
		return way{}, from, false
	}
	w = g.way(getter{fn, result})
	i := slices.Index(fn.Params, w.param)
	if w.param == nil || i >= len(in.Args) {
		return way{}, from, false
	}
	return w, in.Args[i], true
}

// way is that of all that the function returns but nil; it has no parameter if
// these are several, or none is known.
func (g *Gets) way(of getter) way {
	if w, ok := g.known[of]; ok {
		return w
	}
	g.known[of] = way{} // a function in a recursion has none
	var all []way
	for _, b := range of.fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || of.result >= len(ret.Results) {
			continue
		}
		if v := valueStored(ret.Results[of.result]); !ssaprog.IsNil(v) {
			all = append(all, g.value(v))
		}
	}
	g.known[of] = common(all)
	return g.known[of]
}

// common is the way that all have.
func common(all []way) way {
	if len(all) == 0 || slices.ContainsFunc(all, func(w way) bool { return !w.equal(all[0]) }) {
		return way{}
	}
	return all[0]
}

// value is the way to a value.
func (g *Gets) value(v ssa.Value) way {
	if w, ok := g.values[v]; ok {
		return w
	}
	g.values[v] = way{}
	w := g.leading(v)
	g.values[v] = w
	return w
}

// leading is the way to a value that is asked for the first time.
func (g *Gets) leading(v ssa.Value) way {
	switch v := v.(type) {
	case *ssa.Parameter:
		return way{param: v}
	case *ssa.UnOp:
		if a, ok := v.X.(*ssa.Alloc); ok {
			return g.variable(a)
		}
		return g.memory(v.X, true)
	case *ssa.FieldAddr:
		return g.memory(v, false)
	case *ssa.Lookup:
		return g.element(v.X)
	case *ssa.Phi:
		var all []way
		for _, edge := range v.Edges {
			if !ssaprog.IsNil(edge) {
				all = append(all, g.value(edge))
			}
		}
		return common(all)
	case *ssa.Extract:
		switch t := v.Tuple.(type) {
		case *ssa.Lookup:
			return g.value(t)
		case *ssa.Call:
			return g.called(t, v.Index)
		}
	case *ssa.Call:
		return g.called(v, 0)
	}
	return way{}
}

// variable is the way to all that a local variable holds.
func (g *Gets) variable(a *ssa.Alloc) way {
	if a.Heap {
		return way{}
	}
	var all []way
	for _, ref := range *a.Referrers() {
		if st, ok := ref.(*ssa.Store); ok && st.Addr == ssa.Value(a) && !ssaprog.IsNil(st.Val) {
			all = append(all, g.value(st.Val))
		}
	}
	return common(all)
}

// memory is the way to an address, or to what is loaded from it.
func (g *Gets) memory(addr ssa.Value, loaded bool) way {
	switch addr := addr.(type) {
	case *ssa.FieldAddr:
		w, name := g.value(addr.X), reduce.MemoryName(addr)
		if w.param == nil || strings.HasPrefix(name, "struct.") {
			return way{}
		}
		if loaded {
			return w.to(name, name)
		}
		return w.to(name, "")
	case *ssa.IndexAddr:
		if loaded {
			return g.element(addr.X)
		}
	}
	return way{}
}

// element is the way to an element of a container.
func (g *Gets) element(container ssa.Value) way {
	w, root := g.value(container), rootAt(container)
	if w.param == nil || root == "" {
		return way{}
	}
	return w.to(extension.ElemStep, root+extension.ElemStep)
}

// called is the way through another function.
func (g *Gets) called(call *ssa.Call, result int) way {
	fn := g.ps.Res.Local(call.Call.StaticCallee())
	if fn == nil {
		return way{}
	}
	inner := g.way(getter{fn, result})
	i := slices.Index(fn.Params, inner.param)
	if inner.param == nil || i >= len(call.Call.Args) {
		return way{}
	}
	w := g.value(call.Call.Args[i])
	w.steps += inner.steps
	w.memory = append(slices.Clip(w.memory), inner.memory...)
	return w
}

// definition is the instruction that alone assigns an operand, and which result of
// it that is.
func definition(p *register.Program, op register.Operand) (*register.Instr, int) {
	if op.IsLit() || op.IsNone() {
		return nil, 0
	}
	def := p.OnlyDef(op.Local)
	if def == nil {
		return nil, 0
	}
	return def, slices.Index(def.Dst, op.Local)
}
