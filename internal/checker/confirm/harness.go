package confirm

import (
	"context"
	"embed"
	"fmt"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/internal/checker/gosource"
)

// harness is the code for one finding.
type harness struct {
	index int // of the finding
	code  string
	help  string // what the user can write if it cannot run
	more  string // and if nothing came of all that was tried
}

// leaves are few, since all combinations are tried: the earlier time to live is
// soon over, and one string is more than a word.
var leaves = gosource.Leaves{
	Numbers: []string{"1", "2"}, Strings: []string{`"a"`, `"b"`, `"a.b"`}, Any: []string{`"a"`, `"b"`},
	Durations: []string{"time.Millisecond", "time.Hour"},
}

// leavesOf are these with what the witness says that it takes: a number that is none of
// those, a string before them.
func leavesOf(f *Finding) gosource.Leaves {
	all := leaves
	for _, text := range literals(f) {
		if _, err := strconv.ParseUint(text, 10, 7); err == nil && len(all.Numbers) == len(leaves.Numbers) && !slices.Contains(leaves.Numbers, text) {
			all.Numbers = append(slices.Clone(leaves.Numbers), text)
		}
		if text[0] == '"' && len(all.Strings) == len(leaves.Strings) && !slices.Contains(leaves.Strings, text) {
			all.Strings = append([]string{text}, leaves.Strings...)
		}
	}
	return all
}

// literals are the constants among the arguments that the witness has.
func literals(f *Finding) (all []string) {
	if f.Witness == nil {
		return nil
	}
	for _, p := range f.Witness.Params {
		if p.Value.IsLit() {
			all = append(all, string(p.Value))
		}
	}
	for _, e := range f.Witness.Events {
		for _, arg := range e.Args {
			if e.Op == "run" && arg.IsLit() {
				all = append(all, string(arg))
			}
		}
	}
	return all
}

// maxOthers bounds the calls that are tried beside the function itself.
const maxOthers = 8

// writer writes the code for one finding.
type writer struct {
	*gosource.Values
	pkg       *loaded
	f         *Finding
	number    int
	refuses   func(*types.Func) error // nil of what may be run
	receivers []*types.Named
	variables map[*types.Var]bool // see about
	filling   []*types.Struct     // see full
	types     strings.Builder
}

// harness writes the code for a finding, until the context is done. All cases of a
// package share its imports.
func (w *world) harness(ctx context.Context, f *Finding, index int) (*harness, error) {
	pkg := w.packages[f.Package]
	if pkg.file == nil {
		pkg.file = gosource.NewFile(f.Package, pkg.Name, pkg.Types.Scope())
	}
	values := &gosource.Values{
		File: pkg.file, Leaves: leavesOf(f), Most: 3, Makers: pkg.makers, Hollow: true,
		Runs: pkg.file.Import(trialPath) + ".Ran", Until: ctx,
	}
	h := &writer{Values: values, pkg: pkg, f: f, number: index, refuses: func(fn *types.Func) error {
		if w.read == nil {
			return nil
		}
		return w.read.Check([]string{f.Package}, []*types.Func{fn})
	}}
	fn, err := pkg.function(f.Function)
	if err != nil {
		return nil, err
	}
	if callers := pkg.callers(fn); !f.violated() && len(callers) > 0 {
		return nil, fmt.Errorf("it is private to the package, and what calls it may hold a lock: %s", strings.Join(callers, ", "))
	}
	code, err := h.testCase(fn)
	if ctx.Err() != nil {
		return nil, ctx.Err() // values are missing, which is not what is wrong
	}
	if err != nil {
		return nil, err
	}
	return &harness{index: index, code: code, help: help(fn), more: more(fn)}, nil
}

