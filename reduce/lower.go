package reduce

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Lower translates one function to function form: its calls are classified by
// r and none is inlined.
//
// The parameters of the program are, in this order, the captured variables
// that a closure assigns (one local for each leaf of a struct), the zero value
// of each type parameter of a generic function, what else a closure captures,
// and the function's parameters. After the function's own results, a Return
// gives the new values of the captured variables that come first: capture by
// reference is copy-in and copy-out. So a closure can be checked by itself, and
// inlined, without further ado.
//
// Positions are those of the name of the called function: Load in r.m.Load(k).
// That is the only place that two calls never share. Other instructions have
// ssa's position.
//
// Three things are not modelled. Panicking exits do not run deferred calls;
// so recover, where it runs, returns nil. A deferred call in a loop runs at
// most once, for the last round. Indices out of range, division by zero and
// assertions to a wrong type that is not nil do not panic.
func Lower(fn *ssa.Function, r Resolver) (*Program, error) {
	if o := fn.Origin(); o != nil && len(o.Blocks) > 0 && isInstanceWrapper(fn) {
		fn = o
	}
	if len(fn.Blocks) == 0 {
		return nil, fmt.Errorf("lower %s: the function has no body", fn)
	}
	l := newLowerer(fn, r)
	l.params()
	l.findObjects()
	l.findStored()
	l.findDefers()
	for _, b := range fn.DomPreorder() {
		if b != fn.Recover {
			l.lowerBlock(b)
		}
	}
	l.runDefers()
	l.phis()
	l.p.Prune()
	defineAll(l.p)
	finish(l.p, labelCells)
	return l.p, nil
}

// isInstanceWrapper reports whether fn only forwards to its origin, which
// is what the SSA builder makes of instances unless told to copy the bodies.
func isInstanceWrapper(fn *ssa.Function) bool {
	return strings.HasPrefix(fn.Synthetic, "instantiation wrapper")
}

// lowerer is the state of one Lower. The SSA values of the function are in
// exactly one of the maps, depending on what they are.
type lowerer struct {
	fn  *ssa.Function
	res Resolver
	*naming
	src  *source
	caps *captures

	// vals are the values that are an operand.
	vals map[ssa.Value]Operand
	// leaves are structs that are known leaf by leaf.
	leaves map[ssa.Value][]Operand
	// tuples are the results of calls and the like with several of them.
	tuples map[ssa.Value][]Operand
	// lists are slices made for variadic arguments, element by element.
	lists map[ssa.Value][]ssa.Value
	// vars are the variables: an Alloc or a FreeVar each.
	vars map[ssa.Value]*variable
	// zeros are the parameters that stand for type parameters' zero values.
	zeros map[string]Local

	objects map[*ssa.Alloc]*object
	// births are the objects to allocate before an instruction.
	births map[ssa.Instruction][]*object
	// inits are the stores that belong to the birth of an object.
	inits map[*ssa.Store]bool

	defers []*deferred
	exits  []exit

	block *ssa.BasicBlock // being lowered; nil while running defers
	cur   int             // the block to emit to
	at    Pos             // the position to emit at
	first map[*ssa.BasicBlock]int
	last  map[*ssa.BasicBlock]int
	edges map[[2]*ssa.BasicBlock]int

	// nonNil are the operands that were found not nil, by the block from
	// which on that is known.
	nonNil map[*ssa.BasicBlock]map[Operand]bool
}

func newLowerer(fn *ssa.Function, r Resolver) *lowerer {
	l := &lowerer{
		fn: fn, res: r, src: newSource(fn), caps: newCaptures(r),
		naming: newNaming(&Program{
			Name: funcName(fn), Stored: map[string]bool{},
			fields: map[string]int{}, funcs: map[string]*ssa.Function{}, yield: isYield(fn),
		}),
		vals:    map[ssa.Value]Operand{},
		leaves:  map[ssa.Value][]Operand{},
		tuples:  map[ssa.Value][]Operand{},
		lists:   map[ssa.Value][]ssa.Value{},
		vars:    map[ssa.Value]*variable{},
		zeros:   map[string]Local{},
		objects: map[*ssa.Alloc]*object{},
		births:  map[ssa.Instruction][]*object{},
		inits:   map[*ssa.Store]bool{},
		first:   map[*ssa.BasicBlock]int{},
		last:    map[*ssa.BasicBlock]int{},
		edges:   map[[2]*ssa.BasicBlock]int{},
		nonNil:  map[*ssa.BasicBlock]map[Operand]bool{},
	}
	l.newBlock() // the prologue
	for _, b := range fn.Blocks {
		l.first[b] = l.newBlock()
	}
	l.p.Blocks[0].Term = Term{Kind: Jump, To: []int{l.first[fn.Blocks[0]]}}
	return l
}

// funcName is the function's name as go doc prints it.
func funcName(fn *ssa.Function) string {
	if fn.Pkg == nil {
		return fn.RelString(nil)
	}
	return fn.RelString(fn.Pkg.Pkg)
}

