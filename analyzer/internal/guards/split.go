package guards

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// uses says how one function, with what it calls, uses a memory in sections of its
// own.
type uses struct {
	// sections are how many, at most two.
	sections int
	// tells says that some section looks, and its caller can learn what it found;
	// writes that some section writes.
	tells, writes bool
	// removes says that some section takes an entry away, and sets that one writes a constant.
	removes, sets bool
	// pair says that one section can stand on what another one found or left there:
	// it writes, looks again, or takes the entry away.
	pair bool
}

// then is what a function does that does both, each in sections of its own.
func (u uses) then(v uses) uses {
	pair := u.pair || v.pair || u.sections > 0 && v.sections > 0 &&
		(u.tells && (v.writes || v.tells) || v.tells && (u.writes || u.tells) || u.writes && v.removes || u.removes && v.writes)
	return uses{
		sections: min(u.sections+v.sections, 2),
		tells:    u.tells || v.tells, writes: u.writes || v.writes, removes: u.removes || v.removes, pair: pair,
	}
}

// maxCalls bounds the calls in one another that are counted as parts of a function.
const maxCalls = 4

// Split are the guarded memories that some function uses in more than one section,
// of which one can stand on what another one found: with these, a sequence can be
// meant to be one step and be none. So it can with two memories that are coupled. All
// others are only used in critical sections that are complete.
func (g *Guards) Split() map[*types.Var]bool {
	c := g.count()
	out := map[*types.Var]bool{}
	for _, fn := range g.in.funcs {
		for mem, u := range c.uses(fn, maxCalls) {
			if u.pair && u.writes {
				out[mem] = true
			}
		}
	}
	for mem := range c.coupled() {
		out[mem] = true
	}
	return out
}

// Offered are the guarded maps of exported types whose exported methods look at them
// and change them, each in a section of its own: of such a type other packages may use
// two methods where they mean one step.
func (g *Guards) Offered() map[*types.Var]bool {
	c := g.count()
	all := map[*types.Var]uses{}
	for _, fn := range g.in.funcs {
		if fn.Parent() != nil || !token.IsExported(fn.Name()) {
			continue
		}
		for mem, u := range c.uses(fn, maxCalls) {
			if offers(fn, mem) {
				all[mem] = all[mem].then(u.from(fn))
			}
		}
	}
	out := map[*types.Var]bool{}
	for mem, u := range all {
		if _, isMap := mem.Type().Underlying().(*types.Map); isMap && u.pair && u.writes {
			out[mem] = true
		}
	}
	return out
}

// offers reports whether fn is a method of an exported type that has the field itself, or in each of its
// shards, which other packages cannot name:
//
//	type Map struct{ shards [16]shard }
//
//	type shard struct {
//		mu sync.Mutex
//		m  map[string]int
//	}
func offers(fn *ssa.Function, mem *types.Var) bool {
	recv := fn.Signature.Recv()
	if recv == nil {
		return false
	}
	named := namedOf(recv.Type())
	return named != nil && named.Obj().Exported() && hasField(named, func(f *types.Var) bool {
		shard := shardOf(f.Type())
		return f.Origin() == mem || shard != nil && shard.Obj().Pkg() == named.Obj().Pkg() && !shard.Obj().Exported() &&
			hasField(shard, func(f *types.Var) bool { return f.Origin() == mem })
	})
}

func hasField(of *types.Named, is func(*types.Var) bool) bool {
	s, ok := of.Underlying().(*types.Struct)
	for i := 0; ok && i < s.NumFields(); i++ {
		if is(s.Field(i)) {
			return true
		}
	}
	return false
}

// shardOf is the named type of what a list has; nil if it is no list, or that has no name.
func shardOf(t types.Type) *types.Named {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return namedOf(u.Elem())
	case *types.Slice:
		return namedOf(u.Elem())
	}
	return nil
}

