package rivals

import (
	"slices"
	"strings"

	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// What a memory holds can say what may be done to another one: a flag that says that a
// queue is closed, and the queue. That they belong together is said by who changes both.

// Closing is who changes what is at two roots.
type Closing struct {
	By *Function
	// At is where it changes the first of them.
	At register.Pos
	// Joint says that it does so in one critical section.
	Joint bool
	// Empties says that it takes away what is at the second one, and Uses that it does
	// something with what it finds there. All says that it does so with all that there is.
	Empties, Uses, All bool
	// Counts says that the first one counts those who use an entry of the second one.
	Counts bool
	// Ends says that it takes from what is at the second one, round by round, until the first one is set.
	Ends bool
	// Waits says that it goes on once the second one says that nobody is left.
	Waits bool
	// Skewed says that an entry of the first one is taken away as what is in the second one says, and Unused that this is
	// how many use the entry.
	Skewed, Unused bool
}

// Joint is a critical section that changes what is at two roots: it sets the first one to a
// constant, or takes away what is at the second one. Numbers that are counted up together
// say nothing of each other.
func (w *World) Joint(a, b string) (Closing, bool) {
	for _, s := range w.wide {
		if !s.section || !w.happens(s) {
			continue
		}
		first, second := s.changesAt(a), s.changesAt(b)
		if len(first) == 0 || len(second) == 0 {
			continue
		}
		if empties := slices.ContainsFunc(second, s.From.empties); empties || slices.ContainsFunc(first, s.From.sets) {
			return Closing{By: s.From, At: s.From.Pos(first[0].Start), Joint: true, Empties: empties, Uses: s.From.usesAt(b)}, true
		}
	}
	return Closing{}, false
}

// Emptied reports whether somebody takes away all that is at a root.
func (w *World) Emptied(root string) bool {
	return slices.ContainsFunc(w.outer, func(f *Function) bool {
		return slices.ContainsFunc(f.Find.Accesses, func(a *register.Access) bool {
			return f.Root(a.Cell) == root && a.Writes && !f.Born(a.Cell) && f.empties(a)
		})
	})
}

// Asks reports whether a critical section sets what is at the first root to a constant, and looks at what is at the
// second one: it lets nobody in any more, and waits until nobody is left.
func (w *World) Asks(flag, asked string) bool {
	return slices.ContainsFunc(w.wide, func(s *Step) bool {
		if !s.section || !w.happens(s) {
			return false
		}
		return slices.ContainsFunc(s.changesAt(flag), s.From.sets) && slices.ContainsFunc(s.Accesses, func(a *register.Access) bool { return s.From.Root(a.Cell) == asked })
	})
}

// BelongTogether reports whether some critical section changes what is at two roots, or sets the first one and asks about the second one, or
// somebody takes from the second one until the first one is set.
func (w *World) BelongTogether(a, b string) bool {
	pair := [2]string{a, b}
	is, known := w.together[pair]
	if !known {
		is = w.belongTogether(a, b)
		w.together[pair] = is
	}
	return is
}

func (w *World) belongTogether(a, b string) bool {
	if _, joint := w.Joint(a, b); joint || w.Asks(a, b) {
		return true
	}
	_, ends := w.Ends(a, b)
	return ends
}

// Ends is who takes from the list at the second root in each round of a loop, and asks the flag at the first one in the same section
// whether to wait for more; the flag is set somewhere, and never taken back, and nobody else takes from the list:
//
//	for {
//		p.mu.Lock()
//		for len(p.tasks) == 0 && !p.closed { p.wake.Wait() }
//		if len(p.tasks) == 0 { … return }
//		task := p.tasks[0]
//		p.tasks = p.tasks[1:]
//		p.mu.Unlock()
//	}
//
// What is put there afterwards, nobody takes.
func (w *World) Ends(flag, list string) (Closing, bool) {
	if !w.onlySet(flag) {
		return Closing{}, false
	}
	var by Closing
	again := false
	for _, f := range w.outer {
		for _, taken := range f.Find.Accesses {
			if !f.takesFrom(list, taken) || f.Born(taken.Cell) {
				continue
			}
			asked, ok := f.endsBy(flag, taken)
			if !ok || by.By != nil && by.By != f || f.takesAgain(list, taken) || len(w.callers(f.Fn))+len(w.starts(f.Fn)) > 1 {
				return Closing{}, false // somebody takes what is left
			}
			by = Closing{By: f, At: f.Pos(asked.Ops[0]), Ends: true}
			again = again || f.Find.Precedes(taken, taken)
		}
	}
	return by, again
}

// takesFrom reports whether an access takes a part of a list away, or all of it.
func (f *Function) takesFrom(list string, a *register.Access) bool {
	return f.Root(a.Cell) == list && (f.takesPart(a) || f.empties(a))
}

// takesAgain reports whether the function takes from a list at another place after an access, from which it does not come back.
func (f *Function) takesAgain(list string, taken *register.Access) bool {
	return f.Find.Precedes(taken, taken) && slices.ContainsFunc(f.Find.Accesses, func(later *register.Access) bool {
		return f.takesFrom(list, later) && later != taken && f.Find.Precedes(taken, later) && !f.Find.Precedes(later, taken)
	})
}

// endsBy is the look at a flag, in the section of an access, by which the function ends.
func (f *Function) endsBy(flag string, taken *register.Access) (*register.Access, bool) {
	for i, asked := range f.Find.Accesses {
		if f.Root(asked.Cell) == flag && !asked.Writes && (f.UnderOne(asked, taken) || f.UnderOne(taken, asked)) && f.leavesBy(i, taken) {
			return asked, true
		}
	}
	return nil, false
}

// leavesBy reports whether what an access finds decides whether the function can return before it waits, or makes another access again.
func (f *Function) leavesBy(i int, taken *register.Access) bool {
	return slices.ContainsFunc(f.Prog.Blocks, func(blk *register.Block) bool {
		t := &blk.Term
		if t.Kind != register.Branch || !f.Find.Influence(i).Reads([]register.Operand{t.Cond}) {
			return false
		}
		return f.returnsAtOnce(t.To[0], taken) != f.returnsAtOnce(t.To[1], taken)
	})
}

// returnsAtOnce reports whether the function can come from a block to its end without waiting, and without an access.
func (f *Function) returnsAtOnce(from int, before *register.Access) bool {
	seen := map[int]bool{}
	for work := []int{from}; len(work) > 0; work = work[1:] {
		b := work[0]
		if seen[b] || slices.ContainsFunc(before.Ops, func(op register.Ref) bool { return op.Block == b && f.writesAt(op) }) {
			continue
		}
		seen[b] = true
		blk := f.Prog.Blocks[b]
		if slices.ContainsFunc(blk.Instrs, func(in register.Instr) bool { return in.Op == register.Blocking }) {
			continue
		}
		if blk.Term.Kind == register.Return {
			return true
		}
		work = append(work, blk.Term.To...)
	}
	return false
}

// onlySet reports whether somebody sets what is at a root to a constant that it does not begin with, and nobody to anything else.
func (w *World) onlySet(root string) bool {
	is, known := w.flags[root]
	if !known {
		is = w.isOnlySet(root)
		w.flags[root] = is
	}
	return is
}

func (w *World) isOnlySet(root string) bool {
	set := false
	for _, f := range w.outer {
		for _, a := range f.Find.Accesses {
			if f.Root(a.Cell) != root || !a.Writes || f.Born(a.Cell) {
				continue
			}
			for _, op := range a.Ops {
				to, ok := f.stored(op)
				if ok && (!to.IsLit() || to == register.Absent || to.Lit == f.Prog.Cells[a.Cell].Zero) {
					return false
				}
				set = set || ok
			}
		}
	}
	return set
}

// takesPart reports whether an access leaves a part of the list that it finds.
func (f *Function) takesPart(a *register.Access) bool {
	return slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
		to, ok := f.stored(op)
		if !ok || to.IsLit() {
			return false
		}
		def := f.Prog.OnlyDef(f.N.Source(to).Local)
		return def != nil && def.Name == "slice of"
	})
}

