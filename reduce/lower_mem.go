package reduce

import (
	"go/types"
	"strconv"

	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"golang.org/x/tools/go/ssa"
)

func intLit(n int) register.Operand { return register.Lit(strconv.Itoa(n)) }

// place is a variable or a part of it: a range of its leaves, and perhaps a
// part of the only leaf in the range.
type place struct {
	v      *variable
	typ    types.Type
	lo, hi int
	parts  []part
}

// part is a step into a leaf: to a field, or to an element.
type part struct {
	name  string // "T.f" of a field
	index ssa.Value
	typ   types.Type
}

// place finds the variable that addr points into. It has none if addr points
// into an object or to memory that somebody else made.
func (l *lowerer) place(addr ssa.Value) (place, bool) {
	if v := l.vars[addr]; v != nil {
		return place{v: v, typ: v.typ, hi: len(v.locals)}, true
	}
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		p, ok := l.place(a.X)
		if !ok {
			return p, false
		}
		return p.field(a.Field)
	case *ssa.IndexAddr:
		p, ok := l.place(a.X)
		array, isArray := p.typ, false
		if ok {
			_, isArray = array.Underlying().(*types.Array)
		}
		if !isArray {
			return p, false
		}
		return p.into(part{index: a.Index, typ: array.Underlying().(*types.Array).Elem()}), true
	}
	return place{}, false
}

// field is the place of a field of the struct at p.
func (p place) field(field int) (place, bool) {
	s, ok := p.typ.Underlying().(*types.Struct)
	if !ok || field >= s.NumFields() {
		return p, false
	}
	ft := s.Field(field).Type()
	if len(p.parts) > 0 || p.v.volatile || !isSplit(p.typ) {
		return p.into(part{name: fieldName(p.typ, field), typ: ft}), true
	}
	lo, hi := fieldLeaves(p.typ, field)
	return place{v: p.v, typ: ft, lo: p.lo + lo, hi: p.lo + hi}, true
}

func (p place) into(step part) place {
	p.parts = append(p.parts[:len(p.parts):len(p.parts)], step)
	p.typ = step.typ
	return p
}

// load lowers a load through any address.
func (l *lowerer) load(v *ssa.UnOp) {
	if p, ok := l.place(v.X); ok {
		l.loadPlace(v, p)
		return
	}
	l.notNil(v.X, nilDereference)
	if addr := l.memoryAt(v); addr != nil {
		l.loadCell(v, addr)
		return
	}
	if addr := l.plainAt(v); addr != nil {
		l.vals[v], _ = l.readMemory(l.plainCell(addr), l.loadHint(v), "had")
		return
	}
	l.wholeMap(v)
	if isSplit(v.Type()) && !isGlobal(v.X) {
		l.leaves[v] = l.loadStruct(v.X, v.Type())
		return
	}
	l.vals[v] = l.loadMemory(v)
}

func isGlobal(v ssa.Value) bool {
	_, ok := v.(*ssa.Global)
	return ok
}

// loadPlace makes v the present value of a variable.
func (l *lowerer) loadPlace(v *ssa.UnOp, p place) {
	if p.v.volatile {
		l.vals[v] = l.unknown(l.hint(v), "captured variable")
		return
	}
	var leaves []register.Operand
	for i := p.lo; i < p.hi; i++ {
		leaves = append(leaves, l.copy(l.loadHint(v), register.L(p.v.locals[i])))
	}
	if len(p.parts) == 0 {
		l.setLeaves(v, leaves)
		return
	}
	o := leaves[0]
	for _, step := range p.parts {
		o = l.selectPart(o, step)
	}
	l.vals[v] = o
}

// selectPart is a part of a value.
func (l *lowerer) selectPart(o register.Operand, step part) register.Operand {
	if step.index != nil {
		return l.pure("elem", "index", o, l.operand(step.index))
	}
	return l.pure("field", register.FieldOf+step.name, o)
}

// store lowers a store through any address.
func (l *lowerer) store(st *ssa.Store) {
	if l.inits[st] {
		return
	}
	if p, ok := l.place(st.Addr); ok {
		l.storePlace(p, st.Val)
		return
	}
	l.notNil(st.Addr, nilDereference)
	if m, ok := l.res.(calls.Memory); ok && m.Drops(st) {
		return // who looks at the list does not come to it any more
	}
	if addr := l.memoryAt(st); addr != nil {
		if _, isMap := st.Val.Type().Underlying().(*types.Map); isMap {
			l.emptyMemory(addr)
		} else {
			l.writeMemory(addr, nil, st.Val)
		}
		return
	}
	if addr := l.plainAt(st); addr != nil {
		l.write(l.plainCell(addr), l.operand(st.Val))
		return
	}
	switch addr := st.Addr.(type) {
	case *ssa.FieldAddr:
		l.effect("store "+fieldName(addr.X.Type(), addr.Field), addr.X, st.Val)
	case *ssa.IndexAddr:
		l.effect("store element", addr.X, addr.Index, st.Val)
	default:
		l.effect("store", st.Addr, st.Val)
	}
}

