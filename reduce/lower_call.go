package reduce

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"golang.org/x/tools/go/ssa"
)

// A callSite is a call, go to it now or at the exit, that is being lowered.
type callSite struct {
	ssa.CallInstruction
	c    *ssa.CallCommon
	info calls.Info
	// val is the call's value; nil for a deferred call.
	val *ssa.Call
	n   int // number of results
}

func (l *lowerer) siteOf(call ssa.CallInstruction) *callSite {
	s := &callSite{CallInstruction: call, c: call.Common(), val: call.Value()}
	if sig := signature(s.c); sig != nil {
		s.n = sig.Results().Len()
	}
	return s
}

// signature is that of the call; nil if the types do not say.
func signature(c *ssa.CallCommon) *types.Signature {
	if c.IsInvoke() {
		sig, _ := c.Method.Type().(*types.Signature)
		return sig
	}
	sig, _ := c.Value.Type().Underlying().(*types.Signature)
	return sig
}

// uses reports whether result i is used.
func (s *callSite) uses(i int) bool { return s.val != nil && used(s.val, i) }

// asks reports whether the call is made for what it gives. An error only says whether it
// has done what it is made for, unless more is given with it, or it is kept as an answer:
//
//	if err := validate(t); err != nil { entry = result{nil, err} }; cache.Store(t, entry)
func (s *callSite) asks() bool {
	for i := range s.n {
		if s.uses(i) && (!isError(signature(s.c).Results().At(i).Type()) || s.keeps(i)) {
			return true
		}
	}
	return false
}

// keeps reports whether result i becomes a part of a value that is made here.
func (s *callSite) keeps(i int) bool {
	given := []ssa.Value{s.val}
	if s.n > 1 {
		given = nil
		for _, ref := range *s.val.Referrers() {
			if e, ok := ref.(*ssa.Extract); ok && e.Index == i {
				given = append(given, e)
			}
		}
	}
	return slices.ContainsFunc(given, func(v ssa.Value) bool { return slices.ContainsFunc(*v.Referrers(), becomesPart(v)) })
}

