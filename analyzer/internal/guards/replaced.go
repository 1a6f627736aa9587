package guards

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A field that holds a struct is one memory if the struct is only ever replaced as a whole, by who has read a part of it as well:
//
//	next := snapshot{generation: p.current.generation + 1, of: of}
//	p.current = next

// findReplaced finds those fields.
func (in *inference) findReplaced() {
	in.replaced = map[*types.Var]bool{}
	changed := map[*types.Var]bool{}
	for _, fn := range in.funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				fa, ok := instr.(*ssa.FieldAddr)
				if !ok || field(fa) == nil {
					continue
				}
				if _, isStruct := pointee(fa).Underlying().(*types.Struct); !isStruct || isAtomicOrLock(pointee(fa)) {
					continue
				}
				if _, made := baseOf(fa).(*ssa.Alloc); made {
					continue // nobody else has it
				}
				stored, onlyRead := partsRead(fa)
				in.replaced[field(fa)] = in.replaced[field(fa)] || stored
				changed[field(fa)] = changed[field(fa)] || !onlyRead
			}
		}
	}
	for f := range changed {
		if changed[f] {
			delete(in.replaced, f)
		}
	}
}

// baseOf is what a field is reached from without a pointer in between.
func baseOf(fa *ssa.FieldAddr) ssa.Value {
	for {
		of, ok := fa.X.(*ssa.FieldAddr)
		if !ok {
			return fa.X
		}
		fa = of
	}
}

// partsRead reports whether something is stored at an address as a whole, and whether nothing becomes of its parts but that they are read.
func partsRead(at *ssa.FieldAddr) (stored, onlyRead bool) {
	for _, ref := range *at.Referrers() {
		switch ref := ref.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if ref.Addr != ssa.Value(at) {
				return stored, false
			}
			stored = true
		case *ssa.FieldAddr:
			if part, read := partsRead(ref); part || !read {
				return stored, false
			}
		default:
			return stored, false
		}
	}
	return stored, true
}

// wholeOf is the address of the struct that is replaced as a whole of which an address is a part; that address itself where there is none.
func (in *inference) wholeOf(addr ssa.Value) ssa.Value {
	whole := addr
	fa, ok := addr.(*ssa.FieldAddr)
	for ok {
		if fa, ok = fa.X.(*ssa.FieldAddr); ok && in.replaced[field(fa)] {
			whole = fa
		}
	}
	return whole
}