// Counts is a critical section that looks an entry up, or puts it there, and adds to the number at
// the first root: it counts one more who uses the entry. A time when it was used, or a flag, says less:
// the entry may go although it was used. The number may be an atomic, which others count down without the lock.
func (w *World) Counts(count, entries string) (Closing, bool) {
	for _, s := range w.wide {
		if !s.section || !w.happens(s) {
			continue
		}
		used := slices.ContainsFunc(s.Accesses, func(a *register.Access) bool { return s.From.Root(a.Cell) == entries && !s.From.empties(a) })
		counts := slices.IndexFunc(s.Accesses, func(a *register.Access) bool { return s.From.Root(a.Cell) == count && s.From.Adds(a) })
		if used && counts >= 0 {
			return Closing{By: s.From, At: s.From.Pos(s.Accesses[counts].Start), Counts: true}, true
		}
	}
	for _, f := range w.outer {
		for _, used := range f.Find.Accesses {
			for _, a := range f.Find.Accesses {
				if f.Root(used.Cell) == entries && f.Root(a.Cell) == count && !f.empties(used) && f.Adds(a) && f.countsUnder(used, a) {
					return Closing{By: f, At: f.Pos(a.Start), Counts: true}, true
				}
			}
		}
	}
	return Closing{}, false
}

