package reduce

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"golang.org/x/tools/go/ssa"
)

// variant is a way to look at a function that says more about it than what it does.
type variant struct {
	later     Later
	collected *Collected
	// gives says that the function returns what it collects: the key in the place of the slice.
	gives bool
}

// lower translates one function to function form: its calls are classified by
// r and none is inlined. It gives the functions as well that Calls and function values
// of the program name by key.
//
// The parameters of the program are, in this order, the captured variables
// that a closure assigns (one local for each leaf of a struct), the zero value
// of each type parameter of a generic function, what else a closure captures,
// the function's parameters, and what recover gives if it calls that. After the function's own results, a Return
// gives the new values of the captured variables that come first: capture by
// reference is copy-in and copy-out. So a closure can be checked by itself, and
// inlined, without further ado.
//
// Positions are those of the name of the called function: Load in r.m.Load(k).
// That is the only place that two calls never share. Other instructions have
// ssa's position.
//
// Three things are not modelled. Where a callee panics, or something is nil, no
// deferred call runs, as it does where the function itself calls panic. A deferred
// call in a loop runs at most once, for the last round. Indices out of range and
// assertions to a wrong type that is not nil do not panic.
func lower(fn *ssa.Function, r calls.Resolver, as variant) (*register.Program, map[string]*ssa.Function, error) {
	if o := fn.Origin(); o != nil && len(o.Blocks) > 0 && isInstanceWrapper(fn) {
		fn = o
	}
	if len(fn.Blocks) == 0 {
		return nil, nil, fmt.Errorf("lower %s: the function has no body", fn)
	}
	l := newLowerer(fn, r)
	l.later, l.collected, l.gives = as.later, as.collected, as.gives
	l.params()
	l.lockWithin()
	l.findObjects()
	l.findStored()
	l.findDefers()
	for _, b := range fn.DomPreorder() {
		if b != fn.Recover {
			l.lowerBlock(b)
		}
	}
	if fn.Recover != nil {
		l.lowerBlock(fn.Recover)
	}
	l.runDefers()
	l.phis()
	l.declareTypes()
	l.P.Prune()
	register.DefineAll(l.P)
	register.Tidy(l.P)
	register.Finish(l.P, register.LabelCells)
	return l.P, l.funcs, nil
}

// isInstanceWrapper reports whether fn only forwards to its origin, which
// is what the SSA builder makes of instances unless told to copy the bodies.
func isInstanceWrapper(fn *ssa.Function) bool {
	return strings.HasPrefix(fn.Synthetic, "instantiation wrapper")
}

func newLowerer(fn *ssa.Function, r calls.Resolver) *lowerer {
	l := &lowerer{
		fn: fn, res: r, src: newSource(fn), caps: newCaptures(r),
		Naming: register.NewNaming(&register.Program{
			Name: funcName(fn), Stored: map[string]bool{},
			FieldPlaces: map[string]int{}, Yield: isYield(fn),
		}),
		funcs:   map[string]*ssa.Function{},
		vals:    map[ssa.Value]register.Operand{},
		leaves:  map[ssa.Value][]register.Operand{},
		tuples:  map[ssa.Value][]register.Operand{},
		there:   map[register.Operand]register.Operand{},
		lists:   map[ssa.Value][]ssa.Value{},
		vars:    map[ssa.Value]*variable{},
		zeros:   map[string]register.Local{},
		objects: map[*ssa.Alloc]*object{},
		births:  map[ssa.Instruction][]*object{},
		inits:   map[*ssa.Store]bool{},
		first:   map[*ssa.BasicBlock]int{},
		last:    map[*ssa.BasicBlock]int{},
		edges:   map[[2]*ssa.BasicBlock]int{},
		nonNil:  map[*ssa.BasicBlock]map[register.Operand]bool{},
	}
	l.newBlock() // the prologue
	for _, b := range fn.Blocks {
		l.first[b] = l.newBlock()
	}
	l.P.Blocks[0].Term = register.Term{Kind: register.Jump, To: []int{l.first[fn.Blocks[0]]}}
	return l
}

