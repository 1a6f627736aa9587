package evidence

import (
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/judge"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// What was found before a lock was let go may still be used after it was taken again, although
// something else is there now.

// cutsByOld reports whether a list is written that is cut at a place which was found in an older
// one: its length, or where something was in it.
//
//	q.mu.Lock()
//	n := len(q.jobs)
//	q.mu.Unlock()
//	…
//	q.mu.Lock()
//	q.jobs = q.jobs[n:] // others may have cut it meanwhile
//	q.mu.Unlock()
func (v *violation) cutsByOld() bool {
	for _, old := range v.g.Accesses {
		places := v.placesIn(old)
		for _, b := range v.g.Accesses {
			if b == old || !b.Writes || b.Cell != old.Cell || !v.Find.Precedes(old, b) || v.inOneSection(old, b) || v.looksNow(b) {
				continue
			}
			if slices.ContainsFunc(v.cutsFor(b), func(cut *register.Instr) bool { return v.cutAt(cut, places) && !v.isCut(cut, old) }) {
				return true
			}
		}
	}
	return false
}

// placesIn are the lengths of a list that an access has found, the places at which it was looked
// into or something was found in it, and what is made of those.
func (v *violation) placesIn(a *register.Access) map[register.Local]bool {
	places, lists := map[register.Local]bool{}, v.listsOf(a)
	for _, blk := range v.Prog.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			switch {
			case len(in.Args) == 0 || in.Args[0].IsLit() || !lists[v.N.Source(in.Args[0]).Local]:
			case in.Op == register.Pure && in.Name == "len":
				places[in.Dst[0]] = true
			case in.Memory().Kind == register.Element && len(in.Args) > 1 && !in.Args[1].IsLit():
				places[in.Args[1].Local] = true
			case in.Op == register.Pure || in.Op == register.Unknown: // slices.Index and others like it
				for _, l := range in.Dst {
					places[l] = places[l] || l != register.None && v.Prog.TypeOf(l).Kind == register.Int
				}
			}
		}
	}
	delete(places, register.None)
	passOn(v.Prog, places, func(in *register.Instr) bool {
		return in.Op == register.Copy || in.Op == register.Pure && slices.Contains([]string{"add", "sub", "rem", "convert"}, in.Name)
	})
	return places
}

// takesUnlooked reports whether something is taken from a list, as it is there by then, because an
// older look has found that there is something: whoever comes second finds an empty one.
//
//	for q.len() > 0 {
//		q.pop()() // q.jobs = q.jobs[:len(q.jobs)-1]
//	}
func (v *violation) takesUnlooked() bool {
	for _, old := range v.g.Accesses {
		for _, b := range v.g.Accesses {
			if b == old || !b.Writes || b.Cell != old.Cell || v.inOneSection(old, b) || !v.decides(old, b) {
				continue
			}
			asks := slices.ContainsFunc(b.Ops, func(op register.Ref) bool { return op.Block != b.Start.Block })
			if !asks && slices.ContainsFunc(v.cutsFor(b), func(cut *register.Instr) bool { return v.isCut(cut, b) && shortens(cut) }) {
				return true
			}
		}
	}
	return false
}

// takesOther reports whether something of a list is given out that an older look has found, and what is at one of
// its ends by then is taken away for it, whoever looks.
//
//	vm, ok := p.newest()
//	if ok { p.dropLast() } // p.warm = p.warm[:len(p.warm)-1]
//	return vm
func (v *violation) takesOther() bool {
	for _, old := range v.g.Accesses {
		taken := v.elementsOf(old)
		for _, b := range v.g.Accesses {
			if b == old || old.Writes || !b.Writes || b.Cell != old.Cell || !v.Find.Precedes(old, b) || v.inOneSection(old, b) || len(v.elementsOf(b)) > 0 {
				continue
			}
			cutsNow := slices.ContainsFunc(v.cutsFor(b), func(cut *register.Instr) bool { return v.isCut(cut, b) && shortens(cut) })
			if cutsNow && v.givesOut(taken) {
				return true
			}
		}
	}
	return false
}

