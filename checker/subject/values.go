package subject

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// values gives a few expressions for each type. Expressions are given twice:
// as tests write them, and as the file does, where they differ.
type values struct {
	im *imports
	// given are expressions of the user's, by the text of the type.
	given map[string][]string
	stubs int
}

// value is an expression.
type value struct {
	word string // in a test: 10, "a", f
	code string // in the file
	// seen is the variable in which a stub notes what it was called with.
	seen string
	// before is code that has to stand before the call.
	before string
}

func plain(expressions ...string) []value {
	all := make([]value, len(expressions))
	for i, e := range expressions {
		all[i] = value{word: e, code: e}
	}
	return all
}

// maxDepth bounds values within values.
const maxDepth = 3

// of gives expressions of a type: two where two can be told apart. If there
// is none, it says why.
func (v *values) of(t types.Type) ([]value, error) { return v.at(t, 0) }

func (v *values) at(t types.Type, depth int) ([]value, error) {
	if given := v.given[types.TypeString(t, (*types.Package).Name)]; len(given) > 0 {
		return plain(given...), nil
	}
	if depth > maxDepth || !v.im.nameable(t) {
		return nil, fmt.Errorf("there is no way to write a %s", t)
	}
	if known := v.known(t); known != nil {
		return known, nil
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return v.basic(t, u)
	case *types.Interface:
		if u.NumMethods() == 0 && !u.IsComparable() || u.Empty() {
			return plain("10", "20"), nil
		}
		return nil, fmt.Errorf("there is no value known of the interface %s", t)
	case *types.Pointer:
		return v.pointer(u, depth)
	case *types.Slice:
		return v.composite(t, u.Elem(), depth)
	case *types.Map:
		return v.mapping(t, u, depth)
	case *types.Array:
		return plain(v.im.text(t) + "{}"), nil
	case *types.Struct:
		return v.structure(t, u, depth)
	case *types.Signature:
		return v.stub(u)
	}
	return nil, fmt.Errorf("there is no value known of type %s", t)
}

// known are types for which a plain value would not do: a time to live of ten
// nanoseconds, a nil context.
func (v *values) known(t types.Type) []value {
	named, ok := t.(*types.Named)
	if !ok {
		return nil
	}
	name := named.Obj().Name()
	if p := named.Obj().Pkg(); p != nil {
		name = p.Path() + "." + name
	}
	switch name {
	case "time.Duration":
		return []value{{word: "time.Hour", code: v.im.std("time") + ".Hour"}}
	case "context.Context":
		return []value{{word: "context.Background()", code: v.im.std("context") + ".Background()"}}
	case "error":
		e := v.im.std("errors")
		return []value{{word: `errors.New("a")`, code: e + `.New("a")`}, {word: `errors.New("b")`, code: e + `.New("b")`}}
	}
	return nil
}

// basic gives two values of a basic type, converted if it has a name. Of a
// type that has constants in its package, they are these.
func (v *values) basic(t types.Type, u *types.Basic) ([]value, error) {
	if constants := v.constants(t); len(constants) > 0 {
		return constants, nil
	}
	var words []string
	switch info := u.Info(); {
	case info&types.IsBoolean != 0:
		words = []string{"true", "false"}
	case info&types.IsString != 0:
		words = []string{`"a"`, `"b"`}
	case info&types.IsNumeric != 0:
		words = []string{"10", "20"}
	default:
		return nil, fmt.Errorf("there is no value known of type %s", t)
	}
	return plain(words...), nil
}

// constants are the last two exported constants of a type: the first is
// mostly the one that means nothing.
func (v *values) constants(t types.Type) []value {
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return nil
	}
	scope := named.Obj().Pkg().Scope()
	var all []*types.Const
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && c.Exported() && types.Identical(c.Type(), t) {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, byValue)
	var out []value
	for _, c := range all[max(0, len(all)-2):] {
		q := v.im.qualify(c.Pkg())
		if q != "" {
			q += "."
		}
		out = append(out, value{word: c.Name(), code: q + c.Name()})
	}
	return out
}

// byValue orders constants by what they are; those that are equal, or not
// comparable, keep the order of their names.
func byValue(a, b *types.Const) int {
	x, y := a.Val(), b.Val()
	if x.Kind() != y.Kind() || x.Kind() == constant.Bool || constant.Compare(x, token.EQL, y) {
		return 0
	}
	if constant.Compare(x, token.LSS, y) {
		return -1
	}
	return 1
}

