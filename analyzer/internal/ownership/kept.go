package ownership

import (
	"go/token"
	"go/types"
	"strings"

	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/reduce"
	"golang.org/x/tools/go/ssa"
)

// Pointers may be handed around, and their objects still have one owner each:
//
//	c := newChild(id)
//	b.children[id] = c // nothing else is ever stored there
//	return c
//
// All that is stored in this memory was made to be stored there, and is stored in
// that of one b only. So whoever finds a child in some b.children found the same
// b as everybody else who did, and with it the same b.mu. It does not matter who
// else has the child: a writer that does not come through b has no lock of b.
//
// Memory is followed where it is a field, or the elements of a container that a
// field holds. What is not understood, is not kept.
type keeping struct {
	ps    *ssaprog.Programs
	base  string // the name of the field
	elems bool   // the objects are elements of what the field holds
	// owners has whose memory each value was stored in that was made for it.
	owners  map[ssa.Value]holder
	visited map[visit]bool
	filled  bool
	// shared says that an object, or the memory itself, is given to two owners;
	// lost that it is not known who has it.
	shared, lost bool
}

// holder is the object that a memory is a part of: a value, or a part of one.
type holder struct {
	v    ssa.Value
	path string
}

type visit struct {
	v  ssa.Value
	by holder
}

// keepers finds memory that keeps what is stored in it, in one package.
type keepers struct {
	ps *ssaprog.Programs
	// fields are the places that name each field.
	fields map[string][]*ssa.FieldAddr
	// copied are the types of owners of which there can be copies.
	copied map[*types.TypeName]bool
	out    *escapes
}

func newKeepers(ps *ssaprog.Programs, memory map[string]bool) *keepers {
	ks := &keepers{ps: ps, fields: map[string][]*ssa.FieldAddr{}, copied: copiedStructs(ps.Funcs)}
	ks.out = &escapes{ps: ps, api: ssaprog.Surface(ps.Pass.Pkg)}
	bases := map[string]bool{}
	for r := range memory {
		bases[baseOf(r)] = true
	}
	for _, fn := range ps.Funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if fa, ok := instr.(*ssa.FieldAddr); ok {
					if name := reduce.MemoryName(fa); bases[name] {
						ks.fields[name] = append(ks.fields[name], fa)
					}
				}
			}
		}
	}
	return ks
}

// keeps reports whether each object in the memory of a root is one owner's for
// ever, and whether some are certainly not.
func (ks *keepers) keeps(root string) (kept, shared bool) {
	base := baseOf(root)
	rest := strings.TrimPrefix(root, base)
	if rest != "" && rest != extension.ElemStep {
		return false, false
	}
	k := &keeping{ps: ks.ps, base: base, elems: rest != "", owners: map[ssa.Value]holder{}, visited: map[visit]bool{}}
	for _, fa := range ks.fields[base] {
		// A copy of the owner is another one with the same objects.
		t := ssaprog.Named(fa.X.Type())
		k.shared = k.shared || t != nil && ks.copied[t]
		k.lost = k.lost || t == nil || t.Pkg() != ks.ps.Pass.Pkg || ks.out.visible(fa)
		k.address(fa, holderOf(fa.X), !k.elems)
	}
	k.returnStored()
	return (k.filled || isPrivate(base)) && !k.lost && !k.shared, k.shared
}

// isPrivate reports whether a field can only be filled by its package: if that never
// does, there are no objects of which to say something else.
func isPrivate(field string) bool {
	name := field[strings.LastIndexByte(field, '.')+1:]
	return !token.IsExported(name)
}

// holderOf is the same for two values that are certainly the same object.
func holderOf(v ssa.Value) holder {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		o := holderOf(v.X)
		return holder{o.v, o.path + "." + ssaprog.Itoa(v.Field)}
	case *ssa.UnOp: // a captured variable, which is assigned once
		if a := reduce.CapturedVariable(v.X); a != nil && assignedOnce(a) {
			o := holderOf(a)
			return holder{o.v, o.path + "*"}
		}
	}
	return holder{v: v}
}

// assignedOnce reports whether there is one store to a variable, where it is
// declared, as for a parameter that a literal captures.
func assignedOnce(a *ssa.Alloc) bool {
	stores := 0
	for _, ref := range *a.Referrers() {
		switch ref := ref.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			stores++
			if ref.Addr != ssa.Value(a) {
				return false
			}
		case *ssa.MakeClosure:
			if ssaprog.AssignsCaptured(ref, a) {
				return false
			}
		default:
			return false
		}
	}
	return stores == 1
}