// Skewed is who takes away an entry at the first root after it has looked, in one hold of the lock, for what is at the
// second one: at all of that, or it goes by the entry that it has found.
func (w *World) Skewed(gone, asked string) (Closing, bool) { return skewed(w.outer, gone, asked) }

func skewed(outer []*Function, gone, asked string) (Closing, bool) {
	for _, f := range outer {
		for i, looks := range f.Find.Accesses {
			if looks.Writes || f.Root(looks.Cell) != asked {
				continue
			}
			for _, a := range f.Find.Accesses {
				if f.Root(a.Cell) != gone || !f.empties(a) || !f.UnderOne(looks, a) && !f.underLockOf(a, looks) {
					continue
				}
				if f.visited(f.Prog.Cells[looks.Cell].Key) || f.decidesAny(i, a) {
					return Closing{By: f, At: f.Pos(a.Start), Skewed: true}, true
				}
			}
		}
	}
	return Closing{}, false
}

// Retires is who takes away an entry at the first root after it has asked, in one hold of the lock of the map, how many
// use it, or has counted one less: who has found it counts himself too late.
func (w *World) Retires(entries, users string) (Closing, bool) {
	return retires(w.outer, entries, users)
}

func retires(outer []*Function, entries, users string) (Closing, bool) {
	by, ok := skewed(outer, entries, users)
	if !ok {
		by, ok = lastLeaves(outer, entries, users)
	}
	if !ok {
		by, ok = leftEmpty(outer, entries, users)
	}
	by.Skewed, by.Unused = false, ok
	return by, ok
}

// decidesAny reports whether what access i finds decides whether some operation of another one is made.
func (f *Function) decidesAny(i int, a *register.Access) bool {
	return slices.ContainsFunc(a.Ops, func(op register.Ref) bool { return f.Find.Influence(i).Blocks[op.Block] })
}

// lastLeaves is who counts one less who uses an entry, and takes it away where nobody is left.
func lastLeaves(outer []*Function, entries, users string) (Closing, bool) {
	for _, f := range outer {
		for i, leaves := range f.Find.Accesses {
			if f.Root(leaves.Cell) != users || !f.CountsDown(leaves) {
				continue
			}
			for _, a := range f.Find.Accesses {
				if f.Root(a.Cell) == entries && f.empties(a) && f.decidesAny(i, a) {
					return Closing{By: f, At: f.Pos(a.Start)}, true
				}
			}
		}
	}
	return Closing{}, false
}

