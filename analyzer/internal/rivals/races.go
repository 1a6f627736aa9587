package rivals

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/mapatom/mapatom/reduce"
)

// A program is taken to be free of data races. Two functions that access the same
// plain field of the same object, one of them to write it, with no lock that
// could order them, are not called at the same time: one goroutine owns the
// object, or a caller that is not seen holds a lock, or one of them runs before
// the object is shared. Then what the one does with the atomics of the object
// does not interrupt what the other does with them.
//
//	func (r *RTT) Update(s int64) {
//		if !r.measured {
//			r.measured = true
//			r.smoothed.Store(s)
//			return
//		}
//		r.smoothed.Store((7*r.smoothed.Load() + s) / 8)
//	}
//
// An access says this only if it happens whatever the atomics hold. In
//
//	if s.state.CompareAndSwap(idle, busy) {
//		s.count++
//		s.state.Store(idle)
//	}
//
// the atomic itself sees to it that there is no race.

// plainAccess is an access to memory that is no cell.
type plainAccess struct {
	// place names the memory by its position relative to the map of a cell,
	// as the key of a lock does.
	place string
	// memory is the name of the field or variable.
	memory string
	writes bool
	at     register.Ref
	// object is what the memory is a part of.
	object register.Operand
}

// RaceSide is what tells whether something races with something else: plain
// accesses, with the locks held at each, and all locks taken on the way.
type raceSide struct {
	plain []plainAccess
	held  []LockSet
	taken map[string]bool
}

// races reports whether the two would be a data race if they ran at once. A
// lock that one of them holds and the other one takes at all may order them, also
// after it is released: what is read under it may decide about the rest.
func (s *raceSide) races(t *raceSide) bool {
	for i, p := range s.plain {
		for k, q := range t.plain {
			if p.place == q.place && (p.writes || q.writes) && !anyTaken(s.held[i], t.taken) && !anyTaken(t.held[k], s.taken) {
				return true
			}
		}
	}
	return false
}

func anyTaken(held LockSet, taken map[string]bool) bool {
	for k := range held {
		if taken[k] {
			return true
		}
	}
	return false
}

// RaceSide collects the plain accesses in f that happen whenever some accesses to
// a cell do, and in one go with them.
func (f *Function) RaceSide(cell int, accesses []*register.Access, entry LockSet) *raceSide {
	la := f.LockAnalysis(cell)
	s := &raceSide{taken: map[string]bool{}}
	for k := range entry {
		s.taken[k] = true
	}
	unknown := f.locksTaken(la, s.taken)
	for _, p := range f.plainAccesses(la) {
		if f.guarded(p) || !f.together(p, accesses) || slices.ContainsFunc(unknown, func(r register.Ref) bool { return f.Before(r, p.at) }) {
			continue
		}
		held := la.At(p.at)
		for k, h := range entry {
			held[k] = h
		}
		s.plain, s.held = append(s.plain, p), append(s.held, held)
	}
	return s
}

// locksTaken notes the keys of all locks that f takes. It returns where f takes
// one without a key, which may be a lock for anything.
func (f *Function) locksTaken(la *lockAnalysis, taken map[string]bool) (unknown []register.Ref) {
	for b, blk := range f.Prog.Blocks {
		for i := range blk.Instrs {
			if blk.Instrs[i].Op != register.Lock {
				continue
			}
			if key := la.key(blk.Instrs[i].Args[0]); key != "" {
				taken[key] = true
			} else {
				unknown = append(unknown, register.Ref{Block: b, Instr: i})
			}
		}
	}
	return unknown
}

// plainAccesses lists the accesses to memory that has a place relative to the map
// of a cell.
func (f *Function) plainAccesses(la *lockAnalysis) []plainAccess {
	var out []plainAccess
	for b, blk := range f.Prog.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			name, writes := extension.PlainMemory(in)
			if name == "" {
				continue
			}
			if place := la.place(in.Args[0], name); place != "" {
				out = append(out, plainAccess{place, name, writes, register.Ref{Block: b, Instr: i}, in.Args[0]})
			}
		}
	}
	return out
}

// place names a part of an object relative to the map of the cell; "" if they have
// nothing in common.
func (la *lockAnalysis) place(object register.Operand, part string) string {
	for _, o := range la.Ancestors(object) {
		if strings.HasPrefix(o.Term, "&") {
			return o.Term + ">" + o.Path + part
		}
		for _, m := range la.Ancestors(la.cell) {
			if o.Term == m.Term {
				return o.Path + part + "|" + m.Path
			}
		}
	}
	return ""
}

