package extension

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// A value that is only put there where there is nothing is a lease of its key: whoever
// puts one there knows that he is the only one, until he takes it away.
//
//	if _, busy := m[key]; busy {
//		return errBusy
//	}
//	m[key] = mine
//	go func() { wait(); delete(m, key) }()
//
// It breaks only by somebody else who takes the entry away before that. Whoever puts his own there also where he
// has found one, if he does not leave it at that, knows that another one can do so with his.

// maxLeaseSteps bounds the blocks that are looked at on all ways that find something.
const maxLeaseSteps = 1000

// afterFound is what a call that finds an entry does all the same: it puts its own there, or comes to the
// end of what it means to be its own without that. Looks are what it looks by, and at is where it is put there.
func (f *finder) afterFound(looks []register.Ref, at register.Ref, end *register.Access) (puts, ends bool) {
	w := f.afterLooks(looks, at, end, true)
	return w.puts, w.ends
}

// endsVacant reports whether a call that finds nothing, and puts nothing there, comes to where it takes
// an entry away. By then that is one of somebody else:
//
//	if _, ok := m[key]; ok {
//		m[key] = mine
//	} else {
//		defer delete(m, key)
//	}
func (f *finder) endsVacant(looks []register.Ref, at register.Ref, end *register.Access) bool {
	return f.afterLooks(looks, at, end, false).ends
}

// afterLooks follows the ways of a call whose looks have found an entry, or have found none.
func (f *finder) afterLooks(looks []register.Ref, at register.Ref, end *register.Access, there bool) *heldWay {
	w := &heldWay{finder: f, at: at, end: end, known: map[register.Local]bool{}, found: map[register.Local]bool{}, vacant: !there}
	for _, op := range looks {
		dst := f.prog.Blocks[op.Block].Instrs[op.Instr].Dst
		w.found[dst[0]], w.known[dst[1]] = true, there
	}
	w.follow(0)
	return w
}

// takesFound reports whether a call that finds an entry, and puts none there, comes to where b takes it away:
//
//	c, ok := m[key]
//	if !ok {
//		c = dial(key)
//		m[key] = c
//	}
//	...
//	if c.failed() { delete(m, key) }
//
// An entry that everybody takes away who has found it is nobody's lease.
func (f *finder) takesFound(a, b *register.Access) bool {
	if f.prog.Cells[a.Cell].Kind != register.Map || !f.onlyRemoves(b) && !f.removesFound(b) {
		return false
	}
	last := len(a.Ops) - 1
	at, looks := a.Ops[last], a.Ops[:last]
	put := &f.prog.Blocks[at.Block].Instrs[at.Instr]
	w := &heldWay{finder: f, at: at, end: b, known: map[register.Local]bool{}, found: map[register.Local]bool{}, simple: true, on: map[int]bool{}}
	switch {
	case put.Op == register.Write && last > 0 && !f.removes(a) && f.decidedBy(looks, at.Block):
		for _, op := range looks {
			in := &f.prog.Blocks[op.Block].Instrs[op.Instr]
			if in.Op != register.Read {
				return false
			}
			w.found[in.Dst[0]], w.known[in.Dst[1]] = true, true
		}
	case put.Op == register.CAS && last == 0 && put.Args[0] == register.Absent:
		w.at, w.found[put.Dst[0]], w.known[put.Dst[1]] = register.Ref{Block: -1}, true, false
	default:
		return false
	}
	w.follow(0)
	return w.ends && w.steps <= maxLeaseSteps
}

// heldWay follows the ways of a function that has found an entry.
type heldWay struct {
	*finder
	at  register.Ref
	end *register.Access
	// known are the truths that are known, found what was found, and steps how many blocks
	// were looked at.
	known, found map[register.Local]bool
	steps        int
	// vacant says that nothing was found.
	vacant bool
	// simple says that no block is come to twice on one way, and on has those of the present way.
	simple bool
	on     map[int]bool
	// puts and ends are what some way comes to, each before the other one.
	puts, ends bool
}

