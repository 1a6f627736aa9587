package guards

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Registers are those memories that are split (see Split), or that other packages use
// by the sections that exported functions are (see Offered), and of which every access
// is one to a register: fields and variables that are loaded and stored, and built-in
// maps whose entries are. A map that is handed on, or replaced by one that is not empty, has
// entries that are changed elsewhere; a slice has elements that are.
func (g *Guards) Registers() map[*types.Var]bool {
	out := map[*types.Var]bool{}
	for _, found := range []map[*types.Var]bool{g.Split(), g.Offered()} {
		for mem := range found {
			if g.isRegister(mem) {
				out[mem] = true
			}
		}
	}
	return out
}

func (g *Guards) isRegister(mem *types.Var) bool {
	if !g.lentAlone(mem) {
		return false
	}
	isMap := isMap(mem.Type()) || isMapList(mem.Type())
	for _, a := range g.in.accesses[mem] {
		if g.Lends(a) {
			continue
		}
		_, isSlice := held(a.addr).Underlying().(*types.Slice)
		switch instr := a.Instr.(type) {
		case *ssa.UnOp:
			if isSlice && instr.X != a.addr {
				continue // elements are only looked at, or a store to one says so
			}
			if g.in.wholeOf(instr.X) != a.addr || isMap && !g.goesWhole(instr) {
				return false
			}
		case *ssa.Store:
			if drops(instr) {
				continue
			}
			if instr.Addr != a.addr || isMap && !a.Construction && !fillsNil(instr) && !Empties(instr) {
				return false
			}
		case *ssa.FieldAddr:
			return false // a part of it is changed elsewhere
		case *ssa.Lookup, *ssa.MapUpdate, *ssa.Range:
			if !isMap {
				return false
			}
		}
	}
	return true
}

// goesWhole reports whether it makes no difference to a map's entries that it was loaded.
func (g *Guards) goesWhole(load *ssa.UnOp) bool {
	return onlyCompared(load) || outlived(load) || takenOut(load) || g.in.onlyLooked(load, maxCalls)
}

// held is the type of what is at the address of an access.
func held(addr ssa.Value) types.Type {
	if p, ok := addr.Type().Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return addr.Type()
}

// onlyCompared reports whether a loaded map is compared with nil, and its entries
// are looked at, and nothing else.
func onlyCompared(load *ssa.UnOp) bool {
	for _, ref := range *load.Referrers() {
		if cmp, ok := ref.(*ssa.BinOp); ok && (cmp.Op == token.EQL || cmp.Op == token.NEQ) {
			continue
		}
		if !isEntry(ref, load) {
			return false
		}
	}
	return true
}

// isEntry reports whether an instruction is about the entries of a map.
func isEntry(ref ssa.Instruction, m ssa.Value) bool {
	switch ref := ref.(type) {
	case *ssa.MapUpdate:
		return ref.Map == m
	case *ssa.Lookup, *ssa.Range, *ssa.DebugRef:
		return true
	case *ssa.Call:
		_, ok := ref.Call.Value.(*ssa.Builtin)
		return ok
	}
	return false
}

func isMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// Empties reports whether a store puts an empty map, or none, where there may be one with
// entries: that is to take all of them away.
func Empties(st *ssa.Store) bool {
	if fillsNil(st) {
		return false
	}
	switch v := st.Val.(type) {
	case *ssa.Const:
		return v.IsNil()
	case *ssa.MakeMap:
		return !slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool {
			_, isDebug := ref.(*ssa.DebugRef)
			return !isDebug && ref != ssa.Instruction(st)
		})
	}
	return false
}

