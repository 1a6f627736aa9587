package confirm

import (
	"fmt"
	"go/types"
	"strings"
)

// expression is a value that is passed as an argument: as people read it and
// as the test file writes it. Each evaluation of code gives a new value where
// that can be told apart.
type expression struct{ word, code string }

func plain(expressions ...string) []expression {
	var all []expression
	for _, e := range expressions {
		all = append(all, expression{e, e})
	}
	return all
}

// values gives expressions for types, as a file of the package writes them.
type values struct {
	pkg     *loaded
	imports *imports
}

// maxDepth bounds values within values.
const maxDepth = 3

// of gives expressions of a type: two where two can be told apart, and where
// it holds keys and other things, one with the first key and second others.
func (v *values) of(t types.Type, depth int) ([]expression, error) {
	if made := v.made(t); len(made) > 0 {
		return made, nil
	}
	if depth > maxDepth {
		return nil, fmt.Errorf("no value of type %s is known", t)
	}
	if known := v.known(t); known != nil {
		return known, nil
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return basic(t, u)
	case *types.Interface:
		return v.implementation(t, u, depth)
	case *types.Pointer:
		return v.pointer(u, depth)
	case *types.Struct:
		return v.structure(t, u, depth), nil
	case *types.Slice:
		return v.list(t, u.Elem(), depth)
	case *types.Array:
		return plain(v.text(t) + "{}"), nil
	case *types.Map:
		return v.mapping(t, u, depth)
	case *types.Chan:
		return plain("make(" + v.text(types.NewChan(types.SendRecv, u.Elem())) + ", 1)"), nil
	case *types.Signature:
		return v.stub(u, depth)
	}
	return nil, fmt.Errorf("no value of type %s is known", t)
}

func (v *values) text(t types.Type) string { return types.TypeString(t, v.imports.qualify) }

// made are calls of the functions that the user marked.
func (v *values) made(t types.Type) []expression {
	var all []expression
	for _, f := range v.pkg.makers {
		if types.Identical(f.Signature().Results().At(0).Type(), t) {
			all = append(all, plain(f.Name()+"()")...)
		}
	}
	return all
}

// known are types of the standard library for which the general rules give
// nothing useful. The earlier time is long ago, the later one far ahead.
func (v *values) known(t types.Type) []expression {
	write := func(pkg string, words ...string) []expression {
		var all []expression
		q := v.imports.name(pkg)
		base := pkg[strings.LastIndexByte(pkg, '/')+1:]
		for _, w := range words {
			all = append(all, expression{strings.ReplaceAll(w, "$", base), strings.ReplaceAll(w, "$", q)})
		}
		return all
	}
	switch types.TypeString(t, nil) {
	case "time.Time":
		return write("time", "$.Unix(1, 0)", "$.Unix(1<<33, 0)")
	case "time.Duration":
		return write("time", "$.Millisecond", "$.Hour")
	case "context.Context":
		return write("context", "$.Background()")
	case "io.Writer":
		return write("io", "$.Discard")
	case "io.Reader":
		return write("strings", `$.NewReader("a")`)
	case "error":
		return write("errors", `$.New("a")`, `$.New("b")`)
	case "*testing.T", "*testing.B":
		return nil
	}
	return nil
}

func basic(t types.Type, u *types.Basic) ([]expression, error) {
	switch info := u.Info(); {
	case info&types.IsBoolean != 0:
		return plain("true", "false"), nil
	case info&types.IsString != 0:
		return plain(`"a"`, `"b"`, `"a.b"`), nil
	case info&types.IsNumeric != 0:
		return plain("1", "2"), nil
	}
	return nil, fmt.Errorf("no value of type %s is known", t)
}

// implementation gives values of an interface: strings where anything will
// do, else pointers to a struct that embeds it. Their methods panic when they
// are called.
func (v *values) implementation(t types.Type, u *types.Interface, depth int) ([]expression, error) {
	if u.NumMethods() == 0 {
		return plain(`"a"`, `"b"`), nil
	}
	for _, name := range v.pkg.Types.Scope().Names() {
		tn, ok := v.pkg.Types.Scope().Lookup(name).(*types.TypeName)
		if !ok || types.IsInterface(tn.Type()) || generic(tn.Type()) {
			continue
		}
		for _, impl := range []types.Type{tn.Type(), types.NewPointer(tn.Type())} {
			if types.Implements(impl, u) {
				all, err := v.of(impl, depth+1)
				return v.converted(impl, all), err
			}
		}
	}
	text := v.text(t)
	return []expression{{"a " + types.TypeString(t, shortly), fmt.Sprintf("&struct { %s; n int }{}", text)}}, nil
}

// converted says of which type the values are, where that is not in their
// code.
func (v *values) converted(t types.Type, all []expression) []expression {
	switch t.Underlying().(type) {
	case *types.Basic, *types.Signature:
	default:
		return all
	}
	var out []expression
	for _, x := range all {
		out = append(out, expression{x.word, v.text(t) + "(" + x.code + ")"})
	}
	return out
}