// leftEmpty is who takes an entry away where the map of those who use it has no entries, or few.
//
//	if len(t.subscribers) == 0 { delete(b.topics, name) }
func leftEmpty(outer []*Function, entries, users string) (Closing, bool) {
	for _, f := range outer {
		for _, blk := range f.Prog.Blocks {
			for i := range blk.Instrs {
				in := &blk.Instrs[i]
				if !in.CountsEntries() || f.RootOf(in.Args[0]) != users {
					continue
				}
				decided := f.Find.Follows(in.Dst[0]).Blocks
				for _, a := range f.Find.Accesses {
					if f.Root(a.Cell) == entries && f.empties(a) && slices.ContainsFunc(a.Ops, func(op register.Ref) bool { return decided[op.Block] }) {
						return Closing{By: f, At: f.Pos(a.Start)}, true
					}
				}
			}
		}
	}
	return Closing{}, false
}

// Enrol adds to the sequences of some functions those in which an entry is found and then counts one more who uses it, if one of
// those that others enter retires what nobody uses.
func Enrol(fns, outer []*Function) {
	asked := map[[2]string]bool{}
	for _, f := range fns {
		// A function that cannot be looked at so has the sequences that it has.
		_ = ssaprog.Protect(f.Fn, func() error {
			for _, g := range f.Find.Enrols() {
				pair := [2]string{f.Root(g.Accesses[0].Cell), f.Root(g.Accesses[len(g.Accesses)-1].Cell)}
				if _, known := asked[pair]; !known {
					_, asked[pair] = retires(outer, pair[0], pair[1])
				}
				if asked[pair] && !f.hasWide(g) {
					f.Wide = append(f.Wide, g)
				}
			}
			return nil
		})
		f.Forget()
	}
	for _, f := range outer {
		f.Forget()
	}
}

// hasWide reports whether some sequence on several cells has all accesses of a group.
func (f *Function) hasWide(g extension.Group) bool {
	return slices.ContainsFunc(f.Wide, func(of extension.Group) bool {
		return !slices.ContainsFunc(g.Accesses, func(a *register.Access) bool { return !slices.Contains(of.Accesses, a) })
	})
}

// UnderOne reports whether one access can follow another one, to guarded memory, before the lock of that is let go.
func (f *Function) UnderOne(first, then *register.Access) bool {
	if !f.Prog.Cells[first.Cell].Guarded {
		return false
	}
	to, seen := then.Ops[len(then.Ops)-1], map[int]bool{}
	work := []register.Ref{first.Ops[0]}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		blk, held := f.Prog.Blocks[at.Block], true
		for i := at.Instr; i < len(blk.Instrs) && held; i++ {
			if to == (register.Ref{Block: at.Block, Instr: i}) {
				return true
			}
			held = blk.Instrs[i].Op != register.Unlock
		}
		for _, next := range blk.Term.To {
			if held && !seen[next] {
				seen[next] = true
				work = append(work, register.Ref{Block: next})
			}
		}
	}
	return false
}

// underLockOf reports whether a lock under which an access lies was taken before another one as well, and not let go in
// between: that one may lie in a section of its own.
func (f *Function) underLockOf(a, other *register.Access) bool {
	locks := f.LockAnalysis(a.Cell)
	before := locks.At(other.Ops[0])
	for k, held := range locks.At(a.Start) {
		if h, ok := before[k]; ok && h.At == held.At {
			return true
		}
	}
	return false
}

// countsUnder reports whether an atomic is counted up after an entry was looked up, before the lock of that is let go, or
// without any lock, whatever it is: who compares and swaps may ask whether anybody still uses the entry.
func (f *Function) countsUnder(used, counts *register.Access) bool {
	if slices.ContainsFunc(counts.Ops, func(op register.Ref) bool { return f.Prog.Blocks[op.Block].Instrs[op.Instr].Op == register.CAS }) {
		return false
	}
	if f.Prog.Cells[counts.Cell].Kind != register.Atomic || f.CountsDown(counts) {
		return false
	}
	if f.Prog.Cells[used.Cell].Guarded {
		return f.UnderOne(used, counts)
	}
	return f.Before(used.Start, counts.Start) && len(f.LockAnalysis(used.Cell).At(counts.Start)) == 0
}

// CountsDown reports whether an access adds a negative number, or takes one off.
func (f *Function) CountsDown(a *register.Access) bool {
	return slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
		to, ok := f.stored(op)
		if !ok || to.IsLit() {
			return false
		}
		sum := f.Prog.OnlyDef(f.N.Source(to).Local)
		return sum != nil && slices.ContainsFunc(sum.Args, func(o register.Operand) bool {
			return o.IsLit() && strings.HasPrefix(o.Lit, "-") != (sum.Name == "sub")
		})
	})
}

