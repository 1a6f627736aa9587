package ssaprog

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/analyzer/internal/guards"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/mapatom/mapatom/reduce"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Resolver says what the calls of one package are. It goes by the tables, by
// the bodies of the package's own functions, by what other packages exported,
// and by names, in this order.
type Resolver struct {
	pass *analysis.Pass
	Cat  *catalog.Catalog
	// repointed are the names of the memory in which a pointer is replaced; see Repointed.
	repointed map[string]bool
	// touching are the functions of this package that touch a cell, or that
	// take or release a lock for their caller, by themselves or through
	// functions that they call.
	touching map[*ssa.Function]bool
	Sums     *summaries
	// syntax finds calls by their opening parenthesis.
	syntax map[token.Pos]*ast.CallExpr
	// known has the answers given.
	known map[ssa.CallInstruction]calls.Info
	ops   map[register.Pos]Call
	// calls are the calls of functions that are inlined, with the type of
	// the last argument as what they store.
	calls map[register.Pos]Call
	// callees are the functions of the package, and those that the SSA
	// builder made, by the keys of their calls.
	callees map[string]*ssa.Function
	// imports are the programs of other packages' functions, by the keys
	// that calls of them have.
	imports map[string]imported
	// names has the name that a person reads for each key.
	names   map[string]string
	classes map[*types.Func]catalog.Class
	*soles
	// guarded is the plain memory that is looked at.
	guarded *guardedMemory
	// atomics are the variables and fields that are given to functions of sync/atomic.
	atomics map[string]bool
	// errors are the variables of the package in which its functions put errors.
	errors map[*ssa.Global]bool
	// nils are the pointer types of which a nil is put in an interface for a cell.
	nils []types.Type
	// instances are found when they are asked for.
	instances *instances
}

// Operation is a call of an operation in the source.
type Operation struct {
	// Name is the method as the source calls it: "Load".
	Name     string
	Pos, End token.Pos
	// Plain says that it is an access to plain memory, and Name says which: "read".
	Plain bool
	// Text is the position in the register program.
	Text register.Pos
}

// An Call is a base operation as the source has it.
type Call struct {
	Operation
	// Stored is the static type of what it stores before that was put in an
	// interface; nil if it stores nothing.
	Stored types.Type
	// Wrapper says that the call is of a function that makes the base
	// operation, in this package or another one.
	Wrapper bool
}

// imported is a function of another package with a program: as text, with the
// zero values of the type arguments that it is called with, or as such.
type imported struct {
	text    string
	zeros   []string
	program *register.Program
}

func newResolver(pass *analysis.Pass, cat *catalog.Catalog, funcs []*ssa.Function) *Resolver {
	r := &Resolver{
		pass: pass, Cat: cat,
		syntax:  map[token.Pos]*ast.CallExpr{},
		known:   map[ssa.CallInstruction]calls.Info{},
		ops:     map[register.Pos]Call{},
		calls:   map[register.Pos]Call{},
		callees: map[string]*ssa.Function{},
		imports: map[string]imported{},
		names:   map[string]string{},
		classes: map[*types.Func]catalog.Class{},
		soles:   newSoles(pass.Pkg),
	}
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				r.syntax[call.Lparen] = call
			}
			return true
		})
	}
	for _, fn := range funcs {
		calls.PutsNil(fn, r.mayStore, r.noteNil)
	}
	r.findGuarded(funcs)
	r.findAtomics(funcs)
	r.findErrors(funcs)
	r.touching = r.findTouching(funcs)
	r.Sums = newSummaries(r, funcs)
	return r
}

// Call implements reduce.Resolver.
func (r *Resolver) Call(fn *ssa.Function, call ssa.CallInstruction) calls.Info {
	if info, ok := r.known[call]; ok {
		return info
	}
	info := r.resolve(call)
	r.known[call] = info
	return info
}

// resolve finds the answer.
func (r *Resolver) resolve(call ssa.CallInstruction) calls.Info {
	info, t, body := r.direct(call)
	if body != nil {
		info = r.localCall(call, body, t, info.Name)
	}
	info.Drawn = info.Kind == calls.Drawn || t.obj != nil && t.obj.Pkg() != nil && r.Cat.DrawsLots(t.obj.Pkg().Path())
	return info
}

