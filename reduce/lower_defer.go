package reduce

import (
	"maps"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/mapatom/mapatom/internal/reduce/ways"
	"golang.org/x/tools/go/ssa"
)

// findDefers makes the flags, which are false on entry.
func (l *lowerer) findDefers() {
	var exits []*ssa.BasicBlock
	for _, b := range l.fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Defer:
				l.defers = append(l.defers, &deferred{instr: instr, flag: register.None})
				l.unwinds = l.unwinds || l.matters(instr)
				l.rescues = l.rescues || l.recoversIn(instr) && l.operatesIn(instr)
			case *ssa.RunDefers, *ssa.Panic, *ssa.Return:
				exits = append(exits, b)
			default:
				if f, ok := l.startsLater(instr); ok {
					l.defers = append(l.defers, &deferred{instr: instr, flag: register.None, later: f})
				}
			}
		}
	}
	if l.unwinds {
		exits = l.fn.Blocks // any of them can panic
	}
	l.cur = 0
	for _, d := range l.defers {
		for _, b := range exits {
			if b != l.fn.Recover && !d.instr.Block().Dominates(b) && ways.Reaches(d.instr.Block(), b, nil) {
				d.flag = l.Local("deferred")
				l.assign(d.flag, register.Lit(register.LitFalse))
				break
			}
		}
	}
	slices.SortStableFunc(l.defers, func(a, b *deferred) int { return int(a.instr.Pos() - b.instr.Pos()) })
	slices.SortStableFunc(l.defers, func(a, b *deferred) int { return boolOrder(a.isLater(), b.isLater()) })
}

// boolOrder has what is true first.
func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// isLater reports whether others run it, after all that is deferred.
func (d *deferred) isLater() bool {
	_, isDefer := d.instr.(*ssa.Defer)
	return !isDefer
}

// startsLater reports whether an instruction has a function run that is looked at as one that
// runs when the caller is done, and which one, if it is not the callee itself.
func (l *lowerer) startsLater(instr ssa.Instruction) (f ssa.Value, ok bool) {
	if l.later == nil {
		return nil, false
	}
	if _, isGo := instr.(*ssa.Go); isGo {
		return nil, true
	}
	if call, isCall := instr.(*ssa.Call); isCall && l.caps.started(call) == nil {
		f = calls.StartedBeside(call)
	}
	if f == nil {
		f = l.later(instr)
	}
	return f, f != nil
}

// deferCall lowers a defer statement itself. Inside the body of a range over
// a function, it defers to the end of the function around it, which cannot be
// seen from here: then it is only known that the call has an effect.
func (l *lowerer) deferCall(instr *ssa.Defer) {
	if instr.DeferStack != nil && l.fn.Synthetic == "range-over-func yield" {
		s := l.siteOf(instr)
		vs := l.argValues(s)
		l.effect("defer "+calleeName(s.c), vs...)
		return
	}
	l.pass(instr)
}

// pass notes that a statement of which the call runs at the exit has been come to, and
// reports whether it is one.
func (l *lowerer) pass(instr ssa.Instruction) bool {
	found := false
	for _, d := range l.defers {
		if d.instr != instr {
			continue
		}
		l.passed[d] = true
		found = true
		if d.flag != register.None {
			l.assign(d.flag, register.Lit(register.LitTrue))
		}
	}
	return found
}

// exitPoint leaves a gap where deferred calls run. It is filled when the rest
// is lowered: the gap may come before the block whose values a call gets.
func (l *lowerer) exitPoint(instr ssa.Instruction) {
	if len(l.defers) == 0 {
		return
	}
	to := l.newBlock()
	l.exits = append(l.exits, exit{block: instr.Block(), from: l.cur, to: to, at: l.at, ran: maps.Clone(l.passed)})
	l.cur = to
}

// panicPoint ends the block by a panic, before which deferred calls run. That calls of
// other functions can panic is not known.
func (l *lowerer) panicPoint(v *ssa.Panic) {
	t := register.Term{Kind: register.Panic, Label: register.Panicked, Vals: []register.Operand{l.operand(v.X)}, Pos: l.at}
	if len(l.defers) == 0 {
		l.end(t)
		return
	}
	l.panics(v.Block(), t)
}

