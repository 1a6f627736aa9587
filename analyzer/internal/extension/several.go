package extension

import (
	"slices"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// wide returns the groups of dependent accesses on more than one cell, one of
// them an entry of a map, or all of them guarded, or a gate.
func (f *finder) wide() []Group {
	var groups []Group
	beyond := f.beyond()
	together := func(i, j int) bool {
		return !f.counted(i) && !f.counted(j) && beyond[f.Accesses[i].Cell] == beyond[f.Accesses[j].Cell] && f.dependent(i, j)
	}
	for _, set := range f.grouped(together) {
		switch g := f.on(set); {
		case len(g.Cells) < 2:
		case f.hasMap(g.Cells) || f.guarded(g.Cells):
			groups = append(groups, g)
		default:
			groups = append(groups, f.gates(g)...)
		}
	}
	return append(groups, f.limits()...)
}

// counted reports whether an access counts the entries of a map.
func (f *finder) counted(i int) bool { return f.prog.Cells[f.Accesses[i].Cell].Counted }

// limits are the counts of the entries of a map, each with what is put there because of how many there are.
func (f *finder) limits() []Group {
	var groups []Group
	for i, a := range f.Accesses {
		if !f.counted(i) {
			continue
		}
		set := []*register.Access{a}
		for j, b := range f.Accesses {
			if !f.counted(j) && f.ofOneMap(a, b) && f.dependent(i, j) && !f.asksElse(b) {
				set = append(set, b)
			}
		}
		if len(set) > 1 {
			groups = append(groups, f.on(set))
		}
	}
	return groups
}

// asksElse reports whether something in another cell decides, in the section of an access, whether that is made: a version that has not
// changed.
func (f *finder) asksElse(a *register.Access) bool {
	for i, b := range f.Accesses {
		decides := slices.ContainsFunc(a.Ops, func(op register.Ref) bool { return f.Influence(i).Blocks[op.Block] })
		if !f.ofOneMap(a, b) && f.inOneSection(a, b) && decides {
			return true
		}
	}
	return false
}

// ofOneMap reports whether the second of two accesses is to an entry of a map, and the first one to that map as well.
func (f *finder) ofOneMap(a, b *register.Access) bool {
	c := f.prog.Cells[b.Cell]
	return c.Kind == register.Map && f.n.Path(c.Map) == f.n.Path(f.prog.Cells[a.Cell].Map)
}

// inOneSection reports whether two accesses lie in one critical section.
func (f *finder) inOneSection(a, b *register.Access) bool {
	return slices.ContainsFunc(f.heldAt(a), func(n int) bool { return n > 0 && slices.Contains(f.heldAt(b), n) })
}

// Limits reports whether a group is of that kind.
func (f *Function) Limits(g Group) bool {
	return slices.ContainsFunc(g.Cells, func(cell int) bool { return f.Prog.Cells[cell].Counted })
}

// beyond says of each cell of which other package it is a variable that only functions of that package touch; empty of
// any other cell. Nobody can hold a lock over that and over something else:
//
//	if old, ok := c.txs.LoadAndDelete(id); ok {
//		log.Debugf("dropped %v", old) // which asks that package for its logger
//	}
func (f *finder) beyond() []string {
	theirs := make([]string, len(f.prog.Cells))
	for i, c := range f.prog.Cells {
		if c.Map.IsLit() {
			theirs[i] = strings.TrimSuffix(c.Map.Lit, register.LastPart(c.Map.Lit))
		}
	}
	for _, a := range f.Accesses {
		if slices.ContainsFunc(a.Ops, func(op register.Ref) bool { return !f.prog.Blocks[op.Block].Instrs[op.Instr].Foreign }) {
			theirs[a.Cell] = ""
		}
	}
	return theirs
}

// sections returns what is done to more than one guarded cell in one critical section,
// and changes some of them: that is one step, whether or not one depends on another.
func (f *finder) sections() []Group {
	var numbers []int
	for _, a := range f.Accesses {
		for _, n := range f.heldAt(a) {
			if n > 0 && !slices.Contains(numbers, n) {
				numbers = append(numbers, n)
			}
		}
	}
	var groups []Group
	for _, n := range numbers {
		outside := func(a *register.Access) bool { return !slices.Contains(f.heldAt(a), n) }
		g := f.on(slices.DeleteFunc(slices.Clone(f.Accesses), outside))
		if len(g.Cells) > 1 && slices.ContainsFunc(g.Accesses, func(a *register.Access) bool { return a.Writes }) {
			groups = append(groups, g)
		}
	}
	return groups
}

// heldAt are the critical sections that all of an access to a guarded cell lies in.
func (f *finder) heldAt(a *register.Access) []int {
	if !f.prog.Cells[a.Cell].Guarded {
		return nil
	}
	var held []int
	for i, op := range a.Ops {
		here := f.prog.Blocks[op.Block].Instrs[op.Instr].Held
		if i == 0 {
			held = slices.Clone(here)
		}
		held = slices.DeleteFunc(held, func(n int) bool { return !slices.Contains(here, n) })
	}
	return held
}

// on is the group of some accesses.
func (f *finder) on(accesses []*register.Access) Group {
	g := Group{Prog: f.prog, Accesses: accesses}
	for _, a := range accesses {
		if !slices.Contains(g.Cells, a.Cell) {
			g.Cells = append(g.Cells, a.Cell)
		}
	}
	slices.Sort(g.Cells)
	return g
}

// hasMap reports whether one of the cells is an entry of a map. Protocols of
// several atomics are made by people who know that each is one step.
func (f *finder) hasMap(cells []int) bool {
	return slices.ContainsFunc(cells, func(cell int) bool { return f.prog.Cells[cell].Kind == register.Map })
}

// gates are the looks at a flag of a group, each with the addition to a number for which it was asked: who comes in
// is counted, unless nobody may come in any more.
func (f *finder) gates(g Group) []Group {
	var out []Group
	for _, a := range g.Accesses {
		for _, b := range g.Accesses {
			if _, is := f.Enters(a, b); is {
				out = append(out, f.on([]*register.Access{a, b}))
			}
		}
	}
	return out
}

// Renews reports whether one critical section looks at several cells of a group, and one writes to them: who asks for them
// together, and sets them together, has one thing in them.
//
//	if l.holder == "" || now.After(l.until) { … } // in one section
//	l.holder, l.until = name, now.Add(l.term)     // in the next one
func (f *finder) Renews(g Group) bool {
	together := func(writes bool) (pairs map[[2]int]bool) {
		pairs = map[[2]int]bool{}
		for _, a := range g.Accesses {
			for _, b := range g.Accesses {
				shared := f.inOneSection(a, b)
				if a.Cell < b.Cell && a.Writes == writes && b.Writes == writes && shared {
					pairs[[2]int{a.Cell, b.Cell}] = true
				}
			}
		}
		return pairs
	}
	looked := together(false)
	for pair := range together(true) {
		if looked[pair] {
			return true
		}
	}
	return false
}

// Enters is what a flag says where something is added to a number because of that, and whether it is such a flag. Who looks again
// afterwards knows that others come in between.
func (f *finder) Enters(flag, count *register.Access) (when string, is bool) {
	n, adds := f.adds(count)
	if flag.Writes || flag.Cell == count.Cell || !adds || n <= 0 || len(flag.Ops) != 1 || !f.Dominates(flag, count) {
		return "", false
	}
	if slices.ContainsFunc(f.Accesses, func(a *register.Access) bool { return a.Cell == flag.Cell && f.Precedes(count, a) }) {
		return "", false
	}
	for _, blk := range f.prog.Blocks {
		if t := &blk.Term; t.Kind == register.Branch {
			for i, to := range t.To {
				if f.leadsTo(to, count.Start.Block) && !f.leadsTo(t.To[1-i], count.Start.Block) && f.isFound(flag, t.Cond, i == 0) != "" {
					return f.isFound(flag, t.Cond, i == 0), true
				}
			}
		}
	}
	return "", false
}

// Enrols are the looks at an entry of a guarded map, and what else is done to it by then, each with a later section that counts one
// more who uses what was found, or puts him into a map of those. The addition comes last.
//
//	h := m.find(name) // which makes it, if it is not there
//	h.enter()         // h.users++, or h.users[me] = true
func (f *finder) Enrols() []Group {
	var out []Group
	for _, number := range f.Accesses {
		if !f.countsIn(number) || f.foundIn(number) == nil || f.prog.Cells[number.Cell].Kind == register.Map && f.asksElse(number) {
			continue // a mark says that the entry is gone
		}
		entry := f.foundIn(number).Cell
		before := slices.DeleteFunc(slices.Clone(f.Accesses), func(a *register.Access) bool { return a.Cell != entry || !f.Precedes(a, number) })
		out = append(out, f.on(append(before, number)))
	}
	return out
}

// countsIn reports whether an access adds to a number, or puts an entry into a map.
func (f *finder) countsIn(a *register.Access) bool {
	if f.prog.Cells[a.Cell].Kind != register.Map {
		n, adds := f.adds(a)
		return adds && n > 0
	}
	return slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
		in := &f.prog.Blocks[op.Block].Instrs[op.Instr]
		return in.Op == register.Write && in.Name != register.Every && in.Args[0] != register.Absent
	})
}