// follow goes on from a block: a condition says the same wherever it is asked on one way.
func (w *heldWay) follow(block int) {
	w.steps++
	switch {
	case w.steps > maxLeaseSteps:
		w.puts, w.ends = true, true
		return
	case block == w.at.Block:
		w.puts = true
		return
	case slices.ContainsFunc(w.end.Ops, func(op register.Ref) bool { return op.Block == block }):
		w.ends = true
		return
	case w.simple && w.on[block]:
		return
	}
	if w.simple {
		w.on[block] = true
		defer delete(w.on, block)
	}
	t := &w.prog.Blocks[block].Term
	if t.Kind != register.Branch {
		for _, to := range t.To {
			w.follow(to)
		}
		return
	}
	if truth, ok := w.truth(t.Cond, maxKeySteps); ok {
		w.follow(t.To[boolIndex(truth)])
		return
	}
	cond := w.n.Source(t.Cond).Local
	for _, truth := range []bool{true, false} {
		w.known[cond] = truth
		w.follow(t.To[boolIndex(truth)])
	}
	delete(w.known, cond)
}

// boolIndex is the place of what a branch goes on to.
func boolIndex(truth bool) int {
	if truth {
		return 0
	}
	return 1
}

// truth is what a condition is, if that is known.
func (w *heldWay) truth(cond register.Operand, depth int) (truth, ok bool) {
	cond = w.n.Source(cond)
	if cond.IsLit() {
		return cond.Lit == register.LitTrue, cond.Lit == register.LitTrue || cond.Lit == register.LitFalse
	}
	if truth, ok = w.known[cond.Local]; ok {
		return truth, true
	}
	def, _ := w.n.Def(cond)
	switch {
	case def == nil || depth == 0:
		return false, false
	case def.Name == "not":
		truth, ok = w.truth(def.Args[0], depth-1)
		return !truth, ok
	case def.Name == "eq" && slices.Contains(def.Args, register.Lit(register.LitNil)):
		return w.vacant, slices.ContainsFunc(def.Args, w.isFound)
	}
	return false, false
}

func (w *heldWay) isFound(op register.Operand) bool {
	op = w.n.Source(op)
	return !op.IsLit() && w.found[op.Local]
}

// Takes reports whether some accesses of a function take away the entry under a key that its callers
// say, or that is a constant; at is where.
func (f *Function) Takes(accesses []*register.Access) (at []register.Pos, named bool) {
	for _, a := range accesses {
		if !f.Find.removes(a) {
			continue
		}
		at = append(at, f.Pos(a.Ops[len(a.Ops)-1]))
		named = f.Find.isShared(f.Prog.Cells[a.Cell].Key, maxKeySteps)
	}
	return at, named
}

// Begins are the accesses of a step on one cell up to where the call puts something there, or adds it, after it has looked whether
// it may, that it takes back in the end; none if it does not. The whole of such a step leaves nothing, so that nobody would ever find what
// it looks for: a mark that somebody is at work, or one more who is. For others it has begun.
func (f *Function) Begins(g Group) []*register.Access {
	if len(g.Cells) != 1 {
		return nil
	}
	for _, puts := range g.Accesses {
		if f.Find.onlyRemoves(puts) || !slices.ContainsFunc(g.Accesses, func(ends *register.Access) bool { return f.lends(puts, ends) }) {
			continue
		}
		begins := slices.DeleteFunc(slices.Clone(g.Accesses), func(a *register.Access) bool { return a != puts && !f.Find.Precedes(a, puts) })
		asked := slices.ContainsFunc(begins, func(a *register.Access) bool { return a != puts && f.Find.Decides(a, puts) })
		if (asked || f.putsOwn(puts)) && !f.loops(begins) {
			return begins
		}
	}
	return nil
}

// putsOwn reports whether all that an access does is to put an object in the place of whatever there is.
func (f *Function) putsOwn(a *register.Access) bool {
	return len(a.Ops) == 1 && f.Prog.Cells[a.Cell].Kind == register.Map && slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
		in := &f.Prog.Blocks[op.Block].Instrs[op.Instr]
		if in.Op != register.Write || in.Args[0].IsLit() || in.Args[0] == register.Absent {
			return false
		}
		own := f.N.Source(in.Args[0])
		return !own.IsLit() && (f.Prog.IsFresh(own.Local) || f.Prog.TypeOf(own.Local).Kind == register.Pointer)
	})
}

// lends reports whether what one access puts there is taken away by another, which is made only after that.
func (f *Function) lends(puts, ends *register.Access) bool {
	if puts == ends || !f.Find.Dominates(puts, ends) || f.Find.Precedes(ends, puts) || !f.Find.takesBack(puts, ends) {
		return false
	}
	return f.Find.onlyRemoves(ends) || f.Find.subtracts(puts, ends)
}

// loops reports whether one of some accesses can come again after another one.
func (f *Function) loops(accesses []*register.Access) bool {
	return slices.ContainsFunc(accesses, func(a *register.Access) bool { return f.Find.Precedes(a, a) })
}
