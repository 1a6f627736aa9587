// Package calls has what a call of a function means to a register program, as those
// who know libraries and locks say it to those who lower: a Resolver is asked, and an
// Info is its answer. One that knows of memory which a lock guards is a Memory as well,
// one that knows of locks which are no mutexes is a Locks, and one that knows of fields is
// a Fields.
package calls

import (
	"go/types"

	"github.com/mapatom/mapatom/internal/reduce/register"
	"golang.org/x/tools/go/ssa"
)

// Resolver says what each call of a function is. Lower asks it for every
// call and defer, except for closures whose body is in plain sight and for
// the built-in functions. It must answer alike when asked twice.
type Resolver interface {
	Call(fn *ssa.Function, call ssa.CallInstruction) Info
}

// Fields is a Resolver that knows which fields nobody changes once the object is made
// that they are part of.
type Fields interface {
	Constant(field *types.Var) bool
	// AtBirth is Constant, but for what other packages may do to an exported field.
	AtBirth(field *types.Var) bool
}

// Nils is a Resolver that knows of which pointer types a nil is put in a cell that holds
// interfaces.
type Nils interface {
	PutsNil(t types.Type) bool
}

// Errors is a Resolver that knows of which variables of a package the package changes the error: of all
// others it is one.
type Errors interface {
	SetsError(g *ssa.Global) bool
}

// Kind is what a call means to a register program.
type Kind int

const (
	// Unknown has an effect on its arguments and results that cannot be
	// predicted. It is what an empty Info says.
	Unknown Kind = iota
	// Pure is a function of its arguments, without effect.
	Pure
	// ReadOnly has no effect, but its results cannot be predicted.
	ReadOnly
	// Drawn has no effect, and gives something else at each call.
	Drawn
	// Quiet is dropped (logging, metrics); results are unknown.
	Quiet
	// Fresh is a constructor: its first pointer-like result is a new
	// identity, the other results are unknown. It has no effect.
	Fresh
	// Same returns its receiver or first argument (item.Value() of a
	// cache whose items stand for their values); nil panics.
	Same
	// Base is a base operation, described by Info.Base.
	Base
	// Table looks for Info.Base's key in a table that is only ever filled:
	// what it gives depends on the key alone.
	Table
	// Inline is a call of a function that Inline may splice in.
	Inline
	// Lock and Unlock take and release Info.Mutex.
	Lock
	Unlock
	// Blocking waits for another goroutine.
	Blocking
	// NoReturn ends the function (os.Exit, log.Fatal).
	NoReturn
	// Once runs Info.Callback at most once (sync.Once.Do).
	Once
)

// Info is the Resolver's answer. The ssa.Values in it are operands of
// the call, or of the bound method that it calls (see Callee).
type Info struct {
	Kind Kind
	// Name is how a person writes the callee: "(*Registry).get", "fmt.Errorf".
	// It becomes the name of the instruction.
	Name string
	// Key is Inline's key for Inline's lookup: FuncKey of the callee.
	Key string
	// Method is the method that a Inline through an interface goes to.
	Method *ssa.Function
	// Base describes a Base.
	Base *BaseCall
	// Mutex is the lock of Lock and Unlock: the receiver.
	Mutex ssa.Value
	// LockKey chooses one of the locks that Mutex has; nil if it is one.
	LockKey ssa.Value
	// Shared says that Lock or Unlock is that of a reader.
	Shared bool
	// Guard says that the lock guards memory which Memory knows of: until it is
	// released, what is done there is one step.
	Guard bool
	// Fails says that the last result is an error, and never nil.
	Fails bool
	// IsZero says that what the call gives is true if its only argument is the zero value of its type.
	IsZero bool
	// Clock says of ReadOnly that what the call gives goes by a clock.
	Clock bool
	// Drawn says that what the call gives, or what it fills, is drawn by lot.
	Drawn bool
	// Callback is Once's function.
	Callback ssa.Value
}

// BaseKind is the register form of a base operation.
type BaseKind string

const (
	// BaseLoad reads.
	BaseLoad BaseKind = "load"
	// BaseStore writes Value.
	BaseStore BaseKind = "store"
	// BaseDelete writes absent.
	BaseDelete BaseKind = "delete"
	// BaseInsert writes Value if the cell is absent.
	BaseInsert BaseKind = "insert"
	// BaseReplace writes Value if the cell is present.
	BaseReplace BaseKind = "replace"
	// BaseCAS writes New if the cell holds Old.
	BaseCAS BaseKind = "cas"
	// BaseCAD writes absent if the cell holds Old.
	BaseCAD BaseKind = "cad"
	// BaseUpdate writes Func(old, Delta).
	BaseUpdate BaseKind = "update"
	// BaseCompute writes what Callback returns.
	BaseCompute BaseKind = "compute"
	// BaseRange calls Callback for the entries of Map.
	BaseRange BaseKind = "range"
	// BaseWhole is another operation on the whole of Map (Len, Keys).
	BaseWhole BaseKind = "whole"
)

// Role is the meaning of one result of a base operation, or of one parameter
// or result of its callback.
type Role string