// direct is the answer as far as it does not depend on what the package's own
// functions do. For a call of one of them, it is that function's body.
func (r *Resolver) direct(call ssa.CallInstruction) (calls.Info, target, *ssa.Function) {
	if info, ok := r.iterated(call); ok {
		return info, target{}, nil
	}
	t := targetOf(call)
	if t.obj == nil {
		return calls.Info{}, t, nil
	}
	name := r.funcName(t.obj)
	if info, ok := r.byTable(call, t, name); ok {
		return info, t, nil
	}
	if isMade(t.fn) {
		return r.inline(call, t.fn, name), t, nil
	}
	if fn := r.sole(call); fn != nil {
		t.fn, t.obj = fn, fn.Object().(*types.Func)
	}
	if body := r.Local(t.fn); body != nil {
		return calls.Info{Name: name}, t, body
	}
	return r.foreign(call, t, name), t, nil
}

// byTable is the answer of the tables, or by sync.Map's shape.
func (r *Resolver) byTable(call ssa.CallInstruction, t target, name string) (calls.Info, bool) {
	if info, ok := r.flagLock(call, name); ok {
		return info, true
	}
	if op, ok := r.Cat.Lookup(t.obj); ok {
		if t.wraps(op.Type.Name != "") {
			return r.inline(call, t.fn, name), true
		}
		return r.operation(call, t, op, name), true
	}
	if op, ok := r.shaped(t); ok {
		return r.operation(call, t, op, name), true
	}
	if info, ok := r.runner(t, name); ok {
		return info, true
	}
	if isErrorOfDone(call, t) {
		return calls.Info{Kind: calls.Pure, Name: register.AfterDone}, true
	}
	c := r.Classify(t.obj)
	if c == catalog.Quiet && r.Local(t.fn) != nil {
		// A metrics library's own functions are not quiet to itself.
		return calls.Info{}, false
	}
	return r.byClass(call, c, t, name)
}

// Classify is the catalog's Classify; it looks at many patterns.
func (r *Resolver) Classify(fn *types.Func) catalog.Class {
	c, ok := r.classes[fn]
	if !ok {
		c = r.Cat.Classify(fn)
		r.classes[fn] = c
	}
	return c
}

// isMade reports whether the SSA builder made fn, with a body that calls
// something else: for a method expression of a promoted method, say.
func isMade(fn *ssa.Function) bool {
	return fn != nil && fn.Synthetic != "" && fn.Origin() == nil && len(fn.Blocks) > 0
}

// A target is what a call goes to. Its object is nil if that is not known, and
// its fn if it is a method of an interface.
type target struct {
	obj  *types.Func
	fn   *ssa.Function
	recv ssa.Value // nil if there is none
	args []ssa.Value
}

// targetOf sees through method values, also of interfaces.
func targetOf(call ssa.CallInstruction) target {
	c := call.Common()
	if c.IsInvoke() {
		return target{obj: c.Method, recv: c.Value, args: c.Args}
	}
	fn, args := calls.Callee(call)
	if fn == nil {
		return boundInvoke(c)
	}
	t := target{fn: fn, args: args}
	t.obj, _ = fn.Object().(*types.Func)
	if t.obj != nil && t.obj.Signature().Recv() != nil && len(args) > 0 {
		t.recv, t.args = args[0], args[1:]
	}
	return t
}

// boundInvoke is the target of a call of i.Method that was made a value.
func boundInvoke(c *ssa.CallCommon) target {
	mc, ok := c.Value.(*ssa.MakeClosure)
	if !ok || len(mc.Bindings) != 1 {
		return target{args: c.Args}
	}
	fn, ok := mc.Fn.(*ssa.Function)
	if !ok || fn.Parent() != nil || !types.IsInterface(mc.Bindings[0].Type()) {
		return target{args: c.Args}
	}
	obj, _ := fn.Object().(*types.Func)
	return target{obj: obj, recv: mc.Bindings[0], args: c.Args}
}

// wraps reports whether the call goes to a function of the SSA builder that
// selects an embedded field before it calls the method: (*T).Load, for a T
// that embeds a map. The receiver is the T then, and not the map.
func (t target) wraps(method bool) bool {
	if !method || t.fn == nil || t.recv == nil {
		return false
	}
	return Named(t.recv.Type()) != Named(t.obj.Signature().Recv().Type())
}

// inline is a call of a function with a body.
func (r *Resolver) inline(call ssa.CallInstruction, fn *ssa.Function, name string) calls.Info {
	k := calls.FuncKey(fn)
	r.callees[k] = fn
	r.names[k] = name
	r.noteCall(call, fn)
	info := calls.Info{Kind: calls.Inline, Name: name, Key: k}
	if call.Common().IsInvoke() {
		info.Method = fn
	}
	return info
}

