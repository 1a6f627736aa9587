package reduce

import (
	"go/types"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
	"golang.org/x/tools/go/ssa"
)

// maxContents bounds the contents of arrays; longer ones have none.
const maxContents = 16

// findObjects finds the objects of the function and where they are born.
func (l *lowerer) findObjects() {
	for _, b := range l.fn.Blocks {
		for i, instr := range b.Instrs {
			a, ok := instr.(*ssa.Alloc)
			if !ok || l.caps.isVariable(a) {
				continue
			}
			if _, ok := variadicElems(a); ok {
				l.markVariadic(a)
				continue
			}
			o := &object{alloc: a}
			l.objects[a] = o
			at := l.findBirth(o, b.Instrs[i+1:])
			l.births[at] = append(l.births[at], o)
		}
	}
}

// findBirth collects what is stored to the object before birth, and returns
// the instruction that comes right after that.
func (l *lowerer) findBirth(o *object, rest []ssa.Instruction) ssa.Instruction {
	paths := map[ssa.Value][]int{o.alloc: {}}
	for _, instr := range rest[:len(rest)-1] {
		if path, v, ok := partOf(paths, instr); ok {
			paths[v] = path
			continue
		}
		if st, ok := instr.(*ssa.Store); ok {
			path, mine := paths[st.Addr]
			if _, self := paths[st.Val]; mine && !self && o.canSet(path) {
				o.sets = append(o.sets, objectSet{path: path, val: st.Val})
				l.inits[st] = true
				continue
			}
		}
		if usesAny(instr, paths) {
			return instr
		}
	}
	return rest[len(rest)-1]
}

// partOf recognizes the address of a part of what paths already has.
func partOf(paths map[ssa.Value][]int, instr ssa.Instruction) (path []int, v ssa.Value, ok bool) {
	switch a := instr.(type) {
	case *ssa.FieldAddr:
		if path, ok = paths[a.X]; ok {
			return append(slices.Clone(path), a.Field), a, true
		}
	case *ssa.IndexAddr:
		c, isConst := a.Index.(*ssa.Const)
		if path, ok = paths[a.X]; ok && isConst && isArrayPointer(a.X.Type()) {
			return append(slices.Clone(path), int(c.Int64())), a, true
		}
	}
	return nil, nil, false
}

// canSet reports whether a store at path can be told apart from those before:
// none of a part of it or of a whole that it is part of, unless at path itself.
func (o *object) canSet(path []int) bool {
	for _, s := range o.sets {
		n := min(len(s.path), len(path))
		if len(s.path) != len(path) && slices.Equal(s.path[:n], path[:n]) {
			return false
		}
	}
	return true
}

func usesAny(instr ssa.Instruction, vals map[ssa.Value][]int) bool {
	if _, ok := instr.(*ssa.DebugRef); ok {
		return false
	}
	for _, op := range instr.Operands(nil) {
		if _, ok := vals[*op]; ok {
			return true
		}
	}
	return false
}

// allocate emits the birth of an object.
func (l *lowerer) allocate(o *object) {
	if o.born {
		return
	}
	t := pointee(o.alloc.Type())
	name := typeName(t)
	if a, ok := t.Underlying().(*types.Array); ok && o.alloc.Comment == "slicelit" {
		name = "[]" + typeName(a.Elem()) + register.ListedSite
	}
	args := l.contents(t, o)
	d := l.Local(l.objectHint(o.alloc))
	at := l.at
	l.at = l.src.text(o.alloc.Pos())
	l.emit(register.Instr{Op: register.Fresh, Dst: []register.Local{d}, Name: l.Site(name), Args: args})
	l.at = at
	o.born, o.self = true, register.L(d)
}

// objectHint is the name of the object's variable, if it has one.
func (l *lowerer) objectHint(a *ssa.Alloc) string {
	switch a.Comment {
	case "complit", "new", "slicelit", "makeslice", "varargs", "":
		return l.src.name(a.Pos(), 0, a.Name())
	default:
		return a.Comment
	}
}

