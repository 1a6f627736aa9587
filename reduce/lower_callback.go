package reduce

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"golang.org/x/tools/go/ssa"
)

// compute lowers an operation whose new content is what a callback says, all
// in one step: whatever the callback does is done under the map's lock.
func (l *lowerer) compute(s *callSite, b *calls.BaseCall) outcome {
	o := nothing(b)
	cell := l.cell(s, b)
	after, present := l.Local("after"), l.Local("present")
	l.emit(register.Instr{Op: register.Enter})
	o.old, o.had = l.step(s, b, register.Read, cell)
	o.after, o.present, o.ok = register.L(after), register.L(present), register.L(present)
	l.assign(after, o.old)
	l.assign(present, o.had)
	runs := register.Lit(register.LitTrue)
	switch {
	case b.OnHit:
		runs = o.had
	case b.OnMiss:
		runs = l.not(o.had)
	}
	returned := register.None
	if hasRole(b.Results, calls.RoleReturn) {
		returned = l.Local("returned")
		l.assign(returned, register.Lit(register.LitFalse))
		o.returned = register.L(returned)
	}
	l.guarded(runs, func() {
		results := l.computeCall(b, o)
		if returned != register.None && len(results) > 0 {
			l.assign(returned, results[0])
		}
		l.computeWrite(b, cell, results, after, present)
	})
	l.emit(register.Instr{Op: register.Leave})
	return o
}

func hasRole(roles []calls.Role, want calls.Role) bool { return roleResult(roles, want) >= 0 }

// roleResult is the first place of a role; -1 if there is none.
func roleResult(roles []calls.Role, want calls.Role) int {
	for i, r := range roles {
		if r == want {
			return i
		}
	}
	return -1
}

// computeCall calls the callback.
func (l *lowerer) computeCall(b *calls.BaseCall, o outcome) []register.Operand {
	if b.Callback == nil {
		var results []register.Operand
		for range b.Returns {
			results = append(results, l.unknown("result", "callback"))
		}
		return results
	}
	hints := make([]string, max(resultCount(b.Callback), len(b.Returns)))
	for i := range hints {
		if hints[i] = "result"; i < len(b.Returns) {
			hints[i] = string(b.Returns[i])
		}
	}
	return l.callback(b.Callback, l.callbackArgs(b, b.Params, o), hints)
}

// callbackArgs are the arguments that the library gives to its callback.
func (l *lowerer) callbackArgs(b *calls.BaseCall, roles []calls.Role, o outcome) []register.Operand {
	sig, ok := b.Callback.Type().Underlying().(*types.Signature)
	if !ok {
		return nil
	}
	var args []register.Operand
	for i := 0; i < sig.Params().Len(); i++ {
		role := calls.RoleNone
		if i < len(roles) {
			role = roles[i]
		}
		args = append(args, l.callbackArg(b, role, o, sig.Params().At(i)))
	}
	return args
}

func (l *lowerer) callbackArg(b *calls.BaseCall, role calls.Role, o outcome, param *types.Var) register.Operand {
	switch role {
	case calls.RoleOld:
		return l.content(o, param.Name(), param.Type())
	case calls.RoleHad:
		return o.had
	case calls.RoleNotHad:
		return l.not(o.had)
	case calls.RoleKey:
		if b.Key != nil {
			return l.operand(b.Key)
		}
	case calls.RoleValue:
		if b.Value != nil {
			return l.operand(b.Value)
		}
	}
	return l.unknown(param.Name(), "callback argument")
}