// shaped finds operations of types that look like a map: interfaces, and types
// of other packages that said nothing about themselves. The body of one of this
// package is at hand, and a wrapper may itself be the bug.
func (r *Resolver) shaped(t target) (*catalog.Op, bool) {
	if t.recv == nil {
		return nil, false
	}
	op, ok := catalog.LookupShape(t.recv.Type(), t.obj)
	if !ok {
		return nil, false
	}
	if t.fn == nil {
		return op, true
	}
	if t.wraps(true) || r.Local(t.fn) != nil || isMade(t.fn) {
		return nil, false
	}
	fact := r.pass.ImportObjectFact(t.obj.Origin(), new(programFact))
	return op, !fact
}

// runners are functions that call a function that they get, at most once and
// before they return, with the index of that argument.
var runners = map[string]int{
	"(*sync.Once).Do": 0,
	"(*golang.org/x/sync/singleflight.Group).Do": 1,
}

// runner recognizes the functions of the table above.
func (r *Resolver) runner(t target, name string) (calls.Info, bool) {
	i, ok := runners[vendorless(t.obj.FullName())]
	if !ok || i >= len(t.args) {
		return calls.Info{}, false
	}
	// What it runs, it runs once for all callers: not as a part of this
	// call. The function is looked at by itself.
	return calls.Info{Kind: calls.Quiet, Name: name}, true
}

// timers are the functions that run one of their arguments later, in a goroutine of
// its own, with the index of that argument.
var timers = map[string]int{
	"time.AfterFunc":     1,
	"context.AfterFunc":  1,
	"runtime.AddCleanup": 1,
}

// timed is the function that a call has run later; nil if it has none.
func (r *Resolver) timed(call ssa.CallInstruction) ssa.Value {
	t := targetOf(call)
	if t.obj == nil {
		return nil
	}
	i, ok := timers[t.obj.FullName()]
	if !ok || i >= len(t.args) {
		return nil
	}
	return t.args[i]
}

// classKinds are the classes that need nothing but a name.
var classKinds = map[catalog.Class]calls.Kind{
	catalog.Pure: calls.Pure, catalog.IsZero: calls.Pure, catalog.ReadOnly: calls.ReadOnly, catalog.Clock: calls.ReadOnly, catalog.Drawn: calls.Drawn,
	catalog.Quiet: calls.Quiet, catalog.Fresh: calls.Fresh,
	catalog.Blocking: calls.Blocking,
	catalog.NoReturn: calls.NoReturn, catalog.Panics: calls.NoReturn,
}

// byClass is a call of a function of which the tables know the class.
func (r *Resolver) byClass(call ssa.CallInstruction, c catalog.Class, t target, name string) (calls.Info, bool) {
	if kind, ok := classKinds[c]; ok {
		return calls.Info{Kind: kind, Name: name, IsZero: c == catalog.IsZero, Clock: c == catalog.Clock}, true
	}
	info := calls.Info{Name: name, Mutex: t.recv, Guard: r.guarded.isGuard(t.recv), Shared: c == catalog.RLock || c == catalog.RUnlock || c == catalog.TryRLock}
	switch c {
	case catalog.Lock, catalog.RLock, catalog.TryLock, catalog.TryRLock:
		// Who fails to take a lock is expected to leave the data alone.
		info.Kind = calls.Lock
	case catalog.Unlock, catalog.RUnlock:
		info.Kind = calls.Unlock
	default:
		return calls.Info{}, false
	}
	if t.wraps(true) {
		return r.inline(call, t.fn, name), true
	}
	return info, t.recv != nil
}

// findErrors notes the variables in which functions put errors.
func (r *Resolver) findErrors(funcs []*ssa.Function) {
	r.errors = map[*ssa.Global]bool{}
	for _, fn := range funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				st, ok := instr.(*ssa.Store)
				if !ok {
					continue
				}
				if g, ok := st.Addr.(*ssa.Global); ok && types.Identical(Deref(g.Type()), types.Universe.Lookup("error").Type()) {
					r.errors[g] = true
				}
			}
		}
	}
}

// SetsError implements calls.Errors.
func (r *Resolver) SetsError(g *ssa.Global) bool { return r.errors[g] }

