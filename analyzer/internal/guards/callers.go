package guards

import (
	"go/token"
	"maps"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/ways"
	"golang.org/x/tools/go/ssa"
)

// sites are the places that a function is called from.
type sites struct {
	calls []ssa.CallInstruction
	// open says that there are others, or that none are known.
	open bool
}

// findSites finds, for each function, where it is called.
func (in *inference) findSites() {
	for _, fn := range in.funcs {
		in.sites[fn] = &sites{open: isOpen(fn)}
	}
	for _, fn := range in.funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				in.addSites(instr)
			}
		}
	}
}

// isOpen reports whether others can call fn without being seen.
func isOpen(fn *ssa.Function) bool {
	if fn.Parent() != nil {
		return false
	}
	return token.IsExported(fn.Name()) || fn.Name() == "main" || fn.Name() == "init"
}

func (in *inference) addSites(instr ssa.Instruction) {
	var callee ssa.Value
	call, isCall := instr.(ssa.CallInstruction)
	if isCall && !call.Common().IsInvoke() {
		callee = call.Common().Value
		if fn := in.local(call.Common().StaticCallee()); fn != nil {
			in.sites[fn].calls = append(in.sites[fn].calls, call)
		}
	}
	if isCall && call.Common().IsInvoke() {
		if fn := in.local(in.Through(call)); fn != nil {
			in.sites[fn].open = true // what it gets is not followed through an interface
		}
	}
	for _, op := range instr.Operands(nil) {
		value, ok := (*op).(*ssa.Function)
		fn := in.local(value) // of an instance the function that it is one of
		if !ok || fn == nil || *op == callee {
			continue
		}
		if mc, ok := instr.(*ssa.MakeClosure); ok && in.passed(fn, mc) {
			continue
		}
		if isCall && in.passedTo(fn, call, value) {
			continue
		}
		in.sites[fn].open = true
	}
}

// passed reports whether a closure is only called, here or by a function of the
// package that it is given to, and notes where.
func (in *inference) passed(fn *ssa.Function, mc *ssa.MakeClosure) bool {
	for _, ref := range *mc.Referrers() {
		if _, ok := ref.(*ssa.DebugRef); ok {
			continue
		}
		call, ok := ref.(ssa.CallInstruction)
		if !ok {
			return false
		}
		if !in.passedTo(fn, call, mc) {
			return false
		}
	}
	return true
}

// passedTo notes where the callee calls what it is given.
func (in *inference) passedTo(fn *ssa.Function, call ssa.CallInstruction, v ssa.Value) bool {
	for i, arg := range call.Common().Args {
		if arg != v {
			continue
		}
		calls, ok := in.callsOf(in.local(call.Common().StaticCallee()), i)
		if !ok {
			return false
		}
		in.sites[fn].calls = append(in.sites[fn].calls, calls...)
	}
	return true
}

// callsOf are the calls that a function makes of its i-th parameter; false if it
// does something else with it.
func (in *inference) callsOf(fn *ssa.Function, i int) (calls []ssa.CallInstruction, ok bool) {
	if fn == nil || i >= len(fn.Params) {
		return nil, false
	}
	for _, ref := range *fn.Params[i].Referrers() {
		if _, ok := ref.(*ssa.DebugRef); ok {
			continue
		}
		call, ok := ref.(ssa.CallInstruction)
		if !ok || call.Common().Value != ssa.Value(fn.Params[i]) {
			return nil, false
		}
		calls = append(calls, call)
	}
	return calls, true
}

// callee is the function of the package that a call goes to; nil if it goes elsewhere
// or that is not known.
func (in *inference) callee(call ssa.CallInstruction) *ssa.Function {
	if call.Common().IsInvoke() {
		return in.local(in.Through(call))
	}
	return in.local(call.Common().StaticCallee())
}