// computeWrite does what the callback's results say.
func (l *lowerer) computeWrite(b *calls.BaseCall, cell int, results []register.Operand, after, present register.Local) {
	result := func(r calls.Role) (register.Operand, bool) {
		if i := roleResult(b.Returns, r); i >= 0 && i < len(results) {
			return results[i], true
		}
		return register.NoOperand, false
	}
	val, hasVal := result(calls.RoleNew)
	write := func() {
		if hasVal {
			l.write(cell, val)
			l.assign(after, val)
			l.assign(present, register.Lit(register.LitTrue))
		}
	}
	remove := func() {
		l.write(cell, register.Absent)
		l.assign(present, register.Lit(register.LitFalse))
	}
	if op, ok := result(calls.RoleOp); ok {
		l.guarded(l.pure("writes", "eq", op, register.Lit(b.OpWrite)), write)
		l.guarded(l.pure("deletes", "eq", op, register.Lit(b.OpDelete)), remove)
		return
	}
	finish := write
	if del, ok := result(calls.RoleDelete); ok {
		finish = func() { l.either(del, remove, write) }
	}
	if cancel, ok := result(calls.RoleCancel); ok {
		l.guarded(l.not(cancel), finish)
		return
	}
	finish()
}

// either emits two ways that meet again.
func (l *lowerer) either(cond register.Operand, then, otherwise func()) {
	yes, no := l.branch(cond)
	next := l.newBlock()
	l.cur = yes
	then()
	l.jump(next)
	l.cur = no
	otherwise()
	l.jump(next)
}

// rangeLoop lowers a range over a map: a loop that ends at any time, over
// keys that cannot be predicted, and present when it is their turn. What the
// callback then does is no part of any step.
func (l *lowerer) rangeLoop(s *callSite, b *calls.BaseCall) {
	of := l.operand(b.Map)
	if n, how := l.counter(b.Callback); how != notCounted {
		l.rangeEntry(b, of)
		l.P.Cells[len(l.P.Cells)-1].Counted = true
		entries := l.unknown("entries", register.EntriesOf, of)
		if how == foundAny {
			some := l.typed("found", "lt", register.Type{Kind: register.Int}, register.Lit("0"), entries)
			l.assign(n, l.choose("found", some, register.Lit(register.LitTrue), register.L(n)))
		} else {
			l.assign(n, l.typed("counted", "add", register.Type{Kind: register.Int}, register.L(n), entries))
		}
		l.emit(register.Instr{Op: register.Omit, Name: register.OmitLook, Args: []register.Operand{of}})
		return
	}
	head := l.newBlock()
	l.jump(head)
	body, done := l.branch(l.unknown("more", "range", of))
	l.cur = body
	key, o := l.rangeEntry(b, of)
	call, next := l.branch(o.had)
	l.cur = next
	l.end(register.Term{Kind: register.Jump, To: []int{head}})
	l.cur = call
	l.rangeCall(b, key, o, head, done)
	l.cur = done
	// What is done after it may depend on entries that no register stands for.
	l.emit(register.Instr{Op: register.Omit, Name: register.OmitLook, Args: []register.Operand{of}})
}

// rangeEntry looks at an entry to which a range may come.
func (l *lowerer) rangeEntry(b *calls.BaseCall, of register.Operand) (key register.Operand, o outcome) {
	key = l.unknown(callbackParam(b, calls.RoleKey, "key"), "range key", of)
	cell := l.cellAt(b, rangeType(b), of, key)
	o = nothing(b)
	old, had := l.Local(callbackParam(b, calls.RoleOld, "value")), l.Local("had")
	l.emit(register.Instr{Op: register.Read, Dst: []register.Local{old, had}, Cell: cell})
	o.old, o.had = register.L(old), register.L(had)
	return key, o
}

// countedAs is what a callback makes of the entries.
type countedAs int

const (
	notCounted countedAs = iota
	eachOne
	foundAny
)

// counter is the variable to which a callback adds one for each entry, or which it sets to true, if that is all it does:
//
//	n := 0
//	m.Range(func(_, _ any) bool { n++; return true })
func (l *lowerer) counter(callback ssa.Value) (register.Local, countedAs) {
	made, ok := callback.(*ssa.MakeClosure)
	if !ok || len(made.Bindings) != 1 {
		return register.None, notCounted
	}
	fn, ok := made.Fn.(*ssa.Function)
	if !ok || len(fn.Blocks) != 1 {
		return register.None, notCounted
	}
	how := countsUp(fn.Blocks[0].Instrs, fn.FreeVars[0])
	p, ok := l.place(made.Bindings[0])
	if !ok || p.v.volatile || len(p.parts) > 0 || p.hi-p.lo != 1 || how == eachOne && !types.Identical(p.typ, types.Typ[types.Int]) {
		return register.None, notCounted
	}
	return p.v.locals[p.lo], how
}

