package topology

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/ways"
)

// Serial is what an interface of another package says of some of its methods: of those of
// one object at most one runs at once. Whoever calls them keeps to it.
type Serial struct {
	// Interfaces have the paths of their packages; of several, those who call see to it together.
	// Methods are those methods; none are all.
	Interfaces, Methods []string
}

// Serial are the methods to which a function belongs by the interfaces that its type has:
// it is reached from nothing else. It is nil if there are none.
func (t *Topology) Serial(fn *ssa.Function) *Serial {
	var found *Serial
	for _, entry := range t.Entries(fn) {
		if entry.Kind == Tested {
			continue
		}
		s := serialMethod(entry.Fn)
		if s == nil || entry.Several || entry.Kind == Started || found != nil && s != found {
			return nil
		}
		found = s
	}
	return found
}

// serialMethod are the methods that a method is one of.
func serialMethod(fn *ssa.Function) *Serial {
	if fn.Signature.Recv() == nil || fn.Pkg == nil {
		return nil
	}
	for i := range serials {
		s := &serials[i]
		if s.has(fn.Name()) && slices.ContainsFunc(s.Interfaces, func(name string) bool { return isMethodOf(fn, name) }) {
			return s
		}
	}
	return nil
}

func (s *Serial) has(method string) bool {
	return len(s.Methods) == 0 || slices.Contains(s.Methods, method)
}

// isMethodOf reports whether a method is one of those that its type has for an interface.
func isMethodOf(fn *ssa.Function, name string) bool {
	i, of := interfaceOf(fn.Pkg.Pkg, name), ssaprog.Named(fn.Signature.Recv().Type())
	if i == nil || of == nil {
		return false
	}
	has := slices.ContainsFunc(slices.Collect(i.Methods()), func(m *types.Func) bool { return m.Name() == fn.Name() })
	return has && (types.Implements(of.Type(), i) || types.Implements(types.NewPointer(of.Type()), i))
}

// interfaceOf is an interface that a package can name: its package is imported, directly or by
// one that is.
func interfaceOf(pkg *types.Package, name string) *types.Interface {
	dot := strings.LastIndex(name, ".")
	of := imported(pkg, name[:dot])
	if of == nil {
		return nil
	}
	obj, ok := of.Scope().Lookup(name[dot+1:]).(*types.TypeName)
	if !ok {
		return nil
	}
	i, _ := obj.Type().Underlying().(*types.Interface)
	return i
}

// imported is an imported package, nil if it is not imported.
func imported(pkg *types.Package, path string) *types.Package {
	for _, p := range pkg.Imports() {
		if p.Path() == path {
			return p
		}
		for _, q := range p.Imports() {
			if q.Path() == path {
				return q
			}
		}
	}
	return nil
}

// AfterWait reports whether a call is of a method of an object that the function with the call in it has made, and
// comes after that has waited for all goroutines which it starts:
//
//	l := &linker{frags: map[string]*fragment{}}
//	for _, name := range names { wg.Go(func() { l.parse(name) }) }
//	wg.Wait()
//	l.link(names)
func AfterWait(call ssa.CallInstruction) bool {
	fn := call.Parent()
	if args := call.Common().Args; len(args) == 0 || !isMade(args[0]) {
		return false
	}
	var waits, starts []ssa.Instruction
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			other, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			callee, _ := calls.Callee(other)
			switch _, isGo := instr.(*ssa.Go); {
			case isGo || startsGoroutine(calledName(other, callee)):
				starts = append(starts, instr)
			case calls.IsWait(other.Common()) && ways.Before(instr, call):
				waits = append(waits, instr)
			}
		}
	}
	return len(starts) > 0 && slices.ContainsFunc(waits, func(wait ssa.Instruction) bool {
		return !slices.ContainsFunc(starts, func(start ssa.Instruction) bool { return ways.Follows(wait, start) })
	})
}

// isMade reports whether an object is made where it is used, also if it is in a variable that is captured and never
// assigned again.
func isMade(object ssa.Value) bool {
	load, ok := object.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return ssaprog.IsMadeHere(object)
	}
	variable, ok := load.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	made := 0
	for _, ref := range *variable.Referrers() {
		if st, ok := ref.(*ssa.Store); ok {
			if made++; !ssaprog.IsMadeHere(st.Val) {
				return false
			}
		}
	}
	return made == 1
}

// Ticks reports whether a function has a loop that waits for the ticks of a clock.
func Ticks(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			switch instr := instr.(type) {
			case *ssa.Select:
				return ways.Follows(instr, instr) && slices.ContainsFunc(instr.States, func(s *ssa.SelectState) bool { return isClock(s.Chan) })
			case *ssa.UnOp:
				return instr.Op == token.ARROW && ways.Follows(instr, instr) && isClock(instr.X)
			}
			return false
		})
	})
}

// isClock reports whether a channel gives times.
func isClock(ch ssa.Value) bool {
	c, ok := ch.Type().Underlying().(*types.Chan)
	if !ok {
		return false
	}
	n := ssaprog.Named(c.Elem())
	return n != nil && n.Pkg() != nil && n.Pkg().Path() == "time" && n.Name() == "Time"
}
