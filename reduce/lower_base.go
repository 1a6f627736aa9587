package reduce

import (
	"go/types"

	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"golang.org/x/tools/go/ssa"
)

// outcome is what a base operation found and did, as operands. Those that it
// does not have are nothing.
type outcome struct {
	kind register.CellKind
	// old and had are the content before.
	old, had register.Operand
	// ok says whether the operation took place.
	ok register.Operand
	// val is what it wrote if it did.
	val register.Operand
	// after and present are the content after a compute, and returned is
	// its callback's first result.
	after, present, returned register.Operand
}

// nothing is the outcome of an operation that has not begun.
func nothing(b *calls.BaseCall) outcome {
	return outcome{
		kind: b.Cell, old: register.NoOperand, had: register.NoOperand, ok: register.NoOperand, val: register.NoOperand,
		after: register.NoOperand, present: register.NoOperand, returned: register.NoOperand,
	}
}

// base lowers a base operation to register form.
func (l *lowerer) base(s *callSite, b *calls.BaseCall) []register.Operand {
	l.notNil(b.Map, nilDereference)
	switch b.Kind {
	case calls.BaseRange:
		l.rangeLoop(s, b)
		return l.results(s, s.info.Name, nil)
	case calls.BaseLoad, calls.BaseStore, calls.BaseDelete, calls.BaseInsert, calls.BaseCAS, calls.BaseCAD:
		return l.baseResults(s, b, l.single(s, b))
	case calls.BaseReplace:
		return l.baseResults(s, b, l.replace(s, b))
	case calls.BaseUpdate:
		return l.baseResults(s, b, l.update(s, b))
	case calls.BaseCompute:
		return l.baseResults(s, b, l.compute(s, b))
	default:
		kind := register.OmitLook
		if s.n == 0 {
			kind = register.OmitAct // Clear: nothing else makes sense without a result
		}
		l.emit(register.Instr{Op: register.Omit, Name: kind, Args: []register.Operand{l.operand(b.Map)}})
		return l.results(s, s.info.Name, l.callArgs(s))
	}
}

// cell adds the operation's cell.
func (l *lowerer) cell(s *callSite, b *calls.BaseCall) int {
	return l.cellAt(b, contentType(s, b), l.operand(b.Map), l.keyOf(b))
}

func (l *lowerer) cellAt(b *calls.BaseCall, t register.Type, of, key register.Operand) int {
	zero := b.Zero
	if zero == "" {
		zero = register.LitNil
	}
	l.P.Cells = append(l.P.Cells, register.Cell{Kind: b.Cell, Map: of, Key: key, KeyType: keyType(b.Key), Type: t, Zero: zero, Evicts: b.Evicts})
	return len(l.P.Cells) - 1
}

// keyOf is the operation's key; nothing for an atomic.
func (l *lowerer) keyOf(b *calls.BaseCall) register.Operand {
	if b.Key == nil {
		return register.NoOperand
	}
	if m, ok := b.Key.(*ssa.MakeInterface); ok {
		return l.operand(m.X) // KeyType tells keys of two types apart
	}
	return l.operand(b.Key)
}

// keyType is the type of a key, seen through its conversion to an interface.
func keyType(key ssa.Value) string {
	if m, ok := key.(*ssa.MakeInterface); ok {
		key = m.X
	}
	if key == nil || types.IsInterface(key.Type()) {
		return ""
	}
	if _, ok := types.Unalias(key.Type()).(*types.TypeParam); ok {
		return ""
	}
	return types.TypeString(key.Type(), nil)
}

// optional is the operand for a value that may be missing.
func (l *lowerer) optional(v ssa.Value) register.Operand {
	if v == nil {
		return register.Lit(register.LitNil)
	}
	return l.operand(v)
}

// roleHint is the name of the variable that the result of a role goes to.
func (l *lowerer) roleHint(s *callSite, b *calls.BaseCall, otherwise string, roles ...calls.Role) string {
	for i, r := range b.Results {
		for _, want := range roles {
			if r == want {
				return l.resultHint(s, i, otherwise)
			}
		}
	}
	return otherwise
}

