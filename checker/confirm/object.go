package confirm

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/printer"
	"go/types"
	"strings"
)

// object is how an object is made: code that declares o, a pointer to it.
type object struct {
	name  string
	words [][]string // of the constructor's arguments
	code  string
}

// object finds how an object of a type is made: by a function that the user
// marked, by a constructor, or as a zero value.
func (h *writer) object(named *types.Named) (*object, error) {
	if made := h.made(types.NewPointer(named)); len(made) > 0 {
		words := [][]string{{}}
		code := "o := " + h.imports.name(trialPath) + ".Pick(args[0]"
		for _, m := range made {
			words[0] = append(words[0], m.word)
			code += fmt.Sprintf(", func() *%s { return %s }", h.text(named), m.code)
		}
		return &object{"marked function", words, code + ")"}, nil
	}
	if made := h.made(named); len(made) > 0 {
		return &object{made[0].word, nil, "v := " + made[0].code + "\no := &v"}, nil
	}
	name := named.Obj().Name()
	for _, prefix := range []string{"New", "new", "Make", "make"} {
		if o := h.constructed(prefix+capital(name), named); o != nil {
			return o, nil
		}
	}
	for _, fallback := range []string{"New", "new"} {
		if o := h.constructed(fallback, named); o != nil {
			return o, nil
		}
	}
	return &object{"zero value", nil, "o := new(" + h.text(named) + ")"}, nil
}

func capital(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// constructed makes the object by a function, if that can be called.
func (h *writer) constructed(function string, named *types.Named) *object {
	f, ok := h.pkg.Types.Scope().Lookup(function).(*types.Func)
	if !ok {
		return nil
	}
	sig, call := f.Signature(), function
	if n := sig.TypeParams().Len(); n > 0 {
		if n != named.TypeArgs().Len() {
			return nil
		}
		var args []types.Type
		for a := range named.TypeArgs().Types() {
			args = append(args, a)
		}
		instance, err := types.Instantiate(nil, sig, args, true)
		if err != nil {
			return nil
		}
		sig, call = instance.(*types.Signature), call+h.typeArgs(args)
	}
	address, ok := returns(sig, named)
	if !ok || h.reachesIO(f) != "" {
		return nil
	}
	words, args, err := h.arguments(sig)
	if err != nil {
		return nil
	}
	code := "v := "
	if sig.Results().Len() == 2 {
		code = "v, err := "
	}
	code += call + "(" + strings.Join(args, ", ") + ")\n"
	if sig.Results().Len() == 2 {
		code += "if err != nil {\npanic(err)\n}\n"
	}
	return &object{call, words, code + "o := " + address + "v"}
}

// returns reports whether the first result is the type or a pointer to it,
// with nothing but an error beside it, and how its address is taken.
func returns(sig *types.Signature, named *types.Named) (address string, ok bool) {
	r := sig.Results()
	if r.Len() == 0 || r.Len() > 2 || r.Len() == 2 && types.TypeString(r.At(1).Type(), nil) != "error" {
		return "", false
	}
	switch t := r.At(0).Type(); {
	case types.Identical(t, named):
		return "&", true
	case types.Identical(t, types.NewPointer(named)):
		return "", true
	}
	return "", false
}

// keep is the code that declares restore, which gives the package's variables
// the values that they had. Those with something behind a pointer get it by
// their initializer, if that is of the package alone.
func (h *writer) keep() string {
	var kept []string
	var again strings.Builder
	initializers := map[*types.Var]string{}
	for _, init := range h.pkg.TypesInfo.InitOrder {
		if len(init.Lhs) == 1 && h.local(init.Rhs) {
			initializers[init.Lhs[0]] = h.source(init.Rhs)
		}
	}
	scope := h.pkg.Types.Scope()
	for _, name := range scope.Names() {
		v, ok := scope.Lookup(name).(*types.Var)
		if !ok || h.pkg.inTest(v) {
			continue
		}
		if _, isPointer := v.Type().Underlying().(*types.Pointer); isPointer && initializers[v] != "" {
			fmt.Fprintf(&again, "%s = %s\n", name, initializers[v])
			continue
		}
		kept = append(kept, "&"+name)
	}
	return fmt.Sprintf("keep := %s.Keep(%s)\nrestore := func() {\nkeep()\n%s}\n", h.imports.name(trialPath), strings.Join(kept, ", "), again.String())
}

// local reports whether all names of an expression are of the package.
func (h *writer) local(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		if id, isIdent := n.(*ast.Ident); isIdent {
			_, isPackage := h.pkg.TypesInfo.Uses[id].(*types.PkgName)
			ok = ok && !isPackage
		}
		return ok
	})
	return ok
}

func (h *writer) source(e ast.Expr) string {
	var b bytes.Buffer
	printer.Fprint(&b, h.pkg.Fset, e)
	return b.String()
}