// countsUp says whether some instructions add one to a variable and then at most say that there is more to come,
// or set it to true.
func countsUp(instrs []ssa.Instruction, variable ssa.Value) (how countedAs) {
	var load, sum ssa.Value
	for _, instr := range instrs {
		switch instr := instr.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			if instr.Op != token.MUL || instr.X != variable || load != nil {
				return notCounted
			}
			load = instr
		case *ssa.BinOp:
			if instr.Op != token.ADD || instr.X != load || !isConst(instr.Y, "1") {
				return notCounted
			}
			sum = instr
		case *ssa.Store:
			switch {
			case instr.Addr != variable || how != notCounted:
				return notCounted
			case instr.Val == sum:
				how = eachOne
			case load == nil && isConst(instr.Val, "true"):
				how = foundAny
			default:
				return notCounted
			}
		case *ssa.Return:
			if how == eachOne && slices.ContainsFunc(instr.Results, func(v ssa.Value) bool { return !isConst(v, "true") }) {
				return notCounted
			}
			return how
		default:
			return notCounted
		}
	}
	return notCounted
}

// isConst reports whether a value is a constant that is written so.
func isConst(v ssa.Value, text string) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.ExactString() == text
}

// rangeType is the type of the values that a range shows.
func rangeType(b *calls.BaseCall) register.Type {
	if b.Callback != nil {
		if i := roleResult(rangeParams(b), calls.RoleOld); i >= 0 {
			return typeOf(callbackVar(b.Callback, i).Type())
		}
	}
	return register.Type{}
}

// rangeCall calls the callback for one entry and goes on as it says.
func (l *lowerer) rangeCall(b *calls.BaseCall, key register.Operand, o outcome, head, done int) {
	var args, results []register.Operand
	if b.Callback != nil {
		for i, role := range rangeParams(b) {
			switch role {
			case calls.RoleKey:
				args = append(args, key)
			case calls.RoleOld, calls.RoleValue:
				args = append(args, o.old)
			default:
				args = append(args, l.callbackArg(b, role, o, callbackVar(b.Callback, i)))
			}
		}
		hints := make([]string, resultCount(b.Callback))
		results = l.callback(b.Callback, args, hints)
	}
	if len(results) == 0 {
		l.end(register.Term{Kind: register.Jump, To: []int{head}})
		return
	}
	l.end(register.Term{Kind: register.Branch, Cond: results[0], To: []int{head, done}})
}

// rangeParams are the roles of the callback's parameters, key and value unless
// the description says otherwise.
func rangeParams(b *calls.BaseCall) []calls.Role {
	roles := b.Params
	if len(roles) == 0 {
		roles = []calls.Role{calls.RoleKey, calls.RoleOld}
	}
	n := 0
	if sig, ok := b.Callback.Type().Underlying().(*types.Signature); ok {
		n = sig.Params().Len()
	}
	out := make([]calls.Role, n)
	for i := range out {
		if out[i] = calls.RoleNone; i < len(roles) {
			out[i] = roles[i]
		}
	}
	return out
}

// callbackVar is the i-th parameter of a function value.
func callbackVar(f ssa.Value, i int) *types.Var {
	return f.Type().Underlying().(*types.Signature).Params().At(i)
}

// callbackParam is the name of the parameter with a role.
func callbackParam(b *calls.BaseCall, role calls.Role, otherwise string) string {
	if b.Callback == nil {
		return otherwise
	}
	i := roleResult(rangeParams(b), role)
	if i < 0 {
		return otherwise
	}
	if name := callbackVar(b.Callback, i).Name(); name != "" && name != "_" {
		return name
	}
	return otherwise
}