// local is the function of the package with the body of fn; nil if it is of
// another package.
func (in *inference) local(fn *ssa.Function) *ssa.Function {
	if fn == nil {
		return nil
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if !in.own[fn] {
		return nil
	}
	return fn
}

// round analyses all functions once, with what is known of their callers and
// callees, and reports whether anything changed.
func (in *inference) round() bool {
	entries := map[*ssa.Function]lockSet{}
	for _, fn := range in.funcs {
		entries[fn] = in.entry(fn)
	}
	changed := false
	for _, fn := range in.funcs {
		old := in.flows[fn]
		f := &flow{inference: in, fn: fn, entry: entries[fn]}
		f.solve()
		in.flows[fn] = f
		e := f.findEffect()
		was := in.effects[fn]
		if old == nil || !maps.Equal(old.entry, f.entry) || !maps.Equal(was.takes, e.takes) || !maps.Equal(was.drops, e.drops) || !maps.Equal(was.perhaps, e.perhaps) {
			changed = true
		}
		in.effects[fn] = e
	}
	return changed
}

// entry is what all callers hold. In the first round nothing is known of them, and
// nothing is assumed.
func (in *inference) entry(fn *ssa.Function) lockSet {
	if loc, ok := in.within[fn]; ok {
		return lockSet{lock{base: loc.base, path: loc.path}: hold{exclusive: true}}
	}
	s := in.sites[fn]
	if s.open || len(s.calls) == 0 {
		return lockSet{}
	}
	held := make([]lockSet, len(s.calls))
	for i, call := range s.calls {
		f := in.flows[call.Parent()]
		if f == nil {
			return lockSet{}
		}
		if _, isGo := call.(*ssa.Go); !isGo {
			held[i] = in.handed(fn, call, f.at(call))
		}
	}
	return in.joinEntries(fn, s.calls, held)
}

// at is what is held before an instruction; nothing in a function without any lock.
func (f *flow) at(instr ssa.Instruction) lockSet {
	if f == nil {
		return lockSet{}
	}
	held := f.into(instr.Block())
	for _, i := range instr.Block().Instrs {
		if i == instr {
			break
		}
		f.step(held, i)
	}
	return held
}

// handed is what a callee knows of the locks that are held where it is called.
func (in *inference) handed(fn *ssa.Function, call ssa.CallInstruction, held lockSet) lockSet {
	out := lockSet{}
	for l, h := range held {
		entered := hold{exclusive: h.exclusive}
		if _, global := in.num.values[l.base].v.(*ssa.Global); global || fn.Parent() != nil {
			out[l] = entered
		}
		for i, arg := range call.Common().Args {
			if i >= len(fn.Params) {
				break
			}
			if place := placeLent(arg); place != nil {
				arg = place
			}
			loc, ok := in.num.locate(arg)
			if !ok || loc.base != l.base {
				continue
			}
			if l.up > 0 { // it is around what the function itself was given
				out[lock{base: in.num.number(fn.Params[i]), up: loc.path.len() + l.up, path: l.path}] = entered
				continue
			}
			common := 0
			for common < maxFields && loc.path[common] != nil && loc.path[common] == l.path[common] {
				common++
			}
			out[lock{
				base: in.num.number(fn.Params[i]),
				up:   loc.path.len() - common,
				path: l.path.from(common),
			}] = entered
		}
	}
	return out
}

// findFresh finds the functions that give a new object: each first result is one.
func (in *inference) findFresh() {
	for range rounds {
		for _, fn := range in.funcs {
			in.fresh[fn] = in.givesFresh(fn)
		}
	}
}

func (in *inference) givesFresh(fn *ssa.Function) bool {
	found := false
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if len(ret.Results) == 0 {
			return false
		}
		if c, ok := ret.Results[0].(*ssa.Const); ok && c.IsNil() {
			continue
		}
		if !in.isFresh(ret.Results[0]) {
			return false
		}
		found = true
	}
	return found
}

// isFresh reports whether a pointer is to an object that was made here.
func (in *inference) isFresh(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.MakeSlice:
		return true
	case *ssa.Slice: // of an array that is made here
		_, made := v.X.(*ssa.Alloc)
		return made
	case *ssa.Extract:
		return v.Index == 0 && in.isFresh(v.Tuple)
	case *ssa.Call:
		fn := in.local(v.Call.StaticCallee())
		return fn != nil && in.fresh[fn]
	}
	return false
}

// underConstruction reports whether an object was made in this function, or the
// function runs before there is any concurrency. What is done to an object after it
// was given away is taken for construction as well: a lock is hardly ever needed
// for it and forgotten.
func (in *inference) underConstruction(fn *ssa.Function, loc location) bool {
	accessor := fn
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if fn.Signature.Recv() == nil && (fn.Synthetic != "" || len(fn.Name()) >= 4 && fn.Name()[:4] == "init") {
		return true
	}
	t := in.num.values[loc.base]
	if t.v == nil && loc.path.len() > 0 && in.num.places[loc.path[0]] { // an element of what it holds
		t = in.num.values[t.base]
	}
	if p, ok := t.v.(*ssa.Parameter); ok && in.newborn[p] {
		return true
	}
	instr, ok := t.v.(ssa.Instruction)
	return ok && instr.Parent() == accessor && (in.isFresh(t.v) || in.isPartOfFresh(t.v))
}

// isPartOfFresh reports whether a value is what a function gives of a new object that it is called with, such as
// the shard of a key.
func (in *inference) isPartOfFresh(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	fn := in.local(call.Call.StaticCallee())
	if fn == nil {
		return false
	}
	return slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool {
		i := slices.Index(fn.Params, p)
		return i < len(call.Call.Args) && in.isFresh(call.Call.Args[i]) && givesPartOf(fn, p)
	})
}

// givesPartOf reports whether the one result of a function is always something that a parameter leads to.
func givesPartOf(fn *ssa.Function, p *ssa.Parameter) bool {
	gives := false
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if gives = len(ret.Results) == 1 && leadsTo(ret.Results[0], p); !gives {
			return false
		}
	}
	return gives
}

