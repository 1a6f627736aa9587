package ownership

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/reduce"
	"golang.org/x/tools/go/ssa"
)

// escapes finds the roots that other packages can reach.
type escapes struct {
	ps   *ssaprog.Programs
	api  map[*types.TypeName]bool
	open map[string]string
	// roots are those in question, by what they begin at.
	roots   map[string][]string
	visited map[sighting]bool
	// shallow asks only where the pointers in the memory go, and not what
	// they lead to.
	shallow bool
	// filled are the roots that the package stores something in.
	filled map[string]bool
}

// sighting is a value that leads to the map of a root by the steps of rest; if part, the address of
// a part of what is there.
type sighting struct {
	root, rest string
	v          ssa.Value
	part       bool
}

func (s sighting) at(v ssa.Value) sighting { s.v = v; return s }

// after is s one step further; false if the step leads elsewhere.
func (s sighting) after(step string, v ssa.Value) (sighting, bool) {
	rest, ok := strings.CutPrefix(s.rest, step)
	if !ok || rest != "" && rest[0] != '/' {
		return s, false
	}
	return sighting{s.root, rest, v, s.part}, true
}

// FindOpen has the reason for each of the roots that others can reach.
func FindOpen(ps *ssaprog.Programs, roots map[string]bool) map[string]string {
	e := newEscapes(ps, roots)
	e.find()
	return e.open
}

func newEscapes(ps *ssaprog.Programs, roots map[string]bool) *escapes {
	e := &escapes{
		ps: ps, api: ssaprog.Surface(ps.Pass.Pkg), open: map[string]string{},
		roots: map[string][]string{}, visited: map[sighting]bool{}, filled: map[string]bool{},
	}
	for r := range roots {
		e.roots[baseOf(r)] = append(e.roots[baseOf(r)], r)
		if !IsOwnRoot(ps.Pass.Pkg, r) {
			e.leak(r, "it belongs to another package")
		}
	}
	return e
}

// find looks at all of the package.
func (e *escapes) find() {
	for _, fn := range e.ps.Funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				e.instr(instr)
			}
		}
	}
}

// IsOwnRoot reports whether a root is named after a package.
func IsOwnRoot(pkg *types.Package, root string) bool {
	name := strings.TrimPrefix(root, "&")
	return strings.HasPrefix(name, localPrefix) ||
		strings.HasPrefix(name, pkg.Name()+".") || strings.HasPrefix(name, lastElem(pkg)+".")
}

func lastElem(p *types.Package) string {
	return p.Path()[strings.LastIndexByte(p.Path(), '/')+1:]
}

// instr starts from the instructions that name what a root begins at.
func (e *escapes) instr(instr ssa.Instruction) {
	switch v := instr.(type) {
	case *ssa.FieldAddr:
		for _, r := range e.roots[reduce.MemoryName(v)] {
			if e.visible(v) {
				e.leak(r, "the field is exported")
			}
			e.follow(e.begin(r, v))
		}
	case *ssa.Alloc:
		for _, r := range e.roots[localRoot(v)] {
			e.local(r, v)
		}
	}
	for _, op := range instr.Operands(nil) {
		g, ok := (*op).(*ssa.Global)
		if !ok {
			continue
		}
		for _, r := range e.roots[reduce.MemoryName(g)] {
			if token.IsExported(g.Name()) {
				e.leak(r, "the variable is exported")
			}
			e.use(e.begin(r, g), instr)
		}
	}
}

func (e *escapes) begin(root string, v ssa.Value) sighting {
	return sighting{root, strings.TrimPrefix(root, baseOf(root)), v, false}
}

// visible reports whether other packages can name the field. The type need not
// have an exported name for that, but something exported must lead to it.
func (e *escapes) visible(fa *ssa.FieldAddr) bool {
	f, owner := ssaprog.AddressedField(fa), ssaprog.Named(fa.X.Type())
	switch {
	case f == nil:
		return true
	case owner != nil && owner.Pkg() == e.ps.Pass.Pkg && !e.api[owner]:
		return false
	}
	return f.Exported() && !f.Embedded() || f.Embedded() && (owner == nil || owner.Exported())
}

func (e *escapes) leak(root, why string) {
	if _, ok := e.open[root]; !ok {
		e.open[root] = why
	}
}

// follow looks at all uses of a value that leads to the map.
func (e *escapes) follow(s sighting) {
	if e.visited[s] || s.v.Referrers() == nil || ssaprog.IsPlain(s.v.Type(), 0) {
		return
	}
	e.visited[s] = true
	for _, ref := range *s.v.Referrers() {
		e.use(s, ref)
	}
}