// elementsOf are the elements of a list that an access has found.
func (v *violation) elementsOf(a *register.Access) map[register.Local]bool {
	out := map[register.Local]bool{}
	for _, blk := range v.Prog.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.Memory().Kind == register.Element && len(in.Dst) > 0 && slices.Contains(a.Outcome, v.N.Source(in.Args[0]).Local) {
				out[in.Dst[0]] = true
			}
		}
	}
	delete(out, register.None)
	return out
}

// givesOut reports whether one of some values is returned, or something is done with it.
func (v *violation) givesOut(vals map[register.Local]bool) bool {
	vals = v.with(maps.Clone(vals))
	return v.doesWith(vals) || slices.ContainsFunc(v.Prog.Blocks, func(blk *register.Block) bool {
		return blk.Term.Kind == register.Return && slices.ContainsFunc(blk.Term.Vals, func(op register.Operand) bool { return !op.IsLit() && vals[op.Local] })
	})
}

// shortens reports whether a cut leaves something away, whatever there is.
func shortens(cut *register.Instr) bool {
	none := func(at int) bool {
		return at >= len(cut.Args) || cut.Args[at].IsNone() || cut.Args[at].Lit == register.NoBound || cut.Args[at].Lit == "0"
	}
	return !none(1) || len(cut.Args) > 2 && !none(2) && !cut.Args[2].IsLit()
}

// dropsAdded reports whether a list is emptied that was given to somebody as it was before, or a list
// that was taken out is put back in the place of what is there, while others add to it.
//
//	b.mu.Lock()
//	batch := b.points
//	b.mu.Unlock()
//	send(batch)
//	b.mu.Lock()
//	b.points = nil // what was added since is not in the batch
//	b.mu.Unlock()
func (v *violation) dropsAdded() bool {
	if v.x.Several || v.onMap() || !v.emptiesGiven() && !v.restoresTaken() {
		return false
	}
	return slices.ContainsFunc(v.interrupting(), addsToFound) || v.guarded() && slices.ContainsFunc(v.x.Rivals, addsToFound)
}

// guarded reports whether it is about one piece of memory that a lock guards: whoever has that can come in between.
func (v *violation) guarded() bool { return !v.x.Several && v.x.Region.Cells[0].Guarded }

// isFed reports whether others add to the list that the step works with, by a function of their own.
func (v *violation) isFed() bool {
	return slices.ContainsFunc(v.interrupting(), func(s *rivals.Step) bool { return s.Fn != v.Fn && addsToFound(s) })
}

// addsToFound reports whether a step adds to a list that it finds.
func addsToFound(s *rivals.Step) bool {
	found := whatIsFound(s.Step.Program)
	return someInstr(s.Step.Program, func(in register.Instr) bool {
		return in.Op == register.Pure && register.IsAppend(in.Name) && uses(&register.Instr{Args: in.Args[:1]}, found)
	})
}

// emptiesGiven reports whether something is emptied of which what was there, or a copy, is given to somebody.
func (v *violation) emptiesGiven() bool {
	return someInstr(v.x.Region, empties(v.x.Region)) && slices.ContainsFunc(v.g.Accesses, func(a *register.Access) bool {
		return !a.Writes && v.doesWith(v.partsOf(a))
	})
}

// restoresTaken reports whether what one access has taken out, all there was, is stored again by another
// one as it is, which does not look what is there.
func (v *violation) restoresTaken() bool {
	if v.lone() {
		return false
	}
	takesAll := empties(v.Prog)
	for _, a := range v.g.Accesses {
		took := a.Writes && a.Constant && !slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
			in := v.Prog.Blocks[op.Block].Instrs[op.Instr]
			return in.Op != register.Read && !takesAll(in)
		})
		for _, b := range v.g.Accesses {
			if took && b != a && b.Writes && b.Cell == a.Cell && len(b.Ops) == 1 && v.putsBack(a, b) {
				return true
			}
		}
	}
	return false
}

// cuts are what cuts a list: they have the list first, and then where.
var cuts = map[string]bool{register.SliceOf: true, "slices.Delete": true, "slices.Insert": true, "slices.Replace": true}

