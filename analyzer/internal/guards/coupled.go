package guards

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A memory can say what may be done to another one: a flag that says that a queue is
// closed, and the queue. That they belong together is seen where one critical section
// changes both.

// coupled are the memories that one critical section changes together with another one,
// where some function looks at the one and changes the other in sections of their own.
func (c *counter) coupled() map[*types.Var]bool {
	out := map[*types.Var]bool{}
	c.retired(out)
	c.leftEmpty(out)
	together := c.together()
	if len(together) == 0 {
		return out
	}
	c.looks = map[*ssa.Function]map[[2]*types.Var]bool{}
	beside := map[*types.Var][]*types.Var{}
	for pair := range together {
		beside[pair[0]] = append(beside[pair[0]], pair[1])
	}
	for _, fn := range c.g.in.funcs {
		found := map[[2]*types.Var]bool{}
		told, written := c.told(fn)
		for look, tells := range told {
			for _, change := range beside[look] {
				// A section that looks and does not change is another one than any that changes.
				if writes := written[change]; writes != 0 && tells&^writes != 0 {
					out[look], out[change], found[[2]*types.Var{look, change}] = true, true, true
				}
			}
		}
		c.looks[fn] = found
	}
	return out
}

// waitsForOthers reports whether a function waits for a condition.
func waitsForOthers(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			call, ok := instr.(*ssa.Call)
			return ok && call.Call.StaticCallee() != nil && call.Call.StaticCallee().String() == "(*sync.Cond).Wait"
		})
	})
}

// isState reports whether a memory is a truth value that somebody sets.
func (c *counter) isState(mem *types.Var) bool {
	basic, ok := mem.Type().Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Bool && slices.ContainsFunc(c.g.in.accesses[mem], func(a *Access) bool { return !a.Construction && setsConstant(a.Instr) })
}

// told are the sections of a function, each a bit, that tell of each memory, and that write it.
func (c *counter) told(fn *ssa.Function) (told, written map[*types.Var]uint32) {
	told, written = map[*types.Var]uint32{}, map[*types.Var]uint32{}
	for i, s := range c.holdsOf(fn, maxCalls) {
		for mem, u := range s {
			if u.tells {
				told[mem] |= 1 << i
			}
			if u.writes {
				written[mem] |= 1 << i
			}
		}
	}
	return told, written
}

// retired adds the maps of which a function takes entries away while it asks an atomic, such as how many use an entry, in one hold of the lock, where
// another one finds an entry and adds to that number while it holds no lock.
func (c *counter) retired(out map[*types.Var]bool) {
	counts := map[*types.Var][]*types.Var{} // by map
	for _, fn := range c.g.in.funcs {
		emptied, asked := map[hold][]*types.Var{}, map[hold][]*types.Var{}
		c.g.in.flows[fn].each(func(instr ssa.Instruction, held lockSet) {
			if len(held) == 0 {
				return
			}
			touched := c.touched(instr)
			for l, h := range held {
				for mem, u := range touched {
					if u.removes && isMap(mem.Type()) && c.g.guarded[mem].Lock == c.g.in.variable(l) && h.at != nil {
						emptied[h] = append(emptied[h], mem)
					}
				}
				if number := atomicAt(instr, "Load"); number != nil && h.at != nil {
					asked[h] = append(asked[h], number)
				}
			}
		})
		for h, tables := range emptied {
			for _, table := range tables {
				counts[table] = append(counts[table], asked[h]...)
			}
		}
	}
	for table, numbers := range counts {
		adds := c.addTo(numbers)
		for _, fn := range c.g.in.funcs {
			finds := func(s section) bool { return s[table].tells }
			if len(adds) > 0 && c.comesTo(fn, adds, maxCalls) && slices.ContainsFunc(c.holdsOf(fn, maxCalls), finds) {
				out[table] = true
			}
		}
	}
}

