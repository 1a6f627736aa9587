package gosource

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// TypeArguments chooses what a generic type or function of a package is
// instantiated with: what is given in words, and else the first of a few plain
// types that the constraint allows.
func TypeArguments(params *types.TypeParamList, pkg *types.Package, given []string) ([]types.Type, error) {
	if len(given) > params.Len() {
		return nil, fmt.Errorf("found %d type arguments, want %d", len(given), params.Len())
	}
	args := make([]types.Type, params.Len())
	for i := range args {
		p := params.At(i)
		if i < len(given) && given[i] != "" {
			tv, err := types.Eval(token.NewFileSet(), pkg, token.NoPos, given[i])
			if err != nil || !tv.IsType() {
				return nil, fmt.Errorf("found type argument %q, want a type", given[i])
			}
			args[i] = tv.Type
			continue
		}
		if args[i] = plainType(p); args[i] == nil {
			return nil, fmt.Errorf("no plain type satisfies the constraint %s of %s: name a type argument", p.Constraint(), p)
		}
	}
	return args, nil
}

// plainType is the first basic type that a constraint allows.
func plainType(p *types.TypeParam) types.Type {
	constraint, ok := p.Constraint().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	kinds := []types.BasicKind{types.Int, types.String, types.Int64, types.Uint64, types.Int32, types.Uint32, types.Float64, types.Bool, types.Uint8}
	for _, k := range kinds {
		if types.Satisfies(types.Typ[k], constraint) {
			return types.Typ[k]
		}
	}
	return nil
}

// Instance is a type with type arguments, if it is generic.
func Instance(t *types.Named, given []string) (*types.Named, error) {
	if t.TypeParams().Len() == 0 {
		return t, nil
	}
	args, err := TypeArguments(t.TypeParams(), t.Obj().Pkg(), given)
	if err != nil {
		return nil, err
	}
	instance, err := types.Instantiate(nil, t, args, true)
	if err != nil {
		return nil, err
	}
	return instance.(*types.Named), nil
}

// A Callee is a function that the file calls.
type Callee struct {
	*types.Func
	Signature *types.Signature // with type arguments, if it is generic
	TypeArgs  []types.Type
}

// NewCallee instantiates a function.
func NewCallee(f *types.Func, given []string) (*Callee, error) {
	c := &Callee{Func: f, Signature: f.Signature()}
	var err error
	if c.TypeArgs, err = TypeArguments(c.Signature.TypeParams(), f.Pkg(), given); err != nil || len(c.TypeArgs) == 0 {
		return c, err
	}
	instance, err := types.Instantiate(nil, c.Signature, c.TypeArgs, true)
	if err != nil {
		return nil, err
	}
	c.Signature = instance.(*types.Signature)
	return c, nil
}

// NewConstructor instantiates a function that makes an object. The type arguments
// are those of the type that it makes.
func NewConstructor(f *types.Func, given []string) (*Callee, error) {
	sig := f.Signature()
	if sig.Results().Len() == 0 || !onlyError(sig) {
		return nil, fmt.Errorf("%s returns %s, want one object, and an error at most", f.Name(), sig.Results())
	}
	if made := named(sig.Results().At(0).Type()); made != nil && len(given) > 0 && made.TypeArgs().Len() == len(given) {
		args := make([]string, sig.TypeParams().Len())
		for i := range args {
			for j := range given {
				if made.TypeArgs().At(j) == sig.TypeParams().At(i) {
					args[i] = given[j]
				}
			}
		}
		given = args
	}
	c, err := NewCallee(f, given)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return c, nil
}

// Object is the type of what a constructor makes: a pointer, or an interface. A
// value is held by pointer, so that all its methods can be called.
func (c *Callee) Object() types.Type {
	t := c.Signature.Results().At(0).Type()
	if c.isValue() {
		return types.NewPointer(t)
	}
	return t
}

func (c *Callee) isValue() bool {
	t := c.Signature.Results().At(0).Type()
	_, isPointer := t.Underlying().(*types.Pointer)
	return !isPointer && !types.IsInterface(t)
}

// Callee is how the file names the function of a call.
func (f *File) Callee(c *Callee) string { return f.Name(c.Func) + f.TypeArgs(c.TypeArgs) }

// Construct is code that declares o, the object that a constructor makes.
func (f *File) Construct(c *Callee, args []string) string {
	made, address := "o", ""
	if c.isValue() {
		made, address = "v", "o := &v\n"
	}
	call := f.Callee(c) + "(" + strings.Join(args, ", ") + ")"
	if c.Signature.Results().Len() == 2 {
		return made + ", err := " + call + "\nif err != nil {\npanic(err)\n}\n" + address
	}
	return made + " := " + call + "\n" + address
}

// Constructors are the functions of a package that make a type, the most likely
// first.
func Constructors(tn *types.TypeName) []*types.Func {
	title := strings.ToUpper(tn.Name()[:1]) + tn.Name()[1:]
	rank := map[string]int{
		"New" + title: 1, "Make" + title: 2, "New": 3, "Make": 4,
		"new" + title: 5, "make" + title: 6, "new": 7, // of no use from outside the package
	}
	type candidate struct {
		f    *types.Func
		rank int
	}
	var all []candidate
	scope := tn.Pkg().Scope()
	for _, name := range scope.Names() {
		f, ok := scope.Lookup(name).(*types.Func)
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
	out := make([]*types.Func, len(all))
	for i, c := range all {
		out[i] = c.f
	}
	return out
}

// makes reports whether the first result of a function is the type, or a
// pointer to it, and nothing but an error may come with it.
func makes(sig *types.Signature, tn *types.TypeName) bool {
	if sig.Results().Len() == 0 || !onlyError(sig) {
		return false
	}
	made := named(sig.Results().At(0).Type())
	return made != nil && made.Obj() == tn
}

func onlyError(sig *types.Signature) bool {
	r := sig.Results()
	return r.Len() == 1 || r.Len() == 2 && types.Identical(r.At(1).Type(), types.Universe.Lookup("error").Type())
}

// named is a named type, or the one that a pointer points to; nil if there is none.
func named(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}
