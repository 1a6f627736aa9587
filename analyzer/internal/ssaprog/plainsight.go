package ssaprog

import (
	"go/token"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"golang.org/x/tools/go/ssa"
)

// InPlainSight reports whether every use of a literal is one that is followed
// from the function around it: a call, a defer, the callback of an operation,
// an argument of a function that is inlined and calls it, or the body of a
// loop. Such a literal is a part of that function and nothing by itself.
func (ps *Programs) InPlainSight(fn *ssa.Function) bool {
	if fn.Synthetic == "range-over-func yield" {
		return true
	}
	s := sight{ps: ps, seen: map[ssa.Value]bool{}}
	values := literalValues(fn)
	return len(values) > 0 && !slices.ContainsFunc(values, func(v ssa.Value) bool { return !s.onlyCalled(v) })
}

// literalValues are the values that a literal is: the closures made of it, or
// if it captures nothing the function itself.
func literalValues(fn *ssa.Function) []ssa.Value {
	if fn.Referrers() == nil {
		return nil
	}
	var values []ssa.Value
	for _, ref := range *fn.Referrers() {
		if mc, ok := ref.(*ssa.MakeClosure); ok && mc.Fn == ssa.Value(fn) {
			values = append(values, mc)
		} else if !slices.Contains(values, ssa.Value(fn)) {
			values = append(values, fn)
		}
	}
	return values
}

// sight is one question whether a function value is only called.
type sight struct {
	ps   *Programs
	seen map[ssa.Value]bool
}

// onlyCalled reports whether all uses of a function value are calls that are
// followed.
func (s *sight) onlyCalled(v ssa.Value) bool {
	if s.seen[v] {
		return true // as far as this use goes
	}
	s.seen[v] = true
	if v.Referrers() == nil {
		return false
	}
	return !slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool { return !s.isCall(v, ref) })
}

// isCall reports whether one use of v is a call, or leads to one.
func (s *sight) isCall(v ssa.Value, ref ssa.Instruction) bool {
	switch ref := ref.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.MakeClosure: // of the function v itself, see literalValues
		return ref.Fn == v
	case *ssa.ChangeType:
		return s.onlyCalled(ref)
	case *ssa.Store:
		a, ok := ref.Addr.(*ssa.Alloc)
		return ok && ref.Val == v && s.onlyLoaded(a, 1)
	case *ssa.Call:
		return s.runs(ref, v) || s.joined(ref, v)
	case *ssa.Go:
		return s.joined(ref, v)
	case *ssa.Defer:
		return s.runs(ref, v)
	}
	return false
}

// onlyLoaded reports whether a variable holds one function, and is only loaded
// to call it: here, or in literals that are in plain sight themselves.
func (s *sight) onlyLoaded(addr ssa.Value, stores int) bool {
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			stores--
		case *ssa.UnOp:
			if ref.Op != token.MUL || !s.onlyCalled(ref) {
				return false
			}
		case *ssa.MakeClosure:
			if !s.onlyCalled(ref) || !s.onlyLoadedInside(ref, addr) {
				return false
			}
		default:
			return false
		}
	}
	return stores == 0
}

// onlyLoadedInside is onlyLoaded for what a literal captures.
func (s *sight) onlyLoadedInside(mc *ssa.MakeClosure, addr ssa.Value) bool {
	fn, ok := mc.Fn.(*ssa.Function)
	if !ok {
		return false
	}
	for i, b := range mc.Bindings {
		if b == addr && (i >= len(fn.FreeVars) || !s.onlyLoaded(fn.FreeVars[i], 0)) {
			return false
		}
	}
	return true
}

// runs reports whether the call runs v before it returns, in a way that is
// followed.
func (s *sight) runs(call ssa.CallInstruction, v ssa.Value) bool {
	fn, args := calls.Callee(call)
	at := slices.Index(args, v)
	if at < 0 {
		c := call.Common()
		return c.Value == v && !c.IsInvoke()
	}
	info := s.ps.Res.Call(call.Parent(), call)
	switch {
	case info.Kind == calls.Once:
		return info.Callback == v
	case info.Kind == calls.Base:
		return info.Base.Callback == v
	case fn != nil && fn.Parent() != nil:
		return at < len(fn.Params) && s.onlyCalled(fn.Params[at])
	case info.Kind != calls.Inline:
		return false
	}
	if body := s.ps.Res.Local(fn); body != nil {
		return at < len(body.Params) && s.onlyCalled(body.Params[at])
	}
	p := s.ps.program(info.Key)
	return p != nil && at < len(p.Params) && callsParam(p, p.Params[at])
}

// joined reports whether a call starts v in a goroutine and waits for it at once.
func (s *sight) joined(call ssa.CallInstruction, v ssa.Value) bool {
	literal := calls.Joined(call)
	return literal != nil && ssa.Value(literal) == v
}

// isDynamic reports whether in calls a parameter of p.
func isDynamic(p *register.Program, n *register.Numbering, in *register.Instr) bool {
	if in.Op != register.Call || !strings.HasPrefix(in.Name, dynamicCall) || len(in.Args) == 0 {
		return false
	}
	f := n.Source(in.Args[0])
	return !f.IsLit() && slices.Contains(p.Params, f.Local)
}

// callsParam reports whether a program of another package calls a parameter.
func callsParam(p *register.Program, param register.Local) bool {
	n := register.Number(p)
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if isDynamic(p, n, in) && n.Source(in.Args[0]).Local == param {
				return true
			}
		}
	}
	return false
}