// cutsFor are the cuts that what an access stores is made of.
func (v *violation) cutsFor(b *register.Access) []*register.Instr {
	var out []*register.Instr
	seen := map[register.Local]bool{}
	var from func(op register.Operand)
	from = func(op register.Operand) {
		op = v.N.Source(op)
		if op.IsLit() || op.IsNone() || seen[op.Local] {
			return
		}
		seen[op.Local] = true
		def := v.Prog.OnlyDef(op.Local)
		if def == nil || def.Op != register.Pure && !cuts[def.Site()] {
			return
		}
		if cuts[def.Site()] {
			out = append(out, def)
		}
		for _, arg := range def.Args {
			from(arg)
		}
	}
	for _, ref := range b.Ops {
		if val, ok := judge.StoredOperand(&v.Prog.Blocks[ref.Block].Instrs[ref.Instr]); ok {
			from(val)
		}
	}
	return out
}

// cutAt reports whether a list is cut at one of some places, which it was not looked at before.
func (v *violation) cutAt(cut *register.Instr, places map[register.Local]bool) bool {
	return slices.ContainsFunc(cut.Args[1:], func(op register.Operand) bool { return !op.IsLit() && places[op.Local] })
}

// indexesByOld reports whether a list is looked into at a place that was found in an older one, and not asked how long
// it is by then: it may have become shorter.
//
//	n := b.size()
//	return b.at(b.turn() % n)
func (v *violation) indexesByOld() bool {
	for _, old := range v.g.Accesses {
		places := v.placesIn(old)
		for _, b := range v.g.Accesses {
			if b == old || b.Cell != old.Cell || !v.Find.Precedes(old, b) || v.inOneSection(old, b) {
				continue
			}
			now := v.listsOf(b)
			in := func(op register.Operand) bool { return !op.IsLit() && now[v.N.Source(op).Local] }
			asks := someInstr(v.Prog, func(i register.Instr) bool { return i.Op == register.Pure && i.Name == "len" && in(i.Args[0]) })
			if !asks && someInstr(v.Prog, func(i register.Instr) bool {
				return i.Memory().Kind == register.Element && len(i.Args) > 1 && in(i.Args[0]) && !i.Args[1].IsLit() && places[i.Args[1].Local]
			}) {
				return true
			}
		}
	}
	return false
}

// listsOf are what an access has found, and what that points to.
func (v *violation) listsOf(a *register.Access) map[register.Local]bool {
	lists := foundBy(a)
	passOn(v.Prog, lists, func(in *register.Instr) bool {
		return in.Op == register.Copy || in.Op == register.Pure && strings.HasPrefix(in.Name, "load:")
	})
	return lists
}

// looksNow reports whether the section of an access looks how long the list is that is there by then, or what
// is in it.
func (v *violation) looksNow(b *register.Access) bool {
	found := map[register.Local]bool{}
	for _, c := range v.Find.Accesses {
		if c.Cell == b.Cell && (c == b || v.inOneSection(c, b)) {
			maps.Copy(found, foundBy(c))
		}
	}
	return someInstr(v.Prog, func(in register.Instr) bool {
		looks := in.Memory().Kind == register.Element && len(in.Args) > 1 || in.Op == register.Pure && in.Name == "len"
		return looks && found[v.N.Source(in.Args[0]).Local]
	})
}

// isCut reports whether what is cut is what an access has found.
func (v *violation) isCut(cut *register.Instr, a *register.Access) bool {
	return slices.Contains(a.Outcome, v.N.Source(cut.Args[0]).Local)
}

// A flag that says that somebody is at it keeps others out, who are told so:
//
//	if s.busy.Load() { return ErrBusy }
//	s.busy.Store(true)
//	defer s.busy.Store(false)
//
// Whatever else is seen of it, two that look at once both go on. Who goes on and may come to his end without
// having kept anybody out takes nothing from others:
//
//	if s.closed.Load() { return ErrClosed }
//	err := s.write(b)
//	if err != nil { s.closed.Store(true) }

