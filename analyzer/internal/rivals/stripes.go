package rivals

import (
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// One of many locks is the lock of an entry if the entry's key says which one it is:
//
//	lock := &c.locks[hash(key)%stripes]
//
// Whoever touches that entry computes the same, and so takes the same lock.

// maxKeyTerm bounds the computation that chooses a lock.
const maxKeyTerm = 12

// keyOfElement names a lock that is an element of something, or a part of one, by how it
// was chosen; "" if it is none, or was chosen in another way than by the key.
func (la *lockAnalysis) keyOfElement(lock register.Operand) string {
	part := ""
	for range maxKeyTerm {
		def, _ := la.N.Def(lock)
		if def == nil {
			return ""
		}
		switch memory := def.Memory(); {
		case memory.Kind == register.Element && len(def.Args) == 2:
			container, index := la.key(def.Args[0]), la.byKey(def.Args[1], maxKeyTerm)
			if container == "" || index == "" {
				return ""
			}
			return container + "[" + index + "]" + part
		case (memory.Kind == register.Field || memory.Kind == register.Part) && len(def.Args) == 1:
			part = "." + memory.Name + part
			lock = def.Args[0]
		default:
			return ""
		}
	}
	return ""
}

// byKey writes a value as it is computed from the key of the cell, constants, and what
// the owner of the map has; "" if it depends on anything else.
func (la *lockAnalysis) byKey(op register.Operand, depth int) string {
	op = la.N.Source(op)
	term := la.N.Term(op)
	switch {
	case depth == 0 || op.IsNone():
		return ""
	case !la.cellKey.IsNone() && term == la.N.Term(la.cellKey):
		return "key"
	case op.IsLit():
		return op.Lit
	}
	for _, m := range la.cells {
		if m.Term == term {
			return "^" + m.Path
		}
	}
	def, result := la.N.Def(op)
	if def == nil {
		return ""
	}
	args := make([]string, len(def.Args))
	for i, a := range def.Args {
		if args[i] = la.byKey(a, depth-1); args[i] == "" {
			return ""
		}
	}
	return def.Name + def.Type.Text() + "#" + string(rune('0'+result)) + "(" + strings.Join(args, ",") + ")"
}
