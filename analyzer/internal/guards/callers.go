package guards

import (
	"go/token"
	"maps"
	"slices"

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
	var all lockSet
	for _, call := range s.calls {
		f := in.flows[call.Parent()]
		if f == nil {
			return lockSet{}
		}
		held := lockSet{}
		if _, isGo := call.(*ssa.Go); !isGo {
			held = in.handed(fn, call, f.at(call))
		}
		all, _ = meet(all, held)
	}
	if all == nil {
		return lockSet{}
	}
	return all
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