// becomesPart reports whether an instruction stores a value in a field of a struct that is a variable.
func becomesPart(v ssa.Value) func(ssa.Instruction) bool {
	return func(ref ssa.Instruction) bool {
		store, ok := ref.(*ssa.Store)
		if !ok || store.Val != v {
			return false
		}
		field, ok := store.Addr.(*ssa.FieldAddr)
		if !ok {
			return false
		}
		made, ok := field.X.(*ssa.Alloc)
		return ok && !made.Heap
	}
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// call lowers a call, immediate or deferred, at the current place. It gives
// the operands for its results; those that are not used may be nothing.
func (l *lowerer) call(call ssa.CallInstruction) []register.Operand {
	s := l.siteOf(call)
	if b, ok := s.c.Value.(*ssa.Builtin); ok {
		return l.builtin(s, b)
	}
	if !s.c.IsInvoke() {
		if fn, mc := l.caps.closure(s.c.Value); fn != nil && fn.Parent() != nil {
			return l.callClosure(s, fn, mc)
		}
	}
	if results, ok := l.started(s); ok {
		return results
	}
	if s.info = l.res.Call(l.fn, call); s.info.Name == "" {
		s.info.Name = calleeName(s.c)
	}
	results := l.resolved(s)
	l.copyEntries(s, results)
	return results
}

// resolved lowers a call as the resolver says.
func (l *lowerer) resolved(s *callSite) []register.Operand {
	name := s.info.Name
	switch s.info.Kind {
	case calls.Pure:
		return l.callPure(s)
	case calls.ReadOnly:
		if len(s.c.Args) > 0 || s.c.IsInvoke() || s.info.Clock {
			// What the clock shows, or the state of an argument, is taken to
			// be the same whenever the function asks. If it could be
			// anything, every sweep would be excused: perhaps the newer
			// entry had expired as well. Another call asks at another time.
			return l.callPure(s)
		}
		return l.results(s, name, l.callArgs(s))
	case calls.Quiet, calls.Drawn:
		return l.results(s, name, l.callArgs(s))
	case calls.Fresh:
		return l.callFresh(s)
	case calls.Same:
		return l.callSame(s)
	case calls.Base:
		if s.info.Base != nil && s.info.Base.Map != nil {
			return l.base(s, s.info.Base)
		}
	case calls.Table:
		return l.tableCall(s)
	case calls.Inline:
		fn, args := calls.Callee(s.CallInstruction)
		if s.info.Method != nil {
			fn, args = s.info.Method, append([]ssa.Value{s.c.Value}, args...)
		}
		if fn != nil && s.info.Key != "" {
			return l.inlinable(s, l.collecting(s, s.info.Key), fn, nil, args)
		}
	case calls.Lock, calls.Unlock:
		return l.lock(s)
	case calls.Blocking:
		args := l.callArgs(s)
		l.emit(register.Instr{Op: register.Blocking, Name: name, Args: args})
		return l.results(s, name, args)
	case calls.NoReturn:
		l.crash(name, l.callArgs(s)...)
		return l.results(s, name, nil)
	case calls.Once:
		return l.callOnce(s)
	}
	return l.callUnknown(s)
}

// bind gives a call's value its results.
func (l *lowerer) bind(v *ssa.Call, results []register.Operand) {
	if _, done := l.lists[v]; !done {
		l.setResults(v, results)
	}
}

// calleeName is a name for a callee that the resolver does not name.
func calleeName(c *ssa.CallCommon) string {
	switch {
	case c.IsInvoke():
		return typeName(c.Value.Type()) + "." + c.Method.Name()
	case c.StaticCallee() != nil:
		return shortFunc(c.StaticCallee())
	default:
		return valuePath(c.Value)
	}
}

// valuePath names a function value by the way it was got.
func valuePath(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Global:
		return v.Name()
	case *ssa.FieldAddr:
		return register.LastPart(fieldName(v.X.Type(), v.Field))
	case *ssa.Field:
		return register.LastPart(fieldName(v.X.Type(), v.Field))
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return valuePath(v.X)
		}
	case *ssa.Alloc:
		if v.Comment != "" {
			return v.Comment
		}
	}
	return register.Unnamed
}

// argValues are the call's arguments, the receiver first and variadic ones
// one by one.
func (l *lowerer) argValues(s *callSite) []ssa.Value {
	var vs []ssa.Value
	if s.c.IsInvoke() {
		vs = append(vs, s.c.Value)
	}
	_, args := calls.Callee(s.CallInstruction)
	for _, a := range args {
		if elems, ok := l.lists[a]; ok {
			vs = append(vs, elems...)
			continue
		}
		vs = append(vs, a)
	}
	return vs
}

func (l *lowerer) callArgs(s *callSite) []register.Operand { return l.operands(l.argValues(s)) }

// results gives unpredictable results to a call.
func (l *lowerer) results(s *callSite, name string, args []register.Operand) []register.Operand {
	if s.val == nil {
		return nil
	}
	return l.unknowns(s.val, s.n, register.Instr{Op: register.Unknown, Name: name, Args: args, Drawn: s.info.Drawn, Fails: s.info.Fails}.AsCall())
}

// result gives an unpredictable result to a call.
func (l *lowerer) result(s *callSite, i int, args ...register.Operand) register.Operand {
	return l.unknownOf(l.resultHint(s, i, namelessResult(s.val, i)), s.info.Name, args...)
}

// unknownOf emits an unpredictable value that a function gives.
func (l *lowerer) unknownOf(hint, function string, args ...register.Operand) register.Operand {
	d := l.Local(hint)
	l.emit(register.Instr{Op: register.Unknown, Dst: []register.Local{d}, Name: l.Site(function), Args: args}.AsCall())
	return register.L(d)
}

// resultLocals makes locals for the results that are used.
func (l *lowerer) resultLocals(s *callSite) []register.Local {
	dst := make([]register.Local, s.n)
	for i := range dst {
		if dst[i] = register.None; s.uses(i) {
			dst[i] = l.Local(l.resultHint(s, i, namelessResult(s.val, i)))
		}
	}
	return dst
}

