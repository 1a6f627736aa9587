package guards

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A lock that is no mutex has mostly a type of its own, whose methods take it and give it
// back; some of them say whether they have it:
//
//	func (l *TryLock) Lock() error {
//		if !atomic.CompareAndSwapInt32(&l.n, 0, 1) { return errTwice }
//		return nil
//	}
//	func (l *TryLock) Unlock() { atomic.StoreInt32(&l.n, 0) }
//
// Whether an object of that type is a lock is a question to those who use it: it is one if
// whoever gives it back has it. So the methods are all that other packages are told.

// FlagOp is what a call does to an atomic that may be a lock.
type FlagOp int

const (
	// FlagOther is anything that a lock has not.
	FlagOther FlagOp = iota
	// FlagTake goes from free to taken, if it is free; the result says whether.
	FlagTake
	// FlagRelease makes it free.
	FlagRelease
	// FlagLook leaves it as it is.
	FlagLook
)

// LockCall is a call that takes or releases a lock.
type LockCall struct {
	// Mutex is the receiver: the lock, or its address.
	Mutex ssa.Value
	// Key chooses one of the locks that an object has; nil if it has one.
	Key ssa.Value
	// Release says that it releases the lock, Shared that it is a reader's.
	Release, Shared bool
}

// Locks says which calls take or release a lock.
type Locks func(ssa.CallInstruction) (LockCall, bool)

// When says which calls of a method have taken the lock.
type When int

const (
	// Always: each that returns.
	Always When = iota
	// IfTrue: those whose result is true.
	IfTrue
	// IfNil: those whose error is nil.
	IfNil
)

// ObjectOp is what a method does to its object, which may be a lock.
type ObjectOp struct {
	Op   FlagOp
	When When
	// Result is the number of the result by which it says so.
	Result int
	// Counted says that the object is a lock only if it was made for one.
	Counted bool
	// Key is the number of the argument that chooses one of the locks of the object, from one;
	// none if it has one.
	Key int
}

// Objects says what a call does to an object of another package, which may be a lock.
type Objects func(ssa.CallInstruction) (object ssa.Value, op ObjectOp, ok bool)

// PlaceOf is the address of the field or variable that an object is in, or that leads to it.
func PlaceOf(object ssa.Value) ssa.Value {
	if load, ok := object.(*ssa.UnOp); ok && load.Op == token.MUL {
		return load.X
	}
	return object
}

// whenTaken is the block that is only entered where a call has taken a lock; nil if there is
// none.
func whenTaken(call *ssa.Call, op ObjectOp) *ssa.BasicBlock {
	var says ssa.Value = call
	if t, ok := call.Type().(*types.Tuple); ok {
		if says = resultOf(call, op.Result); says == nil || op.Result >= t.Len() {
			return nil
		}
	}
	if op.When == IfTrue {
		return whenTrue(says)
	}
	return whenNil(says)
}

// resultOf is one of several results; nil if it is not used.
func resultOf(call *ssa.Call, i int) ssa.Value {
	for _, ref := range *call.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && x.Index == i {
			return x
		}
	}
	return nil
}

// whenTrue is the block that is only entered where a condition holds; nil if there is
// none.
func whenTrue(cond ssa.Value) *ssa.BasicBlock {
	for _, ref := range *cond.Referrers() {
		switch ref := ref.(type) {
		case *ssa.If:
			return onlyFrom(ref.Block().Succs[0])
		case *ssa.UnOp:
			if ref.Op != token.NOT {
				continue
			}
			for _, branch := range *ref.Referrers() {
				if branch, ok := branch.(*ssa.If); ok {
					return onlyFrom(branch.Block().Succs[1])
				}
			}
		}
	}
	return nil
}

// onlyFrom is b if there is one way into it.
func onlyFrom(b *ssa.BasicBlock) *ssa.BasicBlock {
	if len(b.Preds) != 1 {
		return nil
	}
	return b
}

// whenNil is the block that is only entered where a value is nil; nil if there is none.
func whenNil(v ssa.Value) *ssa.BasicBlock {
	for _, ref := range *v.Referrers() {
		cmp, ok := ref.(*ssa.BinOp)
		if !ok || !isNil(cmp.X) && !isNil(cmp.Y) {
			continue
		}
		for _, use := range *cmp.Referrers() {
			br, ok := use.(*ssa.If)
			switch {
			case ok && cmp.Op == token.EQL:
				return onlyFrom(br.Block().Succs[0])
			case ok && cmp.Op == token.NEQ:
				return onlyFrom(br.Block().Succs[1])
			}
		}
	}
	return nil
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// chosenBlock is where a select goes that has chosen a channel; nil if that is not
// certain.
func chosenBlock(sel *ssa.Select, ch ssa.Value) *ssa.BasicBlock {
	index := int64(-1)
	for i, s := range sel.States {
		if s.Chan == ch {
			index = int64(i)
		}
	}
	for _, ref := range *sel.Referrers() {
		which, ok := ref.(*ssa.Extract)
		if !ok || which.Index != 0 {
			continue
		}
		for _, use := range *which.Referrers() {
			cmp, ok := use.(*ssa.BinOp)
			if !ok || cmp.Op != token.EQL {
				continue
			}
			if c, ok := cmp.Y.(*ssa.Const); ok && c.Int64() == index {
				return whenTrue(cmp)
			}
		}
	}
	return nil
}

// WhenReceived is the block that is only entered once something was received from a channel by an
// instruction, or the channel was closed; nil if there is none. Where there is but one instruction that
// receives, that is its own.
func WhenReceived(instr ssa.Instruction, ch ssa.Value) *ssa.BasicBlock {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		if instr.Op == token.ARROW {
			return instr.Block()
		}
	case *ssa.Select:
		if instr.Blocking && len(instr.States) == 1 {
			return instr.Block()
		}
		return chosenBlock(instr, ch)
	}
	return nil
}

