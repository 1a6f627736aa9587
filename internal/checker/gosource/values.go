package gosource

import (
	"context"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A Value is an expression.
type Value struct {
	Word string // as tests and histories write it: 10, "a", f
	Code string // as the file writes it; each evaluation gives a new value where that can be told apart
	// Before is code that has to stand before the call, and Seen the variable in
	// it in which a function notes what it was called with.
	Before, Seen string
}

func plain(expressions ...string) []Value {
	all := make([]Value, len(expressions))
	for i, e := range expressions {
		all[i] = Value{Word: e, Code: e}
	}
	return all
}

// Leaves are what values are made of in the end: expressions of types that
// nothing else is known of.
type Leaves struct{ Numbers, Strings, Any, Durations []string }

// Values gives expressions for each type, as a file writes them.
type Values struct {
	File   *File
	Leaves Leaves
	// Most bounds the values of a type, Seen and functions aside.
	Most int
	// Given are expressions of the user's, by the text of the type.
	Given map[string][]string
	// Makers are functions of the user's that take nothing and return a value.
	Makers []*types.Func
	// Hollow allows values that only make it possible to call a function: a
	// channel that nobody listens to, and, of an interface that nothing
	// implements, one of a type that Declarations has.
	Hollow bool
	// Notes is the type, in the file's words, in which functions note their
	// arguments; they note nothing if it is "".
	Notes string
	// Runs is a function that functions which return nothing, or only an error, call
	// first, with the variable world and their arguments; none if it is "". Used says that
	// it was written.
	Runs string
	Used bool
	// Until ends when nobody waits for values any more: then there are none. It may be
	// nil.
	Until context.Context

	functions int
	declared  strings.Builder   // stubs
	stubs     map[string]string // their names, by the interface
}

// maxDepth bounds values within values.
const maxDepth = 3

// Of gives expressions of a type: two where two can be told apart, and of what
// holds keys and other things, one with the first key and second others. If there
// is none, it says why.
func (v *Values) Of(t types.Type) ([]Value, error) {
	all, err := v.of(t, 0)
	return all[:min(len(all), v.Most)], err
}

func (v *Values) of(t types.Type, depth int) ([]Value, error) {
	if v.Until != nil && v.Until.Err() != nil {
		return nil, v.Until.Err()
	}
	if given := v.Given[types.TypeString(t, (*types.Package).Name)]; len(given) > 0 {
		return plain(given...), nil
	}
	if made := v.Made(t); len(made) > 0 {
		return made, nil
	}
	if depth > maxDepth || !v.File.Nameable(t) {
		return nil, fmt.Errorf("there is no way to write a %s", t)
	}
	if known := v.known(t); known != nil {
		return known, nil
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return v.basic(t, u)
	case *types.Interface:
		return v.implementation(t, u, depth)
	case *types.Pointer:
		return v.pointer(u, depth)
	case *types.Struct:
		return v.structure(t, u, depth), nil
	case *types.Slice:
		return v.list(t, u.Elem(), depth)
	case *types.Array:
		return plain(v.File.Type(t) + "{}"), nil
	case *types.Map:
		return v.mapping(t, u, depth)
	case *types.Signature:
		return v.function(u, depth)
	case *types.Chan:
		if v.Hollow {
			return plain("make(" + v.File.Type(types.NewChan(types.SendRecv, u.Elem())) + ", 1)"), nil
		}
	}
	return nil, unknown(t)
}

func unknown(t types.Type) error { return fmt.Errorf("there is no value known of type %s", t) }

// Made are calls of the user's functions.
func (v *Values) Made(t types.Type) []Value {
	var all []Value
	for _, f := range v.Makers {
		if types.Identical(f.Signature().Results().At(0).Type(), t) {
			all = append(all, plain(f.Name()+"()")...)
		}
	}
	return all
}

// known are expressions of types of the standard library for which the general
// rules give nothing useful: a time to live of ten nanoseconds, a nil context. The
// earlier time is long ago, the later one far ahead.
var known = map[string][]string{
	"time.Time":       {"time.Unix(1, 0)", "time.Unix(1<<33, 0)"},
	"context.Context": {"context.Background()"},
	"io.Writer":       {"io.Discard"},
	"io.Reader":       {`strings.NewReader("a")`},
	"error":           {`errors.New("a")`, `errors.New("b")`},
}

func (v *Values) known(t types.Type) []Value {
	name := types.TypeString(t, nil)
	words := known[name]
	if name == "time.Duration" {
		words = v.Leaves.Durations
	}
	var all []Value
	for _, word := range words {
		path, rest, _ := strings.Cut(word, ".")
		all = append(all, Value{Word: word, Code: v.File.Import(path) + "." + rest})
	}
	return all
}

// basic gives values of a basic type. Of a type that has constants in its package,
// they are these.
func (v *Values) basic(t types.Type, u *types.Basic) ([]Value, error) {
	if constants := v.constants(t); len(constants) > 0 {
		return constants, nil
	}
	switch info := u.Info(); {
	case info&types.IsBoolean != 0:
		return plain("true", "false"), nil
	case info&types.IsString != 0:
		return plain(v.Leaves.Strings...), nil
	case info&types.IsNumeric != 0:
		return plain(v.Leaves.Numbers...), nil
	}
	return nil, unknown(t)
}

// constants are the last two constants of a type that the file can name: the
// first is mostly the one that means nothing.
func (v *Values) constants(t types.Type) []Value {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return nil
	}
	scope := named.Obj().Pkg().Scope()
	var all []*types.Const
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && v.File.Visible(c) && types.Identical(c.Type(), t) {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, byValue)
	var out []Value
	for _, c := range all[max(0, len(all)-2):] {
		out = append(out, Value{Word: c.Name(), Code: v.File.Name(c)})
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

// implementation gives values of an interface: plain ones where anything will do,
// else those of a type of the package that implements it.
func (v *Values) implementation(t types.Type, u *types.Interface, depth int) ([]Value, error) {
	if u.Empty() || u.NumMethods() == 0 && !u.IsComparable() {
		return plain(v.Leaves.Any...), nil
	}
	for _, scope := range v.scopes(t) {
		for _, name := range scope.Names() {
			tn, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || types.IsInterface(tn.Type()) || isGeneric(tn.Type()) || !v.File.Visible(tn) {
				continue
			}
			for _, impl := range []types.Type{tn.Type(), types.NewPointer(tn.Type())} {
				if types.Implements(impl, u) {
					all, err := v.of(impl, depth+1)
					return v.converted(impl, all), err
				}
			}
		}
	}
	if !v.Hollow {
		return nil, fmt.Errorf("there is no value known of the interface %s", t)
	}
	return []Value{v.stub(t, u, depth)}, nil
}

// scopes are where implementations of an interface are looked for: in the file's
// package, and in that of the interface.
func (v *Values) scopes(t types.Type) (scopes []*types.Scope) {
	if v.File.scope != nil {
		scopes = append(scopes, v.File.scope)
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() != v.File.path {
		scopes = append(scopes, named.Obj().Pkg().Scope())
	}
	return scopes
}

func isGeneric(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.TypeParams().Len() > 0
}

// converted says of which type the values are, where that is not in their code.
func (v *Values) converted(t types.Type, all []Value) []Value {
	switch t.Underlying().(type) {
	case *types.Basic, *types.Signature:
		for i := range all {
			all[i].Code = v.File.Type(t) + "(" + all[i].Code + ")"
		}
	}
	return all
}

// pointer gives new pointers, to values that tell which they are.
func (v *Values) pointer(u *types.Pointer, depth int) ([]Value, error) {
	inner, err := v.of(u.Elem(), depth+1)
	if err != nil {
		return nil, err
	}
	elem := v.File.Type(u.Elem())
	all := make([]Value, len(inner))
	for i, x := range inner {
		code := fmt.Sprintf("func() *%s { var x %s = %s; return &x }()", elem, elem, x.Code)
		if strings.HasPrefix(x.Code, elem+"{") {
			code = "&" + x.Code
		}
		all[i] = Value{Word: "&" + x.Word, Code: code}
	}
	return all, nil
}

// structure fills the fields that the file can name: all with the first values,
// all with the second ones, or what may be keys with the first ones and the rest
// with the second ones.
func (v *Values) structure(t types.Type, u *types.Struct, depth int) []Value {
	fields := v.fields(u, depth)
	name := v.File.Type(t)
	literal := func(choose func(field) int) Value {
		var words, codes []string
		for _, f := range fields {
			x := f.values[choose(f)]
			words, codes = append(words, f.Name()+": "+x.Word), append(codes, f.Name()+": "+x.Code)
		}
		return Value{Word: "{" + strings.Join(words, ", ") + "}", Code: name + "{" + strings.Join(codes, ", ") + "}"}
	}
	all := []Value{literal(func(field) int { return 0 })}
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

// field is a field of a struct, and two values or more for it.
type field struct {
	*types.Var
	values []Value
}

// key reports whether the field may be a key of a map.
func (f field) key() bool {
	b, ok := f.Type().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// fields are those that are filled: plain ones, and if there are none, the first
// other one that can be.
func (v *Values) fields(u *types.Struct, depth int) (all []field) {
	var other *field
	for f := range u.Fields() {
		if !v.File.Visible(f) {
			continue
		}
		switch vs, err := v.of(f.Type(), depth+1); {
		case err != nil || len(vs) < 2 || vs[0].Before != "":
		case isPlain(f.Type()):
			all = append(all, field{f, vs})
		case other == nil:
			other = &field{f, vs}
		}
	}
	if len(all) == 0 && other != nil {
		all = append(all, *other)
	}
	return all
}

// isPlain reports whether values of a type are without parts of their own.
func isPlain(t types.Type) bool {
	if u, ok := t.Underlying().(*types.Interface); ok {
		return u.Empty()
	}
	_, basic := t.Underlying().(*types.Basic)
	return basic || types.TypeString(t, nil) == "time.Time"
}

// list gives slices with the first value, with two, and with the second.
func (v *Values) list(t, elem types.Type, depth int) ([]Value, error) {
	inner, err := v.of(elem, depth+1)
	if err != nil && v.Hollow {
		return plain("nil"), nil
	}
	if err != nil {
		return nil, err
	}
	of := func(elements ...Value) Value {
		var words, codes []string
		for _, e := range elements {
			words, codes = append(words, e.Word), append(codes, e.Code)
		}
		return Value{Word: "{" + strings.Join(words, ", ") + "}", Code: v.File.Type(t) + "{" + strings.Join(codes, ", ") + "}"}
	}
	if len(inner) < 2 {
		return []Value{of(inner[0])}, nil
	}
	return []Value{of(inner[0]), of(inner[:2]...), of(inner[1])}, nil
}

func (v *Values) mapping(t types.Type, u *types.Map, depth int) ([]Value, error) {
	keys, err := v.of(u.Key(), depth+1)
	if err != nil {
		return nil, err
	}
	elems, err := v.of(u.Elem(), depth+1)
	if err != nil {
		return nil, err
	}
	k, e := keys[0], elems[min(1, len(elems)-1)]
	return []Value{{Word: "{" + k.Word + ": " + e.Word + "}", Code: v.File.Type(t) + "{" + k.Code + ": " + e.Code + "}"}}, nil
}

// function gives functions that return the first known value of each result, or
// the second ones. One that notes its arguments returns the second ones: an update
// rather than none, but true, so that it is called again. An error is nil.
func (v *Values) function(u *types.Signature, depth int) ([]Value, error) {
	if v.Notes != "" {
		v.functions++
		name, seen := fmt.Sprintf("f%d", v.functions), fmt.Sprintf("seen%d", v.functions)
		code, err := v.literal(u, depth, 1, seen)
		if err != nil {
			return nil, err
		}
		return []Value{{Word: "f", Code: name, Seen: seen, Before: fmt.Sprintf("var %s %s\n%s := %s\n", seen, v.Notes, name, code)}}, nil
	}
	var all []Value
	for n := range min(2, 1+u.Results().Len()) {
		code, err := v.literal(u, depth, n, "")
		if err != nil {
			return nil, err
		}
		all = append(all, Value{Word: fmt.Sprintf("f%d", n+1), Code: code})
	}
	return all, nil
}

// literal is a function that returns the n-th values.
func (v *Values) literal(u *types.Signature, depth, n int, seen string) (string, error) {
	params, results, ok := v.signature(u)
	if !ok {
		return "", fmt.Errorf("it takes a function of types that cannot be named")
	}
	var args, returns []string
	for i := range params {
		args = append(args, fmt.Sprintf("a%d", i))
	}
	for r := range u.Results().Variables() {
		choice, err := v.returned(r.Type(), depth, n)
		if err != nil {
			return "", err
		}
		returns = append(returns, choice)
	}
	note := ""
	if seen != "" {
		note = fmt.Sprintf("%s = append(%s, []any{%s}); ", seen, seen, strings.Join(args, ", "))
	}
	if n := u.Results().Len(); v.Runs != "" && (n == 0 || n == 1 && fails(u)) {
		note, v.Used = note+v.Runs+"("+strings.Join(slices.Insert(slices.Clone(args), 0, "world"), ", ")+"); ", true
	}
	return fmt.Sprintf("func(%s) (%s) { %sreturn %s }", strings.Join(params, ", "), strings.Join(results, ", "), note, strings.Join(returns, ", ")), nil
}

// returned is the n-th value that a function returns of a type.
func (v *Values) returned(t types.Type, depth, n int) (string, error) {
	if types.Identical(t, types.Universe.Lookup("error").Type()) {
		return "nil", nil
	}
	all, err := v.of(t, depth+1)
	if err != nil {
		return "", err
	}
	b, ok := t.Underlying().(*types.Basic)
	switch choice := all[min(n, len(all)-1)]; {
	case v.Notes != "" && ok && (b.Info()&types.IsBoolean != 0 || len(v.constants(t)) > 0):
		return all[0].Code, nil // of constants, an operation that is none of the extremes
	case choice.Before != "":
		return "nil", nil // a function that returns functions is called with none
	default:
		return choice.Code, nil
	}
}
