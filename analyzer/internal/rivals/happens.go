package rivals

import (
	"slices"
	"strconv"
	"strings"
	"unique"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// A step is cut out of its function, and asks nothing of what the function has found
// before:
//
//	if s.state.Load() == failed { // nobody stores that
//		s.state.Store(closed)
//	}
//
// Nor does it ask what the function has calculated from constants. Whether an operation happens
// at all is found out for all functions on a map together. Each is run on sets of constants, in which an operation finds anything that any of
// them, or a constructor, stores; with what it stores in turn, until that is no more.

// maxCourse bounds the instructions of all functions on a map, one round of them.
const maxCourse = 1 << 14

// happening are some steps but for those that change something where
// no function comes, whatever the others do to these maps.
func (w *World) happening(steps []*Step) []*Step {
	var out []*Step
	for _, s := range steps {
		if w.happens(s) {
			out = append(out, w.constant(s))
		}
	}
	return out
}

// happens reports whether a step may change something, if it is there to do so. Where nobody ever finds anything, it takes away
// itself what it puts there.
func (w *World) happens(s *Step) bool {
	writes := false
	for _, a := range s.Accesses {
		found := w.found(s.From, a.Cell)
		if found == nil || found.changing[a] && !isOnly(found.contents, register.LitAbsent) {
			return true
		}
		writes = writes || a.Writes
	}
	return !writes
}

// found is findChanges for the maps that a function's cell can be on, if only this
// package changes them.
func (w *World) found(f *Function, cell int) *changes {
	root := f.Root(cell)
	if !w.Closed(root) {
		return nil
	}
	fields, _ := f.Fields(cell)
	key := strings.Join(append([]string{root}, fields...), "\n")
	found, known := w.changes[key]
	if !known {
		w.changes[key] = nil // is not known for those that it depends on
		found = w.findChanges(root, fields)
		w.changes[key] = found
	}
	return found
}

// changes say what accesses to a map do.
type changes struct {
	// changing are those that can change it.
	changing map[*register.Access]bool
	// contents are all that there can be: anything as well. What no function comes to it does
	// not come to then either.
	contents constants
	// stored is what an operation of a function's program can store, and counts how many entries it can find
	// where it counts them.
	stored, counts map[*register.Program]map[register.Ref]constants
	// looked is what a read of a function's program can come upon.
	looked map[*register.Program]map[register.Ref]constants
}

// findChanges are the accesses to the maps of a root, those that are a part of some fields,
// that can change one of them; nil if that is not known.
func (w *World) findChanges(root string, fields []string) *changes {
	found := &course{w: w, contents: none}
	size, fns := 0, slices.Clone(w.outer)
	for _, f := range w.outer {
		fns = append(fns, f.Chosen...)
	}
	for _, f := range fns {
		on := w.cellsOn(f, root, fields)
		if !slices.ContainsFunc(f.Find.Accesses, func(a *register.Access) bool { return on[a.Cell] }) {
			continue
		}
		for _, blk := range f.Prog.Blocks {
			size += len(blk.Instrs)
			for i := range blk.Instrs {
				if in := &blk.Instrs[i]; in.OmitsChange() {
					return nil
				}
			}
		}
		found.runs = append(found.runs, newCourseOf(found, f, on))
	}
	if size > maxCourse {
		return nil
	}
	for _, b := range w.Births(root) {
		c := literal(b.value)
		if b.value == absint.Anything {
			c = nil
		}
		found.add(c)
	}
	for found.changed {
		found.changed = false
		for _, r := range found.runs {
			r.run()
		}
	}
	out := &changes{contents: found.contents, changing: map[*register.Access]bool{}, stored: map[*register.Program]map[register.Ref]constants{}, counts: map[*register.Program]map[register.Ref]constants{}, looked: map[*register.Program]map[register.Ref]constants{}}
	for _, r := range found.runs {
		out.stored[r.f.Prog], out.counts[r.f.Prog], out.looked[r.f.Prog] = r.stored, r.counts, r.looked
		for _, a := range r.f.Find.Accesses {
			out.changing[a] = slices.ContainsFunc(a.Ops, func(op register.Ref) bool { return r.changes[op] })
		}
	}
	return out
}

// course is what is found out about the maps of a root.
type course struct {
	w        *World
	runs     []*courseOf
	contents constants
	// removes says that something may take an entry away.
	removes bool
	changed bool
}

// remove notes that an entry may be taken away.
func (h *course) remove() {
	h.changed = h.changed || !h.removes
	h.removes = true
}

func (h *course) add(c constants) {
	if next := h.contents.or(c); len(next) != len(h.contents) || next.isAny() != h.contents.isAny() {
		h.contents, h.changed = next, true
	}
}

// courseOf is a function, with the operations on the root's maps of which it is known
// that they can change one.
type courseOf struct {
	*course
	f       *Function
	on      []bool                             // by cell
	fixed   []bool                             // see fixed
	defs    []int                              // of the locals
	found   map[register.Local]*register.Instr // see founds
	exprs   expressions
	num     *register.Numbering
	changes map[register.Ref]bool
	stored  map[register.Ref]constants // by the operations that it comes to
	counts  map[register.Ref]constants // by the places where it counts entries
	looked  map[register.Ref]constants // by the reads that it comes to
	// holdsZero are the operations that can find an entry which holds what is found in an empty place. It is
	// noted when they find it: a critical section can have put there what nobody else has seen.
	holdsZero map[*register.Instr]bool
}

func newCourseOf(h *course, f *Function, on []bool) *courseOf {
	r := &courseOf{course: h, f: f, on: on, fixed: fixed(f.Prog), defs: register.DefCounts(f.Prog), found: founds(f.Prog), exprs: newExpressions(f.Prog), num: register.Number(f.Prog), changes: map[register.Ref]bool{}, stored: map[register.Ref]constants{}, counts: map[register.Ref]constants{}, looked: map[register.Ref]constants{}, holdsZero: map[*register.Instr]bool{}}
	for i := range f.Prog.Cells {
		if on[i] {
			r.add(literal(atFirst(&f.Prog.Cells[i])))
			r.removes = r.removes || f.Prog.Cells[i].Evicts
		}
	}
	return r
}

// cellsOn says which of a function's cells can be on the maps of a root that are a part of
// some fields.
func (w *World) cellsOn(f *Function, root string, fields []string) []bool {
	on := make([]bool, len(f.Prog.Cells))
	for i := range on {
		if f.Root(i) == root {
			own, given := f.Fields(i)
			on[i] = !w.apart(place{own, given, f}, fields)
		}
	}
	return on
}

// atFirst is what a new cell holds.
func atFirst(cell *register.Cell) register.Value {
	if cell.Kind == register.Atomic {
		return register.Value(cell.Zero)
	}
	return register.LitAbsent
}

// run goes through the function once, from what is in the maps so far.
func (r *courseOf) run() {
	at := make([]moment, len(r.f.Prog.Blocks))
	at[0] = newMoment(len(r.f.Prog.Cells))
	for _, l := range r.f.Prog.Params {
		at[0].set(l, r.unknown(l))
	}
	for work := []int{0}; len(work) > 0; {
		n := work[0]
		work = work[1:]
		blk, k := r.f.Prog.Blocks[n], at[n].clone()
		for i := range blk.Instrs {
			r.step(&blk.Instrs[i], register.Ref{Block: n, Instr: i}, k)
		}
		if len(blk.Term.To) == 0 {
			r.others(k)
		}
		for i, to := range blk.Term.To {
			if blk.Term.Kind == register.Branch && !k.of(blk.Term.Cond).has(truthOf(i == 0)) {
				continue
			}
			if next, changed := r.join(at[to], r.after(k, n, i)); changed {
				at[to] = next
				if !slices.Contains(work, to) {
					work = append(work, to)
				}
			}
		}
	}
}

// after is what is known after a branch went way i, of what it asks and, if that is whether
// there was something, of what was found: where there was, nobody found what there is in an
// empty place, and where there was not, nothing else.
func (r *courseOf) after(k moment, block, i int) moment {
	t := &r.f.Prog.Blocks[block].Term
	if t.Kind != register.Branch || t.Cond.IsLit() || t.To[0] == t.To[1] {
		return k
	}
	k = k.clone()
	r.asked(k, t.Cond.Local, i == 0)
	r.exprs.narrow(k.known, t.Cond.Local, truthOf(i == 0))
	r.equals(k, r.f.Prog.Blocks[block], i == 0)
	k.set(t.Cond.Local, literal(truthOf(i == 0)))
	if in := r.found[t.Cond.Local]; in != nil && i == 1 {
		k.set(in.Dst[0], literal(register.Value(r.f.Prog.Cells[in.Cell].Zero)))
	} else if in != nil {
		k.set(in.Dst[0], r.something(in, k.known))
	}
	r.seen(k)
	return k
}

// equals notes what a value is equal to, which the branch at the end of a block has asked: a literal, or what a
// compare-and-swap has found, which is something that is there.
//
//	if m.CompareAndDelete(k, v) { m2.Store(k, v) } // stores what was in m
func (r *courseOf) equals(k moment, b *register.Block, is bool) {
	cond := b.Term.Cond
	for i := len(b.Instrs) - 1; i >= 0; i-- {
		in := &b.Instrs[i]
		if !slices.Contains(in.Dst, cond.Local) {
			continue
		}
		of, can := register.NoOperand, constants(nil)
		switch {
		case in.Op == register.Pure && in.Name == "not":
			cond, is = in.Args[0], !is
			if cond.Local == register.None {
				return
			}
			continue
		case !is:
		case in.Op == register.Pure && in.Name == "eq" && in.Args[1].IsLit():
			of, can = in.Args[0], literal(register.Value(in.Args[1].Lit))
		case in.Op == register.Pure && in.Name == "eq" && in.Args[0].IsLit():
			of, can = in.Args[1], literal(register.Value(in.Args[0].Lit))
		case in.Op == register.CAS && in.Dst[1] == cond.Local && r.f.Prog.Cells[in.Cell].Kind == register.Map && !r.f.Prog.Cells[in.Cell].Guarded:
			of, can = in.Args[0], r.elsewhere(in.Cell)
			if r.on[in.Cell] {
				can = r.contents
			}
			if !can.isAny() {
				can = append(none, slices.DeleteFunc(slices.Clone(can), func(v register.Value) bool { return v == register.LitAbsent })...)
			}
		}
		later := func(in register.Instr) bool { return slices.Contains(in.Dst, of.Local) }
		if of.Local != register.None && !can.isAny() && !slices.ContainsFunc(b.Instrs[i:], later) {
			k.set(of.Local, k.of(of).and(can))
		}
		return
	}
}

// something is what an operation found if there was something: not what is found in an empty place, unless
// the operation can have found an entry that holds just that.
func (r *courseOf) something(in *register.Instr, k known) constants {
	empty, was := register.Value(r.f.Prog.Cells[in.Cell].Zero), k[in.Dst[0]]
	if was.isAny() || r.holdsZero[in] {
		return was
	}
	return append(none, slices.DeleteFunc(slices.Clone(was), func(v register.Value) bool { return v == empty })...)
}

// founds are the operations that say whether there was something, by what they say it
// with, where neither that nor what they find is assigned elsewhere.
func founds(p *register.Program) map[register.Local]*register.Instr {
	out, defs := map[register.Local]*register.Instr{}, register.DefCounts(p)
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != register.Read && in.Op != register.Write || len(in.Dst) < 2 || slices.Contains(in.Dst, register.None) {
				continue
			}
			if defs[in.Dst[0]] == 1 && defs[in.Dst[1]] == 1 {
				out[in.Dst[1]] = in
			}
		}
	}
	return out
}