// letsInTwo is where a region goes on after it has stored what it would have been refused for.
func (v *violation) letsInTwo() (register.Pos, bool) {
	p := v.x.Region
	for w, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != register.Write || !in.Args[0].IsLit() || in.Args[0] == register.Absent {
				continue
			}
			for b, look := range p.Blocks {
				if look.Term.Kind != register.Branch || b == w || !reaches(p, b, w, -1) {
					continue
				}
				to, ok := wayFor(p, look, in)
				if !ok || to == w || reaches(p, to, w, -1) || !refusesAfter(p, to, w) {
					continue
				}
				on := look.Term.To[0]
				if on == to {
					on = look.Term.To[1]
				}
				if !v.succeedsPast(on, w) {
					return in.Pos, true
				}
			}
		}
	}
	return register.Pos{}, false
}

// succeedsPast reports whether the call can end well from a block on without coming to another one: it says neither no, nor
// that there was an error.
func (v *violation) succeedsPast(from, past int) bool {
	results := v.Fn.Signature.Results()
	return from != past && endsWithout(v.x.Region, from, past, func(blk *register.Block) bool {
		for i, val := range blk.Term.Vals {
			fails := i < results.Len() && ssaprog.IsError(results.At(i).Type()) && val != register.Lit(register.LitNil)
			if fails || val == register.Lit(register.LitFalse) {
				return false
			}
		}
		return blk.Term.Kind == register.Return
	})
}

// wayFor is where a branch would lead if what was found were what a write stores; false if that is
// not all that it goes by.
func wayFor(p *register.Program, look *register.Block, write *register.Instr) (int, bool) {
	goesByCell := false
	var eval func(op register.Operand, depth int) (register.Value, bool)
	eval = func(op register.Operand, depth int) (register.Value, bool) {
		if op.IsLit() {
			return register.Value(op.Lit), true
		}
		def := p.OnlyDef(op.Local)
		switch {
		case def == nil || depth == 0:
			return "", false
		case def.Op == register.Read && def.Cell == write.Cell && def.Dst[0] == op.Local:
			goesByCell = true
			return register.Value(write.Args[0].Lit), true
		case def.Op != register.Pure || !register.Interpreted[def.Name]:
			return "", false
		}
		vals := make([]register.Value, len(def.Args))
		for i, arg := range def.Args {
			val, ok := eval(arg, depth-1)
			if !ok {
				return "", false
			}
			vals[i] = val
		}
		val, ok, err := register.Fold(def.Name, def.Type, vals)
		return val, ok && err == nil
	}
	val, ok := eval(look.Term.Cond, 4)
	switch {
	case !ok || !goesByCell:
		return 0, false
	case val == register.LitTrue:
		return look.Term.To[0], true
	}
	return look.Term.To[1], true
}

// refusesAfter reports whether a block refuses what is granted after another one.
func refusesAfter(p *register.Program, block, write int) bool {
	if p.Blocks[block].Term.Kind != register.Return {
		return false
	}
	return slices.ContainsFunc(p.Blocks, func(blk *register.Block) bool {
		b := slices.Index(p.Blocks, blk)
		granted := blk.Term.Kind == register.Return && (b == write || reaches(p, write, b, -1))
		return granted && (fails(p, block, blk.Term.Vals) || otherAnswer(blk.Term.Vals, p.Blocks[block].Term.Vals))
	})
}

// fails reports whether a block returns an error that says what was found, where others have another
// one, or none.
func fails(p *register.Program, block int, others []register.Operand) bool {
	for i, op := range p.Blocks[block].Term.Vals {
		if i < len(others) && op != others[i] && saysFound(p, block, op) {
			return true
		}
	}
	return false
}

// addsToList is a list of the same object to which the step adds beside the entry that it makes, in
// a row: who comes twice adds twice.
//
//	if s.has(name) { return }
//	s.mu.Lock()
//	s.byName[name] = n
//	s.names = append(s.names, name)
//	s.mu.Unlock()
func (e *Weigher) addsToList(v *violation) (*ssa.Store, bool) {
	for _, b := range v.Fn.Blocks {
		if !slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool { return e.isStoreOf(v, in) }) {
			continue
		}
		for _, in := range b.Instrs {
			if s, ok := in.(*ssa.Store); ok && grows(s) {
				return s, true
			}
		}
	}
	return nil, false
}

// isStoreOf reports whether an instruction is one of the step that writes to its map.
func (e *Weigher) isStoreOf(v *violation, in ssa.Instruction) bool {
	up, ok := in.(*ssa.MapUpdate)
	return ok && slices.ContainsFunc(v.stored(), func(pos register.Pos) bool { return e.position(pos) == up.Pos() })
}