// fillsNil reports whether a store puts a new map where the function has just found
// nil: nobody can tell an empty map from one that is not there.
func fillsNil(st *ssa.Store) bool {
	if _, ok := st.Val.(*ssa.MakeMap); !ok {
		return false
	}
	b := st.Block()
	if len(b.Preds) != 1 || len(b.Preds[0].Succs) != 2 {
		return false
	}
	pred := b.Preds[0]
	branch, ok := pred.Instrs[len(pred.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	cmp, ok := branch.Cond.(*ssa.BinOp)
	if !ok {
		return false
	}
	c, ok := cmp.Y.(*ssa.Const)
	found := loadedFrom(cmp.X)
	return ok && c.IsNil() && found != nil && samePlace(found, st.Addr) && (cmp.Op == token.EQL && pred.Succs[0] == b || cmp.Op == token.NEQ && pred.Succs[1] == b)
}

// Drops reports whether a store makes an element nothing that is cut off the list right after it, so that what was there can be
// collected: the list that is left is as if it had only been cut.
//
//	last := len(p.idle) - 1
//	p.idle[last] = nil
//	p.idle = p.idle[:last]
func (g *Guards) Drops(st *ssa.Store) bool { return drops(st) }

func drops(st *ssa.Store) bool {
	e, isElement := st.Addr.(*ssa.IndexAddr)
	c, isConst := st.Val.(*ssa.Const)
	if !isElement || !isConst || c.Value != nil || loadedFrom(e.X) == nil {
		return false
	}
	list := loadedFrom(e.X)
	instrs := st.Block().Instrs
	at := slices.Index(instrs, ssa.Instruction(st))
	if slices.ContainsFunc(instrs[:at], func(before ssa.Instruction) bool {
		other, stores := before.(*ssa.Store)
		return stores && samePlace(other.Addr, list)
	}) {
		return false // which may be longer by then
	}
	for _, instr := range instrs[at+1:] {
		switch instr := instr.(type) {
		case *ssa.IndexAddr:
			return false // somebody looks at an element
		case *ssa.Call:
			if _, builtin := instr.Call.Value.(*ssa.Builtin); !builtin {
				return false
			}
		case *ssa.Store:
			if samePlace(instr.Addr, list) {
				return cutsOff(instr.Val, list, e.Index)
			}
		}
	}
	return false
}

// cutsOff reports whether a value is a list without its element at an index, which is the last one or the first.
func cutsOff(v, list, index ssa.Value) bool {
	cut, ok := v.(*ssa.Slice)
	if !ok || cut.Max != nil || loadedFrom(cut.X) == nil || !samePlace(loadedFrom(cut.X), list) {
		return false
	}
	if cut.Low == nil {
		return cut.High != nil && sameNumber(cut.High, index)
	}
	low, lowIs := integer(cut.Low)
	at, is := integer(index)
	next, adds := cut.Low.(*ssa.BinOp)
	one, oneIs := int64(0), false
	if adds {
		one, oneIs = integer(next.Y)
	}
	return cut.High == nil && (lowIs && is && low == at+1 || adds && next.Op == token.ADD && oneIs && one == 1 && sameNumber(next.X, index))
}

// sameNumber reports whether two values are computed alike, of one list that nobody replaces in between.
func sameNumber(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	x, isConst := integer(a)
	y, too := integer(b)
	if isConst || too {
		return isConst && too && x == y
	}
	switch a := a.(type) {
	case *ssa.BinOp:
		c, ok := b.(*ssa.BinOp)
		return ok && a.Op == c.Op && sameNumber(a.X, c.X) && sameNumber(a.Y, c.Y)
	case *ssa.Call:
		c, ok := b.(*ssa.Call)
		return ok && isLength(a) && isLength(c) && loadedFrom(a.Call.Args[0]) != nil && loadedFrom(c.Call.Args[0]) != nil &&
			samePlace(loadedFrom(a.Call.Args[0]), loadedFrom(c.Call.Args[0]))
	}
	return false
}

func isLength(call *ssa.Call) bool {
	b, ok := call.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == "len"
}

// integer is a constant of that kind.
func integer(v ssa.Value) (n int64, ok bool) {
	c, is := v.(*ssa.Const)
	if !is || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	return c.Int64(), true
}

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

// partsRead reports whether something is stored at an address as a whole, and whether nothing becomes of its parts but that they are read,
// none of which is a map: that is changed in place.
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
			if part, read := partsRead(ref); part || !read || isMap(pointee(ref)) {
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
