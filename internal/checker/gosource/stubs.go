package gosource

import (
	"fmt"
	"go/types"
	"strings"
)

// A stub is a type that stands for an interface which nothing implements. Its methods
// return the first value that is known of each result, and no error; what gives one thing
// after the other gives one, and is then at its end, so that a loop over it ends; what is
// written is taken. An unexported method of another package panics.

// maxStub bounds the methods of a stub: those of a larger interface panic.
const maxStub = 64

// Declarations are the types that the values need.
func (v *Values) Declarations() string { return v.declared.String() }

// stub gives a value of a type that is declared for an interface.
func (v *Values) stub(t types.Type, u *types.Interface, depth int) Value {
	text := v.File.Type(t)
	name, ok := v.stubs[text]
	if !ok {
		if v.stubs == nil {
			v.stubs = map[string]string{}
		}
		name = v.File.unique("mapatomStub")
		v.stubs[text] = name // its methods may return it
		v.declare(name, text, t, u, depth)
	}
	return Value{Word: "a " + types.TypeString(t, (*types.Package).Name), Code: "&" + name + "{}"}
}

func (v *Values) declare(name, text string, t types.Type, u *types.Interface, depth int) {
	runs, notes := v.Runs, v.Notes
	v.Runs, v.Notes = "", "" // there is no world in a method, and nothing before it
	defer func() { v.Runs, v.Notes = runs, notes }()
	embedded := text
	if _, named := types.Unalias(t).(*types.Named); !named {
		embedded = name + "Interface"
		fmt.Fprintf(&v.declared, "type %s interface { %s }\n", embedded, text)
	}
	var methods strings.Builder
	calls := 0
	for m := range u.Methods() {
		if u.NumMethods() > maxStub || !v.File.Visible(m) || m.Name() == "calls" || strings.HasSuffix(embedded, "."+m.Name()) || embedded == m.Name() {
			continue
		}
		if code, ok := v.stubMethod(name, m, &calls, depth); ok {
			methods.WriteString(code)
		}
	}
	// One that has nothing in it would be the same as others of its type.
	fmt.Fprintf(&v.declared, "type %s struct { %s; calls [%d]int }\n%s", name, embedded, calls+1, methods.String())
}

// stubMethod is a method of a stub, if its types can be written.
func (v *Values) stubMethod(name string, m *types.Func, calls *int, depth int) (string, bool) {
	sig := m.Signature()
	params, results, ok := v.signature(sig)
	if !ok {
		return "", false
	}
	body := ""
	if what := v.stream(m); what != "" {
		body = what
	} else {
		values, zeros := v.stubResults(sig, depth)
		if gives(sig) {
			end := append(zeros[:len(zeros)-1:len(zeros)-1], v.File.Import("io")+".EOF")
			body = fmt.Sprintf("if s.calls[%d]++; s.calls[%d] > 1 { return %s }\n", *calls, *calls, strings.Join(end, ", "))
			*calls++
		}
		body += "return " + strings.Join(values, ", ")
	}
	return fmt.Sprintf("func (s *%s) %s(%s) (%s) { %s }\n", name, m.Name(), strings.Join(params, ", "), strings.Join(results, ", "), body), true
}

// stubResults are what a method of a stub returns, and the zero values of these.
func (v *Values) stubResults(sig *types.Signature, depth int) (values, zeros []string) {
	for r := range sig.Results().Variables() {
		zero := "*new(" + v.File.Type(r.Type()) + ")"
		value, err := v.returned(r.Type(), depth, 0)
		if err != nil {
			value = zero
		}
		values, zeros = append(values, value), append(zeros, zero)
	}
	return values, zeros
}

// signature is how parameters and results of a function are written, if they can be.
func (v *Values) signature(sig *types.Signature) (params, results []string, ok bool) {
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		if !v.File.Nameable(t) {
			return nil, nil, false
		}
		text := v.File.Type(t)
		if sig.Variadic() && i == sig.Params().Len()-1 {
			text = "..." + strings.TrimPrefix(text, "[]")
		}
		params = append(params, fmt.Sprintf("a%d %s", i, text))
	}
	for r := range sig.Results().Variables() {
		if !v.File.Nameable(r.Type()) {
			return nil, nil, false
		}
		results = append(results, v.File.Type(r.Type()))
	}
	return params, results, true
}

// stream is what a method does that has the signature of Read and Write: one of the first
// name is at its end, and any other takes what it is given.
func (v *Values) stream(m *types.Func) string {
	sig := m.Signature()
	if !fails(sig) || sig.Results().Len() != 2 || sig.Params().Len() == 0 || sig.Results().At(0).Type() != types.Typ[types.Int] {
		return ""
	}
	switch sig.Params().At(0).Type().String() {
	case "[]byte", "string":
		if strings.HasPrefix(m.Name(), "Read") {
			return "return 0, " + v.File.Import("io") + ".EOF"
		}
		return "return len(a0), nil"
	}
	return ""
}

// fails reports whether the last result is an error.
func fails(sig *types.Signature) bool {
	n := sig.Results().Len()
	return n > 0 && types.Identical(sig.Results().At(n-1).Type(), types.Universe.Lookup("error").Type())
}

// gives reports whether a method gives something, whoever asks, or fails.
func gives(sig *types.Signature) bool {
	if !fails(sig) || sig.Results().Len() < 2 {
		return false
	}
	for p := range sig.Params().Variables() {
		if types.TypeString(p.Type(), nil) != "context.Context" {
			return false
		}
	}
	return true
}
