package extension

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Not every later operation stands on what an earlier one found. This file knows
// the cases in which others are meant to see what is in between, or in which a
// look does no more than tell somebody what is there.

// onlyTells is onlyTold, asked once for each access.
func (f *finder) onlyTells(i int) bool {
	if f.told[i] == unasked {
		f.told[i] = no
		if f.onlyTold(i) {
			f.told[i] = yes
		}
	}
	return f.told[i] == yes
}

// onlyTold reports whether what access i found goes into the text of an error, or
// of a panic, and nowhere else.
//
//	if !t.state.CompareAndSwap(open, done) {
//		return fmt.Errorf("state is %v", t.state.Load())
//	}
//
// The same text as a result, a key or a name is another matter.
func (f *finder) onlyTold(i int) bool {
	if f.Accesses[i].Writes {
		return false
	}
	told := false
	marked := f.outcome(i)
	for n := -1; n != len(marked); {
		n = len(marked)
		for _, blk := range f.prog.Blocks {
			for k := range blk.Instrs {
				in := &blk.Instrs[k]
				switch {
				case !anyMarked(marked, in.Args):
				case MakesError(in):
					told = true
				case in.Op == register.Pure, in.Op == register.Copy:
					in.Defs(func(l register.Local) { marked[l] = true })
				default:
					return false
				}
			}
			if blk.Term.Kind != register.Panic && anyMarked(marked, blk.Term.Reads()) {
				return false
			}
		}
	}
	return told
}

func (f *finder) outcome(i int) map[register.Local]bool {
	marked := map[register.Local]bool{}
	for _, l := range f.Accesses[i].Outcome {
		marked[l] = true
	}
	return marked
}

// Computes reports whether an operand of b is computed from what access i found,
// however often it was chosen between several such.
func (f *finder) Computes(i int, b *register.Access) bool {
	marked := f.outcome(i)
	for n := -1; n != len(marked); {
		n = len(marked)
		for _, blk := range f.prog.Blocks {
			for k := range blk.Instrs {
				if in := &blk.Instrs[k]; !in.IsBase() && anyMarked(marked, in.Args) {
					in.Defs(func(l register.Local) { marked[l] = true })
				}
			}
		}
	}
	for _, op := range b.Ops {
		if anyMarked(marked, f.prog.Blocks[op.Block].Instrs[op.Instr].Args) {
			return true
		}
	}
	return false
}

func anyMarked(marked map[register.Local]bool, ops []register.Operand) bool {
	return slices.ContainsFunc(ops, func(o register.Operand) bool { return o.Local != register.None && marked[o.Local] })
}

// MakesError reports whether an instruction makes an error: by a function that gives nothing else, or by one, or as
// an object of a type, that is named like it. Error methods make no errors.
func MakesError(in *register.Instr) bool {
	name := in.Site()
	if in.Fails {
		return true
	}
	switch in.Op {
	case register.Pure:
		isCall := !in.Memory().IsField() && !strings.ContainsAny(name, "():&")
		return name == "errors.New" || isCall && (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Errorf"))
	case register.Fresh:
		return strings.HasSuffix(name, "Error")
	}
	return false
}

// readsBack reports whether b, which looks, is after a, which writes, to see what
// became of that. For an atomic, b has to follow at once: a counter that is
// counted here, and looked at somewhere else on the way, is watched.
//
//	id.Add(1)
//	return name(id.Load())
func (f *finder) readsBack(i, j int) bool {
	a, b := f.Accesses[i], f.Accesses[j]
	if !f.used(j) || f.Precedes(b, a) {
		return false
	}
	return f.prog.Cells[a.Cell].Kind == register.Map || f.atOnce(a, b)
}

// atOnce reports whether b follows a with no call, effect or other operation in
// between.
func (f *finder) atOnce(a, b *register.Access) bool {
	at := a.Ops[len(a.Ops)-1]
	for range f.prog.Blocks {
		blk := f.prog.Blocks[at.Block]
		for k := at.Instr + 1; k < len(blk.Instrs); k++ {
			in := &blk.Instrs[k]
			switch {
			case b.Start == register.Ref{Block: at.Block, Instr: k}:
				return true
			case in.Op == register.Effect, in.Op == register.Unknown, in.Op == register.Blocking, in.IsBase():
				return false
			}
		}
		if blk.Term.Kind != register.Jump {
			return false
		}
		at = register.Ref{Block: blk.Term.To[0], Instr: -1}
	}
	return false
}

// takesBack reports whether b undoes a: a put something there that is its own, and
// b removes it or sets a constant, or b subtracts what a added. Who takes a share off a count
// puts nothing there, nor does who comes to b only where a has left things as they were.
func (f *finder) takesBack(a, b *register.Access) bool {
	if n, _ := f.adds(a); !b.Writes || a.Cell != b.Cell || n < 0 && b.Constant || !f.writesBefore(a, b) {
		return false
	}
	if b.Constant || len(a.Ops) > 1 && len(b.Ops) > 1 {
		return true
	}
	return f.subtracts(a, b)
}

// writesBefore reports whether b can come after what a writes:
//
//	if _, ok := m[key]; ok {
//		m[key] = mine
//		return
//	}
//
// is only a look for who does not return there.
func (f *finder) writesBefore(a, b *register.Access) bool {
	return slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
		return f.prog.Blocks[op.Block].Instrs[op.Instr].Op != register.Read && f.Precedes(&register.Access{Start: op}, b)
	})
}