// event is what happens to a lock in one of the methods of its type.
type event struct {
	instr   ssa.Instruction
	release bool
	into    *ssa.BasicBlock
	// returned says that the method returns whether it has taken it.
	returned bool
	// perhaps says that it need not happen on all ways: an entry is given back if it is there.
	perhaps bool
}

// receiverOf is the type of which a function is a method; nil if it is none.
func receiverOf(fn *ssa.Function) *types.Named {
	if fn.Signature.Recv() == nil || fn.Parent() != nil {
		return nil
	}
	t := types.Unalias(fn.Signature.Recv().Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok {
		return nil
	}
	return named.Origin()
}

// delegated is what a call of another method of the same object does.
func delegated(instr ssa.Instruction, fn *ssa.Function, known map[*ssa.Function]ObjectOp) (event, bool) {
	call, ok := instr.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil {
		return event{}, false
	}
	callee := call.Call.StaticCallee()
	if o := callee.Origin(); o != nil {
		callee = o
	}
	op, ok := known[callee]
	if !ok || op.Op == FlagLook || call.Call.Args[0] != ssa.Value(fn.Params[0]) {
		return event{}, false
	}
	ev := event{instr: call, release: op.Op == FlagRelease}
	if !ev.release && op.When != Always {
		ev.into = whenTaken(call, op)
		ev.returned = ev.into == nil && op.When == IfTrue && isReturned(call)
		if ev.into == nil && !ev.returned {
			return event{instr: call, release: true}, true // it is not known whether
		}
	}
	return ev, true
}

// isReturned reports whether the only thing that is done with what a call says is to return it.
func isReturned(call *ssa.Call) bool {
	some := false
	for _, ref := range *call.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.Return:
			if len(ref.Results) != 1 {
				return false
			}
			some = true
		default:
			return false
		}
	}
	return some
}

// opOf is what a method is, that does some things to the lock; false if it is not known.
func opOf(fn *ssa.Function, events []event) (ObjectOp, bool) {
	returns := returnsOf(fn)
	if len(events) == 0 || len(returns) == 0 {
		return ObjectOp{}, false
	}
	if all(events, func(ev event) bool { return ev.release }) {
		for _, ev := range events {
			_, isDeferred := ev.instr.(*ssa.Defer)
			if ev.perhaps || !isDeferred && all(returns, func(r *ssa.Return) bool { return ev.instr.Block().Dominates(r.Block()) }) {
				return ObjectOp{Op: FlagRelease}, true
			}
		}
		return ObjectOp{}, false
	}
	if len(events) != 1 {
		return ObjectOp{}, false
	}
	ev := events[0]
	if ev.returned {
		return ObjectOp{Op: FlagTake, When: IfTrue}, fn.Signature.Results().Len() == 1
	}
	from := ev.into
	if from == nil {
		from = ev.instr.Block()
	}
	return takes(fn, returns, func(r *ssa.Return) bool { return from.Dominates(r.Block()) })
}

// takes is what a function is that has the lock at some of its returns.
func takes(fn *ssa.Function, returns []*ssa.Return, has func(*ssa.Return) bool) (ObjectOp, bool) {
	if all(returns, has) {
		return ObjectOp{Op: FlagTake}, true
	}
	for i := range fn.Signature.Results().Len() {
		op := ObjectOp{Op: FlagTake, Result: i}
		switch t := fn.Signature.Results().At(i).Type(); {
		case types.Identical(t, types.Typ[types.Bool]):
			op.When = IfTrue
		case types.Identical(t, types.Universe.Lookup("error").Type()):
			op.When = IfNil
		default:
			continue
		}
		if all(returns, func(r *ssa.Return) bool {
			return has(r) == saysTaken(r.Results[i], op.When) && isSure(r.Results[i], op.When)
		}) {
			return op, true
		}
	}
	return ObjectOp{}, false
}

// saysTaken reports whether a result says that the lock was taken.
func saysTaken(v ssa.Value, when When) bool {
	c, ok := v.(*ssa.Const)
	switch {
	case !ok:
		return false
	case when == IfNil:
		return c.IsNil()
	}
	return c.Value != nil && c.Value.String() == "true"
}

// isSure reports whether a result says one thing only: an error that is returned where the lock
// was not taken is taken not to be nil.
func isSure(v ssa.Value, when When) bool {
	switch v.(type) {
	case *ssa.Const:
		return true
	case *ssa.Phi:
		return false
	}
	return when == IfNil
}

func returnsOf(fn *ssa.Function) []*ssa.Return {
	var out []*ssa.Return
	for _, b := range fn.Blocks {
		if b == fn.Recover {
			continue
		}
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			out = append(out, r)
		}
	}
	return out
}

func all[T any](some []T, is func(T) bool) bool {
	for _, s := range some {
		if !is(s) {
			return false
		}
	}
	return true
}