// storePlace assigns a variable. A volatile one is not followed: what matters
// is that the value gets out.
func (l *lowerer) storePlace(p place, val ssa.Value) {
	switch {
	case p.v.volatile:
		l.effect(register.StoreCaptured, val)
	case len(p.parts) > 0:
		leaf := p.v.locals[p.lo]
		l.assign(leaf, l.replacePart(register.L(leaf), p.parts, l.operand(val)))
	case isSplit(p.typ):
		// All are read before any is written: x = T{x.b, x.a}.
		leaves := l.split(val)
		for i, o := range leaves {
			if !o.IsLit() {
				leaves[i] = l.copy(l.P.Names[o.Local], o)
			}
		}
		for i, o := range leaves {
			l.assign(p.v.locals[p.lo+i], o)
		}
	default:
		l.assign(p.v.locals[p.lo], l.operand(val))
	}
}

// replacePart is whole with one part of it, of a part perhaps, changed.
func (l *lowerer) replacePart(whole register.Operand, parts []part, val register.Operand) register.Operand {
	if len(parts) == 0 {
		return val
	}
	inner := val
	if len(parts) > 1 {
		inner = l.replacePart(l.selectPart(whole, parts[0]), parts[1:], val)
	}
	if parts[0].index != nil {
		return l.pure("array", "with index", whole, l.operand(parts[0].index), inner)
	}
	return l.pure("struct", "with:"+parts[0].name, whole, inner)
}

// Memory that is not a variable. A load is a pure function of the address,
// unless the function itself stores to such memory: to the same field of the
// same type, to an element of the same type, or to the same type otherwise.
// What other functions store in the meantime is not considered; that is what
// lets two loads of r.sessions be the same map.

// MemoryName is the name of the memory at an address: of the field
// ("pkg.T.f"), or of the package variable ("&pkg.v").
func MemoryName(addr ssa.Value) string { return memoryOf(addr) }

// memoryOf names the memory that an address points to.
func memoryOf(addr ssa.Value) string {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		if name := fieldName(a.X.Type(), a.Field); name != "" {
			return name
		}
	case *ssa.IndexAddr:
		return "elem:" + typeName(pointee(a.Type()))
	case *ssa.Global:
		return globalName(a)
	}
	return "load:" + typeName(pointee(addr.Type()))
}

func memoryOfMap(t types.Type) string { return "lookup:" + typeName(t) }

// findStored names the memory that the function stores to, other than to
// variables and in the birth of objects.
func (l *lowerer) findStored() {
	for _, b := range l.fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Store:
				if !l.inits[instr] && !l.isVariablePart(instr.Addr) {
					l.markStored(instr.Addr)
				}
			case *ssa.MapUpdate:
				l.P.Stored[memoryOfMap(instr.Map.Type())] = true
			case ssa.CallInstruction:
				if b, ok := instr.Common().Value.(*ssa.Builtin); ok && (b.Name() == "delete" || b.Name() == "clear") {
					l.P.Stored[memoryOfMap(instr.Common().Args[0].Type())] = true
				}
			}
		}
	}
}

// markStored notes a store to addr, and to all fields if a struct is stored.
func (l *lowerer) markStored(addr ssa.Value) {
	l.P.Stored[memoryOf(addr)] = true
	l.markFields(pointee(addr.Type()), 0)
}

func (l *lowerer) markFields(t types.Type, depth int) {
	s, ok := t.Underlying().(*types.Struct)
	for i := 0; ok && depth < 4 && i < s.NumFields(); i++ {
		l.P.Stored[fieldName(t, i)] = true
		l.markFields(s.Field(i).Type(), depth+1)
	}
}

// isVariablePart is place for addresses before variables are made.
func (l *lowerer) isVariablePart(addr ssa.Value) bool {
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			addr = a.X
		case *ssa.Alloc, *ssa.FreeVar:
			return l.caps.isVariable(a)
		default:
			return false
		}
	}
}

// loadMemory is the value at v.X.
func (l *lowerer) loadMemory(v *ssa.UnOp) register.Operand {
	memory, name, args := memoryOf(v.X), "", []register.Operand(nil)
	switch addr := v.X.(type) {
	case *ssa.FieldAddr:
		l.fieldOf(addr.X.Type(), addr.Field)
		name, args = memory, []register.Operand{l.operand(addr.X)}
	case *ssa.IndexAddr:
		name, args = memory, l.operands([]ssa.Value{addr.X, addr.Index})
	case *ssa.Global:
		name, args = "load", []register.Operand{l.operand(addr)}
	default:
		name, args = memory, []register.Operand{l.operand(addr)}
	}
	hint := l.loadHint(v)
	if l.P.Stored[memory] || l.setsError(v.X) {
		return l.unknown(hint, name, args...)
	}
	d := l.Local(hint)
	load := register.Instr{Op: register.Pure, Dst: []register.Local{d}, Name: name, Args: args}
	l.notePart(&load, v.X)
	l.emit(load)
	l.noteNamed(v)
	return register.L(d)
}