// funcName is the function's name as go doc prints it.
func funcName(fn *ssa.Function) string {
	if fn.Pkg == nil {
		return fn.RelString(nil)
	}
	return fn.RelString(fn.Pkg.Pkg)
}

// params makes the parameters, see lower for their order.
func (l *lowerer) params() {
	var captured []register.Local
	for _, fv := range l.fn.FreeVars {
		switch v := l.capturedVariable(fv); {
		case v == nil:
			p := l.Local(fv.Name())
			l.vals[fv] = register.L(p)
			captured = append(captured, p)
		case v.out:
			l.vars[fv] = v
			l.P.Params = append(l.P.Params, v.locals...)
		default:
			l.vars[fv] = v
			captured = append(captured, v.locals...)
		}
	}
	l.P.Outs = len(l.P.Params)
	for _, name := range typeParamNames(l.fn) {
		z := l.Local("zero_" + name)
		l.zeros[name] = z
		l.P.Params = append(l.P.Params, z)
	}
	l.P.Params = append(l.P.Params, captured...)
	for _, param := range l.fn.Params {
		p := l.Local(param.Name())
		l.vals[param] = register.L(p)
		l.P.Params = append(l.P.Params, p)
	}
	l.recovered, l.panicking = register.Lit(register.LitNil), register.Lit(register.LitNil)
	if recovers(l.fn) {
		p := l.Local("recovered")
		l.recovered = register.L(p)
		l.P.Params = append(l.P.Params, p)
	}
}

// lowerBlock lowers a block whose dominators are lowered. That all values that
// it uses are known then is what dominance means; only phis look elsewhere,
// and wait until the end.
func (l *lowerer) lowerBlock(b *ssa.BasicBlock) {
	l.block, l.cur, l.passed = b, l.first[b], map[*deferred]bool{}
	l.learnNil(b)
	for _, instr := range b.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		l.vals[phi] = register.L(l.Local(l.phiName(phi)))
	}
	l.locksInto(b)
	for _, instr := range b.Instrs {
		for _, o := range l.births[instr] {
			l.allocate(o)
		}
		l.at = l.src.pos(instr)
		if l.startsOver(instr) {
			l.end(register.Term{Kind: register.Jump, To: []int{l.first[l.fn.Blocks[0]]}})
			break
		}
		l.instr(instr)
	}
	l.last[b] = l.cur
}

// phiName is the source name of what a phi merges.
func (l *lowerer) phiName(phi *ssa.Phi) string {
	if phi.Comment != "" && phi.Comment != "&&" && phi.Comment != "||" {
		return phi.Comment
	}
	return phi.Name()
}

// phis assigns the phis at the ends of the blocks before them. Where such a
// block has other successors, the copies are put on the edge: on the other
// way, the old value may still be needed.
func (l *lowerer) phis() {
	for _, b := range l.fn.DomPreorder() {
		if b == l.fn.Recover {
			continue
		}
		for i, pred := range b.Preds {
			if at, ok := l.last[pred]; ok && isPhi(b.Instrs) {
				l.block, l.cur, l.at = nil, at, register.Pos{}
				if edge, ok := l.edges[[2]*ssa.BasicBlock{pred, b}]; ok {
					l.cur = edge
				}
				l.phiCopies(b, i)
			}
		}
	}
}

// phiCopies emits the copies for the i-th edge into b, as if all at once.
func (l *lowerer) phiCopies(b *ssa.BasicBlock, i int) {
	var dst []register.Local
	var src []register.Operand
	for _, instr := range b.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		d, s := l.vals[phi].Local, l.operand(phi.Edges[i])
		if s != register.L(d) {
			dst, src = append(dst, d), append(src, s)
		}
	}
	for j, s := range src {
		if slices.Contains(dst[:j], s.Local) { // overwritten by then
			t := l.Local(l.P.Names[s.Local])
			l.emit(register.Instr{Op: register.Copy, Dst: []register.Local{t}, Args: []register.Operand{s}})
			src[j] = register.L(t)
		}
	}
	for j, d := range dst {
		l.emit(register.Instr{Op: register.Copy, Dst: []register.Local{d}, Args: src[j : j+1]})
	}
}
