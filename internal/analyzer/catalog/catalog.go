// Package catalog holds, as data, what the analyzer knows of code that it
// does not read: which types are concurrent maps or atomics and what each of
// their methods does to a cell (maps.txt), and which functions are pure, read
// only, quiet, allocating, blocking, locking or do not return (pure.txt,
// quiet.txt, sync.txt, names.txt).
//
// The tables are text so that a library is added without code, by the same
// syntax in a user's own configuration. Shape recognizes types that are in no
// table but have sync.Map's method set.
package catalog

import (
	"embed"
	"go/types"
	"sort"
	"strings"
)

// Catalog is an immutable set of operations and rules. The zero Catalog
// knows nothing.
type Catalog struct {
	ops   map[funcKey]*Op
	types map[typeKey]*Type
	rules []*ruleSet
	// exact indexes rules by package; wild holds those with a pattern, the
	// longest first; guess holds those of names.txt.
	exact map[string][]*ruleSet
	wild  []*ruleSet
	guess []*ruleSet
	// shipped is set for a catalog that is read when it is needed.
	shipped *shipped
}

// typeKey names a type, or with an empty name the functions of a package.
type typeKey struct{ pkg, name string }

// funcKey names a method, or a function if typ is empty.
type funcKey struct{ pkg, typ, name string }

//go:embed *.txt
var tables embed.FS

// Merge returns a catalog that knows what c and other know. Where both know
// something of the same function, other wins: a user's table can correct
// the one that is shipped.
func (c *Catalog) Merge(other *Catalog) *Catalog {
	c.read()
	other.read()
	m := &Catalog{ops: map[funcKey]*Op{}, types: map[typeKey]*Type{}}
	for _, from := range []*Catalog{c, other} {
		for k, t := range from.types {
			m.types[k] = t
		}
		for k, op := range from.ops {
			m.ops[k] = op
		}
	}
	// The later table's rules come first: among equals the first wins.
	m.rules = append(append(m.rules, other.rules...), c.rules...)
	m.indexRules()
	return m
}

// Lookup finds the operation that a method or function is. It sees through
// instantiation, and through embedding, since a promoted method is the
// embedded type's own. A library version whose signature has another arity
// than the table is not the library that the table describes; one that
// returns nothing yet where a later version returns something is.
func (c *Catalog) Lookup(fn *types.Func) (*Op, bool) {
	key, ok := keyOf(fn)
	if !ok || !c.mentions(typeKey{key.pkg, key.typ}) {
		return nil, false
	}
	c.read()
	op, ok := c.ops[key]
	if !ok || !sameArity(op, fn.Signature()) {
		return nil, false
	}
	return op, true
}

func sameArity(op *Op, sig *types.Signature) bool {
	params, results := sig.Params().Len(), sig.Results().Len()
	return (op.Params == nil || params == len(op.Params)) &&
		(op.Results == nil || results == len(op.Results) || results == 0)
}

// TypeOf returns what the table knows of t, which may be a pointer.
func (c *Catalog) TypeOf(t types.Type) (*Type, bool) {
	n, ok := namedOf(t)
	if !ok || n.Obj().Pkg() == nil {
		return nil, false
	}
	key := typeKey{ImportPath(n.Obj().Pkg()), n.Obj().Name()}
	if !c.mentions(key) {
		return nil, false
	}
	c.read()
	known, ok := c.types[key]
	return known, ok
}

// Packages returns the import paths that have an operation in the table, in
// order. A package that imports none of them, directly or not, calls no
// operation that Lookup would find.
func (c *Catalog) Packages() []string {
	seen := map[string]bool{}
	var paths []string
	for k := range c.typeKeys() {
		if !seen[k.pkg] {
			seen[k.pkg] = true
			paths = append(paths, k.pkg)
		}
	}
	sort.Strings(paths)
	return paths
}

// Ops returns every operation, ordered by package, type and name.
func (c *Catalog) Ops() []*Op {
	c.read()
	ops := make([]*Op, 0, len(c.ops))
	for _, op := range c.ops {
		ops = append(ops, op)
	}
	sort.Slice(ops, func(i, j int) bool {
		a, b := ops[i], ops[j]
		if a.Type.Pkg != b.Type.Pkg {
			return a.Type.Pkg < b.Type.Pkg
		}
		if a.Type.Name != b.Type.Name {
			return a.Type.Name < b.Type.Name
		}
		return a.Name < b.Name
	})
	return ops
}

// keyOf names fn the way the tables do; ok is false for functions that no
// table can name (of no package, or methods of unnamed types).
func keyOf(fn *types.Func) (funcKey, bool) {
	fn = fn.Origin()
	if fn.Pkg() == nil {
		// error.Error is the one method of a type outside every package.
		if fn.Name() == "Error" {
			return funcKey{"builtin", "error", "Error"}, true
		}
		return funcKey{}, false
	}
	key := funcKey{pkg: ImportPath(fn.Pkg()), name: fn.Name()}
	recv := fn.Signature().Recv()
	if recv == nil {
		return key, true
	}
	n, ok := namedOf(recv.Type())
	if !ok {
		return funcKey{}, false
	}
	key.typ = n.Obj().Name()
	return key, true
}

// namedOf strips aliases, one pointer and instantiation.
func namedOf(t types.Type) (*types.Named, bool) {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok {
		return nil, false
	}
	return n.Origin(), true
}

// ImportPath is the path as an import declaration has it: a vendored copy of
// a library is that library.
func ImportPath(pkg *types.Package) string {
	path := pkg.Path()
	if i := strings.LastIndex(path, "/vendor/"); i >= 0 {
		return path[i+len("/vendor/"):]
	}
	return strings.TrimPrefix(path, "vendor/")
}