// address looks at the uses of an address: of an object's place, or of the
// container's.
func (k *keeping) address(addr ssa.Value, by holder, ofObject bool) {
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			if !ofObject {
				k.container(ref, by)
			}
		case *ssa.IndexAddr: // of an array
			k.lost = k.lost || ofObject
			k.address(ref, by, true)
		case *ssa.Store:
			k.lost = k.lost || ref.Addr != addr
			if ofObject {
				k.store(ref.Val, by, ref)
			} else {
				k.storeContainer(ref.Val, by, ref)
			}
		default:
			k.lost = true
		}
	}
}

// container looks at the uses of what has the objects as its elements.
func (k *keeping) container(v ssa.Value, by holder) {
	if k.visited[visit{v, by}] || v.Referrers() == nil {
		return
	}
	k.visited[visit{v, by}] = true
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef, *ssa.BinOp, *ssa.Lookup, *ssa.Range, *ssa.Index:
		case *ssa.IndexAddr:
			k.address(ref, by, true)
		case *ssa.Slice:
			k.container(ref, by)
		case *ssa.MapUpdate:
			k.lost = k.lost || ref.Map != v
			k.store(ref.Value, by, ref)
		case *ssa.Store:
			// Back where it came from: the address sees to what is stored.
			k.lost = k.lost || !k.isMine(ref.Addr, by)
		case ssa.CallInstruction:
			k.passed(v, by, ref)
		default:
			k.lost = true
		}
	}
}

// isMine reports whether an address is that of the field, in the same owner.
func (k *keeping) isMine(addr ssa.Value, by holder) bool {
	fa, ok := addr.(*ssa.FieldAddr)
	return ok && reduce.MemoryName(fa) == k.base && holderOf(fa.X) == by
}

// passed is a call that gets the container.
func (k *keeping) passed(v ssa.Value, by holder, call ssa.CallInstruction) {
	args := call.Common().Args
	if b, ok := call.Common().Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "len", "cap", "delete", "clear":
		case "copy": // from it, or within it
			k.lost = k.lost || args[0] == v && !k.partOf(args[1], by)
		case "append":
			if args[0] != v {
				return // the elements go elsewhere
			}
			k.append(call, by)
		default:
			k.lost = true
		}
		return
	}
	fn, params := calls.Callee(call)
	body := k.ps.Res.Local(fn)
	if _, started := call.(*ssa.Go); body == nil || started {
		k.lost = true
		return
	}
	for i, a := range params {
		if a == v && i < len(body.Params) {
			k.container(body.Params[i], by)
		}
	}
}

// append is an append to the container.
func (k *keeping) append(call ssa.CallInstruction, by holder) {
	args := call.Common().Args
	values := ssaprog.Appended(args)
	if len(args) > 1 && values == nil && !ssaprog.IsNil(args[1]) && !k.partOf(args[1], by) {
		k.lost = true
	}
	for _, v := range values {
		k.store(v, by, call)
	}
	if v := call.Value(); v != nil {
		k.container(v, by)
	}
}

// PartOf reports whether a value is the container of an owner, or cut from it.
func (k *keeping) partOf(v ssa.Value, by holder) bool {
	switch v := v.(type) {
	case *ssa.Slice:
		return k.partOf(v.X, by)
	case *ssa.UnOp:
		return k.isMine(v.X, by)
	case *ssa.FieldAddr:
		return k.isMine(v, by)
	case *ssa.Call:
		b, ok := v.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "append" && k.partOf(v.Call.Args[0], by)
	}
	return false
}

// copiedStructs are the types of which some function copies an object other than
// to initialize another one.
func copiedStructs(funcs []*ssa.Function) map[*types.TypeName]bool {
	copied := map[*types.TypeName]bool{}
	for _, fn := range funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				v, ok := instr.(ssa.Value)
				if !ok || isLiteralValue(v) {
					continue
				}
				if _, ok := v.Type().Underlying().(*types.Struct); ok {
					if t := ssaprog.Named(v.Type()); t != nil {
						copied[t] = true
					}
				}
			}
		}
	}
	return copied
}

// isLiteralValue reports whether v is the value of a struct literal, which is used
// once.
func isLiteralValue(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	a, ok := load.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	loads := 0
	for _, ref := range *a.Referrers() {
		if _, ok := ref.(*ssa.UnOp); ok {
			loads++
		}
	}
	return loads == 1 && len(*v.Referrers()) <= 1
}
