package subject

import (
	"fmt"
	"go/token"
	"go/types"
)

// typeArguments chooses what a generic type or function is instantiated with:
// what is given in words, and else the first of a few plain types that the
// constraint allows.
func typeArguments(params *types.TypeParamList, pkg *types.Package, given []string) ([]types.Type, error) {
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
