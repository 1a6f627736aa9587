package subject

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// A Target is a type and how an object of it is made.
type Target struct {
	// Name is the type as the user names it: "queue.Queue".
	Name string
	// Object is the type of the object that New makes: a pointer or an
	// interface.
	Object types.Type
	// New says how it is made, for people: "NewQueue()", "zero value".
	New string

	im     *imports
	values *values
	create string // the body of the function that makes it
}

// Options say what is to be different from what is found.
type Options struct {
	// Constructor is the function to make objects with, instead of the one
	// that is found; "zero" asks for the zero value.
	Constructor string
	// TypeArgs instantiate a generic type.
	TypeArgs []string
	// Methods are the only ones to call, Skip those not to call.
	Methods, Skip []string
	// Values are expressions for arguments, by the text of the type.
	Values map[string][]string
	// Unordered are methods of which the order in a list that they return
	// does not matter.
	Unordered []string
}

// find looks up a type, or a function that makes one, in a package.
func find(pkg *types.Package, name string, im *imports, opts Options) (*Target, error) {
	t := &Target{Name: pkg.Name() + "." + name, im: im, values: &values{im: im, given: opts.Values}}
	obj := pkg.Scope().Lookup(name)
	var err error
	switch obj := obj.(type) {
	case *types.TypeName:
		err = t.ofType(pkg, obj, opts)
	case *types.Func:
		err = t.ofFunc(obj, opts)
	case nil:
		err = fmt.Errorf("package %s declares no %s%s", pkg.Path(), name, similar(pkg, name))
	default:
		err = fmt.Errorf("%s.%s is %s, want a type or a function that makes an object", pkg.Path(), name, kindOf(obj))
	}
	if err != nil {
		return nil, err
	}
	if !im.nameable(t.Object) {
		return nil, fmt.Errorf("the type %s cannot be named from here", t.Object)
	}
	return t, nil
}

func kindOf(obj types.Object) string {
	switch obj.(type) {
	case *types.Var:
		return "a variable"
	case *types.Const:
		return "a constant"
	}
	return "no type"
}

// similar suggests a type whose name differs in case only, or lists a few.
func similar(pkg *types.Package, name string) string {
	var all []string
	for _, n := range pkg.Scope().Names() {
		if tn, ok := pkg.Scope().Lookup(n).(*types.TypeName); ok && tn.Exported() {
			if strings.EqualFold(n, name) {
				return fmt.Sprintf("; did you mean %s?", n)
			}
			all = append(all, n)
		}
	}
	if len(all) == 0 || len(all) > 12 {
		return ""
	}
	return "; its types are " + strings.Join(all, ", ")
}

// ofType finds a constructor of a type, or takes its zero value.
func (t *Target) ofType(pkg *types.Package, tn *types.TypeName, opts Options) error {
	if opts.Constructor != "" && opts.Constructor != "zero" {
		f, ok := pkg.Scope().Lookup(opts.Constructor).(*types.Func)
		if !ok {
			return fmt.Errorf("package %s has no function %s to make a %s with", pkg.Path(), opts.Constructor, tn.Name())
		}
		return t.ofFunc(f, opts)
	}
	if opts.Constructor == "" {
		var problems []string
		for _, f := range constructors(pkg, tn) {
			err := t.ofFunc(f, opts)
			if err == nil {
				return nil
			}
			problems = append(problems, err.Error())
		}
		if types.IsInterface(tn.Type()) {
			return fmt.Errorf("%s is an interface, and no function of its package makes one: name a constructor%s", tn.Name(), because(problems))
		}
	}
	return t.zero(tn, opts)
}

func because(problems []string) string {
	if len(problems) == 0 {
		return ""
	}
	return " (" + strings.Join(problems, "; ") + ")"
}

// zero takes the zero value.
func (t *Target) zero(tn *types.TypeName, opts Options) error {
	typ := tn.Type()
	if named, ok := types.Unalias(typ).(*types.Named); ok && named.TypeParams().Len() > 0 {
		args, err := typeArguments(named.TypeParams(), tn.Pkg(), opts.TypeArgs)
		if err != nil {
			return err
		}
		if typ, err = types.Instantiate(nil, named, args, true); err != nil {
			return err
		}
	}
	t.Object = types.NewPointer(typ)
	t.New = "zero value"
	t.create = "return new(" + t.im.text(typ) + ")"
	return nil
}

