package ownership

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"golang.org/x/tools/go/ssa"
)

// Maps that are the elements of a container: nobody else can reach them if
// nobody can reach the container, what is put there was made for it, and what
// is taken from it is not given away.

// contained decides about an instruction on a container; false if it lets the
// map, or the container, out of sight.
func (e *escapes) contained(s sighting, instr ssa.Instruction) bool {
	if e.shallow && s.rest == "" {
		return e.holds(s, instr)
	}
	switch instr := instr.(type) {
	case *ssa.IndexAddr:
		return e.element(s, instr.X, instr)
	case *ssa.Lookup:
		if _, ok := s.after(extension.ElemStep, instr); !ok || instr.X != s.v {
			return instr.X != s.v
		}
		if !instr.CommaOk {
			return e.element(s, instr.X, instr)
		}
		e.extracted(s, instr, 0)
		return true
	case *ssa.Range:
		for _, ref := range *instr.Referrers() {
			if next, ok := ref.(*ssa.Next); ok {
				e.extracted(s, next, 2)
			}
		}
		return true
	case *ssa.Slice:
		e.follow(s.at(instr))
		return true
	case *ssa.MapUpdate:
		return e.update(s, instr)
	}
	return false
}

// holds is contained where only the container counts.
func (e *escapes) holds(s sighting, instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.IndexAddr, *ssa.Lookup, *ssa.Range:
		return true
	case *ssa.MapUpdate:
		return instr.Map == s.v || rootAt(instr.Map)+extension.ElemStep == s.root
	case *ssa.Slice:
		e.follow(s.at(instr))
		return true
	}
	return false
}

// element follows the element of a container x; an index is no way to anything.
func (e *escapes) element(s sighting, x, v ssa.Value) bool {
	next, ok := s.after(extension.ElemStep, v)
	if ok && x == s.v {
		e.follow(next)
	}
	return ok
}

// extracted follows one result of a lookup, or of a step of a loop.
func (e *escapes) extracted(s sighting, tuple ssa.Value, index int) {
	for _, ref := range *tuple.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && x.Index == index {
			e.element(s, s.v, x)
		}
	}
}

// update is an assignment to an element of a built-in map.
func (e *escapes) update(s sighting, instr *ssa.MapUpdate) bool {
	next, ok := s.after(extension.ElemStep, instr.Value)
	switch {
	case instr.Map == s.v && ok:
		if !e.born(instr.Value, 0) {
			e.leak(s.root, "an element comes from outside")
			return true
		}
		e.filled[s.root] = true
		e.made(next, instr.Value)
		return true
	case instr.Map == s.v:
		return false
	}
	return rootAt(instr.Map)+extension.ElemStep == strings.TrimSuffix(s.root, s.rest) // home
}

// builtin decides about a call of a function of the language.
func (e *escapes) builtin(s sighting, name string, call ssa.CallInstruction) {
	args := call.Common().Args
	switch name {
	case "len", "cap", "delete", "clear", "print", "println":
	case "append":
		for _, v := range ssaprog.Appended(args) {
			e.filled[s.root] = true
			if args[0] != s.v || s.rest != "" && !e.born(v, 0) {
				e.leak(s.root, "an element comes from outside")
			}
		}
		if v := call.Value(); v != nil && args[0] == s.v && (len(args) < 2 || ssaprog.Appended(args) != nil || ssaprog.IsNil(args[1])) {
			e.follow(s.at(v))
			return
		}
		e.leak(s.root, "it is appended elsewhere")
	default:
		e.leak(s.root, "it is passed to "+name)
	}
}

// born reports whether a value that is stored is new, or leads nowhere.
func (e *escapes) born(v ssa.Value, depth int) bool {
	if depth > 5 {
		return false
	}
	if ssaprog.IsPlain(v.Type(), 0) {
		return true
	}
	switch v := v.(type) {
	case *ssa.Const, *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice, *ssa.BinOp:
		return true
	case *ssa.UnOp: // a struct literal's value
		_, isPtr := v.Type().Underlying().(*types.Pointer)
		return v.Op == token.MUL && !isPtr && e.bornVariable(v.X, depth+1)
	case *ssa.ChangeType:
		return e.born(v.X, depth+1)
	case *ssa.MakeInterface:
		return e.born(v.X, depth+1)
	case *ssa.Extract:
		return e.born(v.Tuple, depth+1)
	case *ssa.Slice:
		return e.bornSlice(v, depth+1)
	case *ssa.Call:
		return e.bornCall(v, depth+1)
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(x ssa.Value) bool { return !e.born(x, depth+1) })
	}
	return false
}

// bornVariable reports whether a variable's value was made in the function.
func (e *escapes) bornVariable(addr ssa.Value, depth int) bool {
	switch addr.(type) {
	case *ssa.Alloc, *ssa.UnOp, *ssa.Call, *ssa.Phi:
		return e.born(addr, depth)
	}
	return false
}

// bornSlice is born for a literal, and for a part of what is.
func (e *escapes) bornSlice(v *ssa.Slice, depth int) bool {
	if _, ok := v.X.(*ssa.Alloc); ok {
		return !slices.ContainsFunc(ssaprog.LiteralElements(v), func(x ssa.Value) bool { return !e.born(x, depth) })
	}
	return rootAt(v.X) != "" || e.born(v.X, depth)
}

// bornCall is born for what a function returns: a constructor, by its name. A
// slice that grows stays what it was.
func (e *escapes) bornCall(v *ssa.Call, depth int) bool {
	if b, ok := v.Call.Value.(*ssa.Builtin); ok {
		args := v.Call.Args
		return b.Name() == "append" && (rootAt(args[0]) != "" || e.born(args[0], depth)) &&
			(len(args) < 2 || ssaprog.Appended(args) != nil)
	}
	if info := e.ps.Res.Call(v.Parent(), v); info.Kind == calls.Fresh {
		return true
	}
	fn := v.Call.StaticCallee()
	return fn != nil && (strings.HasPrefix(fn.Name(), "New") || strings.HasPrefix(fn.Name(), "new"))
}