// objectOperand is the object's identity.
func (l *lowerer) objectOperand(a *ssa.Alloc) register.Operand {
	o := l.objects[a]
	if o == nil || !o.born {
		return l.unknown(a.Name(), "value") // only if not well formed
	}
	return o.self
}

// contents lists what the object holds at birth: one argument for each field
// or element.
func (l *lowerer) contents(t types.Type, o *object) []register.Operand {
	var args []register.Operand
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := 0; i < u.NumFields(); i++ {
			args = append(args, l.fieldContent(t, i, o))
		}
	case *types.Array:
		for i := 0; i < int(u.Len()) && u.Len() <= maxContents; i++ {
			args = append(args, l.contentAt(u.Elem(), o, []int{i}))
		}
	default:
		args = append(args, l.contentAt(t, o, nil))
	}
	return args
}

// fieldContent is the content of a field, perhaps stored with all others.
func (l *lowerer) fieldContent(t types.Type, i int, o *object) register.Operand {
	ft := t.Underlying().(*types.Struct).Field(i).Type()
	whole := o.last(nil)
	switch {
	case whole == nil:
		return l.contentAt(ft, o, []int{i})
	case isSplit(t):
		lo, hi := fieldLeaves(t, i)
		return l.compose(ft, l.split(whole)[lo:hi])
	default:
		return l.fieldFrom(l.operand(whole), "field", t, i)
	}
}

// contentAt is the value of the part of the object at path.
func (l *lowerer) contentAt(t types.Type, o *object, path []int) register.Operand {
	if v := o.last(path); v != nil {
		return l.operand(v)
	}
	if isSplit(t) && o.hasBelow(path) {
		return l.compose(t, l.leavesAt(t, o, path))
	}
	return l.zero(t)
}

// leavesAt is contentAt for all leaves of a split struct.
func (l *lowerer) leavesAt(t types.Type, o *object, path []int) []register.Operand {
	if v := o.last(path); v != nil {
		return l.split(v)
	}
	if !isSplit(t) {
		return []register.Operand{l.zero(t)}
	}
	s := t.Underlying().(*types.Struct)
	var leaves []register.Operand
	for i := 0; i < s.NumFields(); i++ {
		leaves = append(leaves, l.leavesAt(s.Field(i).Type(), o, append(slices.Clone(path), i))...)
	}
	return leaves
}

// last is the last value stored at path; nil if there is none.
func (o *object) last(path []int) ssa.Value {
	for i := len(o.sets) - 1; i >= 0; i-- {
		if slices.Equal(o.sets[i].path, path) {
			return o.sets[i].val
		}
	}
	return nil
}

// hasBelow reports whether anything was stored to a part of what is at path.
func (o *object) hasBelow(path []int) bool {
	for _, s := range o.sets {
		if len(s.path) > len(path) && slices.Equal(s.path[:len(path)], path) {
			return true
		}
	}
	return false
}

// markVariadic makes the stores of variadic arguments disappear.
func (l *lowerer) markVariadic(a *ssa.Alloc) {
	for _, ref := range *a.Referrers() {
		if addr, ok := ref.(*ssa.IndexAddr); ok {
			for _, st := range *addr.Referrers() {
				l.inits[st.(*ssa.Store)] = true
			}
		}
	}
}

// alloc makes a variable with its zero value. An object is made at birth.
func (l *lowerer) alloc(a *ssa.Alloc) {
	if !l.caps.isVariable(a) {
		return
	}
	name := a.Comment
	if name == "complit" || name == "" {
		name = l.src.name(a.Pos(), 0, a.Name())
	}
	v := l.newVariable(a, name)
	l.vars[a] = v
	if v.volatile {
		return
	}
	types, _ := leafTypes(v.typ, "")
	for i, local := range v.locals {
		l.assign(local, l.zero(types[i]))
	}
}
