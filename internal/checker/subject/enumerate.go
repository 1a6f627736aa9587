package subject

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/checker/lineup"
	"github.com/mapatom/mapatom/internal/checker/gosource"
)

// maxPerMethod bounds the invocations of one method, so that random tests are
// not made of the one with the most parameters.
const maxPerMethod = 4

// An invocation is a call and the code that makes it.
type invocation struct {
	call   lineup.Call
	method *types.Func
	before string
	args   []string
	seen   []string // variables of stubs
}

// LeftOut is a method that is not called, and why.
type LeftOut struct{ Method, Reason string }

// serialization are methods that are called by packages of the standard
// library and not by the users of a type.
var serialization = []string{
	"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "MarshalBinary", "UnmarshalBinary",
	"AppendText", "AppendBinary", "GobEncode", "GobDecode", "MarshalYAML", "UnmarshalYAML", "GoString", "Format", "Scan",
}

// enumerate lists the invocations of all methods, in the order of their
// names, and the methods that are left out.
func (t *Target) enumerate(opts Options) ([]invocation, []LeftOut, error) {
	var all []invocation
	var out []LeftOut
	for _, m := range t.methods() {
		if len(opts.Methods) > 0 && !slices.Contains(opts.Methods, m.Name()) {
			continue
		}
		reason := ""
		if len(opts.Methods) == 0 {
			reason = unwanted(m, opts.Skip)
		}
		var calls []invocation
		if reason == "" {
			var err error
			if calls, err = t.calls(m); err != nil {
				reason = err.Error()
			}
		}
		if reason != "" {
			out = append(out, LeftOut{m.Name(), reason})
		}
		all = append(all, calls...)
	}
	return all, out, t.checkNames(opts)
}

// checkNames reports a method that was asked for and is not there.
func (t *Target) checkNames(opts Options) error {
	for _, name := range slices.Concat(opts.Methods, opts.Skip, opts.Unordered) {
		if t.method(name) == nil {
			return fmt.Errorf("%s has no exported method %s%s", t.Name, name, t.methodNames())
		}
	}
	return nil
}

func (t *Target) methodNames() string {
	var all []string
	for _, m := range t.methods() {
		all = append(all, m.Name())
	}
	return ", but " + strings.Join(all, ", ")
}

// methods are the exported ones of the object, in the order of their names.
func (t *Target) methods() []*types.Func {
	set := types.NewMethodSet(t.Object)
	var all []*types.Func
	for s := range set.Methods() {
		if m := s.Obj().(*types.Func); m.Exported() {
			all = append(all, m)
		}
	}
	slices.SortFunc(all, func(a, b *types.Func) int { return strings.Compare(a.Name(), b.Name()) })
	return all
}

func (t *Target) method(name string) *types.Func {
	for _, m := range t.methods() {
		if m.Name() == name {
			return m
		}
	}
	return nil
}

// unwanted says why a method makes no sense in a random test.
func unwanted(m *types.Func, skip []string) string {
	switch {
	case slices.Contains(skip, m.Name()):
		return "asked for"
	case slices.Contains(serialization, m.Name()):
		return "called by encoders"
	case m.Pkg() != nil && m.Pkg().Path() == "sync":
		if recv := types.TypeString(m.Signature().Recv().Type(), nil); strings.HasSuffix(recv, "Mutex") {
			return "a lock that is embedded"
		}
	}
	return ""
}

// calls are the invocations of one method: all combinations of the values of
// its parameters, but those of three or more parameters whose last two are
// the same, such as a compare-and-swap that changes nothing. Options, a last
// parameter of which any number may be given and no value is known, are left
// out. Of too many invocations, some are taken evenly.
func (t *Target) calls(m *types.Func) ([]invocation, error) {
	sig := m.Signature()
	lists := make([][]gosource.Value, sig.Params().Len())
	for i := range lists {
		last := sig.Variadic() && i == len(lists)-1
		typ := sig.Params().At(i).Type()
		if last {
			typ = typ.(*types.Slice).Elem()
		}
		var err error
		if lists[i], err = t.values.Of(typ); err != nil && last {
			lists = lists[:i] // options are left out
		} else if err != nil {
			return nil, err
		}
	}
	var all []invocation
	for _, args := range combine(lists) {
		if n := len(args); n >= 3 && args[n-1].Word == args[n-2].Word && len(lists[n-1]) > 1 {
			continue
		}
		all = append(all, newInvocation(m, args))
	}
	if len(all) > maxPerMethod {
		some := make([]invocation, maxPerMethod)
		for i := range some {
			some[i] = all[i*len(all)/maxPerMethod]
		}
		all = some
	}
	return all, nil
}

func newInvocation(m *types.Func, args []gosource.Value) invocation {
	inv := invocation{method: m, call: lineup.Call{Method: m.Name()}}
	for _, a := range args {
		inv.call.Args = append(inv.call.Args, a.Word)
		inv.args = append(inv.args, a.Code)
		inv.before += a.Before
		if a.Seen != "" {
			inv.seen = append(inv.seen, a.Seen)
		}
	}
	return inv
}

// combine gives all ways to take one value of each list.
func combine(lists [][]gosource.Value) [][]gosource.Value {
	all := [][]gosource.Value{nil}
	for _, list := range lists {
		var longer [][]gosource.Value
		for _, c := range all {
			for _, v := range list {
				longer = append(longer, append(slices.Clip(c), v))
			}
		}
		all = longer
	}
	return all
}