// panics leaves a gap for the calls that run when a block panics.
func (l *lowerer) panics(b *ssa.BasicBlock, t register.Term) {
	l.exits = append(l.exits, exit{block: b, from: l.cur, to: l.newBlock(), at: l.at, panics: &t, ran: maps.Clone(l.passed)})
}

// fail ends the block by a panic that no statement asks for, about a value. Deferred
// calls run if the value may be one that an operation found; of others, it does not
// depend on the environment.
func (l *lowerer) fail(about ssa.Value, label string) {
	t := register.Term{Kind: register.Panic, Label: label}
	if l.unwinds && l.block != nil && fromCall(about, map[ssa.Value]bool{}) {
		l.panics(l.block, t)
		return
	}
	l.end(t)
}

// fromCall reports whether a value is computed from what a call gave. What is in a variable that a
// function literal has as well may be such a value if somebody assigns one to it.
func fromCall(v ssa.Value, seen map[ssa.Value]bool) bool {
	if v == nil || seen[v] {
		return false
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Call, *ssa.FreeVar:
		return true
	case *ssa.Alloc:
		return slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool {
			st, ok := ref.(*ssa.Store)
			return ok && st.Addr == v && fromCall(st.Val, seen)
		})
	}
	instr, ok := v.(ssa.Instruction)
	return ok && slices.ContainsFunc(instr.Operands(nil), func(op *ssa.Value) bool { return fromCall(*op, seen) })
}

// returnPoint is exitPoint where the function returns and has no defer statement, but
// starts something that is looked at as one.
func (l *lowerer) returnPoint(instr *ssa.Return) {
	if l.later == nil || slices.ContainsFunc(l.defers, func(d *deferred) bool { return !d.isLater() }) {
		return
	}
	l.exitPoint(instr)
}

// runDefers fills the gaps: at each exit, the deferred calls that may have been
// reached, the last one first.
func (l *lowerer) runDefers() {
	for _, e := range l.exits {
		l.cur, l.block, l.panicking = e.from, nil, register.Lit(register.LitNil)
		if e.panics != nil {
			l.panicking = register.Lit(panicValue)
		}
		over := false
		for _, d := range slices.Backward(l.defers) {
			l.at = l.src.pos(d.instr)
			if d.isLater() && e.panics != nil {
				continue // it will end, but who knows when
			}
			if d.isLater() && !over {
				over = true
				l.emit(register.Instr{Op: register.Omit, Name: register.OmitLater})
			}
			l.ifDeferred(d, e, func() { l.deferred(d, e) })
		}
		l.at = e.at
		l.jump(e.to)
		if e.panics != nil {
			l.end(*e.panics)
		}
	}
	l.panicking = register.Lit(register.LitNil)
}

// ifDeferred emits what then does, so that it runs if the statement was come to on the
// way to the exit.
func (l *lowerer) ifDeferred(d *deferred, e exit, then func()) {
	from := d.instr.Block()
	switch {
	case from == e.block && !e.ran[d], from != e.block && !ways.Reaches(from, e.block, nil):
	case from == e.block:
		then()
	default:
		if !l.ifTaken(from, e.block, then) {
			l.guarded(register.L(d.flag), then)
		}
	}
}

// ifTaken emits then under the conditions that lead from a block around the exit to
// the block b, as far as these are the only way there. They say more than a flag
// does: what else follows from them is known.
func (l *lowerer) ifTaken(b, exit *ssa.BasicBlock, then func()) bool {
	if b.Dominates(exit) {
		then()
		return true
	}
	if len(b.Preds) != 1 || ways.Loops(b) {
		return false
	}
	pred := b.Preds[0]
	branch, ok := pred.Instrs[len(pred.Instrs)-1].(*ssa.If)
	if !ok || pred.Succs[0] == pred.Succs[1] {
		return ok && l.ifTaken(pred, exit, then)
	}
	return l.ifTaken(pred, exit, func() {
		taken := l.operand(branch.Cond)
		if pred.Succs[1] == b {
			taken = l.not(taken)
		}
		l.guarded(taken, then)
	})
}

// panicValue is what recover gives: something that is not nil.
const panicValue = "{panic}"