// setsError reports whether an address is that of a variable in which the package puts other errors.
func (l *lowerer) setsError(addr ssa.Value) bool {
	g, isGlobal := addr.(*ssa.Global)
	errs, ok := l.res.(calls.Errors)
	return isGlobal && ok && errs.SetsError(g)
}

// notePart says of the load of an address what becomes of the field once its object is made.
func (l *lowerer) notePart(load *register.Instr, addr ssa.Value) {
	a, isField := addr.(*ssa.FieldAddr)
	fields, knows := l.res.(calls.Fields)
	if !isField || !knows {
		return
	}
	s, isStruct := pointee(a.X.Type()).Underlying().(*types.Struct)
	if !isStruct {
		return
	}
	f := s.Field(a.Field)
	if load.AtBirth = fields.AtBirth(f); load.AtBirth && fields.Constant(f) {
		load.Part = int32(a.Field) + 1
	}
}

// loadHint names a loaded value after the field or variable it comes from.
func (l *lowerer) loadHint(v *ssa.UnOp) string {
	name := l.src.nameless(v, 0)
	switch addr := v.X.(type) {
	case *ssa.FieldAddr:
		if s, ok := pointee(addr.X.Type()).Underlying().(*types.Struct); ok {
			name = s.Field(addr.Field).Name()
		}
	case *ssa.Global, *ssa.FreeVar:
		name = addr.Name()
	case *ssa.Alloc:
		name = l.objectHint(addr)
	}
	return l.src.name(v.Pos(), 0, name)
}

// loadStruct loads a split struct leaf by leaf, so that (*p).f and p.f are the
// same value.
func (l *lowerer) loadStruct(addr ssa.Value, t types.Type) []register.Operand {
	return l.loadFields(l.operand(addr), t)
}

func (l *lowerer) loadFields(base register.Operand, t types.Type) []register.Operand {
	s := t.Underlying().(*types.Struct)
	var leaves []register.Operand
	for i := 0; i < s.NumFields(); i++ {
		name, ft := l.fieldOf(t, i), s.Field(i).Type()
		if isSplit(ft) {
			inner := l.pure(s.Field(i).Name(), "&"+name, base)
			leaves = append(leaves, l.loadFields(inner, ft)...)
			continue
		}
		leaf := register.NoOperand
		if l.P.Stored[name] || l.P.Stored["load:"+typeName(t)] {
			leaf = l.unknown(s.Field(i).Name(), name, base)
		} else {
			leaf = l.pure(s.Field(i).Name(), name, base)
		}
		l.P.Declare(leaf.Local, typeOf(ft))
		leaves = append(leaves, leaf)
	}
	return leaves
}

// address is the term for the address of a field or an element. It is used
// for identity: of maps, locks and what calls get.
func (l *lowerer) address(addr ssa.Value) register.Operand {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		if _, ok := l.place(a); ok {
			return l.unknown(a.Name(), "address") // only if not well formed
		}
		name := fieldName(a.X.Type(), a.Field)
		return l.pure(register.LastPart(name), "&"+name, l.operand(a.X))
	case *ssa.IndexAddr:
		return l.pure("elem", "&elem", l.operand(a.X), l.operand(a.Index))
	}
	return l.unknown(addr.Name(), "address")
}

// fieldOf is fieldName, noting which field of its struct it is.
func (l *lowerer) fieldOf(t types.Type, field int) string {
	name := fieldName(t, field)
	if name != "" {
		l.P.FieldPlaces[name] = field
	}
	return name
}

// effect emits an effect on values. A value reached through another one, by
// loading a field or taking its address, drags that one along: close(s.done)
// is an effect on s.
func (l *lowerer) effect(name string, vs ...ssa.Value) {
	l.emit(register.Instr{Op: register.Effect, Name: name, Args: l.effectArgs(vs)})
}

func (l *lowerer) effectArgs(vs []ssa.Value) []register.Operand {
	args := l.operands(vs)
	seen := map[register.Operand]bool{}
	for _, a := range args {
		seen[a] = true
	}
	for _, v := range vs {
		for v = owner(v); v != nil; v = owner(v) {
			if _, ok := l.place(v); ok {
				break
			}
			if o := l.ownerOperand(v); !o.IsNone() && !seen[o] {
				seen[o] = true
				args = append(args, o)
			}
		}
	}
	return args
}

// ownerOperand is the operand of a value that needs no instruction.
func (l *lowerer) ownerOperand(v ssa.Value) register.Operand {
	if o, ok := l.vals[v]; ok && !o.IsLit() {
		return o
	}
	return register.NoOperand
}

// owner is the value that v was reached through; nil if there is none.
func owner(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.UnOp:
		switch v.X.(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr:
			return owner(v.X)
		}
	case *ssa.FieldAddr:
		return v.X
	case *ssa.IndexAddr:
		return v.X
	case *ssa.Field:
		return v.X
	case *ssa.MakeInterface:
		return owner(v.X)
	case *ssa.ChangeType:
		return owner(v.X)
	case *ssa.ChangeInterface:
		return owner(v.X)
	case *ssa.Slice:
		return owner(v.X)
	}
	return nil
}
