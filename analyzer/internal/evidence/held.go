package evidence

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/analyzer/internal/callers"
	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Locks that do not count for the verdict can still be what keeps others away: that of
// an owner whose object was looked up, one of many. Whether there is any says whether
// the code shows that nobody waits.

// place is from where on a lock is held, and where it is taken: at the same instruction, or where several ways meet on each of
// which it was taken somewhere else. It is exclusive if it is on all of them.
//
//	mu.Lock()
//	for retry := range 3 {
//		if retry > 0 { mu.Unlock(); sleep(); mu.Lock() }
//		…
type place struct {
	from, taken register.Ref
	exclusive   bool
}

// isMeeting reports whether several ways meet there.
func (r place) isMeeting() bool { return r.from.Instr < 0 }

// places are those of the locks that are held.
type places map[place]bool

// holding are the accesses of a group, with the function that they are in.
type holding struct {
	*rivals.Function
	accesses []*register.Access
}

// heldLock is where a lock was taken that is held at all accesses, on all ways to them,
// and not released in between; whichever lock it is.
func (v holding) heldLock() (register.Ref, bool) { return v.heldBut(register.Ref{Block: -1}) }

// heldBut is heldLock without one that is taken at a place.
func (v holding) heldBut(own register.Ref) (register.Ref, bool) {
	var taken []register.Ref
	for at := range v.throughout() {
		if at.from != own {
			taken = append(taken, at.taken)
		}
	}
	if len(taken) == 0 {
		return register.Ref{}, false
	}
	return slices.MinFunc(taken, inOrder), true
}

func inOrder(a, b register.Ref) int { return cmp.Or(a.Block-b.Block, a.Instr-b.Instr) }

// takenAnew is where a lock is taken that is let go where others come in between, as the section that it begins is over
// by then, and is come to again in a later round: it is the same access before and after them.
func (v holding) takenAnew() register.Ref {
	if len(v.accesses) == 2 && v.accesses[0] == v.accesses[1] {
		at := v.accesses[0].Start
		blk := v.Prog.Blocks[at.Block]
		if i := at.Instr - 1; i >= 0 && blk.Instrs[at.Instr].Op == register.Enter && blk.Instrs[i].Op == register.Lock {
			return register.Ref{Block: at.Block, Instr: i}
		}
	}
	return register.Ref{Block: -1}
}

// classes are the locks that are held throughout, by the memory that they are in: which
// object it is does not matter. One that is picked out of many, by a hash of the key or so,
// has none: two who pick it in two ways hold two. Nor has one of an object that is given
// apart from the one with the cell. An exclusive one has the value true.
func (v holding) classes() map[string]bool {
	out := map[string]bool{}
	for r := range v.throughout() {
		if !v.oneWay(v.lockTaken(r)) {
			continue
		}
		if name := v.RootOf(v.lockTaken(r)); name != "" && !strings.Contains(name, extension.ElemStep) {
			out[name] = out[name] || r.exclusive
		}
	}
	return out
}

// takesOne reports whether a function takes one of some locks anywhere, or one of which nobody knows which it is.
func takesOne(f *rivals.Function, locks map[string]bool) bool {
	return slices.ContainsFunc(f.Prog.Blocks, func(blk *register.Block) bool {
		return slices.ContainsFunc(blk.Instrs, func(in register.Instr) bool {
			if in.Op != register.Lock {
				return false
			}
			name := f.RootOf(in.Args[0])
			return name == "" || locks[name]
		})
	})
}

// oneWay reports whether a lock is reached from a parameter that the cells are reached
// from as well, or is a package variable.
func (v holding) oneWay(lock register.Operand) bool {
	from := v.origins(lock, 0)
	for _, a := range v.accesses {
		to := v.origins(v.Prog.Cells[a.Cell].Map, 0)
		if len(from) > 0 && len(to) > 0 && !slices.ContainsFunc(to, func(l register.Local) bool { return slices.Contains(from, l) }) {
			return false
		}
	}
	return true
}

