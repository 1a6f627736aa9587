package subject

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/mapatom/mapatom/checker"
	"github.com/mapatom/mapatom/internal/checker/gosource"
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

	file   *gosource.File
	values *gosource.Values
	create string      // the body of the function that makes it
	maker  *types.Func // that it calls, if it does
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

// leaves are two of each, so that calls can be told apart, and a time to live that
// does not end.
var leaves = gosource.Leaves{
	Numbers: []string{"10", "20"}, Strings: []string{`"a"`, `"b"`}, Any: []string{"10", "20"}, Durations: []string{"time.Hour"},
}

// lineupPath is where package lineup is, as far as the file says: whoever
// compiles it may put another path there.
const lineupPath = checker.Path + "/lineup"

// find looks up a type, or a function that makes one, in a package.
func find(pkg *types.Package, name string, file *gosource.File, opts Options) (*Target, error) {
	t := &Target{Name: pkg.Name() + "." + name, file: file, values: &gosource.Values{
		File: file, Leaves: leaves, Most: 2, Given: opts.Values, Notes: file.Import(lineupPath) + ".Unordered",
	}}
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
	if !file.Nameable(t.Object) {
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
		for _, f := range gosource.Constructors(tn) {
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
	if named, ok := types.Unalias(typ).(*types.Named); ok {
		var err error
		if typ, err = gosource.Instance(named, opts.TypeArgs); err != nil {
			return err
		}
	}
	t.Object = types.NewPointer(typ)
	t.New = "zero value"
	t.create = "return new(" + t.file.Type(typ) + ")"
	return nil
}

// ofFunc makes objects with a function. A number that it takes is mostly a
// capacity, and a small one finds more.
func (t *Target) ofFunc(f *types.Func, opts Options) error {
	if !f.Exported() && f.Pkg().Path() != t.file.Path() {
		return fmt.Errorf("%s is not exported", f.Name())
	}
	c, err := gosource.NewConstructor(f, opts.TypeArgs)
	if err != nil {
		return err
	}
	n := c.Signature.Params().Len()
	if c.Signature.Variadic() {
		n--
	}
	var codes, words []string
	before := ""
	for i := range n {
		v, err := t.capacity(c.Signature.Params().At(i).Type())
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name(), err)
		}
		codes, words, before = append(codes, v.Code), append(words, v.Word), before+v.Before
		if v.Seen != "" {
			before += "_ = " + v.Seen + "\n"
		}
	}
	t.Object, t.maker = c.Object(), f
	t.New = f.Name() + t.file.TypeArgs(c.TypeArgs) + "(" + strings.Join(words, ", ") + ")"
	t.create = before + t.file.Construct(c, codes) + "return o"
	return nil
}

// capacity is an argument of a constructor.
func (t *Target) capacity(typ types.Type) (gosource.Value, error) {
	if b, ok := typ.Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 && types.TypeString(typ, nil) != "time.Duration" {
		return gosource.Value{Word: "2", Code: "2"}, nil
	}
	all, err := t.values.Of(typ)
	if err != nil {
		return gosource.Value{}, err
	}
	return all[0], nil
}
