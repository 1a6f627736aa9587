package guards

import (
	"cmp"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Guards is which memory of a package is guarded by which lock.
type Guards struct {
	in      *inference
	guarded map[*types.Var]Guard
	counter *counter // made when it is asked for
}

// Guard is the lock that guards a memory.
type Guard struct {
	// Lock declares it: a field or a package variable.
	Lock *types.Var
	// Exact says that it is found from the memory on the same way everywhere. If
	// not, it is a lock of that declaration in some object, taken to be the owner.
	Exact bool
	rel   relation
}

// relation is the way from a memory to a lock: so many fields up, and down a path;
// or down from a package variable, or from a variable of the function that makes the memory.
type relation struct {
	up     int
	path   path
	global *ssa.Global
	local  *ssa.Alloc
}

// Access is one place where memory is read or written.
type Access struct {
	Memory *types.Var
	Instr  ssa.Instruction
	Write  bool
	// Construction says that nobody else can have the object.
	Construction bool
	addr         ssa.Value
	held         lockSet
	loc          location
}

// inference is the state of one Infer.
type inference struct {
	Calls
	wide *wide
	// objects are what methods do to their objects, which may be locks to other packages.
	objects map[*ssa.Function]ObjectOp
	// tables are the maps of locks that are only filled.
	tables map[*types.Var]bool
	// within are the literals that run in a task loop, with its channel.
	within  map[*ssa.Function]location
	num     *numbering
	funcs   []*ssa.Function
	own     map[*ssa.Function]bool
	effects map[*ssa.Function]effect
	flows   map[*ssa.Function]*flow
	sites   map[*ssa.Function]*sites
	fresh   map[*ssa.Function]bool
	// newborn are the parameters that are only given objects which nobody else has yet.
	newborn  map[*ssa.Parameter]bool
	accesses map[*types.Var][]*Access
	byInstr  map[ssa.Instruction]*Access
	// lentBy are the calls of parameters that lend something only to functions that are followed, and known
	// what parameters are known to be lent.
	lentBy map[ssa.CallInstruction]bool
	known  map[*ssa.Parameter]*types.Var
	// instances are the memories for one type of what is in a field, and instanceOf has their fields.
	instances  map[instance]*types.Var
	instanceOf map[*types.Var]*types.Var
	// locals are the memories that variables are which literals share.
	locals map[*ssa.Alloc]*types.Var
	// replaced are the fields that hold structs of which no part is changed by itself.
	replaced map[*types.Var]bool
}

// rounds bounds how far effects of lock wrappers and locks of callers are carried
// through chains of calls.
const rounds = 4

// Calls says what calls mean.
type Calls struct {
	Locks   Locks
	Flags   Flags
	Entries Entries
	Through Through
	Objects Objects // may be nil
}

// Through says which method a call through an interface goes to; nil if that is not
// known.
type Through func(ssa.CallInstruction) *ssa.Function

// Infer looks at all functions of a package. Those for which skip holds, such as
// tests, are followed, and their accesses do not count.
func Infer(funcs []*ssa.Function, calls Calls, skip func(*ssa.Function) bool) *Guards {
	in := &inference{
		Calls: calls, num: newNumbering(), funcs: funcs,
		own:     map[*ssa.Function]bool{},
		effects: map[*ssa.Function]effect{}, flows: map[*ssa.Function]*flow{},
		sites: map[*ssa.Function]*sites{}, fresh: map[*ssa.Function]bool{}, newborn: map[*ssa.Parameter]bool{},
		accesses: map[*types.Var][]*Access{}, byInstr: map[ssa.Instruction]*Access{},
		lentBy: map[ssa.CallInstruction]bool{}, known: map[*ssa.Parameter]*types.Var{},
		instances: map[instance]*types.Var{}, instanceOf: map[*types.Var]*types.Var{},
		locals: map[*ssa.Alloc]*types.Var{},
	}
	for _, fn := range funcs {
		in.own[fn] = true
	}
	in.findSites()
	in.findLenders()
	in.findFresh()
	in.findNewborn()
	in.findTables()
	in.findWide()
	in.findTasks()
	in.findReplaced()
	in.follow()
	for in.refute() {
		in.follow()
	}
	for _, fn := range funcs {
		if !skip(fn) {
			in.collect(fn)
		}
	}
	g := &Guards{in: in, guarded: map[*types.Var]Guard{}}
	for mem, all := range in.accesses {
		if guard, ok := in.guardOf(all); ok {
			g.guarded[mem] = guard
		}
	}
	g.addPlainTables()
	return g
}

// follow carries locks through the calls of the package.
func (in *inference) follow() {
	clear(in.flows)
	clear(in.effects)
	for range rounds {
		if !in.round() {
			break
		}
	}
}

// Of is the guard of a memory.
func (g *Guards) Of(mem *types.Var) (Guard, bool) {
	guard, ok := g.guarded[mem]
	return guard, ok
}

// Memories are all that is guarded, in the order of their declarations.
func (g *Guards) Memories() []*types.Var {
	return slices.SortedFunc(maps.Keys(g.guarded), func(a, b *types.Var) int {
		return cmp.Or(int(a.Pos())-int(b.Pos()), strings.Compare(a.Type().String(), b.Type().String()))
	})
}

// Repointed are the addresses at which somebody stores a pointer, other than in construction: what it points to is another one by then.
func (g *Guards) Repointed() []ssa.Value {
	var out []ssa.Value
	for _, fn := range g.in.funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				st, ok := instr.(*ssa.Store)
				if !ok {
					continue
				}
				if _, isPointer := st.Val.Type().Underlying().(*types.Pointer); !isPointer {
					continue
				}
				if _, loc, known := g.in.memory(st.Addr); known && !g.in.underConstruction(fn, loc) {
					out = append(out, st.Addr)
				}
			}
		}
	}
	return out
}