// step emits one operation on a cell and gives its two results.
func (l *lowerer) step(s *callSite, b *calls.BaseCall, op register.Op, cell int, args ...register.Operand) (first, second register.Operand) {
	old := l.Local(l.roleHint(s, b, "old", calls.RoleOld, calls.RoleItem))
	roles, otherwise := []calls.Role{calls.RoleHad, calls.RoleOk}, "had"
	if op == register.CAS {
		roles, otherwise = []calls.Role{calls.RoleOk}, "ok"
	}
	flag := l.Local(l.roleHint(s, b, otherwise, roles...))
	l.emit(register.Instr{Op: op, Dst: []register.Local{old, flag}, Cell: cell, Args: args})
	return register.L(old), register.L(flag)
}

// single lowers the operations that are one step.
func (l *lowerer) single(s *callSite, b *calls.BaseCall) outcome {
	o := nothing(b)
	op, args := register.Read, []register.Operand(nil)
	switch b.Kind {
	case calls.BaseStore:
		o.val = l.optional(b.Value)
		op, args = register.Write, []register.Operand{o.val}
	case calls.BaseDelete:
		op, args = register.Write, []register.Operand{register.Absent}
	case calls.BaseInsert:
		o.val = l.optional(b.Value)
		op, args = register.CAS, []register.Operand{register.Absent, o.val}
	case calls.BaseCAS:
		o.val = l.optional(b.New)
		op, args = register.CAS, []register.Operand{l.expected(b), o.val}
	case calls.BaseCAD:
		op, args = register.CAS, []register.Operand{l.expected(b), register.Absent}
	}
	o.old, o.ok = l.step(s, b, op, l.cell(s, b), args...)
	switch {
	case op != register.CAS:
		o.had = o.ok
	case b.Kind == calls.BaseInsert: // it took place if there was nothing
		o.had = l.loaded(s, b, o.ok)
	}
	return o
}

// expected is the old value of a cas. A latch's that is nil means no value.
func (l *lowerer) expected(b *calls.BaseCall) register.Operand {
	old := l.optional(b.Old)
	if b.Cell == register.Latch && old == register.Lit(register.LitNil) {
		return register.Absent
	}
	return old
}

// loaded is the presence before an insert, if some result asks for it.
func (l *lowerer) loaded(s *callSite, b *calls.BaseCall, ok register.Operand) register.Operand {
	for i, r := range b.Results {
		if r == calls.RoleHad && s.uses(i) {
			return l.pure(l.resultHint(s, i, "loaded"), "not", ok)
		}
	}
	return register.NoOperand
}

// guarded emits then so that it runs if cond says so.
func (l *lowerer) guarded(cond register.Operand, then func()) {
	if cond == register.Lit(register.LitTrue) {
		then()
		return
	}
	yes, next := l.branch(cond)
	l.cur = yes
	then()
	l.jump(next)
}

// write emits the writing half of a longer step; what was there is known.
func (l *lowerer) write(cell int, val register.Operand) {
	l.emit(register.Instr{Op: register.Write, Dst: []register.Local{register.None, register.None}, Cell: cell, Args: []register.Operand{val}})
}

// replace writes if present.
func (l *lowerer) replace(s *callSite, b *calls.BaseCall) outcome {
	o := nothing(b)
	o.val = l.optional(b.Value)
	cell := l.cell(s, b)
	l.emit(register.Instr{Op: register.Enter})
	o.old, o.had = l.step(s, b, register.Read, cell)
	o.ok = o.had
	l.guarded(o.ok, func() { l.write(cell, o.val) })
	l.emit(register.Instr{Op: register.Leave})
	return o
}

// update writes a function of what is there.
func (l *lowerer) update(s *callSite, b *calls.BaseCall) outcome {
	o := nothing(b)
	delta, name := register.Lit("1"), "add"
	if b.Delta != nil {
		delta = l.operand(b.Delta)
	}
	if b.Func != "" {
		name = b.Func
	}
	cell := l.cell(s, b)
	l.emit(register.Instr{Op: register.Enter})
	o.old, o.had = l.step(s, b, register.Read, cell)
	o.val = l.updated(s, b, name, o.old, delta)
	if o.ok = o.had; b.FromZero || b.Cell == register.Atomic {
		o.ok = register.Lit(register.LitTrue)
	}
	l.guarded(o.ok, func() { l.write(cell, o.val) })
	l.emit(register.Instr{Op: register.Leave})
	return o
}

