package rivals

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// What a function has found in an entry, or put there, is there as long as nobody changes it: until the
// critical section ends, and for good if all that others do is to put something else there:
//
//	s.mu.Lock()
//	s.m[k] = v
//	if _, ok := s.m[k]; !ok { // never
//		s.m[k] = other
//	}
//	s.mu.Unlock()
//
// Without that, what no function can come to would be what others do.

// moment is what is known at a place of a function: of its locals, and of its cells.
type moment struct {
	known
	cells []inCell
}

// inCell is what there can be in a cell, any where that is what there can be in all of them, unless its key is the
// same as that of one which was written; found is what has been found there and had says whether there is something, None
// if nothing does. If since, others may have come after that.
type inCell struct {
	can          constants
	found, had   register.Local
	wrote, since bool
}

func newMoment(cells int) moment {
	m := moment{known{}, make([]inCell, cells)}
	for i := range m.cells {
		m.forget(i)
	}
	return m
}

func (m moment) clone() moment { return moment{m.known.clone(), slices.Clone(m.cells)} }

func (m moment) forget(cell int) {
	m.cells[cell] = inCell{nil, register.None, register.None, false, false}
}

// join is known.join, with the cells. What is only in some of them, and not told apart any more, is in all.
func (r *courseOf) join(m, from moment) (moment, bool) {
	if m.known == nil {
		return from.clone(), true
	}
	var changed bool
	m.known, changed = m.known.join(from.known)
	for i, c := range from.cells {
		was := &m.cells[i]
		if both := r.either(was.can, c.can); !both.isAny() && len(both) != len(r.left(*was)) || both.isAny() && !was.can.isAny() {
			was.can, changed = both, true
		}
		if was.had != c.had && was.had != register.None {
			was.had, changed = register.None, true
		}
		if was.found != c.found && was.found != register.None {
			was.found, changed = register.None, true
		}
		if c.wrote && !was.wrote || c.since && !was.since {
			was.wrote, was.since, changed = was.wrote || c.wrote, was.since || c.since, true
		}
	}
	return m, changed
}

// fixed are the cells of a program that are the same ones throughout a run: what their keys and maps are
// is assigned once.
func fixed(p *register.Program) []bool {
	defs, cyclic := register.DefCounts(p), register.NewLocalSet(len(p.Names))
	for _, l := range p.Params {
		defs[l] = max(defs[l], 1)
	}
	for _, loop := range register.Loops(p) {
		for _, b := range loop.Blocks {
			for i := range p.Blocks[b].Instrs {
				p.Blocks[b].Instrs[i].Defs(cyclic.Add)
			}
		}
	}
	out := make([]bool, len(p.Cells))
	for i, c := range p.Cells {
		out[i] = c.Kind == register.Map && !c.Evicts
		register.EachLocal([]register.Operand{c.Key, c.Map}, func(l register.Local) {
			out[i] = out[i] && defs[l] <= 1 && !cyclic.Has(l)
		})
	}
	return out
}

// either is what can be in a cell where one of two can, any if that is what can be in all. What is not known beside what
// can be in all is in all then.
func (r *courseOf) either(a, b constants) constants {
	both := a.or(b)
	if a.isAny() != b.isAny() {
		both = r.left(inCell{can: a}).or(r.left(inCell{can: b}))
	}
	if both.isAny() {
		for _, c := range []constants{a, b} {
			if !c.isAny() {
				r.add(c)
			}
		}
	}
	return both
}

// has is what there can be in a cell that is on the map: what it has been left with, or what others of that map have
// been, whose keys can be the same.
func (r *courseOf) has(m moment, cell int) constants {
	can := r.left(m.cells[cell])
	for i, c := range m.cells {
		if i != cell && c.wrote {
			can = can.or(r.left(c))
		}
	}
	return can
}

func (r *courseOf) left(c inCell) constants {
	if c.can.isAny() {
		return r.contents
	}
	return c.can
}

// leaves notes what an operation has left in its cell.
func (r *courseOf) leaves(in *register.Instr, m moment, was, stored constants) {
	left := inCell{was, register.None, register.None, in.Op != register.Read || m.cells[in.Cell].wrote, false}
	switch {
	case !r.fixed[in.Cell]:
		left.can = nil
	case in.Op == register.Write:
		left.can = stored
	case in.Op == register.CAS:
		left.can = r.either(was, stored)
	default:
		left.found, left.had = r.told(in, 0), r.told(in, 1)
	}
	for i := range m.cells {
		switch {
		case i == in.Cell:
			m.cells[i] = left
		case in.Op != register.Read && r.on[i]:
			m.cells[i].found, m.cells[i].had = register.None, register.None
		}
	}
	if !r.f.Prog.Cells[in.Cell].Guarded || !inSection(in) {
		r.others(m)
	}
}

// told is the local of a read that is assigned nowhere else, None if there is none.
func (r *courseOf) told(in *register.Instr, i int) register.Local {
	if i >= len(in.Dst) || in.Dst[i] == register.None || r.defs[in.Dst[i]] != 1 {
		return register.None
	}
	return in.Dst[i]
}

// inSection reports whether an operation is in a critical section.
func inSection(in *register.Instr) bool { return len(in.Held) > 0 && in.Held[0] >= 0 }

// others find what is in the cells, and are what anybody may do to them.
func (r *courseOf) others(m moment) {
	for i, c := range m.cells {
		m.cells[i].wrote = false
		if c.can.isAny() {
			continue
		}
		r.add(c.can)
		can := r.contents
		if !can.isAny() && !r.removes && !c.can.has(register.LitAbsent) {
			can = slices.DeleteFunc(slices.Clone(can), func(v register.Value) bool { return v == register.LitAbsent })
		}
		m.cells[i] = inCell{can, c.found, c.had, false, true}
	}
}

// asked is what is known of the cells where it is known whether there was something in one.
func (r *courseOf) asked(m moment, had register.Local, is bool) {
	for i, c := range m.cells {
		if c.had == had {
			r.without(m, i, func(v register.Value) bool { return (v != register.LitAbsent) != is })
		}
	}
}

// seen is what is known of the cells where it is known what was found in one.
func (r *courseOf) seen(m moment) {
	for i, c := range m.cells {
		if c.found == register.None {
			continue
		}
		found, empty := m.known[c.found], register.Value(r.f.Prog.Cells[i].Zero)
		r.without(m, i, func(v register.Value) bool {
			return !found.has(v) && (v != register.LitAbsent || !found.has(empty))
		})
	}
}

// without leaves out of a cell what was not in it when somebody looked. If others may have come since, that is only known
// of nothing, and only if nobody takes anything away.
func (r *courseOf) without(m moment, cell int, not func(register.Value) bool) {
	c := m.cells[cell]
	if c.can.isAny() || c.since && r.removes {
		return
	}
	m.cells[cell].can = append(none, slices.DeleteFunc(slices.Clone(c.can), func(v register.Value) bool {
		return not(v) && (!c.since || v == register.LitAbsent)
	})...)
}