// constructors are the functions of a package that make a type, the most
// likely first.
func constructors(pkg *types.Package, tn *types.TypeName) []*types.Func {
	rank := map[string]int{
		"New" + tn.Name(): 1, "Make" + tn.Name(): 2, "New": 3, "Make": 4,
		"new" + tn.Name(): 5, "make" + tn.Name(): 6, // of no use from outside the package
	}
	type candidate struct {
		f    *types.Func
		rank int
	}
	var all []candidate
	for _, name := range pkg.Scope().Names() {
		f, ok := pkg.Scope().Lookup(name).(*types.Func)
		if !ok || !makes(f.Signature(), tn) {
			continue
		}
		r := rank[name]
		if r == 0 {
			r = 10 + f.Signature().Params().Len()
			if !strings.HasPrefix(name, "New") {
				r += 100
			}
		}
		all = append(all, candidate{f, r})
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.rank, b.rank) })
	out := make([]*types.Func, 0, len(all))
	for _, c := range all {
		out = append(out, c.f)
	}
	return out
}

// makes reports whether the first result of a function is the type, or a
// pointer to it, and nothing but an error may come with it.
func makes(sig *types.Signature, tn *types.TypeName) bool {
	if sig.Results().Len() == 0 || !onlyError(sig) {
		return false
	}
	typ := types.Unalias(sig.Results().At(0).Type())
	if p, ok := typ.(*types.Pointer); ok {
		typ = types.Unalias(p.Elem())
	}
	named, ok := typ.(*types.Named)
	return ok && named.Obj() == tn
}

func onlyError(sig *types.Signature) bool {
	r := sig.Results()
	return r.Len() == 1 || r.Len() == 2 && types.Identical(r.At(1).Type(), types.Universe.Lookup("error").Type())
}

// ofFunc makes objects with a function.
func (t *Target) ofFunc(f *types.Func, opts Options) error {
	sig := f.Signature()
	if !f.Exported() && f.Pkg().Path() != t.im.within {
		return fmt.Errorf("%s is not exported", f.Name())
	}
	if sig.Results().Len() == 0 || !onlyError(sig) {
		return fmt.Errorf("%s returns %s, want one object, and an error at most", f.Name(), sig.Results())
	}
	args, err := typeArguments(sig.TypeParams(), f.Pkg(), t.argsFor(sig, opts.TypeArgs))
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name(), err)
	}
	if len(args) > 0 {
		instance, err := types.Instantiate(nil, sig, args, true)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name(), err)
		}
		sig = instance.(*types.Signature)
	}
	call, words, before, err := t.construction(f, sig, args)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name(), err)
	}
	t.New = words
	t.Object = sig.Results().At(0).Type()
	result := "o"
	// A value is held by pointer, so that all its methods can be called.
	if _, isPointer := t.Object.Underlying().(*types.Pointer); !isPointer && !types.IsInterface(t.Object) {
		t.Object = types.NewPointer(t.Object)
		result = "&o"
	}
	if sig.Results().Len() == 2 {
		t.create = before + "o, err := " + call + "\nif err != nil {\npanic(err)\n}\nreturn " + result
	} else {
		t.create = before + "o := " + call + "\nreturn " + result
	}
	return nil
}

// argsFor gives the type arguments of a constructor from those of the type
// that it makes, which are what the user knows.
func (t *Target) argsFor(sig *types.Signature, given []string) []string {
	typ := types.Unalias(sig.Results().At(0).Type())
	if p, ok := typ.(*types.Pointer); ok {
		typ = types.Unalias(p.Elem())
	}
	named, ok := typ.(*types.Named)
	if !ok || len(given) == 0 || named.TypeArgs().Len() != len(given) {
		return given
	}
	args := make([]string, sig.TypeParams().Len())
	for i := range args {
		for j := range named.TypeArgs().Len() {
			if named.TypeArgs().At(j) == sig.TypeParams().At(i) {
				args[i] = given[j]
			}
		}
	}
	return args
}

// construction is the call of a constructor, as code and in words. A number
// that it takes is mostly a capacity, and a small one finds more.
func (t *Target) construction(f *types.Func, sig *types.Signature, args []types.Type) (call, words, before string, err error) {
	n := sig.Params().Len()
	if sig.Variadic() {
		n--
	}
	var codes, texts []string
	for i := range n {
		typ := sig.Params().At(i).Type()
		v := value{word: "2", code: "2"}
		if b, ok := typ.Underlying().(*types.Basic); !ok || b.Info()&types.IsInteger == 0 || len(t.values.known(typ)) > 0 {
			all, err := t.values.of(typ)
			if err != nil {
				return "", "", "", err
			}
			v = all[0]
		}
		codes, texts, before = append(codes, v.code), append(texts, v.word), before+v.before
		if v.seen != "" {
			before += "_ = " + v.seen + "\n"
		}
	}
	name := f.Name()
	if q := t.im.qualify(f.Pkg()); q != "" {
		name = q + "." + name
	}
	instance := ""
	if len(args) > 0 {
		names := make([]string, len(args))
		for i, a := range args {
			names[i] = t.im.text(a)
		}
		instance = "[" + strings.Join(names, ", ") + "]"
	}
	return name + instance + "(" + strings.Join(codes, ", ") + ")", f.Name() + instance + "(" + strings.Join(texts, ", ") + ")", before, nil
}