// testCase is the function that makes the trial.Case.
func (h *writer) testCase(fn *types.Func) (string, error) {
	mine, err := h.call(fn)
	if err != nil {
		return "", err
	}
	others := h.others(fn)
	makeWorld, err := h.makeWorld()
	if err != nil {
		return "", err
	}
	var stores []string
	if h.f.Open {
		stores = h.stores()
	}
	t := h.File.Import(trialPath)
	before, during := h.witnessed()
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s\nfunc mapatomCase%d() *%s.Case {\n%s", h.types.String(), h.Declarations(), h.number, t, h.keep())
	fmt.Fprintf(&b, "return &%s.Case{\nSites: []%s.Site{%s},\nNew: %s,\nCall: %s,\n", t, t, h.sites(), makeWorld, mine)
	fmt.Fprintf(&b, "Others: []%s.Call{\n%s},\nBefore: %#v,\nDuring: %#v,\nApart: %t,\nDeep: %t,\nLater: %t,\nRuns: %t,\nGoes: %t,\nParts: %t,\nOpen: %t,\nStores: []func() any{%s},\n",
		t, strings.Join(others, ""), before, during, h.f.Witness != nil && len(h.f.Witness.Counted) > 0, h.f.violated(), h.pkg.later(h.f.Operations), h.f.violated() && h.Used, h.f.violated() && h.Used && h.pkg.starts(), h.f.violated(), h.f.Open, strings.Join(stores, ", "))
	fmt.Fprintf(&b, "Ends: []%s.Call{\n%s},\n}\n}\n", t, strings.Join(h.ends(), ""))
	return b.String(), nil
}

// sites are the positions of the base operations.
func (h *writer) sites() string {
	var sites []string
	for _, op := range h.f.Operations {
		for _, line := range h.steps(op) {
			sites = append(sites, fmt.Sprintf("{%q, %d, %d, %q}", filepath.ToSlash(op.File), line, op.Line, op.Name))
		}
	}
	return strings.Join(sites, ", ")
}

// steps are the lines at which a base operation is seen: of a call that takes a
// lock, and of a section, where that is taken.
func (h *writer) steps(op Operation) []int {
	if !h.pkg.isCall(op) {
		return append(h.pkg.lockedAt(op), op.Line)
	}
	if locks := h.pkg.lockedIn(op); len(locks) > 0 {
		return locks
	}
	return append(h.pkg.deferredTo(op), op.Line)
}

// trialPath is where package trial is.
const trialPath = "github.com/mapatom/mapatom/internal/checker/confirm/trial"

// trialSource is its source, which is laid over the user's module.
//
//go:embed trial/*.go
var trialSource embed.FS

// witnessed names the calls of the static witness, if it has no other steps.
func (h *writer) witnessed() (before, during []string) {
	if h.f.Witness == nil {
		return nil, nil
	}
	began := false
	for _, e := range h.f.Witness.Events {
		switch {
		case !e.Other:
			began = true
		case e.Op != "run":
			return nil, nil
		case began:
			during = append(during, outer(e.Name))
		default:
			before = append(before, outer(e.Name))
		}
	}
	return before, during
}

// others are the calls that may be made beside the function: those of the
// witness and the methods of the same type that are not parts of others.
func (h *writer) others(fn *types.Func) []string {
	before, during := h.witnessed()
	names := append(before, during...)
	if recv := receiver(fn); recv != nil {
		for m := range recv.Methods() {
			if len(h.pkg.callers(m)) == 0 {
				names = append(names, docName(m))
			}
		}
	}
	var all []string
	seen := map[string]bool{docName(fn): true}
	for _, name := range names {
		if seen[name] || len(all) == maxOthers {
			continue
		}
		seen[name] = true
		other, err := h.pkg.function(name)
		if err != nil {
			continue
		}
		if code, err := h.call(other); err == nil {
			all = append(all, code+",\n")
		}
	}
	return all
}

func receiver(fn *types.Func) *types.Named {
	recv := fn.Signature().Recv()
	if recv == nil {
		return nil
	}
	return named(recv.Type())
}

// named is a named type, or that which a pointer points to; nil if it is no such type.
func named(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

// call is the trial.Call of a function.
func (h *writer) call(fn *types.Func) (string, error) {
	name := docName(fn)
	if err := h.refuses(fn); err != nil {
		return "", err
	}
	sig, callee, err := h.callee(fn)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	words, args, err := h.arguments(sig, h.same)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	var results []string
	for i := range sig.Results().Len() {
		results = append(results, fmt.Sprintf("r%d", i))
	}
	body := callee + "(" + strings.Join(args, ", ") + ")\n"
	if len(results) > 0 {
		body = strings.Join(results, ", ") + " := " + body
	}
	if outer(h.f.Function) == name && h.f.Function != name {
		more, code := h.returned(sig, len(words))
		words, body = append(words, more...), body+code
	}
	if sig.Recv() != nil {
		body = fmt.Sprintf("w := world.(*mapatomWorld%d)\n", h.number) + body
	}
	return fmt.Sprintf("%s.Call{Name: %q, Args: %#v, Looks: %t, Do: func(world any, args []int) []any {\n%sreturn []any{%s}\n}}",
		h.File.Import(trialPath), name, words, h.f.violated() && h.looks(fn), body, strings.Join(results, ", ")), nil
}

// returned is a call of what a function returns, if that is a function of values that can
// be made: where the extension is in a function literal, that may be the one. Its arguments
// come after so many others.
func (h *writer) returned(sig *types.Signature, after int) (words [][]string, code string) {
	for i := range sig.Results().Len() {
		f, ok := sig.Results().At(i).Type().Underlying().(*types.Signature)
		if !ok {
			continue
		}
		more, args, err := h.arguments(f, h.same)
		if err != nil {
			continue
		}
		code += fmt.Sprintf("if args := args[%d:]; r%d != nil {\n_ = args\nr%d(%s)\n}\n", after+len(words), i, i, strings.Join(args, ", "))
		words = append(words, more...)
	}
	return words, code
}

// callee is the function's signature and how it is called, generic ones
// instantiated.
func (h *writer) callee(fn *types.Func) (*types.Signature, string, error) {
	named := receiver(fn)
	if named == nil {
		c, err := gosource.NewCallee(fn, nil)
		if err != nil {
			return nil, "", err
		}
		return c.Signature, h.File.Callee(c), nil
	}
	i, err := h.receiver(named)
	if err != nil {
		return nil, "", err
	}
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(h.receivers[i]), true, h.pkg.Types, fn.Name())
	method, ok := obj.(*types.Func)
	if !ok {
		return nil, "", fmt.Errorf("the method is not found on an instance of %s", named.Obj().Name())
	}
	return method.Signature(), fmt.Sprintf("w.r%d.%s", i, fn.Name()), nil
}

// receiver is the number of the object of a type in the world.
func (h *writer) receiver(named *types.Named) (int, error) {
	named = named.Origin()
	for i, r := range h.receivers {
		if r.Origin() == named {
			return i, nil
		}
	}
	named, err := gosource.Instance(named, nil)
	if err != nil {
		return 0, err
	}
	h.receivers = append(h.receivers, named)
	return len(h.receivers) - 1, nil
}

// same is a value for a pointer to a struct: the object that the world has met
// first, so that what was registered is what is asked about; the one given if
// there was none.
func (h *writer) same(t types.Type, fresh gosource.Value) (gosource.Value, bool) {
	p, ok := t.(*types.Pointer)
	if !ok {
		return gosource.Value{}, false
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok {
		return gosource.Value{}, false
	}
	if _, ok := named.Underlying().(*types.Struct); !ok {
		return gosource.Value{}, false
	}
	return gosource.Value{
		Word: "the " + named.Obj().Name(),
		Code: fmt.Sprintf("%s.The(world, func() %s { return %s })", h.File.Import(trialPath), h.File.Type(t), fresh.Code),
	}, true
}

// arguments are the words and the code for the parameters of a call. A value that
// shared gives comes before the others.
func (h *writer) arguments(sig *types.Signature, shared func(types.Type, gosource.Value) (gosource.Value, bool)) (words [][]string, code []string, err error) {
	words = [][]string{}
	for i := range sig.Params().Len() {
		p := sig.Params().At(i)
		vs, err := h.Of(p.Type())
		if err != nil {
			return nil, nil, err
		}
		if shared != nil && len(vs) > 0 {
			if v, ok := shared(p.Type(), vs[0]); ok {
				vs = append([]gosource.Value{v}, vs...)
			}
		}
		text := h.File.Type(p.Type())
		pick := fmt.Sprintf("%s.Pick(args[%d]", h.File.Import(trialPath), i)
		var choices []string
		for _, v := range vs {
			choices = append(choices, v.Word)
			pick += fmt.Sprintf(", func() %s { return %s }", text, v.Code)
		}
		pick += ")"
		if sig.Variadic() && i == sig.Params().Len()-1 {
			pick += "..."
		}
		words, code = append(words, choices), append(code, pick)
	}
	return words, code, nil
}

// makeWorld is the trial.Call that makes the objects.
func (h *writer) makeWorld() (string, error) {
	fmt.Fprintf(&h.types, "type mapatomWorld%d struct {\n%s.Same\n", h.number, h.File.Import(trialPath))
	var body strings.Builder
	words := [][]string{}
	name := "the package"
	for i, named := range h.receivers {
		fmt.Fprintf(&h.types, "r%d *%s\n", i, h.File.Type(named))
		made, err := h.object(named)
		if err != nil {
			return "", err
		}
		name = made.name
		fmt.Fprintf(&body, "func() {\n%sargs := args[%d:]\n_ = args\n%s\nw.r%d = o\n}()\n", h.spared(i), len(words), made.code, i)
		words = append(words, made.words...)
	}
	h.types.WriteString("}\n")
	return fmt.Sprintf("%s.Call{Name: %q, Args: %#v, Do: func(_ any, args []int) []any {\nrestore()\nw := &mapatomWorld%d{}\nvar world any = w\n_ = world\n%sreturn []any{w}\n}}",
		h.File.Import(trialPath), name, words, h.number, body.String()), nil
}

// spared is the beginning of code that makes a receiver which is not that of the extension, but of other
// calls: without those the rest can be run.
func (h *writer) spared(i int) string {
	if fn, err := h.pkg.function(h.f.Function); err == nil && receiver(fn) != nil && receiver(fn).Origin() == h.receivers[i].Origin() {
		return ""
	}
	return "defer func() { _ = recover() }()\n"
}

// telling is the parameter that decides most, probably, which way a function goes: one of a
// type that has a state, of the package's own best. It is nil if there are none with a name.
func telling(fn *types.Func) *types.Var {
	rank := func(v *types.Var) int {
		switch n := named(v.Type()); {
		case n == nil:
			return 1
		case n.Obj().Pkg() == fn.Pkg():
			return 3
		case types.IsInterface(n): // a context, or an error
			return 0
		}
		return 2
	}
	var best *types.Var
	for v := range fn.Signature().Params().Variables() {
		if v.Name() != "" && v.Name() != "_" && (best == nil || rank(v) > rank(best)) {
			best = v
		}
	}
	return best
}

// maker is the line that the user can write for a function: what makes a value that makes
// a difference to it, and what that is. It is empty if the function takes nothing.
func maker(fn *types.Func) (of, line string) {
	name, text := "", ""
	if on := receiver(fn); on != nil {
		of, name = "one", on.Obj().Name()
		text = "*" + name
	} else {
		v := telling(fn)
		if v == nil {
			return "", ""
		}
		of, name = "a value of its "+v.Name(), v.Name()
		text = types.TypeString(v.Type(), func(p *types.Package) string {
			if p == fn.Pkg() {
				return ""
			}
			return p.Name()
		})
	}
	return of, fmt.Sprintf("%s above func make%sForMapatom() %s", directive, capital(name), text)
}

// help says what the user can write for a function that cannot be run.
func help(fn *types.Func) string {
	of, line := maker(fn)
	if line == "" {
		return "; it has no arguments that could be made in another way"
	}
	return fmt.Sprintf("; a function of the package makes %s for which it does: %s", of, line)
}

// more says what the user can write to have more tried than was.
func more(fn *types.Func) string {
	of, line := maker(fn)
	if line == "" {
		return ""
	}
	return fmt.Sprintf("; a function of the package can make %s of another kind: %s", of, line)
}

// file is the test file with the cases.
func (w *world) file(path string, cases []*harness, instrumented bool) ([]byte, error) {
	file := w.packages[path].file
	var b, list strings.Builder
	for _, h := range cases {
		b.WriteString(h.code)
		fmt.Fprintf(&list, ", mapatomCase%d", h.index)
	}
	fmt.Fprintf(&b, "func %s(t *%s.T) { %s.Serve(t%s) }\n", testName, file.Import("testing"), file.Import(trialPath), list.String())
	return file.Source(b.String(), instrumented)
}