// deferred runs a deferred call. One that recovers goes on where the function returns
// after that; those that were deferred before it run as well, as at any return.
func (l *lowerer) deferred(d *deferred, e exit) {
	if d.later != nil {
		l.callback(d.later, nil, make([]string, resultCount(d.later)))
		return
	}
	call := d.instr.(ssa.CallInstruction)
	l.call(call)
	if e.panics == nil || l.panicking.Lit == register.LitNil || !l.recoversIn(call) || l.fn.Recover == nil {
		return
	}
	l.panicking = register.Lit(register.LitNil)
	for _, before := range slices.Backward(l.defers[:slices.Index(l.defers, d)]) {
		l.ifDeferred(before, e, func() { l.deferred(before, e) })
	}
	l.end(register.Term{Kind: register.Jump, To: []int{l.first[l.fn.Recover]}})
	l.cur = l.newBlock() // not reached
	l.P.Blocks[l.cur].Term = register.Term{Kind: register.Panic}
	l.panicking = register.Lit(panicValue) // on the way where this call was not deferred
}

// recoversIn reports whether a deferred call is one of a function that recovers.
func (l *lowerer) recoversIn(call ssa.CallInstruction) bool {
	fn, _ := calls.Callee(call)
	if closure, _ := l.caps.closure(call.Common().Value); closure != nil {
		fn = closure
	}
	return fn != nil && recovers(fn)
}

// mayUnwind emits the panic of a function of which nothing is known, if what is deferred
// operates on a cell where somebody panics: that is what it is there for.
func (l *lowerer) mayUnwind(s *callSite) {
	if l.rescues && l.block != nil {
		l.unwind(s)
	}
}

// unwind emits that a call panics before it has done anything: what is deferred runs then,
// which others see.
func (l *lowerer) unwind(s *callSite) {
	panics, next := l.branch(l.unknownOf("panics", s.info.Name+register.Panics, l.callArgs(s)...))
	l.cur = panics
	l.panics(l.block, register.Term{Kind: register.Panic, Label: "panic"})
	l.cur = next
}

// matters reports whether it can be told that a deferred call ran: it recovers, or
// operates on a cell.
func (l *lowerer) matters(call ssa.CallInstruction) bool {
	return l.operates(l.fn, call) || l.recoversIn(call) || l.operatesIn(call)
}

// operatesIn reports whether a deferred call is one of a function literal that operates on
// a cell, or on memory that a lock guards.
func (l *lowerer) operatesIn(call ssa.CallInstruction) bool {
	closure, _ := l.caps.closure(call.Common().Value)
	if closure == nil {
		return false
	}
	for _, b := range closure.Blocks {
		for _, instr := range b.Instrs {
			if inner, ok := instr.(ssa.CallInstruction); ok && l.operates(closure, inner) || l.memoryAt(instr) != nil {
				return true
			}
		}
	}
	return false
}

// bodyPanics reports whether a function has a panic statement, takes for granted something
// of what an operation gives, or calls a function that does, up to some depth.
func (l *lowerer) bodyPanics(fn *ssa.Function, depth int) bool {
	if depth == 0 {
		return false
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Panic:
				return true
			case *ssa.TypeAssert:
				if !instr.CommaOk && l.isFound(fn, instr.X) {
					return true
				}
			case *ssa.FieldAddr:
				if l.isFound(fn, instr.X) {
					return true
				}
			case *ssa.Call:
				if callee := instr.Call.StaticCallee(); callee != nil && callee.Pkg == fn.Pkg && l.bodyPanics(callee, depth-1) {
					return true
				}
			}
		}
	}
	return false
}

// isFound reports whether a value is what an operation gave.
func (l *lowerer) isFound(fn *ssa.Function, v ssa.Value) bool {
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	call, ok := v.(*ssa.Call)
	return ok && l.res.Call(fn, call).Kind == calls.Base
}

// operates reports whether a call in fn is an operation on a cell, or may have one.
func (l *lowerer) operates(fn *ssa.Function, call ssa.CallInstruction) bool {
	kind := l.res.Call(fn, call).Kind
	return kind == calls.Base || kind == calls.Inline
}

// recovers reports whether a function calls recover itself.
func recovers(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok {
				if builtin, ok := call.Call.Value.(*ssa.Builtin); ok && builtin.Name() == "recover" {
					return true
				}
			}
		}
	}
	return false
}