const (
	// RoleNone has no meaning: as a result it is unknown.
	RoleNone Role = "none"
	// RoleOld is the content before, Zero if absent.
	RoleOld Role = "old"
	// RoleHad says whether the cell was present before.
	RoleHad    Role = "had"
	RoleNotHad Role = "!had"
	// RoleActual is the content after, Zero if absent; where a compute has
	// deleted the entry, what it was.
	RoleActual Role = "actual"
	// RoleOk says whether the operation took place: a cas or an insert
	// wrote, anything else found the cell present. Of a compute it says
	// whether the cell is present after.
	RoleOk    Role = "ok"
	RoleNotOk Role = "!ok"
	// RoleNew is the value written; Zero if none.
	RoleNew Role = "new"
	// RoleErr is an error, nil if RoleOk.
	RoleErr Role = "err"
	// RoleItem is a pointer that stands for the old content, nil if absent.
	RoleItem Role = "item"
	// RoleKey and RoleValue are parameters of a callback: Key and Value.
	RoleKey   Role = "key"
	RoleValue Role = "value"
	// RoleDelete, RoleCancel and RoleOp are results of a compute's callback:
	// remove the entry, leave it alone, or a number (see BaseCall.OpWrite).
	RoleDelete Role = "delete"
	RoleCancel Role = "cancel"
	RoleOp     Role = "op"
	// RoleReturn is a compute's result that is its callback's first result.
	RoleReturn Role = "return"
)

// BaseCall describes one base operation. An ssa.Value that the operation does
// not have is nil.
type BaseCall struct {
	Kind BaseKind
	// Cell, Evicts and Zero are the cell's (see Cell). An empty Zero is nil.
	Cell   register.CellKind
	Evicts bool
	Zero   string

	Map ssa.Value
	Key ssa.Value // nil for an atomic

	Value ssa.Value // store, insert, replace; compute's RoleValue
	Old   ssa.Value // cas, cad
	New   ssa.Value // cas
	Delta ssa.Value // update; nil is 1

	// Func is update's function of the old content and Delta: one of
	// Interpreted ("add", "sub", "and", "or") or a name.
	Func string
	// FromZero says that an update of an absent cell starts from Zero;
	// otherwise it does nothing.
	FromZero bool

	// Callback is compute's or range's function, with the meaning of its
	// parameters and results. A range's callback that returns a bool ends the
	// range by false.
	Callback ssa.Value
	Params   []Role
	Returns  []Role
	// OnMiss and OnHit say that compute runs Callback only if the cell is
	// absent, or only if it is present.
	OnMiss, OnHit bool
	// OpWrite and OpDelete are the values of a RoleOp result that write and
	// remove; all others leave the entry alone.
	OpWrite, OpDelete string

	// Results are the roles of the call's results; missing ones are none.
	Results []Role
}

// FuncKey is the key of fn for Inline's lookup. Instances of a generic
// function share its key; so do a function and nobody else.
func FuncKey(fn *ssa.Function) string {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	return fn.String()
}

// Callee is the function that a call goes to and its arguments, the receiver
// first. A call through a method value (f := r.get; f(k)) goes to the method.
// It is nil, with the arguments as they are, if the callee is not known
// statically: an interface method, or a function value.
func Callee(call ssa.CallInstruction) (*ssa.Function, []ssa.Value) {
	c := call.Common()
	if c.IsInvoke() {
		return nil, c.Args
	}
	return calleeOf(c.Value, c.Args)
}

// calleeOf is Callee for a function value and the arguments it gets.
func calleeOf(f ssa.Value, args []ssa.Value) (*ssa.Function, []ssa.Value) {
	switch f := StripFunc(f).(type) {
	case *ssa.Function:
		return f, args
	case *ssa.MakeClosure:
		fn, ok := f.Fn.(*ssa.Function)
		if !ok {
			return nil, args
		}
		if !IsBound(fn) {
			return fn, args
		}
		if method := boundMethod(fn); method != nil {
			return method, append([]ssa.Value{f.Bindings[0]}, args...)
		}
	}
	return nil, args
}

// Bound is the method that a method value calls, and its receiver; nil if f is none.
func Bound(f *ssa.MakeClosure) (method *ssa.Function, recv ssa.Value) {
	fn, ok := f.Fn.(*ssa.Function)
	if !ok || !IsBound(fn) {
		return nil, nil
	}
	return boundMethod(fn), f.Bindings[0]
}

// stripFunc removes conversions between function types.
func StripFunc(v ssa.Value) ssa.Value {
	for {
		c, ok := v.(*ssa.ChangeType)
		if !ok {
			return v
		}
		v = c.X
	}
}

// isBound reports whether fn is what the SSA builder makes for a method
// value: a function whose only free variable is the receiver itself.
func IsBound(fn *ssa.Function) bool {
	return fn.Parent() == nil && len(fn.FreeVars) == 1 && fn.Synthetic != ""
}

// boundMethod is the method that the bound function calls; nil if that is a
// method of an interface.
func boundMethod(bound *ssa.Function) *ssa.Function {
	for _, b := range bound.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok && !call.Call.IsInvoke() {
				if args := call.Call.Args; len(args) > 0 && args[0] == bound.FreeVars[0] {
					return call.Call.StaticCallee()
				}
			}
		}
	}
	return nil
}