// isErrorOfDone reports whether a call asks a context for its error where it is done:
//
//	case <-ctx.Done():
//		return ctx.Err()
//
// It is not nil then, and does not change any more.
func isErrorOfDone(call ssa.CallInstruction, t target) bool {
	if t.recv == nil || t.obj.FullName() != "(context.Context).Err" || t.recv.Referrers() == nil {
		return false
	}
	for _, ref := range *t.recv.Referrers() {
		done, ok := ref.(*ssa.Call)
		if !ok || targetOf(done).obj == nil || targetOf(done).obj.FullName() != "(context.Context).Done" {
			continue
		}
		for _, use := range *done.Referrers() {
			at := guards.WhenReceived(use, done)
			switch b := call.Block(); {
			case at == nil || !at.Dominates(b):
			case at != b || use.Block() != b || slices.Index(b.Instrs, use) < slices.Index(b.Instrs, ssa.Instruction(call)):
				return true
			}
		}
	}
	return false
}

// Local is the function of this package with the body of fn; nil if it is of
// another package or has none.
func (r *Resolver) Local(fn *ssa.Function) *ssa.Function {
	if fn == nil {
		return nil
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Pkg == nil || fn.Pkg.Pkg != r.pass.Pkg || len(fn.Blocks) == 0 {
		return nil
	}
	return fn
}

// localCall is a call of a function of this package.
func (r *Resolver) localCall(call ssa.CallInstruction, fn *ssa.Function, t target, name string) calls.Info {
	if r.touching[fn] || takesFunc(fn) || isSmall(fn) && !r.Sums.puts(fn) {
		return r.inline(call, t.fn, name)
	}
	return calls.Info{Kind: r.Sums.Of(fn).kind(), Name: name, Fails: r.Sums.alwaysFails(fn)}
}

// takesFunc reports whether the function has a function among its parameters:
// what that does is up to the caller, who can see it.
func takesFunc(fn *ssa.Function) bool {
	for _, p := range fn.Params {
		if _, ok := p.Type().Underlying().(*types.Signature); ok {
			return true
		}
	}
	return false
}

// A function of this size says more by its body than by any summary: that it
// returns a field, or whether something is nil.
const (
	maxSmallInstrs = 12
	maxSmallBlocks = 4
)

func isSmall(fn *ssa.Function) bool {
	if len(fn.Blocks) > maxSmallBlocks {
		return false
	}
	n := 0
	for _, b := range fn.Blocks {
		n += len(b.Instrs)
		for _, s := range b.Succs {
			if s.Dominates(b) {
				return false // a loop: a summary says more than going round
			}
		}
	}
	return n <= maxSmallInstrs
}

// foreign is a call of a function whose body is not at hand.
func (r *Resolver) foreign(call ssa.CallInstruction, t target, name string) calls.Info {
	var prog programFact
	if r.pass.ImportObjectFact(t.obj.Origin(), &prog) && t.fn != nil {
		info := calls.Info{Kind: calls.Inline, Name: name, Key: r.importKey(call, t, prog.Text, name)}
		if call.Common().IsInvoke() {
			info.Method = t.fn
		}
		return info
	}
	var sum summaryFact
	if r.pass.ImportObjectFact(t.obj.Origin(), &sum) {
		return calls.Info{Kind: sum.Class.kind(), Name: name}
	}
	if sum := importedResult(r.pass, t.obj.Origin()); sum != Effectful {
		return calls.Info{Kind: sum.kind(), Name: name}
	}
	if info, ok := r.byClass(call, r.Cat.Guess(t.obj), t, name); ok {
		return info
	}
	return calls.Info{Name: name}
}

// importKey is a key for an instance of another package's function. Its
// program has the zero values of its type parameters as parameters; a call
// does not give them, since Lower has not seen the function's declaration.
func (r *Resolver) importKey(call ssa.CallInstruction, t target, text, name string) string {
	imp := imported{text: text}
	for _, targ := range t.fn.TypeArgs() {
		zero := reduce.ZeroLiteral(targ)
		if tp, ok := types.Unalias(targ).(*types.TypeParam); ok {
			zero = "{zero " + tp.Obj().Name() + "}"
		}
		imp.zeros = append(imp.zeros, zero)
	}
	key := calls.FuncKey(t.fn)
	if len(imp.zeros) > 0 {
		key += "[" + strings.Join(imp.zeros, ",") + "]"
	}
	r.imports[key] = imp
	r.names[key] = name
	r.noteCall(call, t.fn)
	return key
}
