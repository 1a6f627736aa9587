package confirm

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/printer"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/internal/checker/gosource"
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
	if made := h.Made(types.NewPointer(named)); len(made) > 0 {
		words := [][]string{{}}
		code := "o := " + h.File.Import(trialPath) + ".Pick(args[0]"
		for _, m := range made {
			words[0] = append(words[0], m.Word)
			code += fmt.Sprintf(", func() *%s { return %s }", h.File.Type(named), m.Code)
		}
		return &object{"marked function", words, code + ")"}, nil
	}
	if made := h.Made(named); len(made) > 0 {
		return &object{made[0].Word, nil, "v := " + made[0].Code + "\no := &v"}, nil
	}
	for _, f := range gosource.Constructors(named.Obj()) {
		// A function of another name may give an object that others have too.
		if !isConstructor.MatchString(f.Name()) {
			continue
		}
		if o := h.constructed(f, named); o != nil {
			return o, nil
		}
	}
	return h.zero(named), nil
}

// zero is the zero value, or one with the state that a constructor would have to
// make, since no code of the package does.
func (h *writer) zero(named *types.Named) *object {
	name := h.File.Type(named)
	words := []string{"zero value"}
	choices := []string{"return new(" + name + ")"}
	if s, ok := named.Underlying().(*types.Struct); ok {
		if h.lacksMap(s) {
			words, choices = nil, nil // all that it can do is panic
		}
		fields := h.state(s, "o", 0)
		for i, word := range []string{"zero value with its fields set", "zero value with its fields set otherwise", "zero value with its fields set in a third way"} {
			filled := ""
			for _, f := range fields {
				filled += fmt.Sprintf("%s = %s\n", f.path, f.values[min(i, len(f.values)-1)])
			}
			choice := "o := new(" + name + ")\n" + filled + "return o"
			if filled != "" && !slices.Contains(choices, choice) {
				words, choices = append(words, word), append(choices, choice)
			}
		}
	}
	if len(words) == 1 && words[0] == "zero value" {
		return &object{"zero value", nil, "o := new(" + name + ")"}
	}
	code := "o := " + h.File.Import(trialPath) + ".Pick(args[0]"
	for _, choice := range choices {
		code += fmt.Sprintf(", func() *%s {\n%s\n}", name, choice)
	}
	return &object{"zero value", [][]string{words}, code + ")"}
}

var isConstructor = regexp.MustCompile("^([Nn]ew|[Mm]ake)")

func capital(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// constructed makes the object by a function, if that can be called.
func (h *writer) constructed(f *types.Func, named *types.Named) *object {
	var given []string
	for a := range named.TypeArgs().Types() {
		given = append(given, h.File.Type(a))
	}
	c, err := gosource.NewConstructor(f, given)
	if err != nil || h.refuses(f) != nil || !types.Identical(c.Object(), types.NewPointer(named)) {
		return nil
	}
	words, args, err := h.arguments(c.Signature, nil)
	if err != nil {
		return nil
	}
	return &object{h.File.Callee(c), words, h.File.Construct(c, args)}
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
		if !ok || h.pkg.inTest(v) || !slices.Contains(h.pkg.GoFiles, h.pkg.Fset.Position(v.Pos()).Filename) {
			continue // those that cgo has generated are nobody's business
		}
		if _, isPointer := v.Type().Underlying().(*types.Pointer); isPointer && initializers[v] != "" {
			fmt.Fprintf(&again, "%s = %s\n", name, initializers[v])
			continue
		}
		kept = append(kept, "&"+name)
	}
	return fmt.Sprintf("keep := %s.Keep(%s)\nrestore := func() {\nkeep()\n%s}\n", h.File.Import(trialPath), strings.Join(kept, ", "), again.String())
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