// foundIn is a look at an entry of a guarded map, in a section that has ended by then, that has found the object that another access is about; nil if
// there is none.
func (f *finder) foundIn(a *register.Access) *register.Access {
	object := []register.Operand{f.prog.Cells[a.Cell].Map}
	for i, look := range f.Accesses {
		cell := f.prog.Cells[look.Cell]
		shared := f.inOneSection(look, a)
		if cell.Kind == register.Map && (cell.Guarded || f.prog.Cells[a.Cell].Kind == register.Map) && !shared && f.Precedes(look, a) && f.Influence(i).Reads(object) {
			return look
		}
	}
	return nil
}

// isFound is what a look at a truth value has found if a condition is as it is; empty if that is something else.
func (f *finder) isFound(look *register.Access, cond register.Operand, is bool) string {
	for range maxKeySteps {
		cond = f.n.Source(cond)
		if cond.IsLit() {
			return ""
		}
		if slices.Contains(look.Outcome, cond.Local) {
			return []string{register.LitTrue, register.LitFalse}[boolIndex(is)]
		}
		def, _ := f.n.Def(cond)
		if def == nil || def.Name != "not" {
			return ""
		}
		cond, is = def.Args[0], !is
	}
	return ""
}

// guarded reports whether all cells are what a lock guards: what is done to several of
// them at once is one step.
func (f *finder) guarded(cells []int) bool {
	return !slices.ContainsFunc(cells, func(cell int) bool { return !f.prog.Cells[cell].Guarded })
}

