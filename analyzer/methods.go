package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
)

// What is proposed has to be there: not every map has a LoadOrStore, and some have it by
// another name.

// The methods that make a step whole, with the best one first.
var (
	inserting = []string{
		"LoadOrStore", "GetOrSet", "GetOrInsert", "LoadOrCompute", "GetOrCompute", "SetIfAbsent", "PutIfAbsent",
		"ContainsOrAdd", "PeekOrAdd", "Compute", "Upsert",
	}
	replacing = []string{"CompareAndSwap", "Compute", "Upsert"}
	removing  = []string{"CompareAndDelete", "LoadAndDelete", "GetAndDelete", "Pop", "RemoveCb", "Compute"}
	changing  = []string{"Compute", "Upsert"}
)

// methods are those that the source can call in the place of an operation.
type methods struct {
	// any says that it is not known which there are, or that they can be written.
	any   bool
	names []string
	// silent says that the operation itself returns nothing, and incomparable that it stores what cannot be compared, such as a slice, and
	// CompareAndSwap panics with.
	silent, incomparable bool
}

// first is the first of some methods that there is; empty if there is none.
func (m methods) first(of []string) string {
	for _, name := range of {
		if m.any || slices.Contains(m.names, name) {
			return name
		}
	}
	return ""
}

// both are the first two, in a sentence.
func (m methods) both(of []string) string {
	one := m.first(of)
	if one == "" {
		return ""
	}
	if two := m.first(of[slices.Index(of, one)+1:]); two != "" {
		return one + " or " + two
	}
	return one
}

// methodsAt finds the methods of what an operation is called on. Those of a type of the
// package itself are what its author makes them.
func methodsAt(pass *analysis.Pass, pos, end token.Pos) methods {
	i := slices.IndexFunc(pass.Files, func(f *ast.File) bool { return f.FileStart <= pos && pos < f.FileEnd })
	if i < 0 {
		return methods{any: true}
	}
	path, _ := astutil.PathEnclosingInterval(pass.Files[i], pos, end)
	for _, n := range path {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			continue
		}
		m := methods{any: true}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && pass.TypesInfo.Selections[sel] != nil {
			m = methodsOf(pass.Pkg, pass.TypesInfo.Selections[sel])
		}
		m.silent = pass.TypesInfo.Types[call].IsVoid()
		if n := len(call.Args); n > 0 {
			m.incomparable = !types.Comparable(pass.TypesInfo.TypeOf(call.Args[n-1]))
		}
		return m
	}
	return methods{any: true}
}

func methodsOf(pkg *types.Package, sel *types.Selection) methods {
	if sel.Obj().Pkg() == pkg {
		return methods{any: true}
	}
	recv := sel.Obj().(*types.Func).Signature().Recv().Type()
	var m methods
	for set, i := types.NewMethodSet(recv), 0; i < set.Len(); i++ {
		m.names = append(m.names, set.At(i).Obj().Name())
	}
	return m
}
