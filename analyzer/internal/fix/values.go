package fix

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/mapatom/mapatom/internal/reduce/ways"
)

// comparable reports whether the value that was read can be compared with ==
// without a panic, and is then equal to itself, at an operation. It is if it
// has such a type, was asserted to have one, or if the map holds no others.
func (f *fixer) comparable(v ssa.Value, at ssa.Instruction) bool {
	if !types.IsInterface(v.Type()) {
		return isDiscrete(v.Type())
	}
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.TypeAssert:
			if !ref.CommaOk && isDiscrete(ref.AssertedType) && ways.Before(ref, at) {
				return true
			}
			if ok := flagOf(ref); ok != nil && isDiscrete(ref.AssertedType) && onlyWhen(ok, at) {
				return true
			}
		case *ssa.BinOp:
			if ref.Op == token.EQL && isDiscrete(ssaprog.Unboxed(otherOperand(ref, v)).Type()) && onlyWhen(ref, at) {
				return true
			}
		}
	}
	return f.x.Environment == absint.Package && f.storesDiscrete()
}

// flagOf is the second result of a type assertion.
func flagOf(assert *ssa.TypeAssert) ssa.Value {
	if !assert.CommaOk {
		return nil
	}
	for _, ref := range *assert.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && x.Index == 1 {
			return x
		}
	}
	return nil
}

func otherOperand(b *ssa.BinOp, v ssa.Value) ssa.Value {
	if b.X == v {
		return b.Y
	}
	return b.X
}

// onlyWhen reports whether an instruction only happens if a condition holds.
func onlyWhen(cond ssa.Value, at ssa.Instruction) bool {
	def, ok := cond.(ssa.Instruction)
	if !ok || !ways.Before(def, at) {
		return false
	}
	w := &walk{to: at, avoid: def, cond: cond, value: false}
	return !w.reaches(def)
}

// storesDiscrete reports whether all that the package stores in the map can be
// compared.
func (f *fixer) storesDiscrete() bool {
	root, found := "", false
	for _, info := range f.c.Functions {
		if info.Fn == f.x.In.Fn {
			root = f.rootIn(info)
		}
	}
	if root == "" {
		return false
	}
	for _, info := range f.c.Functions {
		for _, a := range info.Find.Accesses {
			if info.Root(a.Cell) != root || !a.Writes {
				continue
			}
			for _, op := range a.Ops {
				in := &info.Prog.Blocks[op.Block].Instrs[op.Instr]
				o, ok := f.c.Ps.Res.OperationAt(in.Pos)
				if !ok || o.Stored != nil && !isDiscrete(o.Stored) {
					return false
				}
				found = found || o.Stored != nil
			}
		}
	}
	return found
}

// rootIn is the root of the extension's map.
func (f *fixer) rootIn(info *rivals.Function) string {
	for _, a := range info.Find.Accesses {
		for _, pos := range info.Positions([]*register.Access{a}) {
			if pos == f.x.Operations[0].Text {
				return info.Root(a.Cell)
			}
		}
	}
	return ""
}

// isDiscrete reports whether == on two values of the type never panics, and is
// always true of a value and itself: a NaN would never be swapped.
func isDiscrete(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsFloat|types.IsComplex|types.IsUntyped) == 0
	case *types.Pointer, *types.Chan:
		return true
	case *types.Array:
		return isDiscrete(u.Elem())
	case *types.Struct:
		for field := range u.Fields() {
			if !isDiscrete(field.Type()) {
				return false
			}
		}
		return true
	}
	return false
}
