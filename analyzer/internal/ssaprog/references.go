package ssaprog

import (
	"go/types"

	"github.com/mapatom/mapatom/internal/reduce/calls"
	"golang.org/x/tools/go/ssa"
)

// references are the uses of a package's functions in the package itself.
type references struct {
	Calls map[*ssa.Function][]ssa.CallInstruction
	// Started are the go statements that start it, and calls such as WaitGroup.Go.
	Started map[*ssa.Function][]ssa.CallInstruction
	Values  map[*ssa.Function]bool
	// Invoked are the names of methods called through interfaces.
	Invoked map[string]bool
}

func findReferences(funcs []*ssa.Function) *references {
	r := &references{
		Calls:   map[*ssa.Function][]ssa.CallInstruction{},
		Started: map[*ssa.Function][]ssa.CallInstruction{},
		Values:  map[*ssa.Function]bool{},
		Invoked: map[string]bool{},
	}
	for _, fn := range funcs {
		r.body(fn)
	}
	// Package variables are initialized by a function that has no source.
	if len(funcs) > 0 && funcs[0].Pkg != nil {
		if init := funcs[0].Pkg.Func("init"); init != nil {
			r.body(init)
		}
	}
	return r
}

func (r *references) body(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			r.instr(instr)
		}
	}
}

func (r *references) instr(instr ssa.Instruction) {
	var callee, begins ssa.Value
	if call, ok := instr.(ssa.CallInstruction); ok {
		r.call(call)
		callee, begins = call.Common().Value, calls.StartedBeside(call)
	}
	if mc, ok := instr.(*ssa.MakeClosure); ok {
		r.closure(mc)
		return
	}
	skipped := false
	for _, op := range instr.Operands(nil) {
		fn, ok := (*op).(*ssa.Function)
		if !ok {
			continue
		}
		if ssa.Value(fn) == begins {
			continue
		}
		if ssa.Value(fn) == callee && !skipped {
			skipped = true // once: f(f) passes it as well
			continue
		}
		r.Values[Declared(fn)] = true
	}
}

// Declared is the function with the body of fn.
func Declared(fn *ssa.Function) *ssa.Function {
	if o := fn.Origin(); o != nil {
		return o
	}
	if isMade(fn) { // a method expression stands for the method
		if obj, ok := fn.Object().(*types.Func); ok {
			if m := fn.Prog.FuncValue(obj); m != nil {
				return m
			}
		}
	}
	return fn
}

func (r *references) call(call ssa.CallInstruction) {
	if c := call.Common(); c.IsInvoke() {
		r.Invoked[c.Method.Name()] = true
		return
	}
	if calls.Beginning(call) != nil {
		if fn, _ := calls.Begins(call); fn != nil {
			r.Started[Declared(fn)] = append(r.Started[Declared(fn)], call)
		}
	}
	fn, _ := calls.Callee(call)
	if _, isGo := call.(*ssa.Go); fn == nil || isGo {
		return
	}
	r.Calls[Declared(fn)] = append(r.Calls[Declared(fn)], call)
}

// closure notes a literal or a method value that is used as a value. One that
// is only called is a call, and noted there.
func (r *references) closure(mc *ssa.MakeClosure) {
	fn, ok := mc.Fn.(*ssa.Function)
	if !ok {
		return
	}
	for _, ref := range *mc.Referrers() {
		call, ok := ref.(ssa.CallInstruction)
		if ok && calls.StartedBeside(call) == ssa.Value(mc) {
			continue
		}
		if !ok || call.Common().Value != ssa.Value(mc) || IsArg(call, mc) {
			r.Values[Declared(fn)] = true
			return
		}
	}
}

// Escapes reports whether fn is used as a value, so that not all its calls are
// known; or, for a method, whether it may be called through an interface. Go
// statements do not count: see started.
func (ps *Programs) Escapes(fn *ssa.Function) bool {
	return ps.Refs.Values[fn] || fn.Signature.Recv() != nil && ps.Refs.Invoked[fn.Name()]
}

// Started reports whether fn is what a go statement starts.
func (ps *Programs) Started(fn *ssa.Function) bool { return len(ps.Starts(fn)) > 0 }

// Starts are the go statements, and what else there is, that start fn.
func (ps *Programs) Starts(fn *ssa.Function) []ssa.CallInstruction { return ps.Refs.Started[fn] }

// Callers are the static calls of fn in the package, deferred ones included,
// go statements not, in the order of the source.
func (ps *Programs) Callers(fn *ssa.Function) []ssa.CallInstruction { return ps.Refs.Calls[fn] }

// Exported reports whether other packages, or the runtime, can call fn. A
// method of an unexported type can be promoted or reached by an interface; one of
// a type that is kept from others altogether is not exported.
func (ps *Programs) Exported(fn *ssa.Function) bool {
	obj := fn.Object()
	if obj == nil || fn.Parent() != nil {
		return false
	}
	name := obj.Name()
	runtime := fn.Signature.Recv() == nil && (name == "init" || name == "main" && ps.Pass.Pkg.Name() == "main")
	return obj.Exported() && !ps.onlyHere(fn) || runtime
}

// Tested reports whether a body that is left out names fn: somebody calls it.
func (ps *Programs) Tested(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	return ok && ps.Named[obj.FullName()]
}
