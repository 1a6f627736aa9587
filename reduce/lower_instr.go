package reduce

import (
	"go/token"
	"go/types"

	"github.com/mapatom/mapatom/internal/reduce/register"
	"golang.org/x/tools/go/ssa"
)

// instr lowers one instruction, except for phis, at the current place.
func (l *lowerer) instr(instr ssa.Instruction) {
	if l.lockAt(instr) || l.emptyList(instr) {
		return
	}
	switch v := instr.(type) {
	case *ssa.Jump:
		l.end(register.Term{Kind: register.Jump, To: []int{l.target(0)}})
	case *ssa.If:
		if isLastCase(v) {
			l.end(register.Term{Kind: register.Jump, To: []int{l.target(0)}})
			return
		}
		l.end(register.Term{Kind: register.Branch, Cond: l.operand(v.Cond), To: []int{l.target(0), l.target(1)}})
	case *ssa.Return:
		l.returnPoint(v)
		l.end(register.Term{Kind: register.Return, Vals: append(l.operands(v.Results), l.outs()...)})
	case *ssa.Panic:
		l.panicPoint(v)
	case *ssa.Alloc:
		l.alloc(v)
	case *ssa.Store:
		l.store(v)
	case *ssa.MapUpdate:
		if addr := l.memoryAt(v); addr != nil {
			l.writeMemory(addr, v.Key, v.Value)
			return
		}
		l.notNil(v.Map, "assignment to entry in nil map")
		l.emit(register.Instr{Op: register.Effect, Name: "map assign", Args: l.operands([]ssa.Value{v.Map, v.Key, v.Value})})
	case *ssa.Send:
		l.emit(register.Instr{Op: register.Blocking, Name: "send", Args: []register.Operand{l.operand(v.Chan)}})
		l.effect(register.SendEffect, v.Chan, v.X)
	case *ssa.Defer:
		l.deferCall(v)
	case *ssa.RunDefers:
		l.exitPoint(v)
	case *ssa.Call:
		if l.collect(v) {
			return
		}
		l.pass(v)
		l.bind(v, l.call(v))
	case *ssa.Go:
		switch {
		case l.pass(v):
		case l.isHalf(v):
			l.call(v)
		default:
			l.start(v)
		}
	case *ssa.Phi:
	case ssa.Value:
		l.value(v)
	}
	// Phis are elsewhere. What is left is DebugRef.
}

// target is where the edge to the i-th successor goes: to the successor, or
// to a block on the edge if phis need one (see phis).
func (l *lowerer) target(i int) int {
	succ := l.block.Succs[i]
	if len(l.block.Succs) == 1 || !isPhi(succ.Instrs) {
		return l.after(succ)
	}
	edge := l.newBlock()
	l.P.Blocks[edge].Term = register.Term{Kind: register.Jump, To: []int{l.after(succ)}}
	l.edges[[2]*ssa.BasicBlock{l.block, succ}] = edge
	return edge
}

// value lowers an instruction that only computes a value.
func (l *lowerer) value(instr ssa.Value) {
	switch v := instr.(type) {
	case *ssa.BinOp:
		if more, ok := l.moreCollected(v); ok {
			l.vals[v] = more
			return
		}
		l.vals[v] = l.binop(v)
		l.noteNamed(v)
	case *ssa.UnOp:
		if !l.collectedElement(v) {
			l.unop(v)
		}
	case *ssa.FieldAddr:
		if _, ok := l.place(v); !ok {
			l.notNil(v.X, nilDereference)
		}
	case *ssa.Field:
		l.field(v)
	case *ssa.TypeAssert:
		l.typeAssert(v)
	case *ssa.Extract:
		l.extract(v)
	case *ssa.Lookup:
		l.lookup(v)
	case *ssa.Next:
		l.count(v)
		if addr := l.memoryAt(v); addr != nil {
			l.nextCell(v, addr)
			return
		}
		l.tuples[v] = l.unknowns(v, 3, register.Instr{Op: register.Unknown, Name: "next", Args: l.operands([]ssa.Value{v.Iter})})
	case *ssa.Select:
		l.selects(v)
	case *ssa.Slice:
		l.slice(v)
	case *ssa.MakeClosure:
		l.pass(v)
		l.closureValue(v)
	default:
		l.conversion(v)
	}
}