// AccessAt is the access that an instruction makes; nil if it makes none.
func (g *Guards) AccessAt(instr ssa.Instruction) *Access { return g.in.byInstr[instr] }

// Unguarded are the accesses to a guarded memory that are made without its lock,
// other than in construction.
func (g *Guards) Unguarded(mem *types.Var) []*Access {
	guard, ok := g.guarded[mem]
	if !ok {
		return nil
	}
	var out []*Access
	for _, a := range g.in.accesses[mem] {
		if _, held := g.in.holding(a, guard); !held && !a.Construction {
			out = append(out, a)
		}
	}
	return out
}

// Section is the call that took the guard in whose hold an access lies; nil if the
// caller took it, and false if it is not held.
func (g *Guards) Section(a *Access) (ssa.Instruction, bool) {
	guard, ok := g.guarded[a.Memory]
	if !ok {
		return nil, false
	}
	h, ok := g.in.holding(a, guard)
	return h.at, ok
}

// holding is how an access holds a guard.
func (in *inference) holding(a *Access, guard Guard) (hold, bool) {
	found, ok := hold{}, false
	for l, h := range a.held {
		if in.variable(l) != guard.Lock {
			continue
		}
		if rel, same := in.relate(a.loc, l); same && rel == guard.rel {
			return h, true
		}
		if !guard.Exact && (!ok || h.before(found)) {
			found, ok = h, true
		}
	}
	return found, ok
}

// relate is the way from a location to a lock, if there is one.
func (in *inference) relate(loc location, l lock) (relation, bool) {
	if loc.base != l.base {
		switch v := in.num.values[l.base].v.(type) {
		case *ssa.Global:
			return relation{path: l.path, global: v}, true
		case *ssa.Alloc:
			return relation{path: l.path, local: v}, guardsAlways(v, in.num.values[loc.base].v)
		}
		return relation{}, false
	}
	common := 0
	if l.up == 0 {
		for common < maxFields && loc.path[common] != nil && loc.path[common] == l.path[common] {
			common++
		}
	}
	return relation{up: loc.path.len() - common + l.up, path: l.path.from(common)}, true
}

// guardOf is the lock that all writes of a memory hold. Without a write there is
// nothing to guard.
func (in *inference) guardOf(all []*Access) (Guard, bool) {
	var exact map[Guard]bool
	var loose map[*types.Var]bool
	for _, a := range all {
		if !a.Write || a.Construction {
			continue
		}
		e, l := map[Guard]bool{}, map[*types.Var]bool{}
		for lk, h := range a.held {
			v := in.variable(lk)
			if v == nil || !h.exclusive {
				continue
			}
			if _, local := in.num.values[lk.base].v.(*ssa.Alloc); !local || lk.path.len() > 0 {
				l[v] = true
			}
			if rel, ok := in.relate(a.loc, lk); ok {
				e[Guard{Lock: v, Exact: true, rel: rel}] = true
			}
		}
		if loose == nil {
			exact, loose = e, l
			continue
		}
		maps.DeleteFunc(exact, func(g Guard, _ bool) bool { return !e[g] })
		maps.DeleteFunc(loose, func(v *types.Var, _ bool) bool { return !l[v] })
	}
	best, found := Guard{}, false
	for g := range exact {
		if !found || g.before(best) {
			best, found = g, true
		}
	}
	for v := range loose {
		g := Guard{Lock: v}
		if !found || !best.Exact && g.before(best) {
			best, found = g, true
		}
	}
	return best, found
}

// before orders guards: the nearest first.
func (g Guard) before(h Guard) bool {
	if g.rel.up != h.rel.up {
		return g.rel.up < h.rel.up
	}
	return g.Lock.Pos() < h.Lock.Pos()
}

// collect notes the accesses of one function.
func (in *inference) collect(fn *ssa.Function) {
	f := in.flows[fn]
	f.each(func(instr ssa.Instruction, held lockSet) {
		addr, write := accessed(instr)
		if a := passedOn(instr); a != nil {
			addr, write = a, true
		}
		if addr == nil {
			return
		}
		addr = in.wholeOf(addr)
		mem, loc, ok := in.memory(addr)
		if !ok {
			return
		}
		if ptr, ok := addr.Type().Underlying().(*types.Pointer); ok && isAtomicOrLock(ptr.Elem()) || !ok && !isMap(addr.Type()) {
			return
		}
		if m := entriesOf(instr); m != nil && variableOf(addr) != nil {
			addr = m
		}
		a := &Access{
			Memory: mem, Instr: instr, Write: write, addr: addr, loc: loc,
			held: maps.Clone(held), Construction: in.underConstruction(fn, loc),
		}
		in.accesses[mem] = append(in.accesses[mem], a)
		in.byInstr[instr] = a
	})
}