// Crossed is a group on one cell together with what may be done to that cell as well in the midst of
// it, or because of what it finds: to an entry of the same map, under a key that can be the same one. It
// is false if there is nothing of the kind: if all that is done there is to look, and nothing is done
// because of that.
func (f *Function) Crossed(g Group) (Group, bool) {
	cell := &f.Prog.Cells[g.Cells[0]]
	var with []*register.Access
	for _, a := range f.Find.Accesses {
		c := &f.Prog.Cells[a.Cell]
		same := a.Cell != g.Cells[0] && c.Kind == register.Map && cell.Kind == register.Map &&
			f.N.Path(c.Map) == f.N.Path(cell.Map) && !register.DifferentKeys(c, cell)
		if slices.Contains(g.Accesses, a) || same && (f.amidst(a, g) || f.becauseOf(a, g)) {
			with = append(with, a)
		}
	}
	crossed := f.Find.on(with)
	return crossed, len(crossed.Cells) > 1 && slices.ContainsFunc(with, func(a *register.Access) bool {
		return a.Cell != g.Cells[0] && (a.Writes || f.amidst(a, g) && f.decidesOver(a, g))
	})
}

// Beside is a group on one atomic or field together with the looks at others of which, in the midst of it, it is asked what to do with the first:
// a limit that can change. It is false if there is none.
//
//	if n.Load() >= limit.Load() { return false }
//	n.Add(1)
func (f *Function) Beside(g Group) (Group, bool) {
	if len(g.Cells) > 1 || f.Prog.Cells[g.Cells[0]].Kind == register.Map {
		return g, false
	}
	with := slices.DeleteFunc(slices.Clone(f.Find.Accesses), func(a *register.Access) bool {
		looks := a.Cell != g.Cells[0] && f.Prog.Cells[a.Cell].Kind != register.Map && !a.Writes && f.amidst(a, g) && f.decidesOver(a, g)
		return !looks && !slices.Contains(g.Accesses, a)
	})
	beside := f.Find.on(with)
	return beside, len(beside.Cells) > 1
}

// decidesOver reports whether an operation of a group that changes something is made, or made so, because of what
// an access finds.
func (f *Function) decidesOver(a *register.Access, g Group) bool {
	own := f.Find.on([]*register.Access{a})
	return slices.ContainsFunc(g.Accesses, func(b *register.Access) bool { return b.Writes && f.becauseOf(b, own) })
}

// amidst reports whether an operation of an access can come after one of a group and before another: where
// a critical section begins is not where the operation is.
func (f *Function) amidst(a *register.Access, g Group) bool {
	return slices.ContainsFunc(a.Ops, func(at register.Ref) bool {
		among := func(is func(op register.Ref) bool) bool {
			return slices.ContainsFunc(g.Accesses, func(b *register.Access) bool { return slices.ContainsFunc(b.Ops, is) })
		}
		return among(func(op register.Ref) bool { return f.Before(op, at) }) && among(func(op register.Ref) bool { return f.Before(at, op) })
	})
}

// becauseOf reports whether an operation of an access is made, or made so, because of what one of a
// group finds.
func (f *Function) becauseOf(a *register.Access, g Group) bool {
	return slices.ContainsFunc(g.Accesses, func(b *register.Access) bool {
		i := slices.Index(f.Find.Accesses, b)
		decided := func(at register.Ref) bool { return f.Find.Influence(i).Blocks[at.Block] }
		return f.Find.Arguments(i, a) || slices.ContainsFunc(a.Ops, decided)
	})
}
