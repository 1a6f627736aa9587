package evidence

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/contract"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/ways"
)

// A function can leave it to its callers that it is not interrupted:
//
//	// updateLeader notes who leads. Lock should be held.
//	func (n *node) updateLeader(leader string) {
//
// That is what its author means, and nothing says that callers keep to it, so that
// it makes nothing verified. But who reads a report about it looks at the callers,
// and is rarely rewarded.
//
// It is not believed blindly, since such a comment is right and the code wrong
// wherever somebody else writes the same cell without that lock: see trust.go.

// written is a contract, and where it is found.
type written struct {
	kind contract.Kind
	// says is the sentence, and whose comment it is in.
	says string
	fn   *ssa.Function
}

// contracts are those of the functions of a package.
type contracts struct {
	ps *ssaprog.Programs
	// methods are the comments on methods of interfaces, by their name.
	methods map[string][]interfaceMethod
	known   map[*ssa.Function]written
}

type interfaceMethod struct {
	of   *types.Interface
	name string
	doc  *ast.CommentGroup
}

func newContracts(ps *ssaprog.Programs) *contracts {
	c := &contracts{ps: ps, methods: map[string][]interfaceMethod{}, known: map[*ssa.Function]written{}}
	for _, file := range ps.Pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				c.interfaceMethods(spec)
			}
			return true
		})
	}
	return c
}

// interfaceMethods notes the comments in the declaration of an interface.
func (c *contracts) interfaceMethods(spec *ast.TypeSpec) {
	decl, ok := spec.Type.(*ast.InterfaceType)
	obj := c.ps.Pass.TypesInfo.Defs[spec.Name]
	if !ok || obj == nil {
		return
	}
	of, ok := obj.Type().Underlying().(*types.Interface)
	if !ok {
		return
	}
	for _, m := range decl.Methods.List {
		if m.Doc != nil && len(m.Names) == 1 {
			name := m.Names[0].Name
			c.methods[name] = append(c.methods[name], interfaceMethod{of, spec.Name.Name + "." + name, m.Doc})
		}
	}
}

// of is the contract of a function: its own, or that of a method that it
// implements, or the one under which all calls of it are made.
func (c *contracts) of(fn *ssa.Function) written {
	if w, ok := c.known[fn]; ok {
		return w
	}
	c.known[fn] = written{} // while looking
	w := c.own(fn)
	if w.kind == contract.None {
		w = c.inherited(fn)
	}
	c.known[fn] = w
	return w
}

// own is what is written at the function.
func (c *contracts) own(fn *ssa.Function) written {
	decl, ok := fn.Syntax().(*ast.FuncDecl)
	if !ok {
		return written{}
	}
	name := decl.Name.Name
	doc := decl.Doc.Text()
	if kind, sentence := contract.Read(doc, name); kind != contract.None {
		return written{kind, fmt.Sprintf("%q, says the comment of %s", oneLine(sentence), name), fn}
	}
	if contract.ByName(name) && !strings.Contains(strings.ToLower(doc), "held") {
		return written{contract.LockHeld, fmt.Sprintf("a lock is held, says the name of %s", name), fn}
	}
	recv := fn.Signature.Recv()
	if recv == nil {
		return written{}
	}
	for _, m := range c.methods[name] {
		if !types.Implements(recv.Type(), m.of) && !types.Implements(types.NewPointer(recv.Type()), m.of) {
			continue
		}
		if kind, sentence := contract.Read(m.doc.Text(), name); kind != contract.None {
			return written{kind, fmt.Sprintf("%q, says the comment of %s", oneLine(sentence), m.name), fn}
		}
	}
	return written{}
}

// inherited is the contract of a helper that is only called under one: the lock
// is held in it as well. That two callers each run once at a time says nothing of
// the two together, so that only one can pass that on.
func (c *contracts) inherited(fn *ssa.Function) written {
	calls := c.ps.Callers(fn)
	if c.ps.Exported(fn) || c.ps.Escapes(fn) || c.ps.Started(fn) || len(calls) == 0 {
		return written{}
	}
	var out written
	for i, call := range calls {
		caller := c.ps.DeclaredAround(call.Parent())
		if caller == nil || releases(caller) {
			return written{}
		}
		w := c.of(caller)
		switch {
		case w.kind == contract.None, w.kind == contract.Concurrent:
			return written{}
		case i > 0 && (w.kind != contract.LockHeld || out.kind != contract.LockHeld) && w.fn != out.fn:
			return written{}
		}
		if i == 0 {
			out = w
		}
	}
	return out
}

// releases reports whether a function unlocks something itself: it may be what its
// caller has locked.
func releases(fn *ssa.Function) bool {
	return slices.ContainsFunc(ssaprog.CallsIn(fn), func(f *types.Func) bool { return f.Name() == "Unlock" || f.Name() == "RUnlock" })
}

// broken reports whether some way is seen to a function that says that a lock is
// held, on which nobody locks anything: from a function that others call, and that
// makes no such demand itself.
func (c *contracts) broken(fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if seen[fn] {
		return false
	}
	seen[fn] = true
	for _, call := range c.ps.Callers(fn) {
		caller := c.ps.DeclaredAround(call.Parent())
		args := call.Common().Args
		switch {
		case caller == nil:
			return true // a literal that runs who knows when
		case ssaprog.IsTest(caller), ssaprog.IsSetup(caller), len(args) > 0 && ssaprog.IsMadeHere(args[0]):
		case c.own(caller).kind == contract.LockHeld, locksBefore(caller, call):
		case c.ps.Exported(caller), c.ps.Escapes(caller), c.ps.Started(caller), len(c.ps.Callers(caller)) == 0:
			return true
		case c.broken(caller, seen):
			return true
		}
	}
	return false
}

// locksBefore reports whether a function may have taken any lock when it comes to a call. A
// lock that it takes afterwards, such as one that it is given, keeps nobody away; nor does one that is taken by a
// literal which is only made then.
func locksBefore(fn *ssa.Function, call ssa.CallInstruction) bool {
	if call.Parent() != fn {
		return locksSomething(fn)
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if (takesLockAt(instr) || usesLocking(instr)) && ways.Follows(instr, call) {
				return true
			}
		}
	}
	return false
}

// takesLockAt is takesLock for any instruction.
func takesLockAt(instr ssa.Instruction) bool {
	call, ok := instr.(ssa.CallInstruction)
	return ok && takesLock(call.Common())
}

// usesLocking reports whether an instruction makes, or uses, a literal of its function that takes any lock.
func usesLocking(instr ssa.Instruction) bool {
	return slices.ContainsFunc(instr.Operands(nil), func(op *ssa.Value) bool {
		lit, ok := (*op).(*ssa.Function)
		return ok && lit.Parent() != nil && locksSomething(lit)
	})
}

// takesLock reports whether a call is called like one that takes a lock.
func takesLock(c *ssa.CallCommon) bool {
	name := ""
	switch callee := c.StaticCallee(); {
	case c.IsInvoke():
		name = c.Method.Name()
	case callee != nil:
		name = callee.Name()
	}
	return isLockName(name)
}

func isLockName(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, "lock") && !strings.HasSuffix(name, "unlock")
}

// locksSomething reports whether a function, or a literal in it, takes any lock.
func locksSomething(fn *ssa.Function) bool {
	locks := func(f *types.Func) bool { return isLockName(f.Name()) }
	return slices.ContainsFunc(ssaprog.CallsIn(fn), locks) || slices.ContainsFunc(fn.AnonFuncs, locksSomething)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
