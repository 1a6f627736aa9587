package subject

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/checker/lineup"
	"github.com/mapatom/mapatom/internal/checker/gosource"
)

// A Place is the package that a file is written for.
type Place struct {
	Path, Name string
	// Scope is what is declared in it, nil if it has nothing else: names of
	// imports must not be the same.
	Scope *types.Scope
}

// A Harness is a Go test file that makes a type a subject.
type Harness struct {
	Name        string // of the type
	New         string // how an object is made, in words
	Invocations []lineup.Call
	// Enumerated is how many of them were found; the rest, which come after
	// them, are named by tests only.
	Enumerated int
	LeftOut    []LeftOut

	target *Target
	all    []invocation
	opts   Options
	model  *Harness // the explicit specification, if there is one
}

// New enumerates what can be called on a type, or on what a function makes,
// which a package declares. The calls are those of tests that the user has
// written: they are added to the invocations if they are not among them.
func New(pkg *types.Package, name string, place Place, opts Options, calls []lineup.Call) (*Harness, error) {
	return newHarness(pkg, name, gosource.NewFile(place.Path, place.Name, place.Scope), opts, calls)
}

// Against takes another type of a package as the explicit specification. All
// that is called on the subject must be possible on it.
func (h *Harness) Against(pkg *types.Package, name string) error {
	opts := h.opts
	opts.Constructor = ""
	model, err := newHarness(pkg, name, h.target.file, opts, h.Invocations)
	h.model = model
	return err
}

func newHarness(pkg *types.Package, name string, file *gosource.File, opts Options, calls []lineup.Call) (*Harness, error) {
	t, err := find(pkg, name, file, opts)
	if err != nil {
		return nil, err
	}
	h := &Harness{Name: t.Name, New: t.New, target: t, opts: opts}
	if h.all, h.LeftOut, err = t.enumerate(opts); err != nil {
		return nil, err
	}
	h.Enumerated = len(h.all)
	for _, c := range calls {
		if h.has(c) {
			continue
		}
		inv, err := t.written(pkg, c)
		if err != nil {
			return nil, err
		}
		h.all = append(h.all, inv)
	}
	if len(h.all) == 0 {
		return nil, fmt.Errorf("nothing can be called on %s%s", t.Name, h.reasons())
	}
	for _, inv := range h.all {
		h.Invocations = append(h.Invocations, inv.call)
	}
	return h, nil
}

func (h *Harness) has(c lineup.Call) bool {
	return slices.ContainsFunc(h.all, func(inv invocation) bool { return inv.call.String() == c.String() })
}

// Functions are those that some calls, or all invocations, make: the constructor,
// if there is one, and the methods. Those of a specification are among them.
func (h *Harness) Functions(calls []lineup.Call) []*types.Func {
	if len(calls) == 0 {
		calls = h.Invocations
	}
	var all []*types.Func
	if h.target.maker != nil {
		all = append(all, h.target.maker)
	}
	for _, c := range calls {
		obj, _, _ := types.LookupFieldOrMethod(h.target.Object, true, nil, c.Method)
		if f, ok := obj.(*types.Func); ok && !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	if h.model != nil {
		all = append(all, h.model.Functions(calls)...)
	}
	return all
}

func (h *Harness) reasons() string {
	var all []string
	for _, l := range h.LeftOut {
		all = append(all, l.Method+": "+l.Reason)
	}
	return because(all)
}

// Source is the test file for mapatom lineup: a test by the given name that
// does what the process is asked for. If its package is instrumented, sync and
// sync/atomic are the drop-ins for it too.
func (h *Harness) Source(test string, instrumented bool) ([]byte, error) {
	lineupName := h.target.file.Import(lineupPath)
	subjects := h.subject(h.all)
	if h.model != nil {
		subjects += ", " + h.model.subject(h.model.all)
	}
	return h.file("", test, fmt.Sprintf("%s.Serve(t, %s)\n", lineupName, subjects), instrumented)
}

// Regression is a test file for the user to keep: a test that checks the
// subject with the given tests only.
func (h *Harness) Regression(test string, tests ...lineup.Test) ([]byte, error) {
	var used []invocation
	var words strings.Builder
	for _, m := range tests {
		fmt.Fprintf(&words, ",\n%q", m.String())
		for _, inv := range h.all {
			if m.Has(inv.call) && !slices.ContainsFunc(used, func(u invocation) bool { return u.call.String() == inv.call.String() }) {
				used = append(used, inv)
			}
		}
	}
	body := fmt.Sprintf("%s.Check(t, %s%s)\n", h.target.file.Import(lineupPath), h.subject(used), words.String())
	if h.model != nil {
		body = fmt.Sprintf("%s.CheckAgainst(t, %s, %s%s)\n", h.target.file.Import(lineupPath), h.subject(used), h.model.subject(h.model.all), words.String())
	}
	doc := "// " + test + " replays what mapatom lineup has found.\n"
	return h.file(doc, test, body, false) // it instruments itself
}

// file puts a test into a file.
func (h *Harness) file(doc, test, body string, instrumented bool) ([]byte, error) {
	file := h.target.file
	return file.Source(fmt.Sprintf("%sfunc %s(t *%s.T) {\n%s}\n", doc, test, file.Import("testing"), body), instrumented)
}

// subject is the composite literal of the subject.
func (h *Harness) subject(invocations []invocation) string {
	var out strings.Builder
	name := h.target.file.Import(lineupPath)
	fmt.Fprintf(&out, "%s.Subject{\nName: %q,\nNew: func() any {\n%s\n},\nInvocations: []%s.Invocation{\n", name, h.Name, h.target.create, name)
	for _, inv := range invocations {
		fmt.Fprintf(&out, "{Call: %s, Do: func(x any) []any {\n%s}},\n", h.call(inv.call), h.body(inv))
	}
	out.WriteString("}}")
	return out.String()
}

func (h *Harness) call(c lineup.Call) string {
	args := ""
	if len(c.Args) > 0 {
		args = fmt.Sprintf(", Args: %#v", c.Args)
	}
	return fmt.Sprintf("%s.Call{Method: %q%s}", h.target.file.Import(lineupPath), c.Method, args)
}

// body makes the call, and returns its results and what the stubs saw.
func (h *Harness) body(inv invocation) string {
	object := h.target.file.Type(h.target.Object)
	call := fmt.Sprintf("x.(%s).%s(%s)", object, inv.method.Name(), strings.Join(inv.args, ", "))
	n := inv.method.Signature().Results().Len()
	var results []string
	for i := range n {
		results = append(results, fmt.Sprintf("r%d", i))
	}
	code := inv.before
	if n > 0 {
		code += strings.Join(results, ", ") + " := "
	}
	code += call + "\n"
	if slices.Contains(h.opts.Unordered, inv.method.Name()) {
		for i, r := range results {
			if _, ok := inv.method.Signature().Results().At(i).Type().Underlying().(*types.Slice); ok {
				results[i] = fmt.Sprintf("%s.Bag(%s)", h.target.file.Import(lineupPath), r)
			}
		}
	}
	return code + "return []any{" + strings.Join(append(results, inv.seen...), ", ") + "}\n"
}