// Adds reports whether an access stores what it finds with something added.
func (f *Function) Adds(a *register.Access) bool {
	return slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
		to, ok := f.stored(op)
		if !ok || to.IsLit() {
			return false
		}
		sum := f.Prog.OnlyDef(f.N.Source(to).Local)
		return sum != nil && sum.Name == "add" && slices.ContainsFunc(sum.Args, func(o register.Operand) bool {
			return slices.Contains(a.Outcome, f.N.Source(o).Local)
		})
	})
}

// changesAt are the accesses of a step that write at a root.
func (s *Step) changesAt(root string) []*register.Access {
	return slices.DeleteFunc(slices.Clone(s.Accesses), func(a *register.Access) bool { return !a.Writes || s.From.Root(a.Cell) != root })
}

// WritesAt reports whether a step writes at a root.
func (s *Step) WritesAt(root string) bool { return len(s.changesAt(root)) > 0 }

// Closes is a function that sets what is at the first root to a constant, and then takes
// away all that is at the second one, or does something with all of it, and leaves it to others to
// take it away:
//
//	s.closing.Store(true)
//	s.mu.Lock()
//	for c := range s.conns { c.Close() }
//	s.mu.Unlock()
func (w *World) Closes(flag, content string) (Closing, bool) {
	for _, f := range w.outer {
		for _, set := range f.Find.Accesses {
			if f.Root(set.Cell) != flag || !f.sets(set) {
				continue
			}
			for _, b := range f.Find.Accesses {
				if f.Root(b.Cell) != content || !f.setsFirst(set, b) {
					continue
				}
				if all := f.usesAll(b); all || f.emptiesAll(b) {
					return Closing{By: f, At: f.Pos(set.Start), Empties: !all, All: all, Uses: all || f.usesAt(content)}, true
				}
			}
			if f.outlasts(set, content) {
				return Closing{By: f, At: f.Pos(set.Start), Uses: true, Waits: true}, true
			}
		}
	}
	return Closing{}, false
}

// outlasts reports whether a function waits, after an access, until a map has no entries, or few:
//
//	s.draining = true
//	for len(s.inflight) > 0 { s.empty.Wait() }
func (f *Function) outlasts(set *register.Access, content string) bool {
	waits := func(b int) bool {
		return slices.ContainsFunc(f.Prog.Blocks[b].Instrs, func(in register.Instr) bool { return in.Op == register.Blocking }) && f.Find.Reach(b, b)
	}
	for b, blk := range f.Prog.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			at := &register.Access{Start: register.Ref{Block: b, Instr: i}}
			if !in.CountsEntries() || f.RootOf(in.Args[0]) != content || !f.Find.Precedes(set, at) || f.Find.Precedes(at, set) {
				continue
			}
			decided := f.Find.Follows(in.Dst[0]).Blocks
			for d := range decided {
				if decided[d] && waits(d) && f.Find.Reach(d, b) {
					return true
				}
			}
		}
	}
	return false
}

// setsFirst reports whether one access comes before another one, and never after it: in a section before that, or in the
// same one.
func (f *Function) setsFirst(set, then *register.Access) bool {
	if set.Start != then.Start {
		return f.Find.Precedes(set, then) && !f.Find.Precedes(then, set)
	}
	first := &register.Access{Start: set.Ops[len(set.Ops)-1]}
	return !slices.ContainsFunc(then.Ops, func(op register.Ref) bool { return !f.Find.Precedes(first, &register.Access{Start: op}) })
}