// namedOf is the named type that a type is, or points to; nil if there is none.
func namedOf(t types.Type) *types.Named {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

// counter counts sections.
type counter struct {
	g   *Guards
	own map[*ssa.Function][]*Access
	// within are the sections that each function has itself, and done what it does
	// with the calls in it, so deep.
	within map[*ssa.Function][]section
	done   map[within]map[*types.Var]uses
	// holds are the answers of holdsOf, and looks those of coupled for each function.
	holds map[within][]section
	looks map[*ssa.Function]map[[2]*types.Var]bool
}

// within is a function, and how many calls in one another are counted as parts of it.
type within struct {
	fn    *ssa.Function
	calls int
}

// count is the counter of the package, with the accesses to guarded memory sorted by
// function.
func (g *Guards) count() *counter {
	if g.counter != nil {
		return g.counter
	}
	c := &counter{
		g: g, own: map[*ssa.Function][]*Access{},
		within: map[*ssa.Function][]section{}, done: map[within]map[*types.Var]uses{},
		holds: map[within][]section{},
	}
	for _, mem := range g.Memories() {
		for _, a := range g.in.accesses[mem] {
			if !a.Construction && !g.Lends(a) {
				c.own[a.Instr.Parent()] = append(c.own[a.Instr.Parent()], a)
			}
		}
	}
	g.counter = c
	return c
}

// uses is the same whatever was asked before: what a function does is remembered for
// each depth by itself. One that calls itself is not counted a second time.
func (c *counter) uses(fn *ssa.Function, calls int) map[*types.Var]uses {
	at := within{fn, calls}
	if known, ok := c.done[at]; ok || calls == 0 {
		return known
	}
	out := map[*types.Var]uses{}
	for _, s := range c.sections(fn) {
		for mem, u := range s {
			out[mem] = out[mem].then(u)
		}
	}
	for _, callee := range c.callees(fn) {
		if callee == fn {
			continue
		}
		for mem, u := range c.uses(callee, calls-1) {
			out[mem] = out[mem].then(u.from(callee))
		}
	}
	c.done[at] = out
	return out
}

// from is what a caller sees of it: nothing is learned from a function without
// results, but what a literal leaves in a variable around it.
func (u uses) from(callee *ssa.Function) uses {
	if callee.Parent() == nil && callee.Signature.Results().Len() == 0 {
		u.tells = false
	}
	return u
}

// section is what is done to each memory in one critical section.
type section map[*types.Var]uses

// sections are the critical sections that a function has itself, in the order in which
// they are entered. What is called while the lock is held, and needs it, is a part of them.
func (c *counter) sections(fn *ssa.Function) []section {
	if known, ok := c.within[fn]; ok {
		return known
	}
	var out []section
	number := map[ssa.Instruction]int{}
	c.eachUse(fn, maxCalls, func(mem *types.Var, at ssa.Instruction, v uses) {
		if at == nil {
			return
		}
		i, ok := number[at]
		if !ok {
			i = len(out)
			number[at] = i
			out = append(out, section{})
		}
		u := out[i][mem]
		out[i][mem] = uses{
			sections: 1, writes: u.writes || v.writes, tells: u.tells || v.tells,
			removes: u.removes || v.removes, sets: u.sets || v.sets,
		}
	})
	c.within[fn] = out
	return out
}

// eachUse calls visit for what a function does to memory while it holds the guard,
// with the call that took it, or nil if its caller did.
func (c *counter) eachUse(fn *ssa.Function, depth int, visit func(*types.Var, ssa.Instruction, uses)) {
	for _, a := range c.own[fn] {
		if at, held := c.g.Section(a); held {
			visit(a.Memory, at, uses{writes: a.Write, tells: !a.Write, removes: a.Write && takesAway(a.Instr), sets: setsConstant(a.Instr)})
		}
	}
	if depth == 0 {
		return
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			for _, arg := range call.Common().Args {
				c.eachPassed(arg, call, depth, visit)
			}
			callee := c.g.in.local(call.Common().StaticCallee())
			if callee == nil || callee == fn || len(c.g.in.flows[callee].entry) == 0 {
				continue
			}
			held := c.g.in.flows[fn].at(call)
			c.eachUse(callee, depth-1, func(mem *types.Var, at ssa.Instruction, v uses) {
				if at == nil {
					visit(mem, c.g.takenAt(mem, held), v.from(callee))
				}
			})
		}
	}
}

