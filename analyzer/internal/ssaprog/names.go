package ssaprog

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// funcName is how a person of this package writes a function: Close, time.Now,
// (*Registry).get, (*http.Server).Close.
func (r *Resolver) funcName(fn *types.Func) string {
	qual := func(p *types.Package) string {
		if p == r.pass.Pkg {
			return ""
		}
		return p.Name()
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		if fn.Pkg() == nil || fn.Pkg() == r.pass.Pkg {
			return fn.Name()
		}
		return fn.Pkg().Name() + "." + fn.Name()
	}
	t := recv.Type()
	_, pointer := types.Unalias(t).(*types.Pointer)
	name := types.TypeString(t, qual)
	if obj := Named(t); obj != nil { // without type arguments
		if name = obj.Name(); obj.Pkg() != nil && qual(obj.Pkg()) != "" {
			name = qual(obj.Pkg()) + "." + name
		}
	}
	if pointer {
		name = "(*" + strings.TrimPrefix(name, "*") + ")"
	}
	return name + "." + fn.Name()
}

// FuncDocName is the function's name as go doc prints it: Get,
// (*Registry).Get, Registry.Len; a literal has its parent's name and a number,
// Get.func1.
func FuncDocName(fn *ssa.Function) string {
	if parent := fn.Parent(); parent != nil {
		for i, anon := range parent.AnonFuncs {
			if anon == fn {
				return FuncDocName(parent) + ".func" + Itoa(i+1)
			}
		}
		return FuncDocName(parent) + ".func"
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return fn.Name()
	}
	if obj.Signature().Recv() == nil {
		return obj.Name()
	}
	t := obj.Signature().Recv().Type()
	decl := Named(t)
	if decl == nil {
		return fn.Name()
	}
	if _, pointer := types.Unalias(t).(*types.Pointer); pointer {
		return "(*" + decl.Name() + ")." + obj.Name()
	}
	return decl.Name() + "." + obj.Name()
}

// vendorless is the import path without the place of a vendored copy.
func vendorless(path string) string {
	if i := strings.LastIndex(path, "/vendor/"); i >= 0 {
		return path[i+len("/vendor/"):]
	}
	return strings.TrimPrefix(path, "vendor/")
}

// dynamicCall begins the name of a call of a function value, which is the
// first argument.
const dynamicCall = "dynamic:"