// resultHint is the name of the variable that result i goes to.
func (l *lowerer) resultHint(s *callSite, i int, otherwise string) string {
	return l.src.name(s.c.Pos(), i, otherwise)
}

func (l *lowerer) callPure(s *callSite) []register.Operand {
	args := l.callArgs(s)
	dst := l.resultLocals(s)
	for _, d := range dst {
		if d != register.None {
			l.emit(register.Instr{Op: register.Pure, Dst: dst, Name: l.pureName(s), Args: args, Fails: s.info.Fails, Reads: s.info.Kind == calls.ReadOnly, Clock: s.info.Clock}.AsCall())
			break
		}
	}
	if s.info.IsZero && len(args) == 1 && len(dst) == 1 && dst[0] != register.None {
		zero := l.pure("zero", "eq", args[0], l.zero(l.argValues(s)[0].Type()))
		return []register.Operand{l.pure(l.resultHint(s, 0, "zero"), "choose", zero, register.Lit(register.LitTrue), register.L(dst[0]))}
	}
	return locals(dst)
}

// pureName is the name of a function without effect. One that is called like a function
// of the register language is another one: eq of a package may compare what pointers
// lead to. What is added to a list may be another list, in which there is more than one thing.
func (l *lowerer) pureName(s *callSite) string {
	name := s.info.Name
	if _, builtin := s.c.Value.(*ssa.Builtin); builtin && name == register.Append && l.appendsAll(s) {
		return register.AppendAll
	}
	if !register.Interpreted[name] {
		return name
	}
	if callee := s.c.StaticCallee(); callee != nil && callee.Object() != nil && callee.Object().Pkg() != nil {
		return callee.Object().Pkg().Name() + "." + name
	}
	return "func " + name
}

// appendsAll reports whether what is added to a list is another one, in which there may be any number of things.
func (l *lowerer) appendsAll(s *callSite) bool {
	if len(s.c.Args) < 2 {
		return false
	}
	_, each := l.lists[s.c.Args[1]]
	return !each
}

// callFresh makes the first result with an identity new, of the type that it
// has or points to. Two that were made from the same arguments are alike.
func (l *lowerer) callFresh(s *callSite) []register.Operand {
	args := l.callArgs(s)
	if s.val == nil {
		return nil
	}
	if _, list := types.Unalias(s.val.Type()).(*types.Slice); list && isClone(s.c.StaticCallee()) {
		return l.callClone(s)
	}
	dst := l.resultLocals(s)
	made := false
	for i, d := range dst {
		t := signature(s.c).Results().At(i).Type()
		if !made && isPointerLike(t) {
			made = true
			if d != register.None {
				l.emit(register.Instr{Op: register.Fresh, Dst: dst[i : i+1], Name: l.Site(typeName(pointee(t)) + register.MadeSite), Args: args, Fails: s.info.Fails})
				l.setNonNil(l.block, register.L(d))
			}
		} else if d != register.None {
			l.emit(register.Instr{Op: register.Unknown, Dst: dst[i : i+1], Name: l.Site(s.info.Name), Args: args}.AsCall())
		}
	}
	return locals(dst)
}

// isClone reports whether a function is the one of the standard library that copies a list.
func isClone(fn *ssa.Function) bool {
	if fn == nil || fn.Object() == nil || fn.Object().Pkg() == nil || fn.Object().Name() != "Clone" {
		return false
	}
	path := fn.Object().Pkg().Path()
	return path == "slices" || path == "bytes"
}

// callClone makes a list that is as long as the one that it is a copy of.
func (l *lowerer) callClone(s *callSite) []register.Operand {
	dst := l.resultLocals(s)
	if dst[0] == register.None {
		return locals(dst)
	}
	of := l.operand(s.c.Args[0])
	n := l.pure(register.Length, register.Length, of)
	l.emitted().Part = 1 // it was made with it
	l.emit(register.Instr{Op: register.Fresh, Dst: dst, Name: l.Site(typeName(s.val.Type())), Args: []register.Operand{n, of}})
	return locals(dst)
}