// origins are the parameters that a value is reached from; none if a call of which
// nothing is known has given it.
func (v holding) origins(op register.Operand, depth int) []register.Local {
	op = v.N.Source(op)
	if op.IsLit() || op.IsNone() || depth > maxSource {
		return nil
	}
	if slices.Contains(v.Prog.Params, op.Local) {
		return []register.Local{op.Local}
	}
	def := v.Prog.OnlyDef(op.Local)
	if def == nil || def.Op == register.Unknown && def.Memory().Kind == register.NoMemory {
		return nil
	}
	var out []register.Local
	for _, arg := range def.Args {
		out = append(out, v.origins(arg, depth+1)...)
	}
	return out
}

// ofReceiver reports whether a cell is a part of the object that a method is called on, or of
// what that refers to: two calls on two objects write two fields.
func (v *violation) ofReceiver() bool { return ofReceiver(v.Function, v.g.Accesses) }

// ofReceiver is that of some accesses of a function, or of a literal in a method; all have the
// cell that the first has.
func ofReceiver(fn *rivals.Function, accesses []*register.Access) bool {
	i, ok := ofParameter(fn, accesses)
	return ok && i == callers.Receiver
}

// ofParameter is the number of the parameter that a cell is reached from, as callers has them: one
// of the function, or what the method around a literal is called on.
func ofParameter(fn *rivals.Function, accesses []*register.Access) (int, bool) {
	if fn == nil || len(accesses) == 0 {
		return 0, false
	}
	return reachedFrom(fn, fn.Prog.Cells[accesses[0].Cell].Map)
}

// reachedFrom is that of a value.
func reachedFrom(fn *rivals.Function, op register.Operand) (int, bool) {
	from := holding{Function: fn}.origins(op, 0)
	if len(from) != 1 {
		return 0, false
	}
	p := ssaprog.ParameterOf(fn.Parameter(from[0]))
	if p == nil {
		return 0, false
	}
	i := slices.Index(p.Parent().Params, p)
	if p.Parent().Signature.Recv() != nil {
		i += callers.Receiver // which is the first one here
	}
	return i, i == callers.Receiver || p.Parent() == fn.Fn
}

// pointAt is a function as one to which goroutines come, on what some accesses are on.
func pointAt(id string, fn *rivals.Function, accesses []*register.Access) callers.Point {
	i, own := ofParameter(fn, accesses)
	if !own {
		return callers.Point{Fn: id}
	}
	return callers.Point{Fn: id, Own: true, Param: i, Parts: partsOf(fn, fn.Prog.Cells[accesses[0].Cell].Map)}
}

// partsOf are the fields that lead to a value from what it is reached from.
func partsOf(fn *rivals.Function, value register.Operand) []string {
	var out []string
	var up func(op register.Operand, depth int)
	up = func(op register.Operand, depth int) {
		op = fn.N.Source(op)
		def := fn.Prog.OnlyDef(op.Local)
		if op.IsLit() || op.IsNone() || def == nil || depth > maxSource {
			return
		}
		if m := def.Memory(); m.Kind == register.Field && !m.Address && !slices.Contains(out, m.Name) {
			out = append(out, m.Name)
		}
		for _, arg := range def.Args {
			up(arg, depth+1)
		}
	}
	up(value, 0)
	return out
}

// makesKey reports whether a function has made the key of some accesses itself.
func makesKey(fn *rivals.Function, accesses []*register.Access) bool {
	return !slices.ContainsFunc(accesses, func(a *register.Access) bool {
		key := fn.N.Source(fn.Prog.Cells[a.Cell].Key)
		if key.IsNone() || key.IsLit() {
			return true
		}
		def := fn.Prog.OnlyDef(key.Local)
		return def == nil || def.Op != register.Fresh
	})
}

// keyAt is a function as one to which goroutines come with the key of some accesses, if that is
// an object which it is given, or what that has.
func keyAt(id string, fn *rivals.Function, accesses []*register.Access) (callers.Point, bool) {
	if fn == nil || id == "" || len(accesses) == 0 {
		return callers.Point{}, false
	}
	key := fn.N.Source(fn.Prog.Cells[accesses[0].Cell].Key)
	if key.IsNone() || key.IsLit() || fn.Prog.TypeOf(key.Local).Kind != register.Pointer {
		return callers.Point{}, false
	}
	i, own := reachedFrom(fn, key)
	return callers.Point{Fn: id, Own: true, Param: i, Parts: partsOf(fn, key)}, own
}