// use decides whether an instruction lets the map out of sight.
func (e *escapes) use(s sighting, instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.DebugRef, *ssa.BinOp:
	case *ssa.UnOp: // the memory holds a pointer to the map, or is a number
		if _, copied := instr.Type().Underlying().(*types.Struct); copied && !ssaprog.IsPlain(instr.Type(), 0) {
			e.leak(s.root, "it is copied")
		}
		if !s.part { // what is in a part does not lead back to it
			e.follow(s.at(instr))
		}
	case *ssa.Phi, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface:
		e.follow(s.at(instr.(ssa.Value)))
	case *ssa.FieldAddr:
		e.field(s, instr)
	case *ssa.Store:
		e.store(s, instr.Addr, instr.Val)
	case *ssa.Return:
		e.returned(s, instr)
	case ssa.CallInstruction:
		e.call(s, instr)
	case *ssa.MakeClosure: // m.Range as a value, or captured by a closure
		if fn, ok := instr.Fn.(*ssa.Function); ok {
			for i, b := range instr.Bindings {
				if b == s.v && i < len(fn.FreeVars) {
					e.follow(s.at(fn.FreeVars[i]))
				}
			}
		}
	default:
		if !e.contained(s, instr) {
			e.leak(s.root, "its address is taken")
		}
	}
}

// field is a part of the map, which has a root of its own, or a step to it.
func (e *escapes) field(s sighting, fa *ssa.FieldAddr) {
	if s.rest == "" {
		if !e.shallow {
			s.part = true
			e.follow(s.at(fa))
		}
		return
	}
	if f := ssaprog.AddressedField(fa); f != nil {
		if next, ok := s.after("/"+f.Name(), fa); ok {
			e.follow(next)
		}
	}
}

// store is a store of v, or to v: what holds the map gets a new one.
func (e *escapes) store(s sighting, addr, val ssa.Value) {
	switch {
	case val == s.v:
		if rootAt(addr) != strings.TrimSuffix(s.root, s.rest) {
			e.leak(s.root, "it is stored elsewhere")
		}
	case s.part:
	case !e.born(val, 0):
		e.leak(s.root, "it comes from outside")
	default:
		e.filled[s.root] = e.filled[s.root] || !ssaprog.IsNil(val)
		e.made(s, val)
	}
}

// made follows what the package made to be the map, or to hold it.
func (e *escapes) made(s sighting, val ssa.Value) {
	if sl, ok := val.(*ssa.Slice); ok { // a literal of a slice
		val = sl.X
	}
	switch val.(type) {
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice:
		if s.rest != "" || e.shallow {
			e.follow(s.at(val))
		}
	}
}

// returned is the result of a function. All calls of an unexported one are in
// sight, if it is not used in another way.
func (e *escapes) returned(s sighting, ret *ssa.Return) {
	fn := ret.Parent()
	if fn.Parent() != nil || e.ps.Exported(fn) || e.ps.Escapes(fn) {
		e.leak(s.root, "it is returned")
		return
	}
	for _, call := range e.ps.Callers(fn) {
		v := call.Value()
		if v == nil {
			continue
		}
		if len(ret.Results) == 1 {
			e.follow(s.at(v))
			continue
		}
		for _, ref := range *v.Referrers() {
			if x, ok := ref.(*ssa.Extract); ok && ret.Results[x.Index] == s.v {
				e.follow(s.at(x))
			}
		}
	}
}

// call decides about a call that gets the map as an operand.
func (e *escapes) call(s sighting, call ssa.CallInstruction) {
	if b, ok := call.Common().Value.(*ssa.Builtin); ok {
		e.builtin(s, b.Name(), call)
		return
	}
	info := e.ps.Res.Call(call.Parent(), call)
	switch info.Kind {
	case calls.Base:
		if info.Base.Map == s.v || info.Base.Value != s.v && info.Base.New != s.v {
			return
		}
	case calls.Inline:
		fn, args := calls.Callee(call)
		if e.ps.Res.Local(fn) == nil && len(args) > 0 && args[0] == s.v {
			return // a method of it, known through a fact
		}
	case calls.Pure, calls.ReadOnly, calls.Drawn, calls.Quiet, calls.Same, calls.Lock, calls.Unlock:
		return
	}
	if e.passed(s, call) {
		return
	}
	if fn := call.Common().StaticCallee(); fn != nil && fn.Synthetic != "" && fn.Pkg == e.ps.Pkg {
		return
	}
	e.leak(s.root, fmt.Sprintf("it is passed to %s", calleeName(call)))
}

// passed follows an argument into a function of the package.
func (e *escapes) passed(s sighting, call ssa.CallInstruction) bool {
	fn, args := calls.Callee(call)
	body := e.ps.Res.Local(fn)
	if body == nil {
		return false
	}
	for i, a := range args {
		if a == s.v && i < len(body.Params) {
			e.follow(s.at(body.Params[i]))
		}
	}
	return true
}

func calleeName(call ssa.CallInstruction) string {
	if fn := call.Common().StaticCallee(); fn != nil {
		return fn.Name()
	}
	if call.Common().IsInvoke() {
		return call.Common().Method.Name()
	}
	return "a function value"
}