func shortly(p *types.Package) string { return p.Name() }

func generic(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.TypeParams().Len() > 0
}

func (v *values) pointer(u *types.Pointer, depth int) ([]expression, error) {
	inner, err := v.of(u.Elem(), depth+1)
	if err != nil {
		return nil, err
	}
	elem := v.text(u.Elem())
	var all []expression
	for _, x := range inner {
		code := fmt.Sprintf("func() *%s { var x %s = %s; return &x }()", elem, elem, x.code)
		if _, ok := u.Elem().Underlying().(*types.Struct); ok && strings.HasPrefix(x.code, elem+"{") {
			code = "&" + x.code
		}
		all = append(all, expression{"&" + x.word, code})
	}
	return all, nil
}

// structure fills the fields that the package can see: all with the first
// values, all with the second ones, or what may be keys with the first ones
// and the rest with the second ones.
func (v *values) structure(t types.Type, u *types.Struct, depth int) []expression {
	name, word := v.text(t), types.TypeString(t, func(p *types.Package) string {
		if p == v.pkg.Types {
			return ""
		}
		return p.Name()
	})
	var fields []field
	for f := range u.Fields() {
		if !f.Exported() && f.Pkg() != v.pkg.Types || !fillable(f.Type()) {
			continue
		}
		if vs, err := v.of(f.Type(), depth+1); err == nil && len(vs) > 1 {
			fields = append(fields, field{f, vs})
		}
	}
	literal := func(choose func(field) int) expression {
		var words, codes []string
		for _, f := range fields {
			x := f.values[choose(f)]
			words, codes = append(words, f.Name()+": "+x.word), append(codes, f.Name()+": "+x.code)
		}
		return expression{word + "{" + strings.Join(words, ", ") + "}", name + "{" + strings.Join(codes, ", ") + "}"}
	}
	all := []expression{literal(func(field) int { return 0 })}
	if len(fields) > 0 {
		all = append(all, literal(func(field) int { return 1 }))
	}
	if len(fields) > 1 {
		all = append(all, literal(func(f field) int {
			if f.key() {
				return 0
			}
			return 1
		}))
	}
	return all
}

// field is a field of a struct, and values for it.
type field struct {
	*types.Var
	values []expression
}

// key reports whether the field may be a key of a map.
func (f field) key() bool {
	b, ok := f.Type().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// fillable reports whether a field is given a value: maps, channels and what
// belongs to package sync is left as it is.
func fillable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Basic:
		return true
	}
	s := types.TypeString(t, nil)
	return s == "time.Time" || s == "time.Duration" || s == "any" || s == "interface{}"
}

func (v *values) list(t, elem types.Type, depth int) ([]expression, error) {
	inner, err := v.of(elem, depth+1)
	if err != nil {
		return plain("nil"), nil
	}
	var all []expression
	for _, x := range inner[:min(2, len(inner))] {
		all = append(all, expression{"{" + x.word + "}", v.text(t) + "{" + x.code + "}"})
	}
	return all, nil
}

func (v *values) mapping(t types.Type, u *types.Map, depth int) ([]expression, error) {
	keys, err := v.of(u.Key(), depth+1)
	if err != nil {
		return nil, err
	}
	elems, err := v.of(u.Elem(), depth+1)
	if err != nil {
		return nil, err
	}
	return []expression{{
		"{" + keys[0].word + ": " + elems[0].word + "}",
		v.text(t) + "{" + keys[0].code + ": " + elems[0].code + "}",
	}}, nil
}

// stub is a function that does nothing and returns the first known values; an
// error is nil. A second one returns the second values.
func (v *values) stub(u *types.Signature, depth int) ([]expression, error) {
	var all []expression
	for n := range 2 {
		var results []string
		for r := range u.Results().Variables() {
			code := "nil"
			if types.TypeString(r.Type(), nil) != "error" {
				vs, err := v.of(r.Type(), depth+1)
				if err != nil {
					return nil, err
				}
				code = vs[min(n, len(vs)-1)].code
			}
			results = append(results, code)
		}
		sig := strings.TrimPrefix(v.text(types.NewSignatureType(nil, nil, nil, unnamed(u.Params()), unnamed(u.Results()), u.Variadic())), "func")
		all = append(all, expression{fmt.Sprintf("f%d", n+1), "func" + sig + " { return " + strings.Join(results, ", ") + " }"})
		if len(results) == 0 {
			break
		}
	}
	return all, nil
}

// unnamed is a list of parameters without their names.
func unnamed(t *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range t.Variables() {
		vars = append(vars, types.NewParam(v.Pos(), v.Pkg(), "", v.Type()))
	}
	return types.NewTuple(vars...)
}