func (v *values) pointer(u *types.Pointer, depth int) ([]value, error) {
	inner, err := v.at(u.Elem(), depth+1)
	if err != nil {
		return nil, err
	}
	// Each call has a new pointer, to a value that tells which it is.
	elem := v.im.text(u.Elem())
	all := make([]value, len(inner))
	for i, x := range inner {
		all[i] = value{
			word: "&" + x.word,
			code: fmt.Sprintf("func() *%s { var x %s = %s; return &x }()", elem, elem, x.code),
		}
	}
	return all, nil
}

// composite gives a slice with one element, and one with two.
func (v *values) composite(t, elem types.Type, depth int) ([]value, error) {
	inner, err := v.at(elem, depth+1)
	if err != nil {
		return nil, err
	}
	one := value{word: "{" + inner[0].word + "}", code: v.im.text(t) + "{" + inner[0].code + "}"}
	if len(inner) < 2 {
		return []value{one}, nil
	}
	return []value{one, {
		word: "{" + inner[0].word + ", " + inner[1].word + "}",
		code: v.im.text(t) + "{" + inner[0].code + ", " + inner[1].code + "}",
	}}, nil
}

func (v *values) mapping(t types.Type, u *types.Map, depth int) ([]value, error) {
	keys, err := v.at(u.Key(), depth+1)
	if err != nil {
		return nil, err
	}
	elems, err := v.at(u.Elem(), depth+1)
	if err != nil {
		return nil, err
	}
	k, e := keys[0], elems[len(elems)-1]
	return []value{{
		word: "{" + k.word + ": " + e.word + "}",
		code: v.im.text(t) + "{" + k.code + ": " + e.code + "}",
	}}, nil
}

// structure gives two values that differ in the first field that can.
func (v *values) structure(t types.Type, u *types.Struct, depth int) ([]value, error) {
	name := v.im.text(t)
	for f := range u.Fields() {
		if !f.Exported() {
			continue
		}
		inner, err := v.at(f.Type(), depth+1)
		if err != nil || len(inner) < 2 {
			continue
		}
		var all []value
		for _, x := range inner[:2] {
			all = append(all, value{
				word: fmt.Sprintf("{%s: %s}", f.Name(), x.word),
				code: fmt.Sprintf("%s{%s: %s}", name, f.Name(), x.code),
			})
		}
		return all, nil
	}
	return []value{{word: "{}", code: name + "{}"}}, nil
}

// stub gives a function that notes its arguments and returns the last known
// value of each result: an update rather than none, and true, so that it is
// called again.
func (v *values) stub(u *types.Signature) ([]value, error) {
	v.stubs++
	name, seen := fmt.Sprintf("f%d", v.stubs), fmt.Sprintf("seen%d", v.stubs)
	var params, args, results, returns []string
	for i := range u.Params().Len() {
		t := u.Params().At(i).Type()
		if !v.im.nameable(t) {
			return nil, fmt.Errorf("it takes a function of a %s", t)
		}
		text := v.im.text(t)
		if u.Variadic() && i == u.Params().Len()-1 {
			text = "..." + strings.TrimPrefix(text, "[]")
		}
		params = append(params, fmt.Sprintf("a%d %s", i, text))
		args = append(args, fmt.Sprintf("a%d", i))
	}
	for r := range u.Results().Variables() {
		choice, err := v.result(r.Type())
		if err != nil {
			return nil, err
		}
		results = append(results, v.im.text(r.Type()))
		returns = append(returns, choice)
	}
	code := fmt.Sprintf("var %s %s.Unordered\n%s := func(%s) (%s) { %s = append(%s, []any{%s}); return %s }\n",
		seen, v.im.lineup(), name, strings.Join(params, ", "), strings.Join(results, ", "), seen, seen, strings.Join(args, ", "), strings.Join(returns, ", "))
	return []value{{word: "f", code: name, seen: seen, before: code}}, nil
}

// result is what a stub returns: an error is nil, a boolean true, an
// enumeration a value from its middle.
func (v *values) result(t types.Type) (string, error) {
	if types.Identical(t, types.Universe.Lookup("error").Type()) {
		return "nil", nil
	}
	choice, err := v.at(t, 1)
	if err != nil {
		return "", err
	}
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsBoolean != 0 {
		return "true", nil
	}
	if len(v.constants(t)) > 0 {
		return choice[0].code, nil // an operation that is none of the extremes
	}
	last := choice[len(choice)-1]
	if last.before != "" {
		return "nil", nil // a function that returns functions is called with none
	}
	return last.code, nil
}