// updated is a function of what was there.
func (l *lowerer) updated(s *callSite, b *calls.BaseCall, name string, old, delta register.Operand) register.Operand {
	hint, t := l.roleHint(s, b, "sum", calls.RoleNew), contentType(s, b)
	if !register.Interpreted[name] || !t.Kind.IsInteger() && !t.Kind.IsFloat() {
		return l.pure(hint, name, old, delta)
	}
	if t.Kind == register.Int {
		t.Kind = register.NoType
	}
	return l.typed(hint, name, register.Type{Kind: t.Kind}, old, delta)
}

// baseResults gives the call its results by their roles.
func (l *lowerer) baseResults(s *callSite, b *calls.BaseCall, o outcome) []register.Operand {
	results := make([]register.Operand, s.n)
	for i := range results {
		results[i] = register.NoOperand
		if !s.uses(i) {
			continue
		}
		role := calls.RoleNone
		if i < len(b.Results) {
			role = b.Results[i]
		}
		if r := l.byRole(s, o, role, i); !r.IsNone() {
			results[i] = r
			l.noteThere(r, o, role)
			continue
		}
		results[i] = l.result(s, i, l.operand(b.Map))
	}
	return results
}

// noteThere says of a result that is what a map had, or has now, when that was anything.
func (l *lowerer) noteThere(r register.Operand, o outcome, role calls.Role) {
	if o.kind != register.Map || r.IsLit() {
		return
	}
	switch role {
	case calls.RoleOld, calls.RoleItem:
		if !o.had.IsNone() {
			l.there[r] = o.had
		}
	case calls.RoleActual:
		l.there[r] = register.Lit(register.LitTrue)
	}
}

// byRole is the result of a role, nothing if the operation has none.
func (l *lowerer) byRole(s *callSite, o outcome, role calls.Role, i int) register.Operand {
	hint := l.resultHint(s, i, string(role))
	t := signature(s.c).Results().At(i).Type()
	switch role {
	case calls.RoleOld:
		return l.content(o, hint, t)
	case calls.RoleItem:
		return l.choose(hint, o.had, o.old, register.Lit(register.LitNil))
	case calls.RoleHad:
		return o.had
	case calls.RoleNotHad:
		return l.negate(hint, o.had)
	case calls.RoleOk:
		return o.succeeded()
	case calls.RoleNotOk:
		return l.negate(hint, o.succeeded())
	case calls.RoleErr:
		return l.choose(hint, o.succeeded(), register.Lit(register.LitNil), register.Lit("{error}"))
	case calls.RoleActual:
		if !o.after.IsNone() {
			return o.after
		}
		return l.choose(hint, o.ok, o.val, l.content(o, hint, t))
	case calls.RoleNew:
		if !o.after.IsNone() {
			return o.after
		}
		return l.choose(hint, o.ok, o.val, l.zero(t))
	case calls.RoleReturn:
		return o.returned
	}
	return register.NoOperand
}

// succeeded is RoleOk.
func (o outcome) succeeded() register.Operand {
	if !o.present.IsNone() {
		return o.present
	}
	return o.ok
}

// content is the content before. In a generic function the zero value that an
// absent cell yields is one that only the caller knows.
func (l *lowerer) content(o outcome, hint string, t types.Type) register.Operand {
	if isTypeParam(t) && o.kind != register.Atomic && !o.had.IsNone() {
		return l.choose(hint, o.had, o.old, l.zero(t))
	}
	return o.old
}

// choose is a or b, nothing if a part of it is missing.
func (l *lowerer) choose(hint string, cond, a, b register.Operand) register.Operand {
	switch {
	case cond.IsNone() || a.IsNone() || b.IsNone():
		return register.NoOperand
	case cond == register.Lit(register.LitTrue):
		return a
	case cond == register.Lit(register.LitFalse):
		return b
	}
	return l.pure(hint, "choose", cond, a, b)
}

func (l *lowerer) negate(hint string, o register.Operand) register.Operand {
	switch {
	case o.IsNone():
		return o
	case o.IsLit():
		return l.not(o)
	}
	return l.pure(hint, "not", o)
}