// step is what an instruction does.
func (r *courseOf) step(in *register.Instr, at register.Ref, k moment) {
	switch {
	case in.IsBase():
		r.operation(in, at, k)
	case in.Op == register.Copy:
		k.set(in.Dst[0], k.of(in.Args[0]))
	case in.Op == register.Fresh:
		k.set(in.Dst[0], literal(someObject))
	case in.Op == register.Pure && register.Interpreted[in.Name] && len(in.Dst) == 1:
		k.set(in.Dst[0], r.calculate(in, k.known))
	case in.CountsEntries():
		n := r.entries(in.Args[0], k)
		note(r.counts, at, n)
		k.set(in.Dst[0], n)
	case in.Op == register.Lock, in.Op == register.Unlock, in.Op == register.Blocking:
		r.others(k)
	default:
		in.Defs(func(l register.Local) { k.set(l, r.unknown(l)) })
	}
}

// note adds what there can be at a place.
func note(at map[register.Ref]constants, place register.Ref, c constants) {
	if was, before := at[place]; before {
		c = c.or(was)
	}
	at[place] = c
}

// unknown is what a local can be of which nothing is known: of a pointer, that it is nil or points to something.
func (r *courseOf) unknown(l register.Local) constants {
	if l != register.None && r.f.Prog.TypeOf(l).Kind == register.Pointer {
		return constants{register.LitNil, someObject}
	}
	return nil
}