// callSame returns its first argument.
func (l *lowerer) callSame(s *callSite) []register.Operand {
	vs := l.argValues(s)
	if len(vs) == 0 || s.n == 0 {
		return l.callUnknown(s)
	}
	if isPointerLike(vs[0].Type()) {
		l.notNil(vs[0], nilDereference)
	}
	results := []register.Operand{l.operand(vs[0])}
	for i := 1; i < s.n; i++ {
		r := register.NoOperand
		if s.uses(i) {
			r = l.result(s, i, results[0])
		}
		results = append(results, r)
	}
	return results
}

func (l *lowerer) lock(s *callSite) []register.Operand {
	op, mode := register.Lock, "w"
	if s.info.Kind == calls.Unlock {
		op = register.Unlock
	}
	if s.info.Shared {
		mode = "r"
	}
	mutex := s.info.Mutex
	if mutex == nil {
		vs := l.argValues(s)
		if len(vs) == 0 {
			return l.callUnknown(s)
		}
		mutex = vs[0]
	}
	o := l.lockOperand(mutex, s.info.LockKey)
	l.emit(register.Instr{Op: op, Name: mode, Args: []register.Operand{o}, Guard: s.info.Guard})
	return l.results(s, s.info.Name, nil)
}

// callUnknown has an effect on all that it gets. If that is a function value
// it may turn out to be known, and if it is an iterator its body is.
func (l *lowerer) callUnknown(s *callSite) []register.Operand {
	dynamic := !s.c.IsInvoke() && s.c.StaticCallee() == nil
	if dynamic || s.c.IsInvoke() {
		l.notNil(s.c.Value, nilDereference)
	}
	vs := l.argValues(s)
	if dynamic || slices.ContainsFunc(vs, isYieldClosure) {
		f := register.Lit(register.LitNil)
		if dynamic {
			f = l.operand(s.c.Value)
		}
		dst := l.resultLocals(s)
		args, outs := l.funcArgs(vs)
		l.dynamic(s.info.Name, f, args, slices.Concat(dst, outs)).Asks = s.asks()
		l.mayUnwind(s)
		return locals(dst)
	}
	l.emit(register.Instr{Op: register.Effect, Name: s.info.Name, Args: l.effectArgs(vs), Asks: s.asks(), Drawn: s.info.Drawn}.AsCall())
	l.mayUnwind(s)
	return l.results(s, s.info.Name, l.operands(vs))
}

func isYieldClosure(v ssa.Value) bool {
	mc, ok := v.(*ssa.MakeClosure)
	return ok && isYield(mc.Fn)
}

// dynamicPrefix begins the name of a Call of a function value, which is the
// first argument. The rest is how the source names it.
const dynamicPrefix = "dynamic:"

// dynamic calls a function value. Inline may find out what it is.
func (l *lowerer) dynamic(name string, f register.Operand, args []register.Operand, dst []register.Local) *register.Instr {
	args = append([]register.Operand{f}, args...)
	l.emit(register.Instr{Op: register.Call, Dst: dst, Name: dynamicPrefix + name, Args: args})
	return l.emitted()
}

// callClosure calls a function literal whose body is in plain sight.
func (l *lowerer) callClosure(s *callSite, fn *ssa.Function, mc *ssa.MakeClosure) []register.Operand {
	return l.inlinable(s, calls.FuncKey(fn), fn, mc, s.c.Args)
}

// inlinable emits a Call of fn, or of the closure mc made of it. Functions
// among the arguments may assign variables, then so does the call.
func (l *lowerer) inlinable(s *callSite, key string, fn *ssa.Function, mc *ssa.MakeClosure, vs []ssa.Value) []register.Operand {
	args, outs := l.funcArgs(vs)
	g := calls.GenericSignature(fn)
	for i, v := range vs {
		if g.Param(i) && !isTypeParam(v.Type()) {
			args[i] = l.boxedPointer(v, args[i])
		}
	}
	dst := l.resultLocals(s)
	if l.unwinds && l.block != nil && l.bodyPanics(fn, 3) {
		l.emit(register.Instr{Op: register.Omit, Name: register.OmitUnwind})
		l.unwind(s)
	}
	l.emitCall(key, fn, mc, args, dst, outs).Asks = s.asks()
	results := locals(dst)
	for i := range results {
		if g.Result(i) && s.uses(i) {
			results[i] = l.unboxedResult(s, i, results[i])
		}
	}
	return results
}