// memory is the class of the memory at addr.
func (in *inference) memory(addr ssa.Value) (*types.Var, location, bool) {
	var v *types.Var
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		v = field(a)
	case *ssa.Global:
		v, _ = a.Object().(*types.Var)
	case *ssa.IndexAddr: // of a map, in an array of these
		if of, ok := a.X.(*ssa.FieldAddr); ok && isMapList(pointee(of)) {
			v = field(of)
		}
	case *ssa.Parameter:
		v = in.lent(a)
	case *ssa.Alloc, *ssa.FreeVar:
		if v = in.shared(addr); v != nil {
			addr = variableOf(addr)
		}
	}
	if v == nil {
		return nil, location{}, false
	}
	loc, ok := in.num.locate(addr)
	return v, loc, ok
}

// pointee is the type of what is at an address; that of a value which is none is its own.
func pointee(addr ssa.Value) types.Type {
	if p, ok := addr.Type().Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return addr.Type()
}

// isMapList reports whether a type is an array of maps.
func isMapList(t types.Type) bool {
	list, ok := t.Underlying().(*types.Array)
	return ok && isMap(list.Elem())
}

// passedOn is the address of a field that goes elsewhere: to a method of what lies
// there, for example. It may be written there.
func passedOn(instr ssa.Instruction) ssa.Value {
	a, ok := instr.(*ssa.FieldAddr)
	if !ok {
		return nil
	}
	for _, ref := range *a.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr != ssa.Value(a) {
				return a
			}
		case *ssa.UnOp, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.DebugRef:
		default:
			return a
		}
	}
	return nil
}

// accessed is the address of the memory that an instruction reads or writes: that
// of a map for its entries, and that of a field for an element of its slice.
func accessed(instr ssa.Instruction) (addr ssa.Value, write bool) {
	switch instr := instr.(type) {
	case *ssa.Store:
		if e, ok := instr.Addr.(*ssa.IndexAddr); ok {
			return loadedFrom(e.X), true
		}
		return instr.Addr, true
	case *ssa.UnOp:
		if instr.Op != token.MUL || onlyForEntries(instr) && !takenOut(instr) {
			return nil, false
		}
		if e, ok := instr.X.(*ssa.IndexAddr); ok {
			return loadedFrom(e.X), false
		}
		return instr.X, false
	case *ssa.MapUpdate:
		return holderOf(instr.Map), true
	case *ssa.Lookup:
		return holderOf(instr.X), false
	case *ssa.Range:
		return holderOf(instr.X), false
	case *ssa.Call:
		b, ok := instr.Call.Value.(*ssa.Builtin)
		if !ok || len(instr.Call.Args) == 0 {
			return nil, false
		}
		switch _, isMap := instr.Call.Args[0].Type().Underlying().(*types.Map); b.Name() {
		case "delete", "clear":
			if isMap { // the elements of a list are none of what holds it
				return holderOf(instr.Call.Args[0]), true
			}
		case "len":
			return holderOf(instr.Call.Args[0]), false
		}
	}
	return nil, false
}

// onlyForEntries reports whether a map is loaded only to get at its entries, each
// of which is an access of its own.
func onlyForEntries(load *ssa.UnOp) bool {
	if _, ok := load.Type().Underlying().(*types.Map); !ok {
		return false
	}
	for _, ref := range *load.Referrers() {
		if !isEntry(ref, load) {
			return false
		}
	}
	return true
}

// holderOf is the address that a map was loaded from, or the parameter that a map is; nil if there
// is none, or it is another map that is there by then.
func holderOf(v ssa.Value) ssa.Value {
	if load, ok := v.(*ssa.UnOp); ok && takenOut(load) {
		return nil
	}
	if p, ok := v.(*ssa.Parameter); ok && isMap(p.Type()) {
		return p
	}
	return loadedFrom(v)
}

// loadedFrom is the address that a value was loaded from; nil if there is none.
func loadedFrom(v ssa.Value) ssa.Value {
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		return load.X
	}
	return nil
}

// Lock is the variable that declares a mutex: a field or a package variable; nil if
// that is not known.
func (g *Guards) Lock(mutex ssa.Value) *types.Var {
	l, ok := g.in.lockAt(mutex)
	if !ok {
		return nil
	}
	return g.in.variable(l)
}

// Address is the address of the memory that an access is to: that of the field or package
// variable that holds it, for an entry or an element, and the map for an entry of one that a
// variable of a function holds.
func (a *Access) Address() ssa.Value { return a.addr }

// Accesses are all accesses to a memory.
func (g *Guards) Accesses(mem *types.Var) []*Access { return g.in.accesses[mem] }