// leftEmpty adds the maps of which a function takes an entry away, and is told of, before it takes an entry out of a sync.Map, where another
// one that looks into a sync.Map puts an entry there: who has found the one takes it away where nobody is left in the other.
//
//	if v.(*topic).remove(s) == 0 { b.topics.CompareAndDelete(name, v) }
func (c *counter) leftEmpty(out map[*types.Var]bool) {
	left := map[*types.Var]bool{}
	for _, fn := range c.g.in.funcs {
		if callsMap(fn, "Delete", "LoadAndDelete", "CompareAndDelete") {
			for _, s := range c.holdsOf(fn, maxCalls) {
				for mem, u := range s {
					left[mem] = left[mem] || isMap(mem.Type()) && u.tells && u.removes
				}
			}
		}
	}
	for _, fn := range c.g.in.funcs {
		if !callsMap(fn, "Load", "LoadOrStore") {
			continue
		}
		for _, s := range c.holdsOf(fn, maxCalls) {
			for mem, u := range s {
				if left[mem] && u.writes && !u.removes {
					out[mem] = true
				}
			}
		}
	}
}

// callsMap reports whether a function calls one of some methods of a sync.Map.
func callsMap(fn *ssa.Function, methods ...string) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			call, ok := instr.(*ssa.Call)
			return ok && call.Call.StaticCallee() != nil && slices.ContainsFunc(methods, func(m string) bool { return call.Call.StaticCallee().String() == "(*sync.Map)."+m })
		})
	})
}

// addTo are the functions that add to one of some atomics while they hold no lock.
func (c *counter) addTo(numbers []*types.Var) map[*ssa.Function]bool {
	out := map[*ssa.Function]bool{}
	if len(numbers) == 0 {
		return out
	}
	for _, fn := range c.g.in.funcs {
		c.g.in.flows[fn].each(func(instr ssa.Instruction, held lockSet) {
			if number := atomicAt(instr, "Add"); number != nil && len(held) == 0 && slices.Contains(numbers, number) {
				out[fn] = true
			}
		})
	}
	return out
}

// comesTo reports whether a function is one of some, or calls one, so deep.
func (c *counter) comesTo(fn *ssa.Function, some map[*ssa.Function]bool, calls int) bool {
	seen, level := map[*ssa.Function]bool{fn: true}, []*ssa.Function{fn}
	for range calls {
		if slices.ContainsFunc(level, func(fn *ssa.Function) bool { return some[fn] }) {
			return true
		}
		var next []*ssa.Function
		for _, fn := range level {
			for _, callee := range c.callees(fn) {
				if !seen[callee] {
					seen[callee] = true
					next = append(next, callee)
				}
			}
		}
		level = next
	}
	return false
}

// atomicAt is the field of which an instruction calls a method of sync/atomic; nil if it calls none of that name.
func atomicAt(instr ssa.Instruction, method string) *types.Var {
	call, ok := instr.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil || call.Call.StaticCallee().Name() != method || len(call.Call.Args) == 0 {
		return nil
	}
	field, ok := call.Call.Args[0].(*ssa.FieldAddr)
	if !ok {
		return nil
	}
	pkg := call.Call.StaticCallee().Object()
	if pkg == nil || pkg.Pkg() == nil || pkg.Pkg().Path() != "sync/atomic" {
		return nil
	}
	of, ok := pointee(field.X).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	return of.Field(field.Field)
}

// looksBefore reports whether a function looks at one of some memories and changes one that is coupled with it, in sections
// of its own which are not both those of one function that it calls:
//
//	if !s.isClosed() {
//		s.track(c)
//	}
func (c *counter) looksBefore(fn *ssa.Function, among map[*types.Var]bool) bool {
	for pair := range c.looks[fn] {
		if among[pair[0]] && among[pair[1]] && !slices.ContainsFunc(c.callees(fn), func(callee *ssa.Function) bool { return callee != fn && c.looks[callee][pair] }) {
			return true
		}
	}
	return false
}

// together are the pairs of memories that some critical section changes both, and a flag and a list which one that waits for others asks
// about: it takes what is put there until it is told to end.
func (c *counter) together() map[[2]*types.Var]bool {
	out := map[[2]*types.Var]bool{}
	for _, fn := range c.g.in.funcs {
		waits := waitsForOthers(fn)
		for _, s := range c.holdsOf(fn, 1) {
			for a, u := range s {
				for b, v := range s {
					if a != b && (u.writes && v.writes || u.sets && v.tells || waits && u.tells && v.tells && isList(b) && c.isState(a)) {
						out[[2]*types.Var{a, b}] = true
					}
				}
			}
		}
		c.nested(fn, out)
	}
	return out
}