// unboxedResult is result i of a call, taken out of its interface.
func (l *lowerer) unboxedResult(s *callSite, i int, x register.Operand) register.Operand {
	of := signature(s.c).Results().At(i).Type()
	t := typeOf(of)
	if t.Kind != register.Pointer || !calls.NilMatters(s.val, i) && !l.holdsNil(of) {
		return x
	}
	return l.unboxedPointer(t, x, l.resultHint(s, i, namelessResult(s.val, i)))
}

// funcArgs are arguments, and the variables that functions among them assign.
func (l *lowerer) funcArgs(vs []ssa.Value) (args []register.Operand, outs []register.Local) {
	for _, v := range vs {
		arg, assigned := l.funcArg(v)
		args, outs = append(args, arg), append(outs, assigned...)
	}
	return args, outs
}

// emitCall emits a Call with the arguments that fn's program has: what the
// closure captures and the zero values of type arguments come before args. What
// it assigns comes after its results dst, and before what args assign.
func (l *lowerer) emitCall(key string, fn *ssa.Function, mc *ssa.MakeClosure, args []register.Operand, dst, outs []register.Local) *register.Instr {
	b := l.bindings(fn, mc)
	all := append(locals(b.outs), l.zeroArgs(fn)...)
	all = append(append(all, b.ins...), args...)
	if recovers(fn) {
		all = append(all, l.panicking)
	}
	l.funcs[key] = fn
	dst = slices.Concat(dst, b.outs, outs)
	l.emit(register.Instr{Op: register.Call, Dst: dst, Name: key, Args: all})
	return l.emitted()
}

// zeroArgs are the zero values of fn's type arguments. A closure has those of
// the function around it.
func (l *lowerer) zeroArgs(fn *ssa.Function) []register.Operand {
	var args []register.Operand
	targs := fn.TypeArgs()
	for i, name := range typeParamNames(fn) {
		switch z, own := l.zeros[name]; {
		case fn.Parent() == nil && i < len(targs):
			args = append(args, l.zero(targs[i]))
		case own:
			args = append(args, register.L(z))
		default:
			args = append(args, register.Lit("{zero "+name+"}"))
		}
	}
	return args
}

// callback calls a function value with n results, a closure in plain sight or
// not. It gives the results that wanted asks for.
func (l *lowerer) callback(f ssa.Value, args []register.Operand, hints []string) []register.Operand {
	dst := make([]register.Local, len(hints))
	for i, h := range hints {
		dst[i] = l.Local(h)
	}
	if fn, mc := l.caps.closure(f); fn != nil {
		l.emitCall(calls.FuncKey(fn), fn, mc, args, dst, nil).Asks = len(dst) > 0
	} else {
		l.dynamic(valuePath(f), l.operand(f), args, dst).Asks = len(dst) > 0
	}
	return locals(dst)
}

// callOnce runs a function the first time. Whether this is the first time
// nobody can tell.
func (l *lowerer) callOnce(s *callSite) []register.Operand {
	if s.info.Callback == nil {
		return l.callUnknown(s)
	}
	args := l.callArgs(s)
	first, done := l.branch(l.unknownOf("first", s.info.Name, args[:min(1, len(args))]...))
	l.cur = first
	l.callback(s.info.Callback, nil, make([]string, resultCount(s.info.Callback)))
	l.jump(done)
	return l.results(s, s.info.Name, nil)
}

// resultCount is the number of results of a function value.
func resultCount(f ssa.Value) int {
	if sig, ok := f.Type().Underlying().(*types.Signature); ok {
		return sig.Results().Len()
	}
	return 0
}