// subtracts reports whether b takes off again what a added.
func (f *finder) subtracts(a, b *register.Access) bool {
	m, ok := f.adds(a)
	n, also := f.adds(b)
	return ok && also && m != 0 && m == -n
}

// adds is the constant that an access adds to a number, if it does that.
func (f *finder) adds(a *register.Access) (int64, bool) {
	var sum int64
	for _, op := range a.Ops {
		in := &f.prog.Blocks[op.Block].Instrs[op.Instr]
		if in.Op == register.Read {
			continue
		}
		n, ok := f.added(in)
		if !ok || sum != 0 {
			return 0, false
		}
		sum = n
	}
	return sum, sum != 0
}

// added is what a write adds to the number that was there, or a CAS to the one
// that it expects.
func (f *finder) added(in *register.Instr) (int64, bool) {
	val := in.Args[len(in.Args)-1]
	if in.Op == register.CAS && val.IsLit() && in.Args[0].IsLit() {
		from, err := strconv.ParseInt(in.Args[0].Lit, 10, 64)
		to, err2 := strconv.ParseInt(val.Lit, 10, 64)
		return to - from, err == nil && err2 == nil
	}
	def, _ := f.n.Def(val)
	if def == nil || len(def.Args) != 2 || !def.Args[1].IsLit() {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimPrefix(def.Args[1].Lit, "+"), 10, 64)
	switch {
	case err != nil || n == math.MinInt64:
		return 0, false
	case def.Name == "add":
		return n, true
	case def.Name == "sub":
		return -n, true
	}
	return 0, false
}

// inReservation reports whether i and j are a look and what is done in a
// reservation: something is added, looked at with the addition in it, and taken
// off again.
//
//	if n.CompareAndSwap(0, -big) {
//		if n.Load() != -big { n.Add(big); return false }
//
// Whoever adds in such a way says that others may see it. What takes it off stands
// on the addition alone, and so does the look that decides about that.
func (f *finder) inReservation(i, j int) bool {
	a, b := f.Accesses[i], f.Accesses[j]
	if a.Writes {
		return !b.Writes && f.reserved(j)
	}
	if !b.Writes {
		return f.reserved(j)
	}
	for k, add := range f.Accesses {
		if add.Cell == b.Cell && f.subtracts(add, b) && f.after(k, b) {
			return true
		}
	}
	return false
}

// reserved reports whether access j is a look that decides about what takes off a
// number that was added before it.
func (f *finder) reserved(j int) bool {
	b := f.Accesses[j]
	for k, add := range f.Accesses {
		if add.Cell != b.Cell || !add.Writes || !f.after(k, b) {
			continue
		}
		for _, sub := range f.Accesses {
			if sub.Cell == b.Cell && f.subtracts(add, sub) && f.Influence(j).Blocks[sub.Start.Block] && f.after(k, sub) {
				return true
			}
		}
	}
	return false
}

// after reports whether b happens only if access k did.
func (f *finder) after(k int, b *register.Access) bool {
	a := f.Accesses[k]
	return a != b && f.Precedes(a, b) && (f.Dominates(a, b) || f.Influence(k).Blocks[b.Start.Block])
}

// staged reports whether between i and j the call first writes and then waits for
// others: they are meant to see that, and what comes after is another step.
//
//	l.state.Store(retiring)
//	for l.users.Load() > 0 { runtime.Gosched() }
//	l.state.Store(retired)
func (f *finder) staged(i, j int) bool {
	a, b := f.Accesses[i], f.Accesses[j]
	for _, w := range f.Accesses {
		if w.Writes && w.Cell == a.Cell && w != b && (w == a || f.Dominates(a, w)) && f.Dominates(w, b) && f.waitsBetween(w, b) {
			return true
		}
	}
	return false
}

// waitsBetween reports whether a call goes through a loop that ends when another
// cell says so, or blocks, on every way from a to b as far as that can be told.
func (f *finder) waitsBetween(a, b *register.Access) bool {
	if f.blocksBetween(a, b) {
		return true
	}
	for i, r := range f.Accesses {
		at := r.Start.Block
		spins := !r.Writes && r.Cell != a.Cell && f.Reach(at, at) && f.Influence(i).Blocks[at]
		if spins && f.Dominates(a, r) && f.Dominates(r, b) && !f.Precedes(b, r) && !f.Precedes(r, a) {
			return true
		}
	}
	return false
}

