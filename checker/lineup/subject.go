package lineup

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// A Call is an invocation as a test names it: a method and its arguments, in
// the words of the test.
type Call struct {
	Method string   `json:"method"`
	Args   []string `json:"args,omitempty"`
}

// String is the call as [ParseTest] reads it: "Add(200)".
func (c Call) String() string { return c.Method + "(" + strings.Join(c.Args, ", ") + ")" }

// An Invocation is a call that can be made.
type Invocation struct {
	Call
	// Do makes the call on an object that the subject's New returned, and
	// gives what came back. A panic is a result like any other.
	Do func(object any) []any

	refusal *[]any   // see MayRefuse
	async   bool     // see Async
	until   []string // methods that it takes effect before
}

// A Subject is a type under test: how an object is made, and what can be
// called on it.
type Subject struct {
	// Name is what reports call it: "queue.Queue".
	Name string
	// New makes an object. Each execution has its own.
	New func() any
	// Invocations are what random tests are made of, and what tests given in
	// words may name. Their order is the enumeration that AutoCheck goes by.
	Invocations []Invocation
	// Dependencies are import paths of packages or modules outside the
	// user's module that Check instruments as well, and Memory has it
	// interrupt plain reads and writes too. Other ways to run a subject have
	// flags for that.
	Dependencies []string
	Memory       bool
}

// Invoke gives the invocation that calls a method with arguments, for
// subjects that are written by hand:
//
//	lineup.Invoke("Add", 200)
//
// The method is looked up on the object when the call is made. Arguments are
// named as %#v writes them, errors by their text in quotes.
func Invoke(method string, args ...any) Invocation {
	c := Call{Method: method}
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		c.Args = append(c.Args, argumentText(a))
		in[i] = reflect.ValueOf(a)
	}
	return Invocation{Call: c, Do: func(object any) []any {
		m := reflect.ValueOf(object).MethodByName(method)
		if !m.IsValid() {
			panic(fmt.Sprintf("lineup: %T has no exported method %s", object, method))
		}
		return interfaces(m.Call(withNils(m.Type(), in)))
	}}
}

// argumentText is an argument in the words of a test.
func argumentText(a any) string {
	if err, ok := a.(error); ok {
		return fmt.Sprintf("%q", err.Error())
	}
	return fmt.Sprintf("%#v", a)
}

// withNils gives untyped nils among the arguments the types of the method's
// parameters.
func withNils(m reflect.Type, in []reflect.Value) []reflect.Value {
	if !slices.ContainsFunc(in, func(v reflect.Value) bool { return !v.IsValid() }) {
		return in
	}
	in = slices.Clone(in)
	for i := range in {
		if !in[i].IsValid() && i < m.NumIn() {
			in[i] = reflect.Zero(m.In(i))
		}
	}
	return in
}

func interfaces(values []reflect.Value) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v.Interface()
	}
	return out
}

// check reports what is missing.
func (s *Subject) check() error {
	switch {
	case s.New == nil:
		return fmt.Errorf("lineup: subject %q has no New", s.Name)
	case len(s.Invocations) == 0:
		return fmt.Errorf("lineup: subject %q has no invocations", s.Name)
	}
	seen := map[string]bool{}
	for _, inv := range s.Invocations {
		name := inv.String()
		if inv.Do == nil {
			return fmt.Errorf("lineup: invocation %s of subject %q has no Do", name, s.Name)
		}
		if seen[name] {
			return fmt.Errorf("lineup: subject %q has the invocation %s twice", s.Name, name)
		}
		seen[name] = true
	}
	return nil
}

// find gives the invocation that a test names.
func (s *Subject) find(c Call) (*Invocation, error) {
	name := c.String()
	for i := range s.Invocations {
		if s.Invocations[i].String() == name {
			return &s.Invocations[i], nil
		}
	}
	known := make([]string, len(s.Invocations))
	for i := range s.Invocations {
		known[i] = s.Invocations[i].String()
	}
	return nil, fmt.Errorf("lineup: subject %q has no invocation %s, but %s", s.Name, name, strings.Join(known, ", "))
}

// errBlocked is what Block panics with.
var errBlocked = errors.New("lineup: the specification blocks here")

// Block says, in a method of a model for [CheckAgainst], that the call blocks
// in this state. It does not return.
func Block() { panic(errBlocked) }