// guarded reports whether some cell decides that the access happens: it is in a
// branch on what an operation found, or after a loop that waits for something.
// Then the cell may be what keeps others away, if not well enough:
//
//	if s.n.Load() >= s.batch { s.flushes++; s.n.Store(0) }
func (f *Function) guarded(p plainAccess) bool {
	for i, a := range f.Find.Accesses {
		inf, b := f.Find.Influence(i), a.Start.Block
		waits := inf.Blocks[b] && f.Find.Reach(b, p.at.Block) && !f.Find.Reach(p.at.Block, b)
		if waits || inf.Blocks[p.at.Block] {
			return true
		}
	}
	return false
}

// together reports whether p belongs to a call that makes one of the accesses: it
// happens just before or just after, with nothing in between that hands the object
// to another goroutine, or waits for one. It may also happen on another way through
// the function, if no caller can tell which one that will be.
func (f *Function) together(p plainAccess, accesses []*register.Access) bool {
	entry := register.Ref{Instr: -1}
	return slices.ContainsFunc(accesses, func(a *register.Access) bool {
		switch {
		case f.starts.Between(f.Pos(p.at), f.Pos(a.Start)):
			return false
		case !f.Before(p.at, a.Start) && !f.Before(a.Start, p.at):
			return f.straight(entry, p.at, p.object) && f.straight(entry, a.Start, p.object)
		}
		return f.straight(p.at, a.Start, p.object) || f.straight(a.Start, p.at, p.object)
	})
}

// straight reports whether there is a way from one instruction to another one
// without a handover.
func (f *Function) straight(from, to register.Ref, object register.Operand) bool {
	seen := make([]bool, len(f.Prog.Blocks))
	work := []register.Ref{{Block: from.Block, Instr: from.Instr + 1}}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		blk, stopped := f.Prog.Blocks[at.Block], false
		for i := at.Instr; i < len(blk.Instrs) && !stopped; i++ {
			if to == (register.Ref{Block: at.Block, Instr: i}) {
				return true
			}
			stopped = f.handsOver(&blk.Instrs[i], object)
		}
		if stopped {
			continue
		}
		for _, b := range blk.Term.To {
			if !seen[b] {
				seen[b] = true
				work = append(work, register.Ref{Block: b})
			}
		}
	}
	return false
}

// handsOver reports whether after the instruction another goroutine may be at the
// object, or another one may have been: it waits, wakes others, or puts the
// object where others find it.
func (f *Function) handsOver(in *register.Instr, object register.Operand) bool {
	value := func(i int) bool {
		return i < len(in.Args) && f.N.Term(in.Args[i]) == f.N.Term(object)
	}
	switch in.Op {
	case register.Blocking:
		return true
	case register.Write, register.CAS:
		return value(len(in.Args) - 1)
	case register.Effect:
		switch in.Effect().Kind {
		case register.Sent, register.Closed:
			return true
		default:
			i := in.Memory().Value
			return i >= 0 && value(i)
		}
	}
	return false
}

// early reports whether f runs before its object is shared, as far as can be told:
// it is named like such a function, and assigns fields without any lock that
// other functions of the package access.
//
// The name alone says nothing, since Open can be called again; nor do the fields,
// since a goroutine assigns its own ones just so.
func (f *Function) early(side *raceSide, users map[string][]*ssa.Function) bool {
	if f.Fn == nil || !isEarlyName(f.Fn.Name()) {
		return false
	}
	for i, p := range side.plain {
		others := slices.ContainsFunc(users[p.memory], func(fn *ssa.Function) bool { return fn != f.Fn })
		if p.writes && len(side.held[i]) == 0 && others {
			return true
		}
	}
	return false
}

func isEarlyName(name string) bool {
	name = strings.ToLower(name)
	return name == "open" || name == "start" || ssaprog.HasAnyPrefix(name, []string{"init", "setup", "decode", "unmarshal"})
}

// fieldUsers are the functions that access each field, other than of an object
// that they make.
func fieldUsers(funcs []*ssa.Function) map[string][]*ssa.Function {
	users := map[string][]*ssa.Function{}
	for _, fn := range funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if fa, ok := instr.(*ssa.FieldAddr); ok && !ssaprog.IsMadeHere(fa.X) {
					name := reduce.MemoryName(fa)
					users[name] = append(users[name], fn)
				}
			}
		}
	}
	return users
}