// settled reports whether the call has waited before access a until another
// cell, or a number taken from one, says that nobody uses the cell of b any more:
// what comes then is done alone.
//
//	n := index.Add(1 << 63)
//	for cold.started.Load() != n { runtime.Gosched() }
//	cold.sum.Store(0)
func (f *finder) settled(a, b *register.Access) bool {
	for i, r := range f.Accesses {
		at := r.Start.Block
		waits := f.Reach(at, at) && f.Influence(i).Blocks[at] && f.idle(at) && !f.Reach(a.Start.Block, at)
		if waits && f.Dominates(r, a) && (r.Cell != b.Cell || f.decidedElsewhere(i)) {
			return true
		}
	}
	return false
}

// idle reports whether the loop that block b is in changes nothing, as one that
// only waits.
func (f *finder) idle(b int) bool {
	return !slices.ContainsFunc(f.Accesses, func(w *register.Access) bool {
		at := w.Start.Block
		return w.Writes && f.Reach(b, at) && f.Reach(at, b)
	})
}

// decidedElsewhere reports whether an operation on another cell has a say in how
// long look i is repeated.
func (f *finder) decidedElsewhere(i int) bool {
	r := f.Accesses[i]
	return slices.ContainsFunc(f.Accesses, func(q *register.Access) bool {
		return q.Cell != r.Cell && f.Influence(f.index(q)).Blocks[r.Start.Block]
	})
}

func (f *finder) index(a *register.Access) int { return slices.Index(f.Accesses, a) }

// A lock for each entry, of which the entry is taken away by whoever lets the lock go:
//
//	l := t.get(k) // or a new one, which is put there
//	l.Lock()
//	...
//	l.Unlock()
//	t.delete(k)
//
// Others may have got the same lock meanwhile, and who comes next gets a new one. Left out is who takes
// the entry away only if he has found that nobody else has it, and who looks again, in a loop, whether
// the lock that he has got is still that of the entry.

// locksFound reports whether a lock is taken before b that lies in what an access has found or put there.
func (f *finder) locksFound(i int, b *register.Access) bool {
	return slices.ContainsFunc(f.lockedIn(i), func(at register.Ref) bool { return f.Precedes(&register.Access{Start: at}, b) })
}

// holdsFound reports whether such a lock can still be held then.
func (f *finder) holdsFound(i int, b *register.Access) bool {
	return slices.ContainsFunc(f.lockedIn(i), func(at register.Ref) bool { return f.heldUntil(at, b) })
}

// lockedIn are the places where a lock is taken that lies in what an access has found or put there.
func (f *finder) lockedIn(i int) []register.Ref {
	var out []register.Ref
	for n, blk := range f.prog.Blocks {
		for k := range blk.Instrs {
			at := register.Ref{Block: n, Instr: k}
			if in := &blk.Instrs[k]; in.Op == register.Lock && f.Influence(i).Uses(in) && f.Precedes(f.Accesses[i], &register.Access{Start: at}) {
				out = append(out, at)
			}
		}
	}
	return out
}

// heldUntil reports whether there is a way from where a lock is taken to an access on which it is not released.
func (f *finder) heldUntil(lock register.Ref, b *register.Access) bool {
	path := f.n.Path(f.prog.Blocks[lock.Block].Instrs[lock.Instr].Args[0])
	seen := make([]bool, len(f.prog.Blocks))
	for work := []register.Ref{lock}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		blk, released := f.prog.Blocks[at.Block], false
		for k := at.Instr; k < len(blk.Instrs) && !released; k++ {
			if b.Start == (register.Ref{Block: at.Block, Instr: k}) {
				return true
			}
			in := &blk.Instrs[k]
			released = in.Op == register.Unlock && f.n.Path(in.Args[0]) == path
		}
		for _, to := range blk.Term.To {
			if !released && !seen[to] {
				seen[to] = true
				work = append(work, register.Ref{Block: to})
			}
		}
	}
	return false
}

// onlyRemoves reports whether all that an access does is to take the entry away.
func (f *finder) onlyRemoves(a *register.Access) bool {
	return !slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
		in := &f.prog.Blocks[op.Block].Instrs[op.Instr]
		return in.Op != register.Write || in.Args[0] != register.Absent
	})
}

// removesFound reports whether all that an access does is to look and to take the entry away if there is one.
func (f *finder) removesFound(a *register.Access) bool {
	if len(a.Ops) != 2 {
		return false
	}
	write, ok := register.Removal(f.prog, f.n, a.Ops[0])
	return ok && write == a.Ops[1]
}

// takesAnyAway reports whether an access takes the entry away, whatever it finds when it does so.
func (f *finder) takesAnyAway(a *register.Access) bool {
	last := len(a.Ops) - 1
	at, looks := a.Ops[last], a.Ops[:last]
	in := &f.prog.Blocks[at.Block].Instrs[at.Instr]
	if in.Op != register.Write || in.Args[0] != register.Absent {
		return false
	}
	reads := func(op register.Ref) bool { return f.prog.Blocks[op.Block].Instrs[op.Instr].Op == register.Read }
	return !slices.ContainsFunc(looks, func(op register.Ref) bool { return !reads(op) }) && (last == 0 || !f.decidedBy(looks, at.Block))
}