// entries are how many there can be in the map whose entries are counted, where nothing is in it but what its critical section
// has put there: each of those cells, some of which can be the same one.
func (r *courseOf) entries(of register.Operand, k moment) constants {
	on := slices.DeleteFunc(register.CellsOf(r.f.Prog, r.num, of), func(i int) bool { return !r.on[i] || r.f.Prog.Cells[i].Kind != register.Map })
	if !isOnly(r.contents, register.LitAbsent) || len(on) == 0 {
		return nil
	}
	least, most := 0, 0
	for i, c := range k.cells {
		can := r.left(c)
		if !r.on[i] || isOnly(can, register.LitAbsent) {
			continue
		}
		if most++; slices.Contains(on, i) && !can.has(register.LitAbsent) {
			least = 1
		}
	}
	all := none
	for n := least; n <= most; n++ {
		all = all.or(literal(register.Value(strconv.Itoa(n))))
	}
	return all
}

// calculate is what an interpreted function gives. Where it chooses what was found if there was something, that is
// not what is found in an empty place.
func (r *courseOf) calculate(in *register.Instr, k known) constants {
	if in.Name == "choose" && !in.Args[0].IsLit() {
		if op := r.found[in.Args[0].Local]; op != nil && in.Args[1] == register.L(op.Dst[0]) {
			return chosen(k.of(in.Args[0]), r.something(op, k), k.of(in.Args[2])).and(r.exprs.evaluate(in, k))
		}
	}
	return r.exprs.evaluate(in, k)
}

