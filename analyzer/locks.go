package analyzer

import (
	"maps"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/reduce"
)

// heldLock says that a lock is held at some place.
type heldLock struct {
	exclusive bool
	// at is the place where it was taken: two places with the same one lie
	// in one critical section. It is entrySection if the caller took it.
	at reduce.Ref
}

var entrySection = reduce.Ref{Block: -1}

// lockSet are the locks held at a place, by their key.
//
// The key names a lock by its position relative to a map: the mutex beside
// the map in the same struct, the mutex of the struct that holds the struct,
// a package variable. So it means the same lock in all functions that touch
// the same map, and the lock of another object has no key.
type lockSet map[string]heldLock

// holds returns the lock set of an analysis' Hold list.
func (s lockSet) holds() []absint.Hold {
	var out []absint.Hold
	for _, k := range slices.Sorted(maps.Keys(s)) {
		out = append(out, absint.Hold{Lock: "&" + k, Exclusive: s[k].exclusive})
	}
	return out
}

// lockAnalysis computes the locks that are certainly held (a must analysis:
// forward, intersection) in one program, seen from one cell.
type lockAnalysis struct {
	prog *reduce.Program
	n    *reduce.Numbering
	cell reduce.Operand
	// chain sees the steps from one value to the next; owned says which
	// memory alone leads to what it points to.
	chain   *rootNames
	owned   map[string]bool
	getters *gets
	// cells are the cell's ancestors, and keys the answers of key.
	cells []ancestor
	keys  map[reduce.Operand]string
	in    []lockSet // nil: not reached yet
}

func newLockAnalysis(f *funcInfo, cell int) *lockAnalysis {
	la := &lockAnalysis{prog: f.prog, n: f.n, cell: f.prog.Cells[cell].Map, chain: f.names(), owned: f.owned, getters: f.getters, keys: map[reduce.Operand]string{}}
	la.cells = la.reached(la.cell, true)
	la.solve(lockSet{})
	if entry := la.handedOver(cell); len(entry) > 0 {
		la.solve(entry)
	}
	return la
}

// solve computes the sets from that of the entry.
func (la *lockAnalysis) solve(entry lockSet) {
	la.in = make([]lockSet, len(la.prog.Blocks))
	la.in[0] = entry
	order := reduce.ReversePostorder(la.prog)
	for changed := true; changed; {
		changed = false
		for _, b := range order {
			out := la.after(b, len(la.prog.Blocks[b].Instrs))
			for _, s := range la.prog.Blocks[b].Term.To {
				if la.in[s] == nil {
					la.in[s], changed = maps.Clone(out), true
				} else if intersect(la.in[s], out) {
					changed = true
				}
			}
		}
	}
}

// after is the lock set before instruction i of block b.
func (la *lockAnalysis) after(b, i int) lockSet {
	s := maps.Clone(la.in[b])
	if s == nil {
		s = lockSet{}
	}
	for k := range i {
		in := &la.prog.Blocks[b].Instrs[k]
		switch in.Op {
		case reduce.Lock:
			if key := la.key(in.Args[0]); key != "" {
				s[key] = heldLock{exclusive: in.Name == "w", at: reduce.Ref{Block: b, Instr: k}}
			}
		case reduce.Unlock:
			delete(s, la.key(in.Args[0]))
		}
	}
	return s
}

func (la *lockAnalysis) at(r reduce.Ref) lockSet { return la.after(r.Block, r.Instr) }

// intersect removes from s what is not in t too; a lock taken at different
// places is no section.
func intersect(s, t lockSet) bool {
	changed := false
	for k, h := range s {
		if o, ok := t[k]; !ok || o.at != h.at || o.exclusive != h.exclusive {
			delete(s, k)
			changed = true
		}
	}
	return changed
}

// ancestor is a value that something was reached from, and how.
type ancestor struct{ term, path string }

// ancestors lists what op was reached from, nearest first, op itself
// included: through fields of fields, and at the very end through a pointer
// to it. Beyond another pointer there may be several owners, with a lock each.
func (la *lockAnalysis) ancestors(op reduce.Operand) []ancestor { return la.reached(op, false) }

// reached is ancestors, for the cell also through elements of containers, and
// through pointers that are known to be in one place only.
//
// An element counts for the cell, which is some element in all functions alike.
// The lock of an element is that of one among many: of which one, two functions
// need not agree.
func (la *lockAnalysis) reached(op reduce.Operand, elements bool) []ancestor {
	return la.reachedBy(op, "", elements, 0)
}

// reachedBy is reached for what leads to something by the steps of path.
func (la *lockAnalysis) reachedBy(op reduce.Operand, path string, elements bool, depth int) []ancestor {
	var out []ancestor
	for range 12 {
		op = la.n.Source(op)
		out = append(out, ancestor{la.n.Term(op), path})
		step, from, pointer, ok := la.chain.step(op)
		switch {
		case !ok && elements:
			def, result := definition(la.prog, op)
			w, arg, got := la.getters.got(def, result)
			if !got || slices.ContainsFunc(w.memory, func(r string) bool { return !la.owned[r] }) {
				return append(out, la.chosen(op, path, depth+1)...)
			}
			path, op = w.steps+path, arg
			continue
		case !ok, step == elemStep && !elements:
			return out
		case pointer && path != "" && !(elements && la.owned[la.chain.of(op, 0)]):
			return out
		}
		path = step + ">" + path
		op = from
	}
	return out
}

// key names a lock relative to the map of the cell; "" if they have nothing
// in common.
func (la *lockAnalysis) key(lock reduce.Operand) string {
	lock = la.n.Source(lock)
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

func (la *lockAnalysis) findKey(lock reduce.Operand) string {
	for _, l := range la.ancestors(lock)[1:] {
		if strings.HasPrefix(l.term, "&") {
			return l.term + ">" + l.path // a field of a package variable
		}
		for _, m := range la.cells {
			if l.term == m.term {
				return l.path + "|" + m.path
			}
		}
	}
	return ""
}

// relative returns a copy of p in which locks have their keys as operands,
// and those without a key are gone.
func (la *lockAnalysis) relative() *reduce.Program {
	p := *la.prog
	p.Blocks = make([]*reduce.Block, len(la.prog.Blocks))
	for b, old := range la.prog.Blocks {
		blk := &reduce.Block{Term: old.Term, Instrs: slices.Clone(old.Instrs)}
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != reduce.Lock && in.Op != reduce.Unlock {
				continue
			}
			if key := la.key(in.Args[0]); key != "" {
				in.Args = []reduce.Operand{reduce.Lit("&" + key)}
			} else {
				*in = reduce.Instr{Op: reduce.Blocking, Name: "lock"}
			}
		}
		p.Blocks[b] = blk
	}
	return &p
}

// section returns a lock under which all the accesses lie, taken once, that
// excludes other runs of the same code if the accesses write.
func section(sets []lockSet, writes bool) (string, heldLock, bool) {
	if len(sets) == 0 {
		return "", heldLock{}, false
	}
	for _, k := range slices.Sorted(maps.Keys(sets[0])) {
		h := sets[0][k]
		same := !writes || h.exclusive
		for _, s := range sets[1:] {
			o, ok := s[k]
			same = same && ok && o.at == h.at
		}
		if same {
			return k, h, true
		}
	}
	return "", heldLock{}, false
}