// builtin lowers a call of a built-in function.
func (l *lowerer) builtin(s *callSite, b *ssa.Builtin) []register.Operand {
	switch b.Name() {
	case "len", "cap":
		return l.length(s, b.Name())
	case "delete":
		if addr := l.memoryAt(s.CallInstruction); addr != nil {
			l.writeMemory(addr, s.c.Args[1], nil)
			return nil
		}
		l.effect("map delete", s.c.Args...)
	case "clear":
		if addr := l.memoryAt(s.CallInstruction); addr != nil {
			l.emptyMemory(addr)
			return nil
		}
		l.effect(register.ClearEffect, s.c.Args...)
	case "close":
		l.effect(register.CloseEffect, s.c.Args...)
	case "copy":
		l.effect(register.CopyEffect, s.c.Args...)
		return l.results(s, "copy", l.operands(s.c.Args))
	case "print", "println":
	case "panic":
		l.crash(register.Panicked, l.operands(s.c.Args)...)
	case "recover":
		return []register.Operand{l.recovered}
	case "ssa:wrapnilchk":
		l.notNil(s.c.Args[0], nilDereference)
		return []register.Operand{l.operand(s.c.Args[0])}
	case "ssa:deferstack":
		return []register.Operand{register.Lit("{deferstack}")}
	default: // append, min, max, complex, unsafe.Slice and the like
		dst := l.resultLocals(s)
		if len(dst) > 0 && dst[0] != register.None {
			name := b.Name()
			if name == register.Append && l.appendsAll(s) {
				name = register.AppendAll
			}
			l.emit(register.Instr{Op: register.Pure, Dst: dst, Name: name, Args: l.callArgs(s)})
		}
		return locals(dst)
	}
	return nil
}

// length is that of a value, or of what other goroutines may change.
func (l *lowerer) length(s *callSite, name string) []register.Operand {
	arg := s.c.Args[0]
	if addr := l.countedMap(s.CallInstruction); addr != nil {
		return []register.Operand{l.unknown(l.resultHint(s, 0, name), register.EntriesOf, l.operand(addr))}
	}
	_, isChan := arg.Type().Underlying().(*types.Chan)
	if stored := l.P.Stored[memoryOfMap(arg.Type())]; isChan || stored {
		n := l.results(s, name, []register.Operand{l.operand(arg)})
		if !stored || len(n) != 1 || n[0].IsNone() || neverNil(arg) {
			return n
		}
		hint := l.resultHint(s, 0, name)
		return []register.Operand{l.choose(hint, l.pure(hint, "eq", l.operand(arg), register.Lit(register.LitNil)), register.Lit("0"), n[0])}
	}
	n := l.pure(l.resultHint(s, 0, name), name, l.operand(arg))
	if _, isSlice := arg.Type().Underlying().(*types.Slice); isSlice && name == register.Length {
		l.emitted().Part = 1 // it was made with it
	}
	return []register.Operand{n}
}

// startsOver reports whether an instruction is a call of the function by itself, with what it was called with, of which it
// returns the results: that is a loop.
//
//	if entry.deleted {
//		return c.lockOrCreate(id)
//	}
func (l *lowerer) startsOver(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok || call.Call.StaticCallee() != l.fn || len(l.fn.FreeVars) > 0 || l.fn.Recover != nil || recovers(l.fn) || len(call.Call.Args) != len(l.fn.Params) {
		return false
	}
	for i, arg := range call.Call.Args {
		if arg != l.fn.Params[i] {
			return false
		}
	}
	return returnsAll(call)
}

// returnsAll reports whether nothing is done after a call but to return its results.
func returnsAll(call *ssa.Call) bool {
	b := call.Block()
	for _, instr := range b.Instrs[slices.Index(b.Instrs, ssa.Instruction(call))+1:] {
		switch instr := instr.(type) {
		case *ssa.DebugRef:
		case *ssa.Extract:
			if instr.Tuple != call {
				return false
			}
		case *ssa.Return:
			for i, v := range instr.Results {
				if !isResult(v, call, i) {
					return false
				}
			}
			return true
		default:
			return false
		}
	}
	return false
}

// isResult reports whether a value is the i-th result of a call.
func isResult(v ssa.Value, call *ssa.Call, i int) bool {
	if x, ok := v.(*ssa.Extract); ok {
		return x.Tuple == call && x.Index == i
	}
	return v == call && i == 0
}