// takesAway reports whether a write to a map removes entries.
func takesAway(write ssa.Instruction) bool {
	st, isStore := write.(*ssa.Store)
	_, isCall := write.(*ssa.Call)
	return isCall || isStore && isMap(st.Val.Type()) && Empties(st)
}

// setsConstant reports whether an instruction writes what it always writes.
func setsConstant(instr ssa.Instruction) bool {
	st, ok := instr.(*ssa.Store)
	if !ok {
		return false
	}
	_, ok = st.Val.(*ssa.Const)
	return ok
}

// eachPassed is eachUse for a literal that a call gets, and runs in a section that
// it begins itself.
func (c *counter) eachPassed(arg ssa.Value, call *ssa.Call, depth int, visit func(*types.Var, ssa.Instruction, uses)) {
	mc, ok := arg.(*ssa.MakeClosure)
	if !ok {
		return
	}
	c.eachUse(mc.Fn.(*ssa.Function), depth-1, func(mem *types.Var, at ssa.Instruction, v uses) {
		if at == nil {
			visit(mem, call, v)
		}
	})
}

// takenAt is the call that took the guard of a memory, among what is held.
func (g *Guards) takenAt(mem *types.Var, held lockSet) ssa.Instruction {
	var first hold
	for l, h := range held {
		if g.in.variable(l) == g.guarded[mem].Lock && h.before(first) {
			first = h
		}
	}
	return first.at
}

// callees are the functions of the package that fn calls, as often as it does, and
// the literals that it makes.
func (c *counter) callees(fn *ssa.Function) []*ssa.Function {
	var out []*ssa.Function
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.MakeClosure:
				out = append(out, instr.Fn.(*ssa.Function))
			case *ssa.Go: // what it does in the end can be to take away what was put there
				if callee := c.g.in.local(instr.Call.StaticCallee()); callee != nil && callee.Parent() == nil {
					out = append(out, callee)
				}
			case ssa.CallInstruction:
				if _, literal := instr.Common().Value.(*ssa.MakeClosure); literal {
					continue
				}
				if callee := c.g.in.callee(instr); callee != nil {
					out = append(out, callee)
				}
			}
		}
	}
	return out
}

// Joins reports whether a function touches one of the memories itself, or uses one, or two that are coupled, in
// two sections of which one can stand on what another one found. Of any other function,
// what it calls says all that there is to say.
func (g *Guards) Joins(fn *ssa.Function, among map[*types.Var]bool) bool {
	c := g.count()
	for _, a := range c.own[fn] {
		if among[a.Memory] {
			return true
		}
	}
	for mem, u := range c.uses(fn, maxCalls) {
		if among[mem] && u.pair {
			return true
		}
	}
	return c.looksBefore(fn, among)
}

// EntersHeld reports whether a function is only ever called with the guards held of
// all guarded memory that it and what it calls touch, and does not release them: it
// is a part of its callers' sections.
func (g *Guards) EntersHeld(fn *ssa.Function, among map[*types.Var]bool) bool {
	f := g.in.flows[fn]
	if f == nil || len(f.entry) == 0 || len(g.in.effects[fn].drops) > 0 {
		return false
	}
	held := map[*types.Var]bool{}
	for l := range f.entry {
		held[g.in.variable(l)] = true
	}
	return g.allHeld(fn, among, held, map[*ssa.Function]bool{}, maxCalls)
}

func (g *Guards) allHeld(fn *ssa.Function, among, held map[*types.Var]bool, seen map[*ssa.Function]bool, depth int) bool {
	if seen[fn] || depth < 0 {
		return true
	}
	seen[fn] = true
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if a := g.in.byInstr[instr]; a != nil && among[a.Memory] && !held[g.guarded[a.Memory].Lock] {
				return false
			}
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if callee := g.in.local(call.Common().StaticCallee()); callee != nil && !g.allHeld(callee, among, held, seen, depth-1) {
				return false
			}
		}
	}
	return true
}