// stored are where the accesses of the step put something.
func (v *violation) stored() []register.Pos {
	var out []register.Pos
	for _, a := range v.g.Accesses {
		for _, ref := range a.Ops {
			if in := &v.Prog.Blocks[ref.Block].Instrs[ref.Instr]; putsSomething(in) {
				out = append(out, in.Pos)
			}
		}
	}
	return out
}

// fieldOf is the name of a field that is stored to.
func fieldOf(s *ssa.Store) string {
	to := s.Addr.(*ssa.FieldAddr)
	return ssaprog.FieldOf(to.X.Type(), to.Field).Name()
}

// grows reports whether a field is given what it holds with something added.
func grows(s *ssa.Store) bool {
	to, isField := s.Addr.(*ssa.FieldAddr)
	call, isCall := s.Val.(*ssa.Call)
	if !isField || !isCall {
		return false
	}
	if b, ok := call.Call.Value.(*ssa.Builtin); !ok || b.Name() != "append" {
		return false
	}
	load, ok := call.Call.Args[0].(*ssa.UnOp)
	if !ok {
		return false
	}
	from, ok := load.X.(*ssa.FieldAddr)
	return ok && from.X == to.X && from.Field == to.Field
}

// Who replaces something, and tells somebody only if it was another one, has to know what it has
// replaced:
//
//	changed := s.current() != next
//	s.set(next)
//	if changed { s.announce() }

// tellsByOld is a call that the step makes, or does not make, by what was there before it let the
// lock go, compared with what a caller gives, although it writes in any case.
func (v *violation) tellsByOld() (*register.Instr, bool) {
	for _, look := range v.g.Accesses {
		if look.Writes {
			continue
		}
		compared := v.comparedWithGiven(look)
		for _, set := range v.g.Accesses {
			if !set.Writes || set.Cell != look.Cell || !v.Find.Precedes(look, set) || v.inOneSection(look, set) || v.decides(look, set) {
				continue
			}
			if in, ok := v.calledBy(compared, set); ok {
				return in, true
			}
		}
	}
	return nil, false
}

// comparedWithGiven is what comes of a comparison of what an access has found with what callers
// give.
func (v *violation) comparedWithGiven(look *register.Access) map[register.Local]bool {
	found, given, out := v.followsFrom(look), map[register.Local]bool{}, map[register.Local]bool{}
	for _, l := range v.Prog.Params {
		if p, ok := v.Parameter(l).(*ssa.Parameter); ok && (v.Fn.Signature.Recv() == nil || p != v.Fn.Params[0]) {
			given[l] = true
		}
	}
	for _, blk := range v.Prog.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			compares := in.Op == register.Unknown || in.Op == register.Pure
			if !compares || len(in.Dst) != 1 || !uses(in, found) || !uses(in, given) {
				continue
			}
			if register.IsTest(in.Name) || v.Prog.TypeOf(in.Dst[0]).Kind == register.Bool {
				out[in.Dst[0]] = true
			}
		}
	}
	closeOver(v.Prog, out)
	return out
}

// calledBy is a call after an access that is only made as some truth values say.
func (v *violation) calledBy(truths map[register.Local]bool, after *register.Access) (*register.Instr, bool) {
	tree := register.Dominators(v.Prog)
	for b, blk := range v.Prog.Blocks {
		if blk.Term.Kind != register.Branch || !truths[blk.Term.Cond.Local] || b != after.Start.Block && !reaches(v.Prog, after.Start.Block, b, -1) || reaches(v.Prog, b, after.Start.Block, -1) {
			continue
		}
		for e, under := range v.Prog.Blocks {
			if e == b || !slices.ContainsFunc(blk.Term.To, func(to int) bool { return register.Dominates(tree, to, e) }) || !returnsWithout(v.Prog, b, e) {
				continue
			}
			for i := range under.Instrs {
				in := &under.Instrs[i]
				if in.Effect().Kind == register.Called && !onOwn(v.Prog, in) {
					return in, true
				}
			}
		}
	}
	return nil, false
}