// leadsTo reports whether a value is an address in an object, or was loaded from one.
func leadsTo(v ssa.Value, p *ssa.Parameter) bool {
	for found := false; ; found = true {
		switch at := v.(type) {
		case *ssa.FieldAddr:
			v = at.X
		case *ssa.IndexAddr:
			v = at.X
		case *ssa.UnOp:
			if at.Op != token.MUL {
				return false
			}
			v = at.X
		default:
			return found && v == ssa.Value(p)
		}
	}
}

// A function can be a part of the construction of an object, or of its use as well:
//
//	func Open(name string) (*Log, error) {
//		l := &Log{name: name}
//		return l, l.open()
//	}
//
//	func (l *Log) rotate() error {
//		l.mu.Lock()
//		defer l.mu.Unlock()
//		return l.open()
//	}
//
// Open needs no lock, as nobody else has the object yet, and says nothing of who does.

// findNewborn finds the parameters that are only ever given objects which nobody else has yet.
func (in *inference) findNewborn() {
	for range rounds {
		found := false
		for _, fn := range in.funcs {
			for i, p := range fn.Params {
				if !in.newborn[p] && in.onlyNewborn(fn, i) {
					in.newborn[p], found = true, true
				}
			}
		}
		if !found {
			return
		}
	}
}

func (in *inference) onlyNewborn(fn *ssa.Function, i int) bool {
	s := in.sites[fn]
	return !s.open && len(s.calls) > 0 && !slices.ContainsFunc(s.calls, func(call ssa.CallInstruction) bool { return !in.givesNewborn(call, i) })
}

// givesNewborn reports whether a call gives an object that nobody else has yet. A goroutine is somebody else.
func (in *inference) givesNewborn(call ssa.CallInstruction, i int) bool {
	_, isGo := call.(*ssa.Go)
	args := call.Common().Args
	if isGo || call.Common().IsInvoke() || i >= len(args) {
		return false
	}
	loc, ok := in.num.locate(args[i])
	if !ok || !in.underConstruction(call.Parent(), loc) {
		return false
	}
	object := in.num.values[loc.base].v
	return object != nil && object.Referrers() != nil && in.isAlone(object, call, maxCalls)
}

// isAlone reports whether nobody else can have an object when an instruction is come to: it was looked at and
// filled, and given to functions that do no more. In what these do, there is no such instruction.
func (in *inference) isAlone(object ssa.Value, at ssa.Instruction, calls int) bool {
	return calls > 0 && !slices.ContainsFunc(*object.Referrers(), func(ref ssa.Instruction) bool {
		return ref != at && (at == nil || ways.Follows(ref, at)) && !in.leavesAlone(ref, object, at, calls)
	})
}

func (in *inference) leavesAlone(ref ssa.Instruction, object ssa.Value, at ssa.Instruction, calls int) bool {
	switch ref := ref.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.BinOp, *ssa.DebugRef, *ssa.Return:
		return true
	case *ssa.UnOp:
		if _, isVariable := object.(*ssa.Alloc); isVariable && ref.Type() != object.Type() {
			return in.isAlone(ref, at, calls)
		}
		return true
	case *ssa.Store:
		variable, _ := ref.Addr.(*ssa.Alloc)
		return ref.Val != object || variable != nil && in.isAlone(variable, at, calls)
	case *ssa.Call:
		callee := in.local(ref.Call.StaticCallee())
		return callee != nil && !slices.ContainsFunc(callee.Params, func(p *ssa.Parameter) bool {
			i := slices.Index(callee.Params, p)
			return i < len(ref.Call.Args) && ref.Call.Args[i] == object && !in.isAlone(p, nil, calls-1)
		})
	}
	return false
}

// IsNewborn reports whether all calls of a function give an object as a parameter that nobody else has yet.
func (g *Guards) IsNewborn(p *ssa.Parameter) bool { return g.in.newborn[p] }

// Constructs reports whether a function gives an object that nobody else has yet to one that others call
// under a lock: what that does is then a part of the construction.
func (g *Guards) Constructs(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			callee := g.in.callee(call)
			if callee == nil || g.in.flows[callee] == nil || len(g.in.flows[callee].entry) == 0 {
				continue
			}
			for i := range callee.Params {
				if g.in.givesNewborn(call, i) {
					return true
				}
			}
		}
	}
	return false
}

// joinEntries is what is held by all of those who call a function. A call that gives a new object says
// nothing of the locks of that.
func (in *inference) joinEntries(fn *ssa.Function, calls []ssa.CallInstruction, held []lockSet) lockSet {
	all := lockSet{}
	for _, some := range held {
		for l, h := range some {
			if known, ok := all[l]; ok {
				h.exclusive = h.exclusive && known.exclusive
			}
			all[l] = h
		}
	}
	for l := range all {
		param := slices.IndexFunc(fn.Params, func(p *ssa.Parameter) bool { return l.up == 0 && l.base == in.num.number(p) })
		for i, call := range calls {
			if _, ok := held[i][l]; !ok && (param < 0 || !in.givesNewborn(call, param)) {
				delete(all, l)
				break
			}
		}
	}
	return all
}
