package confirm

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/mapatom/mapatom/internal/checker/gosource"
)

// Where there is no constructor, an object has state that somebody else makes, or a
// test: maps, functions and pointers; and what no code of the package makes, since it
// is only read: limits, lists of what is allowed, flags; and numbers that are only
// taken from, as a budget. With the zero values of these the code does nothing.

// A given is a part of an object, and expressions for it.
type given struct {
	path   string
	values []string
}

// maxState is how deep structs within structs are looked into, and maxArray how
// long arrays of them are.
const (
	maxState = 3
	maxArray = 32
)

// state is what is to be given of a struct that stands at a path.
func (h *writer) state(s *types.Struct, path string, depth int) (all []given) {
	for f := range s.Fields() {
		if f.Name() == "_" || !f.Exported() && f.Pkg() != h.pkg.Types {
			continue
		}
		at := path + "." + f.Name()
		if array, ok := f.Type().Underlying().(*types.Array); ok && array.Len() <= maxArray {
			for i := range array.Len() {
				all = append(all, h.within(array.Elem(), fmt.Sprintf("%s[%d]", at, i), depth)...)
			}
			continue
		}
		if inside := h.within(f.Type(), at, depth); inside != nil {
			all = append(all, inside...)
			continue
		}
		if values := h.needed(f); len(values) > 0 {
			all = append(all, given{at, values})
		}
	}
	return all
}

// within is what is to be given of a type of the package that is a struct.
func (h *writer) within(t types.Type, path string, depth int) []given {
	inner, ok := t.Underlying().(*types.Struct)
	if !ok || !h.ours(t) || depth == maxState {
		return nil
	}
	return h.state(inner, path, depth+1)
}

// ours reports whether a type is one of the package's, or has no name.
func (h *writer) ours(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return !ok || named.Obj().Pkg() == h.pkg.Types
}

// needed are values for a field that is of little use without one.
func (h *writer) needed(f *types.Var) []string {
	switch t := f.Type().Underlying().(type) {
	case *types.Basic:
		switch {
		case h.usesOf(f)&(set|added) != 0:
		case t.Info()&types.IsInteger != 0:
			// A limit: nothing fits within zero. The last one leaves room for what is tried.
			return []string{"1", "1", "4"}
		case t.Info()&types.IsBoolean != 0 && h.usesOf(f) == 0:
			return []string{"true"}
		}
		return nil
	case *types.Slice:
		if h.usesOf(f) != 0 {
			return nil
		}
		return h.several(f.Type(), t.Elem())
	case *types.Map:
		return h.entries(f.Type(), t)
	case *types.Chan, *types.Signature, *types.Pointer, *types.Interface:
		vs, err := h.Of(f.Type())
		if err != nil || len(vs) == 0 {
			return nil
		}
		return []string{h.full(f.Type(), vs[0]).Code}
	}
	return nil
}

// several is a slice with more elements than the numbers that are tried as
// indices.
func (h *writer) several(t, elem types.Type) []string {
	vs, err := h.Of(elem)
	if err != nil || len(vs) == 0 {
		return nil
	}
	text := h.File.Type(t) + "{"
	for i := range len(leaves.Numbers) + 1 {
		text += vs[min(i, len(vs)-1)].Code + ", "
	}
	return []string{text + "}"}
}

// entries are maps with one entry: one that is otherwise than the first value of
// its type, and that.
func (h *writer) entries(t types.Type, m *types.Map) []string {
	vs, err := h.Of(t)
	if err != nil || len(vs) == 0 {
		return nil
	}
	all := []string{vs[0].Code}
	keys, err := h.Of(m.Key())
	elems, err2 := h.Of(m.Elem())
	if err == nil && err2 == nil {
		all = append(all, fmt.Sprintf("%s{%s: %s}", h.File.Type(t), keys[0].Code, h.full(m.Elem(), elems[0]).Code))
	}
	return all
}

// full is the value; of a pointer to a struct of the package it is one with the state
// that it is to be given. What a struct points to is filled as deep as what is within
// it, and not in one of its own type: the page of a page has a page.
func (h *writer) full(t types.Type, v gosource.Value) gosource.Value {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok || !h.ours(p.Elem()) {
		return v
	}
	s, ok := p.Elem().Underlying().(*types.Struct)
	if !ok || len(h.filling) == maxState || slices.Contains(h.filling, s) {
		return v
	}
	h.filling = append(h.filling, s)
	defer func() { h.filling = h.filling[:len(h.filling)-1] }()
	filled := ""
	for _, f := range h.state(s, "x", maxState) {
		filled += fmt.Sprintf("%s = %s\n", f.path, f.values[0])
	}
	v.Code = fmt.Sprintf("func() %s {\nx := %s\n%sreturn x\n}()", h.File.Type(t), v.Code, filled)
	return v
}

// use is what the code of the package does to a field, besides reading it.
type use int

const (
	set    use = 1 << iota // assigns it, or takes its address
	added                  // makes it larger
	taken                  // makes it smaller
	stored                 // stores in an element of it
	made                   // sets it in a literal of the struct
)

// usesOf is what the code of the package does to a field of an object that is
// made.
func (h *writer) usesOf(f *types.Var) use {
	if h.pkg.uses == nil {
		h.pkg.uses = h.pkg.usesOfFields()
	}
	return h.pkg.uses[f.Origin()]
}

// usesOfFields is what the code of the package does to variables, those that are
// fields among them.
func (l *loaded) usesOfFields() map[*types.Var]use {
	uses := map[*types.Var]use{}
	add := func(e ast.Expr, u use) {
		switch e := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			if v, ok := l.TypesInfo.Uses[e.Sel].(*types.Var); ok {
				uses[v.Origin()] |= u
			}
		case *ast.Ident:
			if v, ok := l.TypesInfo.Uses[e].(*types.Var); ok && v.IsField() {
				uses[v.Origin()] |= u
			}
		}
	}
	note := func(e ast.Expr, u use) {
		add(e, u)
		if at, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
			add(at.X, stored)
		}
	}
	for _, file := range l.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					note(e, assigned[n.Tok])
				}
			case *ast.IncDecStmt:
				note(n.X, assigned[n.Tok])
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					note(n.X, set)
				}
			case *ast.KeyValueExpr:
				note(n.Key, made)
			}
			return true
		})
	}
	return uses
}

// assigned is what statements do.
var assigned = map[token.Token]use{
	token.ASSIGN: set, token.DEFINE: set, token.ADD_ASSIGN: added, token.INC: added, token.SUB_ASSIGN: taken, token.DEC: taken,
	token.MUL_ASSIGN: set, token.QUO_ASSIGN: set, token.REM_ASSIGN: set, token.AND_ASSIGN: set, token.OR_ASSIGN: set,
	token.XOR_ASSIGN: set, token.SHL_ASSIGN: set, token.SHR_ASSIGN: set, token.AND_NOT_ASSIGN: set,
}

// lacksMap reports whether a struct has a map that code stores in, and that none
// makes: whoever uses the type has to.
func (h *writer) lacksMap(s *types.Struct) bool {
	return slices.ContainsFunc(slices.Collect(s.Fields()), func(f *types.Var) bool {
		_, isMap := f.Type().Underlying().(*types.Map)
		return isMap && h.usesOf(f)&stored != 0 && h.usesOf(f)&(set|made) == 0
	})
}