// operation is step for one on a cell.
func (r *courseOf) operation(in *register.Instr, at register.Ref, k moment) {
	cell, expected := &r.f.Prog.Cells[in.Cell], constants(nil)
	was, had, ok := constants(nil), anyTruth, anyTruth
	if in.Op == register.CAS {
		expected = k.of(in.Args[0])
	}
	stored := constants(nil)
	if in.Op != register.Read {
		stored = k.of(in.Args[len(in.Args)-1])
	}
	contents := r.elsewhere(in.Cell)
	if r.on[in.Cell] {
		contents = r.has(k, in.Cell)
		note(r.looked, at, contents)
	}
	if !contents.isAny() {
		if zero := register.Value(cell.Zero); slices.Contains(contents, zero) && !r.holdsZero[in] {
			r.holdsZero[in], r.changed = true, true
		}
		was, had, ok = none, none, none
		for _, v := range contents {
			can := in.Op != register.CAS || expects(expected, v) || cell.Kind == register.Latch && v == register.LitAbsent && expected.has(register.LitNil)
			if can && in.Op != register.Read && !isOnly(stored, v) && r.on[in.Cell] {
				r.changes[at] = true
				if v != register.LitAbsent && stored.has(register.LitAbsent) {
					r.remove()
				}
			}
			if can {
				ok = ok.or(literal(register.LitTrue))
			}
			if v == register.LitAbsent {
				was, had = was.or(literal(register.Value(cell.Zero))), had.or(literal(register.LitFalse))
			} else {
				was, had = was.or(literal(v)), had.or(literal(register.LitTrue))
			}
		}
		if in.Op == register.CAS { // what it expects may be one of several
			ok = ok.or(literal(register.LitFalse))
		}
	}
	if r.on[in.Cell] && in.Op != register.Read {
		r.stored[at] = stored
	}
	if r.on[in.Cell] && in.Op != register.Read && (r.contents.isAny() || r.changes[at]) {
		r.changes[at] = true
		if stored.isAny() || !r.fixed[in.Cell] || !inSection(in) {
			r.add(stored)
		} // else others find it when the section ends, if it is there then
	}
	if r.on[in.Cell] {
		if in.Op == register.CAS && !ok.has(register.LitTrue) { // it never finds what it expects
			stored = none
		}
		r.leaves(in, k, contents, stored)
	}
	if in.Op == register.CAS {
		had = ok
	}
	for i, c := range []constants{was, had} {
		if i < len(in.Dst) {
			k.set(in.Dst[i], c)
		}
	}
}