// conversion lowers what turns one operand into another value, or makes a
// new one.
func (l *lowerer) conversion(instr ssa.Value) {
	switch v := instr.(type) {
	case *ssa.MakeInterface:
		l.vals[v] = l.boxed(v)
	case *ssa.ChangeType:
		l.same(v, v.X)
	case *ssa.ChangeInterface:
		l.same(v, v.X)
	case *ssa.SliceToArrayPointer:
		l.same(v, v.X)
	case *ssa.Convert:
		if keepsValue(v.X.Type(), v.Type()) {
			l.same(v, v.X)
			return
		}
		l.vals[v] = l.converted(v, v.X)
	case *ssa.MultiConvert:
		l.vals[v] = l.pure(l.hint(v), "convert:"+typeName(v.Type()), l.operand(v.X))
	case *ssa.Range:
		l.same(v, v.X)
	case *ssa.Index:
		l.vals[v] = l.pure(l.hint(v), "index", l.operand(v.X), l.operand(v.Index))
	case *ssa.MakeMap:
		l.fresh(v, v.Type())
	case *ssa.MakeChan:
		l.fresh(v, v.Type(), v.Size)
	case *ssa.MakeSlice:
		l.fresh(v, v.Type(), v.Len)
	case *ssa.IndexAddr:
		// An address is computed where it is needed.
	default:
		l.vals[v] = l.unknown(v.Name(), "value")
	}
}

// same makes v another name for x.
func (l *lowerer) same(v, x ssa.Value) {
	if leaves, ok := l.leaves[x]; ok && isSplit(v.Type()) {
		l.leaves[v] = leaves
		return
	}
	if elems, ok := l.lists[x]; ok {
		l.lists[v] = elems
		return
	}
	l.vals[v] = l.operand(x)
}

// hint is the name of the variable that v is assigned to, if that is known.
func (l *lowerer) hint(v ssa.Value) string { return l.src.name(v.Pos(), 0, l.src.nameless(v, 0)) }

// noteNamed says of the last instruction that it gives v, if that is the variable of a loop over a list.
func (l *lowerer) noteNamed(v ssa.Value) {
	if l.src.loopVariable(v) != "" {
		l.emitted().Named = true
	}
}

// fresh makes v a new object without contents but its size.
func (l *lowerer) fresh(v ssa.Value, t types.Type, contents ...ssa.Value) {
	d := l.Local(l.hint(v))
	l.emit(register.Instr{Op: register.Fresh, Dst: []register.Local{d}, Name: l.Site(typeName(t)), Args: l.operands(contents)})
	l.vals[v] = register.L(d)
}

// keepsValue reports whether a conversion leaves the value as it is.
func keepsValue(from, to types.Type) bool {
	f, ok1 := from.Underlying().(*types.Basic)
	t, ok2 := to.Underlying().(*types.Basic)
	if !ok1 || !ok2 {
		return isUnsafe(from) || isUnsafe(to)
	}
	return f.Kind() == t.Kind() || isUnsafe(from) || isUnsafe(to)
}