// Drains is a function that sets a flag, so that nobody comes in any more who would find something else there, and then goes by the number of
// those who are in, which others count down:
//
//	s.draining.Store(true)
//	for s.active.Load() > 0 { time.Sleep(poll) }
func (w *World) Drains(flag, count, open string) (Closing, bool) {
	if !slices.ContainsFunc(w.outer, func(f *Function) bool {
		return slices.ContainsFunc(f.Find.Accesses, func(a *register.Access) bool { return f.Root(a.Cell) == count && f.CountsDown(a) })
	}) {
		return Closing{}, false
	}
	for _, f := range w.outer {
		for _, set := range f.Find.Accesses {
			if f.Root(set.Cell) != flag || !f.shuts(set, open) {
				continue
			}
			for i, b := range f.Find.Accesses {
				if f.Root(b.Cell) == count && !b.Writes && f.Find.Dominates(set, b) && !f.Find.Precedes(b, set) && slices.Contains(f.Find.Influence(i).Blocks, true) {
					return Closing{By: f, At: f.Pos(set.Start), Uses: true, Waits: true}, true
				}
			}
		}
	}
	return Closing{}, false
}

// shuts reports whether all that an access does is to store a truth value that is not the one by which others come in.
func (f *Function) shuts(a *register.Access, open string) bool {
	return !slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
		to, ok := f.stored(op)
		return !ok || !to.IsLit() || to.Lit != register.LitTrue && to.Lit != register.LitFalse || to.Lit == open
	})
}

// usesAt reports whether the function does something with what it finds at a root, or with
// the keys under which it is.
func (f *Function) usesAt(root string) bool {
	return slices.ContainsFunc(f.Find.Accesses, func(a *register.Access) bool {
		return f.Root(a.Cell) == root && (f.Find.HandsOn(a) || f.tellsKey(f.Prog.Cells[a.Cell].Key))
	})
}

// usesAll reports whether an access is a look of a loop over a map, which does something with what it finds
// there, or with its key: what it makes of that, and returns, is what there was then.
func (f *Function) usesAll(a *register.Access) bool {
	key := f.Prog.Cells[a.Cell].Key
	if a.Writes || f.Prog.Cells[a.Cell].Kind != register.Map || key.Local == register.None || !f.visited(key) {
		return false
	}
	found := f.Find.Influence(slices.Index(f.Find.Accesses, a))
	does := func(in register.Instr) bool { return in.Op == register.Effect && found.Reads(in.Args) }
	return f.tellsKey(key) || slices.ContainsFunc(f.Prog.Blocks, func(blk *register.Block) bool { return slices.ContainsFunc(blk.Instrs, does) })
}

// tellsKey reports whether a key to which a loop over a map comes is given to a call.
func (f *Function) tellsKey(key register.Operand) bool {
	if key.Local == register.None || !f.visited(key) {
		return false
	}
	tells := func(in register.Instr) bool {
		return in.Op == register.Effect && slices.ContainsFunc(in.Args, func(o register.Operand) bool { return f.N.Source(o) == f.N.Source(key) })
	}
	return slices.ContainsFunc(f.Prog.Blocks, func(blk *register.Block) bool { return slices.ContainsFunc(blk.Instrs, tells) })
}

// sets reports whether an access stores a constant that is not what the cell holds at first.
func (f *Function) sets(a *register.Access) bool {
	return slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
		to, ok := f.stored(op)
		return ok && to.IsLit() && to != register.Absent && to.Lit != f.Prog.Cells[a.Cell].Zero
	})
}

// TakesAway reports whether all that an access does to a cell is to take away what there is.
func (f *Function) TakesAway(a *register.Access) bool {
	return !slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
		to, ok := f.stored(op)
		return !ok || to != register.Absent
	})
}

// empties reports whether an access takes away what there is, an entry or a list. A number or
// a flag that is what it was at first is a number or a flag.
func (f *Function) empties(a *register.Access) bool {
	return slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
		to, ok := f.stored(op)
		return ok && (to == register.Absent || to.IsLit() && to.Lit == register.LitNil)
	})
}

// emptiesAll is empties for a whole map: the entry is that of a loop over it, or any.
func (f *Function) emptiesAll(a *register.Access) bool {
	if !f.empties(a) {
		return false
	}
	cell := f.Prog.Cells[a.Cell]
	if cell.Kind != register.Map || register.EveryCell(f.Prog) == a.Cell {
		return true
	}
	return f.visited(cell.Key)
}
