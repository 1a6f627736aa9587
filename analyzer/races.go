package analyzer

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

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
	at     reduce.Ref
	// object is what the memory is a part of.
	object reduce.Operand
}

// raceSide is what tells whether something races with something else: plain
// accesses, with the locks held at each, and all locks taken on the way.
type raceSide struct {
	plain []plainAccess
	held  []lockSet
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

func anyTaken(held lockSet, taken map[string]bool) bool {
	for k := range held {
		if taken[k] {
			return true
		}
	}
	return false
}

// raceSide collects the plain accesses in f that happen whenever some accesses to
// a cell do, and in one go with them.
func (f *funcInfo) raceSide(cell int, accesses []*reduce.Access, entry lockSet) *raceSide {
	la := f.lockAnalysis(cell)
	s := &raceSide{taken: map[string]bool{}}
	for k := range entry {
		s.taken[k] = true
	}
	unknown := f.locksTaken(la, s.taken)
	for _, p := range f.plainAccesses(la) {
		if f.guarded(p) || !f.together(p, accesses) || slices.ContainsFunc(unknown, func(r reduce.Ref) bool { return f.before(r, p.at) }) {
			continue
		}
		held := la.at(p.at)
		for k, h := range entry {
			held[k] = h
		}
		s.plain, s.held = append(s.plain, p), append(s.held, held)
	}
	return s
}

// locksTaken notes the keys of all locks that f takes. It returns where f takes
// one without a key, which may be a lock for anything.
func (f *funcInfo) locksTaken(la *lockAnalysis, taken map[string]bool) (unknown []reduce.Ref) {
	for b, blk := range f.prog.Blocks {
		for i := range blk.Instrs {
			if blk.Instrs[i].Op != reduce.Lock {
				continue
			}
			if key := la.key(blk.Instrs[i].Args[0]); key != "" {
				taken[key] = true
			} else {
				unknown = append(unknown, reduce.Ref{Block: b, Instr: i})
			}
		}
	}
	return unknown
}

// plainAccesses lists the accesses to memory that has a place relative to the map
// of a cell.
func (f *funcInfo) plainAccesses(la *lockAnalysis) []plainAccess {
	var out []plainAccess
	for b, blk := range f.prog.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			name, writes := plainMemory(in)
			if name == "" {
				continue
			}
			if place := la.place(in.Args[0], name); place != "" {
				out = append(out, plainAccess{place, name, writes, reduce.Ref{Block: b, Instr: i}, in.Args[0]})
			}
		}
	}
	return out
}

// plainMemory names the memory that an instruction accesses: a field, a package
// variable, or the entries of a built-in map. Elements of slices do not count,
// since goroutines often have one each.
func plainMemory(in *reduce.Instr) (name string, writes bool) {
	if len(in.Args) == 0 {
		return "", false
	}
	switch in.Op {
	case reduce.Effect:
		field, isStore := strings.CutPrefix(in.Name, "store ")
		switch {
		case isStore && isFieldName(field):
			return field, true
		case in.Name == "map assign", in.Name == "map delete":
			return "[]", true
		case in.Name == "store" && in.Args[0].IsLit():
			return "*", true
		}
	case reduce.Pure, reduce.Unknown:
		field, _, _ := strings.Cut(in.Name, "#")
		switch {
		case isFieldName(field):
			return field, false
		case strings.HasPrefix(field, "lookup:"):
			return "[]", false
		case field == "load" && in.Args[0].IsLit():
			return "*", false
		}
	}
	return "", false
}

// isFieldName reports whether a name is that of a field, "pkg.T.f": calls have
// parentheses or fewer dots.
func isFieldName(name string) bool {
	return strings.Count(name, ".") == 2 && !strings.ContainsAny(name, "&(: ") || strings.HasPrefix(name, "struct.")
}