// throughout are the places of the locks that are held at all accesses, taken once.
func (v holding) throughout() places {
	in := v.heldAtEntries()
	var common places
	for _, a := range v.accesses {
		at := v.heldAt(in, a.Start)
		if common == nil {
			common = at
		}
		maps.DeleteFunc(common, func(r place, _ bool) bool { return !at[r] })
	}
	maps.DeleteFunc(common, func(r place, _ bool) bool { return r.isMeeting() && (!r.exclusive || v.letGo(r)) })
	return common
}

// letGo reports whether a lock is released on a way from one access to another one, which does not come to the first again.
func (v holding) letGo(r place) bool {
	lock := v.N.Term(v.lockTaken(r))
	for _, a := range v.accesses {
		for _, b := range v.accesses {
			if a != b && v.letGoBetween(a.Start, b.Start, lock) {
				return true
			}
		}
	}
	return false
}

func (v holding) letGoBetween(from, to register.Ref, lock string) bool {
	type at struct {
		block    int
		released bool
	}
	seen := map[at]bool{}
	work := []at{{from.Block, false}}
	for first := from.Instr + 1; len(work) > 0; first = 0 {
		now := work[0]
		work = work[1:]
		blk, over := v.Prog.Blocks[now.block], false
		for i := first; i < len(blk.Instrs) && !over; i++ {
			here := register.Ref{Block: now.block, Instr: i}
			if here == to && now.released {
				return true
			}
			over = here == from
			now.released = now.released || blk.Instrs[i].Op == register.Unlock && v.N.Term(blk.Instrs[i].Args[0]) == lock
		}
		if over {
			continue
		}
		for _, next := range blk.Term.To {
			if n := (at{next, now.released}); !seen[n] {
				seen[n] = true
				work = append(work, n)
			}
		}
	}
	return false
}

// heldAtEntries has the locks that are held where each block begins: a must analysis,
// joined by intersection. What is held on all ways to a block, and was taken in several places, is held from there on.
func (v holding) heldAtEntries() []places {
	in := make([]places, len(v.Prog.Blocks))
	in[0] = places{}
	order, preds := register.ReversePostorder(v.Prog), register.Preds(v.Prog)
	for changed, rounds := true, 0; changed && rounds <= len(order); rounds++ {
		changed = false
		for _, b := range order[1:] {
			var outs []places
			for _, p := range preds[b] {
				if in[p] != nil {
					outs = append(outs, v.heldAt(in, register.Ref{Block: p, Instr: len(v.Prog.Blocks[p].Instrs)}))
				}
			}
			if len(outs) == 0 {
				continue
			}
			now := outs[0]
			for _, out := range outs[1:] {
				now = v.both(now, out, b)
			}
			if in[b] == nil || !maps.Equal(now, in[b]) {
				in[b], changed = now, true
			}
		}
	}
	return in
}

// both are the places of what is held on two ways to a block.
func (v holding) both(a, b places, block int) places {
	out := places{}
	for r := range a {
		if b[r] {
			out[r] = true
			continue
		}
		lock := v.N.Term(v.lockTaken(r))
		for o := range b {
			if !a[o] && v.N.Term(v.lockTaken(o)) == lock {
				taken := slices.MinFunc([]register.Ref{r.taken, o.taken}, inOrder)
				out[place{register.Ref{Block: block, Instr: -1}, taken, r.exclusive && o.exclusive}] = true
			}
		}
	}
	return out
}

// heldAt are the locks that are held before an instruction. What releases a lock that
// has not been taken here releases one of the caller's.
func (v holding) heldAt(in []places, at register.Ref) places {
	held := maps.Clone(in[at.Block])
	if held == nil {
		held = places{}
	}
	for i := range at.Instr {
		switch instr := &v.Prog.Blocks[at.Block].Instrs[i]; instr.Op {
		case register.Lock:
			here := register.Ref{Block: at.Block, Instr: i}
			held[place{here, here, instr.Name == "w"}] = true
		case register.Unlock:
			lock := v.N.Term(instr.Args[0])
			maps.DeleteFunc(held, func(r place, _ bool) bool { return v.N.Term(v.lockTaken(r)) == lock })
		}
	}
	return held
}

// lockTaken is the lock that is taken at a place.
func (v holding) lockTaken(r place) register.Operand {
	return v.Prog.Blocks[r.taken.Block].Instrs[r.taken.Instr].Args[0]
}