// elsewhere is what there can be in a cell of other maps.
func (r *courseOf) elsewhere(cell int) constants {
	if found := r.w.found(r.f, cell); found != nil {
		return found.contents
	}
	return nil
}

// expects reports whether what a compare-and-swap expects can be v. No value is that there is none.
func expects(expected constants, v register.Value) bool {
	return expected.has(v) && (v != register.LitAbsent || !expected.isAny())
}

// constant is a step that stores what it is always given, where that is one constant. A step is cut
// out of its function, and could be given anything:
//
//	v, _ := m.Load(k); n, _ := v.(int); m.Store(k2, n) // nobody stores any other number than n
//
// Nor does it do anything where there is nothing, if its function always finds something there.
func (w *World) constant(s *Step) *Step {
	c, known := w.constants[s]
	if !known {
		c = w.newConstant(s)
		w.constants[s] = c
	}
	return c
}

func (w *World) newConstant(s *Step) *Step {
	var prog *register.Program
	for b, blk := range s.Step.Program.Blocks {
		for i := range blk.Instrs {
			stored, known := w.stores(s, &blk.Instrs[i])
			never := known && !stored.isAny() && len(stored) == 0 && blk.Instrs[i].Op == register.Write
			if !never && (len(stored) != 1 || stored[0] == someObject) {
				continue
			}
			if prog == nil {
				prog = s.Step.Program.Clone()
			}
			in := &prog.Blocks[b].Instrs[i]
			if never {
				in.Op, in.Name, in.Args = register.Read, "", nil
				continue
			}
			last := len(in.Args) - 1
			if given := in.Args[last].Local; b == 0 && slices.Contains(prog.Params, given) {
				give(prog, given, stored[0]) // it is stored whatever the step does
				continue
			}
			in.Args = append(slices.Clone(in.Args[:last]), register.Lit(string(stored[0])))
		}
	}
	if finding := w.finding(s); finding >= 0 {
		if prog == nil {
			prog = s.Step.Program.Clone()
		}
		onlyThere(prog, finding)
	}
	if prog == nil {
		return s
	}
	return s.as(prog)
}

// finding is the instruction with which a step that writes begins, if that is a read by which its function always finds something, -1 if
// it is none.
func (w *World) finding(s *Step) int {
	first := s.Step.Program.Blocks[0].Instrs
	at := slices.IndexFunc(first, func(in register.Instr) bool { return in.IsBase() || in.Op == register.Enter || in.Op == register.Lock })
	if at < 0 || first[at].Op != register.Read || !storesAny(s.Step.Program) || s.Step.Program.Cells[first[at].Cell].Kind != register.Map {
		return -1
	}
	all := none
	known := w.operations(s, &first[at], func(found *changes, op register.Ref) {
		if looked, comes := found.looked[s.From.Prog][op]; comes {
			all = all.or(looked)
		}
	})
	if !known || all.has(register.LitAbsent) {
		return -1
	}
	return at
}