// place names a part of an object relative to the map of the cell; "" if they have
// nothing in common.
func (la *lockAnalysis) place(object reduce.Operand, part string) string {
	for _, o := range la.ancestors(object) {
		if strings.HasPrefix(o.term, "&") {
			return o.term + ">" + o.path + part
		}
		for _, m := range la.ancestors(la.cell) {
			if o.term == m.term {
				return o.path + part + "|" + m.path
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
func (f *funcInfo) guarded(p plainAccess) bool {
	for i, a := range f.find.accesses {
		inf, b := f.find.all[i], a.Start.Block
		waits := inf.Blocks[b] && f.find.reach[b][p.at.Block] && !f.find.reach[p.at.Block][b]
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
func (f *funcInfo) together(p plainAccess, accesses []*reduce.Access) bool {
	entry := reduce.Ref{Instr: -1}
	return slices.ContainsFunc(accesses, func(a *reduce.Access) bool {
		switch {
		case f.starts.between(f.pos(p.at), f.pos(a.Start)):
			return false
		case !f.before(p.at, a.Start) && !f.before(a.Start, p.at):
			return f.straight(entry, p.at, p.object) && f.straight(entry, a.Start, p.object)
		}
		return f.straight(p.at, a.Start, p.object) || f.straight(a.Start, p.at, p.object)
	})
}

// straight reports whether there is a way from one instruction to another one
// without a handover.
func (f *funcInfo) straight(from, to reduce.Ref, object reduce.Operand) bool {
	seen := make([]bool, len(f.prog.Blocks))
	work := []reduce.Ref{{Block: from.Block, Instr: from.Instr + 1}}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		blk, stopped := f.prog.Blocks[at.Block], false
		for i := at.Instr; i < len(blk.Instrs) && !stopped; i++ {
			if to == (reduce.Ref{Block: at.Block, Instr: i}) {
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
				work = append(work, reduce.Ref{Block: b})
			}
		}
	}
	return false
}

// handsOver reports whether after the instruction another goroutine may be at the
// object, or another one may have been: it waits, wakes others, or puts the
// object where others find it.
func (f *funcInfo) handsOver(in *reduce.Instr, object reduce.Operand) bool {
	value := func(i int) bool {
		return i < len(in.Args) && f.n.Term(in.Args[i]) == f.n.Term(object)
	}
	switch in.Op {
	case reduce.Blocking:
		return true
	case reduce.Write, reduce.CAS:
		return value(len(in.Args) - 1)
	case reduce.Effect:
		switch {
		case in.Name == "send", in.Name == "close":
			return true
		case in.Name == "map assign", in.Name == "store element":
			return value(2)
		case strings.HasPrefix(in.Name, "store"):
			return value(1)
		}
	}
	return false
}

func (f *funcInfo) pos(r reduce.Ref) reduce.Pos { return f.prog.Blocks[r.Block].Instrs[r.Instr].Pos }

// before reports whether one place can come before another one.
func (f *funcInfo) before(a, b reduce.Ref) bool {
	return f.find.precedes(&reduce.Access{Start: a}, &reduce.Access{Start: b})
}

// early reports whether f runs before its object is shared, as far as can be told:
// it is named like such a function, and assigns fields without any lock that
// other functions of the package access.
//
// The name alone says nothing, since Open can be called again; nor do the fields,
// since a goroutine assigns its own ones just so.
func (f *funcInfo) early(side *raceSide, users map[string][]*ssa.Function) bool {
	if f.fn == nil || !isEarlyName(f.fn.Name()) {
		return false
	}
	for i, p := range side.plain {
		others := slices.ContainsFunc(users[p.memory], func(fn *ssa.Function) bool { return fn != f.fn })
		if p.writes && len(side.held[i]) == 0 && others {
			return true
		}
	}
	return false
}

func isEarlyName(name string) bool {
	name = strings.ToLower(name)
	return name == "open" || name == "start" || hasAnyPrefix(name, []string{"init", "setup", "decode", "unmarshal"})
}

// fieldUsers are the functions that access each field, other than of an object
// that they make.
func fieldUsers(funcs []*ssa.Function) map[string][]*ssa.Function {
	users := map[string][]*ssa.Function{}
	for _, fn := range funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if fa, ok := instr.(*ssa.FieldAddr); ok && !isMadeHere(fa.X) {
					name := reduce.MemoryName(fa)
					users[name] = append(users[name], fn)
				}
			}
		}
	}
	return users
}
