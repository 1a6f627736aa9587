package rivals

import (
	"maps"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/ownership"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// heldLock says that a lock is held at some place.
type heldLock struct {
	Exclusive bool
	// At is the place where it was taken: two places with the same one lie
	// in one critical section. It is EntrySection if the caller took it.
	At register.Ref
}

var EntrySection = register.Ref{Block: -1}

// LockSet are the locks held at a place, by their key.
//
// The key names a lock by its position relative to a map: the mutex beside
// the map in the same struct, the mutex of the struct that holds the struct,
// a package variable. So it means the same lock in all functions that touch
// the same map, and the lock of another object has no key.
type LockSet map[string]heldLock

// Holds returns the lock set of an analysis' Hold list.
func (s LockSet) Holds() []absint.Hold {
	var out []absint.Hold
	for _, k := range slices.Sorted(maps.Keys(s)) {
		out = append(out, absint.Hold{Lock: "&" + k, Exclusive: s[k].Exclusive})
	}
	return out
}

// Entered are those that the caller took.
func (s LockSet) Entered() LockSet {
	out := LockSet{}
	for k, h := range s {
		if h.At == EntrySection {
			out[k] = h
		}
	}
	return out
}

// LockAnalysis computes the locks that are certainly held (a must analysis:
// forward, intersection) in one program, seen from one cell.
type lockAnalysis struct {
	*ownership.Lineage
	cell register.Operand
	// cellKey is the key of the cell; none for an atomic.
	cellKey register.Operand
	// cells are the cell's ancestors, and keys the answers of key.
	cells []ownership.Ancestor
	keys  map[register.Operand]string
	// in are the sets at the start of each block; nil where it has not been reached. Blocks
	// share them, as most neither take nor release a lock, and so nobody changes one.
	in []LockSet
}

func newLockAnalysis(f *Function, cell int) *lockAnalysis {
	la := &lockAnalysis{Lineage: f.Lineage(), cell: f.Prog.Cells[cell].Map, cellKey: f.Prog.Cells[cell].Key, keys: map[register.Operand]string{}}
	la.cells = la.Reached(la.cell, true)
	la.solve(LockSet{})
	if entry := la.handedOver(cell); len(entry) > 0 {
		la.solve(entry)
	}
	return la
}

// solve computes the sets from that of the entry.
func (la *lockAnalysis) solve(entry LockSet) {
	la.in = make([]LockSet, len(la.Prog.Blocks))
	la.in[0] = entry
	order := register.ReversePostorder(la.Prog)
	for changed := true; changed; {
		changed = false
		for _, b := range order {
			out := la.after(b, len(la.Prog.Blocks[b].Instrs))
			for _, s := range la.Prog.Blocks[b].Term.To {
				if la.in[s] == nil {
					la.in[s], changed = out, true
				} else if both := intersection(la.in[s], out); len(both) != len(la.in[s]) {
					la.in[s], changed = both, true
				}
			}
		}
	}
}

// after is the lock set before instruction i of block b, shared with that of the block
// if it is the same.
func (la *lockAnalysis) after(b, i int) LockSet {
	s, own := la.in[b], false
	for k := range i {
		in := &la.Prog.Blocks[b].Instrs[k]
		if in.Op != register.Lock && in.Op != register.Unlock {
			continue
		}
		key := la.key(in.Args[0])
		if _, held := s[key]; key == "" || in.Op == register.Unlock && !held {
			continue
		}
		if !own {
			s, own = s.clone(), true
		}
		if in.Op == register.Lock {
			s[key] = heldLock{Exclusive: in.Name == "w", At: register.Ref{Block: b, Instr: k}}
		} else {
			delete(s, key)
		}
	}
	if s == nil {
		return LockSet{}
	}
	return s
}

// At are the locks held before an instruction, for the caller to add to.
func (la *lockAnalysis) At(r register.Ref) LockSet { return la.after(r.Block, r.Instr).clone() }

func (s LockSet) clone() LockSet {
	if s == nil {
		return LockSet{}
	}
	return maps.Clone(s)
}

// intersection is what both s and t have, s itself if that is all of it; a lock taken at
// different places is no section.
func intersection(s, t LockSet) LockSet {
	var gone []string
	for k, h := range s {
		if o, ok := t[k]; !ok || o != h {
			gone = append(gone, k)
		}
	}
	if gone == nil {
		return s
	}
	s = maps.Clone(s)
	for _, k := range gone {
		delete(s, k)
	}
	return s
}

// key names a lock relative to the map of the cell; "" if they have nothing
// in common.
func (la *lockAnalysis) key(lock register.Operand) string {
	lock = la.N.Source(lock)
	if lock.IsLit() {
		return lock.Lit
	}
	k, ok := la.keys[lock]
	if !ok {
		k = la.findKey(lock)
		la.keys[lock] = k
	}
	return k
}

func (la *lockAnalysis) findKey(lock register.Operand) string {
	if key := la.keyOfElement(lock); key != "" {
		return key
	}
	for _, l := range la.Ancestors(lock)[1:] {
		if strings.HasPrefix(l.Term, "&") {
			return l.Term + ">" + l.Path // a field of a package variable
		}
		for _, m := range la.cells {
			if l.Term == m.Term {
				return l.Path + "|" + m.Path
			}
		}
	}
	return ""
}

// Section returns a lock under which all the accesses lie, taken once, that
// excludes other runs of the same code if the accesses write.
func Section(sets []LockSet, writes bool) (string, heldLock, bool) {
	if len(sets) == 0 {
		return "", heldLock{}, false
	}
	for _, k := range slices.Sorted(maps.Keys(sets[0])) {
		h := sets[0][k]
		same := !writes || h.Exclusive
		for _, s := range sets[1:] {
			o, ok := s[k]
			same = same && ok && o.At == h.At
		}
		if same {
			return k, h, true
		}
	}
	return "", heldLock{}, false
}

// Guard is the lock that guards a cell which is plain memory, as far as some accesses to
// it show; empty if they do not. The sets are the locks at each of them, and the steps
// what others do to it.
func (f *Function) Guard(cell int, accesses []*register.Access, sets []LockSet, steps []*Step) string {
	var common map[string]bool
	keep := func(keys map[string]bool) {
		if common == nil {
			common = keys
		}
		maps.DeleteFunc(common, func(k string, _ bool) bool { return !keys[k] })
	}
	for i, a := range accesses {
		if a.Cell != cell {
			continue
		}
		held := map[string]bool{}
		for k := range sets[i] {
			held[k] = true
		}
		keep(held)
		for _, op := range a.Ops {
			if keys := f.sections(cell, op); len(keys) > 0 {
				keep(keys)
			}
		}
	}
	if len(common) > 1 {
		maps.DeleteFunc(common, func(k string, _ bool) bool { return !Respected(steps, k, heldLock{Exclusive: true}) })
	}
	if len(common) != 1 {
		return ""
	}
	return slices.Collect(maps.Keys(common))[0]
}

// sections are the keys of the locks that begin the critical sections around an
// operation.
func (f *Function) sections(cell int, op register.Ref) map[string]bool {
	held := f.Prog.Blocks[op.Block].Instrs[op.Instr].Held
	keys := map[string]bool{}
	for _, blk := range f.Prog.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op == register.Lock && len(in.Held) == 1 && slices.Contains(held, in.Held[0]) {
				keys[f.LockAnalysis(cell).key(in.Args[0])] = true
			}
		}
	}
	delete(keys, "")
	return keys
}