func isUnsafe(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

func (l *lowerer) unop(v *ssa.UnOp) {
	switch v.Op {
	case token.MUL:
		l.load(v)
	case token.ARROW:
		ch := l.operand(v.X)
		l.emit(register.Instr{Op: register.Blocking, Name: register.Receive, Args: []register.Operand{ch}})
		if v.CommaOk {
			l.tuples[v] = l.unknowns(v, 2, register.Instr{Op: register.Unknown, Name: register.Receive, Args: []register.Operand{ch}})
			return
		}
		l.vals[v] = l.unknown(l.hint(v), register.Receive, ch)
	case token.NOT:
		l.vals[v] = l.not(l.operand(v.X))
	case token.SUB:
		l.vals[v] = l.negative(v)
	default:
		l.vals[v] = l.typed(l.hint(v), "compl", arithmeticType(v.X.Type()), l.operand(v.X))
	}
}

// unknowns gives the n results of v that cannot be predicted, in one
// instruction; the operands of those not used are nothing.
func (l *lowerer) unknowns(v ssa.Value, n int, in register.Instr) []register.Operand {
	dst, any := make([]register.Local, n), false
	for i := range dst {
		if dst[i] = register.None; used(v, i) {
			dst[i], any = l.Local(l.src.name(v.Pos(), i, l.src.nameless(v, i))), true
		}
	}
	if any {
		in.Dst, in.Name = dst, l.Site(in.Name)
		l.emit(in)
	}
	return locals(dst)
}

func locals(dst []register.Local) []register.Operand {
	var ops []register.Operand
	for _, d := range dst {
		ops = append(ops, register.L(d))
	}
	return ops
}

// extract makes v one of the results of what came before.
func (l *lowerer) extract(v *ssa.Extract) {
	if t := l.tuples[v.Tuple]; v.Index < len(t) && !t[v.Index].IsNone() {
		l.vals[v] = t[v.Index]
		return
	}
	l.vals[v] = l.unknown(v.Name(), "value")
}

// field is the field of a struct that is a value.
func (l *lowerer) field(v *ssa.Field) {
	t := v.X.Type()
	name := l.fieldOf(t, v.Field)
	if name == "" {
		l.vals[v] = l.unknown(v.Name(), "value")
		return
	}
	if leaves, ok := l.leaves[v.X]; ok {
		lo, hi := fieldLeaves(t, v.Field)
		l.setLeaves(v, leaves[lo:hi])
		return
	}
	l.vals[v] = l.fieldOfValue(l.src.nameless(v, 0), name, v.Field, l.operand(v.X))
}

// setLeaves gives v the value that has these leaves.
func (l *lowerer) setLeaves(v ssa.Value, leaves []register.Operand) {
	if isSplit(v.Type()) {
		l.leaves[v] = leaves
		return
	}
	l.vals[v] = leaves[0]
}

// lookup reads a built-in map (or, with the same instruction, a string).
func (l *lowerer) lookup(v *ssa.Lookup) {
	if addr := l.memoryAt(v); addr != nil {
		l.lookupCell(v, addr)
		return
	}
	if table := l.tableAt(v); table != nil {
		l.setResults(v, []register.Operand{l.tableEntry(table, l.operand(v.Index)), register.Lit(register.LitTrue)})
		return
	}
	args := []register.Operand{l.operand(v.X), l.operand(v.Index)}
	name := memoryOfMap(v.X.Type())
	if l.P.Stored[name] {
		l.setResults(v, l.unknowns(v, 2, register.Instr{Op: register.Unknown, Name: name, Args: args}))
		return
	}
	val, ok := l.Local(l.hint(v)), register.None
	if v.CommaOk {
		ok = l.Local(l.src.name(v.Pos(), 1, "ok"))
	}
	l.emit(register.Instr{Op: register.Pure, Dst: []register.Local{val, ok}, Name: name, Args: args})
	l.setResults(v, locals([]register.Local{val, ok}))
}

// setResults gives v its result, or its results if it is a tuple.
func (l *lowerer) setResults(v ssa.Value, results []register.Operand) {
	if _, ok := v.Type().(*types.Tuple); ok {
		l.tuples[v] = results
		return
	}
	if len(results) > 0 && !results[0].IsNone() {
		l.vals[v] = results[0]
	}
}

// slice is the same object as what it is cut from, if that is all of it.
func (l *lowerer) slice(v *ssa.Slice) {
	if a, ok := v.X.(*ssa.Alloc); ok {
		if elems, ok := variadicElems(a); ok {
			l.lists[v] = elems
			return
		}
	}
	if v.Low == nil && v.High == nil && v.Max == nil {
		l.same(v, v.X)
		return
	}
	args := []register.Operand{l.operand(v.X)}
	for _, bound := range []ssa.Value{v.Low, v.High, v.Max} {
		if bound == nil {
			args = append(args, register.Lit(register.NoBound))
			continue
		}
		args = append(args, l.operand(bound))
	}
	l.vals[v] = l.pure(l.hint(v), register.SliceOf, args...)
}

// isLastCase reports whether a branch asks if the last case of a select that waits was
// taken, after all others were not.
func isLastCase(v *ssa.If) bool {
	is, ok := v.Cond.(*ssa.BinOp)
	if !ok || is.Op != token.EQL {
		return false
	}
	taken, ok := is.X.(*ssa.Extract)
	if !ok || taken.Index != 0 {
		return false
	}
	from, ok := taken.Tuple.(*ssa.Select)
	last, isConst := is.Y.(*ssa.Const)
	return ok && isConst && from.Blocking && last.Int64() == int64(len(from.States)-1)
}

// selects waits, picks a case, and sends if that is what the case does.
func (l *lowerer) selects(v *ssa.Select) {
	if v.Blocking {
		l.emit(register.Instr{Op: register.Blocking, Name: register.Select})
	}
	d := l.Local("case")
	results := []register.Operand{register.L(d)}
	l.emit(register.Instr{Op: register.Unknown, Dst: []register.Local{d}, Name: l.Site(register.Select)})
	for i := 1; i < v.Type().(*types.Tuple).Len(); i++ {
		r := register.NoOperand
		if used(v, i) {
			r = l.unknown("received", register.Select)
		}
		results = append(results, r)
	}
	for i, s := range v.States {
		if s.Dir == types.SendOnly && !l.locksBySend(v, s) {
			chosen, other := l.branch(l.pure("chosen", "eq", register.L(d), intLit(i)))
			l.cur = chosen
			l.effect(register.SendEffect, s.Chan, s.Send)
			l.jump(other)
		}
	}
	l.tuples[v] = results
}

// The sweep that is looked at as if it found one entry: see Collected.

// count begins to count what the sweep has found, where it begins to look.
func (l *lowerer) count(next *ssa.Next) {
	if l.collected == nil || l.gives || l.collected.exits[next.Block()] == nil {
		return
	}
	if l.found == 0 {
		l.found = l.Local("found")
	}
	l.assign(l.found, register.Lit(register.LitFalse))
}

// collect notes that the sweep has found something.
func (l *lowerer) collect(v *ssa.Call) bool {
	if l.collected == nil || l.collected.append != v {
		return false
	}
	if l.gives {
		l.vals[v] = l.operand(l.collected.key)
		return true
	}
	l.vals[v] = register.Lit("{collected}")
	l.assign(l.found, register.Lit(register.LitTrue))
	return true
}

// emptyList lowers the slice that a function which gives its key collects in, as that begins: it is nil.
func (l *lowerer) emptyList(instr ssa.Instruction) bool {
	v, ok := instr.(ssa.Value)
	if !ok || !l.gives || !l.collected.empty[v] {
		return false
	}
	l.vals[v] = register.Lit(register.LitNil)
	return true
}

// collecting is the key of the function that a call is of: if that collects for the sweep, the key of its program in which it finds one entry.
func (l *lowerer) collecting(s *callSite, key string) string {
	if l.collected != nil && l.collected.call != nil && s.val == l.collected.call {
		return collectingKey(key)
	}
	return key
}

func collectingKey(key string) string { return key + "#collects" }

// after is where a jump to a block goes: the loops of the sweep have one round.
func (l *lowerer) after(b *ssa.BasicBlock) int {
	if l.collected != nil && l.collected.exits[b] != nil && b.Dominates(l.block) {
		return l.first[l.collected.exits[b]]
	}
	return l.first[b]
}

// collectedElement lowers a look at an element of the slice.
func (l *lowerer) collectedElement(v *ssa.UnOp) bool {
	addr, ok := v.X.(*ssa.IndexAddr)
	if l.collected == nil || !ok || v.Op != token.MUL || !l.collected.lists[addr.X] {
		return false
	}
	if l.collected.by != nil {
		l.same(v, addr.X)
	} else {
		l.same(v, l.collected.key)
	}
	return true
}

// moreCollected is whether there is anything in the slice; false if that is not what a
// comparison asks.
func (l *lowerer) moreCollected(v *ssa.BinOp) (register.Operand, bool) {
	if l.collected == nil || !l.collected.more[v] {
		return register.NoOperand, false
	}
	if l.collected.by != nil {
		length, _ := v.Y.(*ssa.Call)
		empty := l.pure("empty", "eq", l.operand(length.Call.Args[0]), register.Lit(register.LitNil))
		return l.pure("more", "not", empty), true
	}
	return register.L(l.found), true
}