// params makes the parameters, see Lower for their order.
func (l *lowerer) params() {
	var captured []Local
	for _, fv := range l.fn.FreeVars {
		switch v := l.capturedVariable(fv); {
		case v == nil:
			p := l.local(fv.Name())
			l.vals[fv] = L(p)
			captured = append(captured, p)
		case v.out:
			l.vars[fv] = v
			l.p.Params = append(l.p.Params, v.locals...)
		default:
			l.vars[fv] = v
			captured = append(captured, v.locals...)
		}
	}
	l.p.Outs = len(l.p.Params)
	for _, name := range typeParamNames(l.fn) {
		z := l.local("zero_" + name)
		l.zeros[name] = z
		l.p.Params = append(l.p.Params, z)
	}
	l.p.Params = append(l.p.Params, captured...)
	for _, param := range l.fn.Params {
		p := l.local(param.Name())
		l.vals[param] = L(p)
		l.p.Params = append(l.p.Params, p)
	}
}

// lowerBlock lowers a block whose dominators are lowered. That all values that
// it uses are known then is what dominance means; only phis look elsewhere,
// and wait until the end.
func (l *lowerer) lowerBlock(b *ssa.BasicBlock) {
	l.block, l.cur = b, l.first[b]
	l.learnNil(b)
	for _, instr := range b.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		l.vals[phi] = L(l.local(l.phiName(phi)))
	}
	for _, instr := range b.Instrs {
		for _, o := range l.births[instr] {
			l.allocate(o)
		}
		l.at = l.src.pos(instr)
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
				l.block, l.cur, l.at = nil, at, ""
				if edge, ok := l.edges[[2]*ssa.BasicBlock{pred, b}]; ok {
					l.cur = edge
				}
				l.phiCopies(b, i)
			}
		}
	}
}

func isPhi(instrs []ssa.Instruction) bool {
	if len(instrs) == 0 {
		return false
	}
	_, ok := instrs[0].(*ssa.Phi)
	return ok
}

// phiCopies emits the copies for the i-th edge into b, as if all at once.
func (l *lowerer) phiCopies(b *ssa.BasicBlock, i int) {
	var dst []Local
	var src []Operand
	for _, instr := range b.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		d, s := l.vals[phi].Local, l.operand(phi.Edges[i])
		if s != L(d) {
			dst, src = append(dst, d), append(src, s)
		}
	}
	for j, s := range src {
		if slices.Contains(dst[:j], s.Local) { // overwritten by then
			t := l.local(l.p.Names[s.Local])
			l.emit(Instr{Op: Copy, Dst: []Local{t}, Args: []Operand{s}})
			src[j] = L(t)
		}
	}
	for j, d := range dst {
		l.emit(Instr{Op: Copy, Dst: []Local{d}, Args: src[j : j+1]})
	}
}

// Emitting.

// newBlock adds an empty block.
func (l *lowerer) newBlock() int {
	l.p.Blocks = append(l.p.Blocks, &Block{})
	return len(l.p.Blocks) - 1
}

// emit adds an instruction to the current block, at the current position.
func (l *lowerer) emit(in Instr) {
	in.Pos = l.at
	b := l.p.Blocks[l.cur]
	b.Instrs = append(b.Instrs, in)
}

// end ends the current block.
func (l *lowerer) end(t Term) {
	t.Pos = l.at
	l.p.Blocks[l.cur].Term = t
}

// jump ends the current block by a jump, and emits there from now on.
func (l *lowerer) jump(to int) {
	l.end(Term{Kind: Jump, To: []int{to}})
	l.cur = to
}

// branch ends the current block and returns the two blocks it goes to.
func (l *lowerer) branch(cond Operand) (yes, no int) {
	yes, no = l.newBlock(), l.newBlock()
	l.end(Term{Kind: Branch, Cond: cond, To: []int{yes, no}})
	return yes, no
}

// crash ends the current block by a panic. What follows is unreachable.
func (l *lowerer) crash(label string, vals ...Operand) {
	l.end(Term{Kind: Panic, Label: label, Vals: vals})
	l.cur = l.newBlock()
	l.p.Blocks[l.cur].Term = Term{Kind: Panic, Label: label}
}

// pure emits a pure function with one result.
func (l *lowerer) pure(hint, name string, args ...Operand) Operand {
	d := l.local(hint)
	l.emit(Instr{Op: Pure, Dst: []Local{d}, Name: name, Args: args})
	return L(d)
}

// unknown emits an unpredictable value; site gets a number of its own.
func (l *lowerer) unknown(hint, site string, args ...Operand) Operand {
	d := l.local(hint)
	l.emit(Instr{Op: Unknown, Dst: []Local{d}, Name: l.site(site), Args: args})
	return L(d)
}

// copy emits a copy to a new local.
func (l *lowerer) copy(hint string, from Operand) Operand {
	d := l.local(hint)
	l.assign(d, from)
	return L(d)
}

func (l *lowerer) assign(d Local, from Operand) {
	l.emit(Instr{Op: Copy, Dst: []Local{d}, Args: []Operand{from}})
}

func (l *lowerer) not(o Operand) Operand {
	switch o.Lit {
	case LitTrue:
		return Lit(LitFalse)
	case LitFalse:
		return Lit(LitTrue)
	}
	return l.pure("not", "not", o)
}