// nested adds the pairs of a map and what is in its entries that a function changes both while it holds the
// lock of the map, the latter in a section of its own: how many use an entry is changed under a lock of the
// entry, and so is a list in it. Whoever finds a list empty may take the entry away, and who finds the entry
// may add to the list. So it is where a function takes an entry away once it has asked how many use it: who finds the entry
// counts himself.
func (c *counter) nested(fn *ssa.Function, pairs map[[2]*types.Var]bool) {
	contents, tables, asked, emptied := map[hold][]*types.Var{}, map[hold][]*types.Var{}, map[hold][]*types.Var{}, map[hold][]*types.Var{}
	c.g.in.flows[fn].each(func(instr ssa.Instruction, held lockSet) {
		if len(held) == 0 {
			return
		}
		touched := c.touched(instr)
		for l, h := range held {
			for mem, u := range touched {
				own := c.g.guarded[mem].Lock == c.g.in.variable(l)
				switch {
				case h.at == nil:
				case isNumber(mem) && !u.writes:
					asked[h] = append(asked[h], mem)
				case !u.writes:
				case isNumber(mem), isContainer(mem) && !own:
					contents[h] = append(contents[h], mem)
				case isMap(mem.Type()) && own:
					tables[h] = append(tables[h], mem)
					if u.removes {
						emptied[h] = append(emptied[h], mem)
					}
				}
			}
		}
	})
	for h, all := range tables {
		for _, table := range all {
			for _, content := range contents[h] {
				pairs[[2]*types.Var{content, table}] = true
				if !isNumber(content) {
					pairs[[2]*types.Var{table, content}] = true
				}
			}
		}
		for _, table := range emptied[h] {
			for _, content := range asked[h] {
				pairs[[2]*types.Var{table, content}] = true
			}
		}
	}
}

func isList(mem *types.Var) bool {
	_, ok := mem.Type().Underlying().(*types.Slice)
	return ok
}

// isContainer reports whether a memory is a list or a map.
func isContainer(mem *types.Var) bool { return isList(mem) || isMap(mem.Type()) }

func isNumber(mem *types.Var) bool {
	basic, ok := mem.Type().Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsInteger != 0
}

// touched is what an instruction does to guarded memories, itself or in what it calls.
func (c *counter) touched(instr ssa.Instruction) section {
	out := section{}
	if a := c.g.in.byInstr[instr]; a != nil && !a.Construction {
		if _, ok := c.g.guarded[a.Memory]; ok {
			out[a.Memory] = uses{writes: a.Write, removes: a.Write && takesAway(a.Instr)}
		}
	}
	call, ok := instr.(*ssa.Call)
	if !ok {
		return out
	}
	if callee := c.g.in.callee(call); callee != nil && callee != instr.Parent() {
		for mem, u := range c.uses(callee, maxCalls-1) {
			out[mem] = out[mem].then(u)
		}
	}
	return out
}

// maxHolds bounds the sections of one function that are looked at: one that has more is
// no sequence that somebody means to be one step. Each has a bit in what told gives.
const maxHolds = 24

const _ = uint32(1) << (maxHolds - 1)

// holdsOf are the critical sections of a function and of what it calls, so deep. One that
// calls itself is not counted a second time.
func (c *counter) holdsOf(fn *ssa.Function, calls int) []section {
	at := within{fn, calls}
	if known, ok := c.holds[at]; ok || calls == 0 {
		return known
	}
	own := c.sections(fn)
	out := slices.Clone(own[:min(len(own), maxHolds)])
	for _, callee := range c.callees(fn) {
		if callee == fn {
			continue
		}
		for _, s := range c.holdsOf(callee, calls-1) {
			if len(out) == maxHolds {
				break
			}
			seen := section{}
			for mem, u := range s {
				seen[mem] = u.from(callee)
			}
			out = append(out, seen)
		}
	}
	c.holds[at] = out
	return out
}