// as is the step with another program, which knows more of what it was given.
func (s *Step) as(prog *register.Program) *Step {
	register.Tidy(prog)
	live := register.Live(prog).In(0, 0)
	for _, c := range prog.Cells {
		register.EachLocal([]register.Operand{c.Map, c.Key}, func(l register.Local) { live = append(live, l) })
	}
	all := prog.Params
	prog.Params = slices.DeleteFunc(slices.Clone(all), func(l register.Local) bool { return !slices.Contains(live, l) })
	c := *s
	c.Step.Program, c.Step.Name, c.Step.Nils = prog, s.From.stepName(prog), nil
	for _, i := range s.Step.Nils {
		if at := slices.Index(prog.Params, all[i]); at >= 0 {
			c.Step.Nils = append(c.Step.Nils, at)
		}
	}
	c.Text = unique.Make(StepText(&c)).Value()
	return &c
}

// give has a program be given a constant.
func give(p *register.Program, param register.Local, v register.Value) {
	is := func(o register.Operand) register.Operand {
		if !o.IsNone() && o.Local == param {
			return register.Lit(string(v))
		}
		return o
	}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			in.Args = slices.Clone(in.Args)
			for k, a := range in.Args {
				in.Args[k] = is(a)
			}
		}
		blk.Term.Cond = is(blk.Term.Cond)
		for i, v := range blk.Term.Vals {
			blk.Term.Vals[i] = is(v)
		}
	}
}

// Count has a region of a function find as many entries as the function does in all its runs, where that is one number: in
// a map in which nobody ever puts anything, none.
//
//	if len(s.m) > 0 { // never
//		s.m[k] = v
//	}
func (w *World) Count(f *Function, region *register.Program) {
	for _, blk := range region.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if !in.CountsEntries() {
				continue
			}
			if n := w.counts(f, in.Pos); len(n) == 1 {
				*in = register.Instr{Op: register.Copy, Dst: in.Dst, Args: []register.Operand{register.Lit(string(n[0]))}, Pos: in.Pos}
			}
		}
	}
}

// counts is how many entries a function can find where it counts those of a map at a position.
func (w *World) counts(f *Function, pos register.Pos) constants {
	all := none
	for b, blk := range f.Prog.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if !in.CountsEntries() || in.Pos != pos {
				continue
			}
			cells := register.CellsOf(f.Prog, f.N, in.Args[0])
			if len(cells) == 0 {
				return nil
			}
			found := w.found(f, cells[0])
			if found == nil || found.counts[f.Prog] == nil {
				return nil
			}
			if n, comes := found.counts[f.Prog][register.Ref{Block: b, Instr: i}]; comes {
				all = all.or(n)
			}
		}
	}
	return all
}

// stores is what an instruction of a step can store, if it does not say so itself, in each of the places where it can be
// from; nothing if no function comes there. A step that tries again has more operations than its own accesses.
func (w *World) stores(s *Step, in *register.Instr) (all constants, known bool) {
	if in.Op != register.Write && in.Op != register.CAS || in.Name == register.Every || in.Args[len(in.Args)-1].IsLit() {
		return nil, false
	}
	all = none
	known = w.operations(s, in, func(found *changes, at register.Ref) {
		if stored, comes := found.stored[s.From.Prog][at]; comes {
			all = all.or(stored)
		}
	})
	return all, known
}

// operations are those of a step's function that an instruction of it is cut out of, with what is known of the maps that they
// are on; false if that is not known of one of them.
func (w *World) operations(s *Step, in *register.Instr, each func(*changes, register.Ref)) (known bool) {
	for _, a := range s.From.Find.Accesses {
		for _, at := range a.Ops {
			if op := &s.From.Prog.Blocks[at.Block].Instrs[at.Instr]; op.Op != in.Op || op.Pos != in.Pos {
				continue
			}
			found := w.found(s.From, a.Cell)
			if found == nil || found.looked[s.From.Prog] == nil {
				return false
			}
			known = true
			each(found, at)
		}
	}
	return known
}
