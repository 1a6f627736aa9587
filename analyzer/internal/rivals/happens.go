package rivals

import (
	"maps"
	"slices"
	"strings"

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
// Whether an operation happens at all is found out for all functions on a map together.
// Each is run on sets of constants, in which an operation finds anything that any of
// them, or a constructor, stores; with what it stores in turn, until that is no more.

const (
	// maxConstants bounds a set: one with more of them is anything.
	maxConstants = 8
	// maxTuples bounds the arguments for which a function is evaluated.
	maxTuples = 64
	// maxCourse bounds the instructions of all functions on a map, one round of them.
	maxCourse = 1 << 14
)

// constants are the literals that something can be; nil is anything.
type constants []register.Value

// someObject stands for a new object among constants: which one it is, or of which type, is
// not known.
const someObject register.Value = "{object}"

// none is what is nothing yet.
var none = constants{}

func (c constants) isAny() bool { return c == nil }

func (c constants) has(v register.Value) bool { return c.isAny() || slices.Contains(c, v) }

// or is what either can be.
func (c constants) or(d constants) constants {
	if c.isAny() || d.isAny() {
		return nil
	}
	out := slices.Clone(c)
	for _, v := range d {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	if len(out) > maxConstants {
		return nil
	}
	return append(none, out...)
}

func literal(v register.Value) constants { return constants{v} }

var anyTruth = constants{register.LitFalse, register.LitTrue}

// happening are the steps on the maps of a root but for those that change something where
// no function comes, whatever the others do to these maps.
func (w *World) happening(root string) []*Step {
	return slices.DeleteFunc(slices.Clone(w.Steps[root]), func(s *Step) bool { return !w.happens(s) })
}

// happens reports whether a step may change something, if it is there to do so.
func (w *World) happens(s *Step) bool {
	writes := false
	for _, a := range s.Accesses {
		changes := w.changing(s.From, a.Cell)
		if changes == nil || changes[a] {
			return true
		}
		writes = writes || a.Writes
	}
	return !writes
}

// changing is findChanges for the maps that a function's cell can be on, if only this
// package changes them.
func (w *World) changing(f *Function, cell int) map[*register.Access]bool {
	root := f.Root(cell)
	if !w.Closed(root) {
		return nil
	}
	fields, _ := f.Fields(cell)
	key := strings.Join(append([]string{root}, fields...), "\n")
	changes, known := w.changes[key]
	if !known {
		changes = w.findChanges(root, fields)
		w.changes[key] = changes
	}
	return changes
}

// findChanges are the accesses to the maps of a root, those that are a part of some fields,
// that can change one of them; nil if that is not known.
func (w *World) findChanges(root string, fields []string) map[*register.Access]bool {
	found := &course{contents: none}
	size := 0
	for _, f := range w.outer {
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
	for _, b := range w.Births[root] {
		if b.value == absint.Anything {
			return nil
		}
		found.add(literal(b.value))
	}
	for found.changed {
		found.changed = false
		for _, r := range found.runs {
			r.run()
		}
	}
	if found.contents.isAny() {
		return nil
	}
	out := map[*register.Access]bool{}
	for _, r := range found.runs {
		for _, a := range r.f.Find.Accesses {
			out[a] = slices.ContainsFunc(a.Ops, func(op register.Ref) bool { return r.changes[op] })
		}
	}
	return out
}

// course is what is found out about the maps of a root.
type course struct {
	runs     []*courseOf
	contents constants
	changed  bool
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
	found   map[register.Local]*register.Instr // see founds
	changes map[register.Ref]bool
}

func newCourseOf(h *course, f *Function, on []bool) *courseOf {
	r := &courseOf{course: h, f: f, on: on, found: founds(f.Prog), changes: map[register.Ref]bool{}}
	for i := range f.Prog.Cells {
		if on[i] {
			r.add(literal(atFirst(&f.Prog.Cells[i])))
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
			on[i] = !w.apart(place{own, given, f.Foreign}, fields)
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

// known are the locals of which it is known what they can be. Of others nothing is.
type known map[register.Local]constants

// run goes through the function once, from what is in the maps so far.
func (r *courseOf) run() {
	at := make([]known, len(r.f.Prog.Blocks))
	at[0] = known{}
	for work := []int{0}; len(work) > 0; {
		n := work[0]
		work = work[1:]
		blk, k := r.f.Prog.Blocks[n], maps.Clone(at[n])
		for i := range blk.Instrs {
			r.step(&blk.Instrs[i], register.Ref{Block: n, Instr: i}, k)
		}
		for i, to := range blk.Term.To {
			if blk.Term.Kind == register.Branch && !k.of(blk.Term.Cond).has(truthOf(i == 0)) {
				continue
			}
			if next, changed := at[to].join(r.after(k, &blk.Term, i)); changed {
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
// empty place.
func (r *courseOf) after(k known, t *register.Term, i int) known {
	if t.Kind != register.Branch || t.Cond.IsLit() || t.To[0] == t.To[1] {
		return k
	}
	k = maps.Clone(k)
	k.set(t.Cond.Local, literal(truthOf(i == 0)))
	if in := r.found[t.Cond.Local]; in != nil && i == 0 && !k[in.Dst[0]].isAny() {
		empty := register.Value(r.f.Prog.Cells[in.Cell].Zero)
		if !slices.Contains(r.contents, empty) {
			k.set(in.Dst[0], slices.DeleteFunc(slices.Clone(k[in.Dst[0]]), func(v register.Value) bool { return v == empty }))
		}
	}
	return k
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

func truthOf(b bool) register.Value {
	if b {
		return register.LitTrue
	}
	return register.LitFalse
}

func (k known) of(o register.Operand) constants {
	if o.IsLit() {
		return literal(register.Value(o.Lit))
	}
	return k[o.Local]
}

// join is what is known where two ways meet, and whether it is other than k, which is nil
// before the first.
func (k known) join(from known) (known, bool) {
	if k == nil {
		return maps.Clone(from), true
	}
	changed := false
	for l, c := range k {
		both := c.or(from[l])
		if changed = changed || len(both) != len(c); both.isAny() {
			delete(k, l)
		} else {
			k[l] = both
		}
	}
	return k, changed
}

func (k known) set(l register.Local, c constants) {
	switch {
	case l == register.None:
	case c.isAny():
		delete(k, l)
	default:
		k[l] = c
	}
}

// step is what an instruction does.
func (r *courseOf) step(in *register.Instr, at register.Ref, k known) {
	switch {
	case in.IsBase():
		r.operation(in, at, k)
	case in.Op == register.Copy:
		k.set(in.Dst[0], k.of(in.Args[0]))
	case in.Op == register.Fresh:
		k.set(in.Dst[0], literal(someObject))
	case in.Op == register.Pure && register.Interpreted[in.Name] && len(in.Dst) == 1:
		k.set(in.Dst[0], evaluate(in, k))
	default:
		in.Defs(func(l register.Local) { k.set(l, nil) })
	}
}

// operation is step for one on a cell. Nothing is known of what the other maps hold.
func (r *courseOf) operation(in *register.Instr, at register.Ref, k known) {
	cell, expected := &r.f.Prog.Cells[in.Cell], constants(nil)
	was, had, ok := constants(nil), anyTruth, anyTruth
	if in.Op == register.CAS {
		expected = k.of(in.Args[0])
	}
	stored := constants(nil)
	if in.Op != register.Read {
		stored = k.of(in.Args[len(in.Args)-1])
	}
	if r.on[in.Cell] && !r.contents.isAny() {
		was, had, ok = none, none, none
		for _, v := range r.contents {
			can := in.Op != register.CAS || expects(expected, v) || cell.Kind == register.Latch && v == register.LitAbsent
			if can && in.Op != register.Read && !isOnly(stored, v) {
				r.changes[at] = true
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
	if r.on[in.Cell] && in.Op != register.Read && (r.contents.isAny() || r.changes[at]) {
		r.changes[at] = true
		r.add(stored)
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

// expects reports whether what a compare-and-swap expects can be v. No value is that there is none.
func expects(expected constants, v register.Value) bool {
	return expected.has(v) && (v != register.LitAbsent || !expected.isAny())
}

// isOnly reports whether something is nothing but v, of which there is one.
func isOnly(c constants, v register.Value) bool {
	return len(c) == 1 && c[0] == v && v != someObject
}

// evaluate is what an interpreted function gives.
func evaluate(in *register.Instr, k known) constants {
	if in.Name == "choose" {
		return chosen(k.of(in.Args[0]), k.of(in.Args[1]), k.of(in.Args[2]))
	}
	args := make([]constants, len(in.Args))
	tuples := [][]register.Value{nil}
	for i, o := range in.Args {
		args[i] = k.of(o)
		if args[i].isAny() || len(tuples)*len(args[i]) > maxTuples {
			return nil
		}
		var longer [][]register.Value
		for _, t := range tuples {
			for _, v := range args[i] {
				longer = append(longer, append(slices.Clone(t), v))
			}
		}
		tuples = longer
	}
	out := none
	for _, t := range tuples {
		v := fold(in, t)
		if v.isAny() {
			return nil
		}
		out = out.or(v)
	}
	return out
}

// chosen is a where cond is true, and b where it is false.
func chosen(cond, a, b constants) constants {
	switch {
	case !cond.has(register.LitFalse):
		return a
	case !cond.has(register.LitTrue):
		return b
	}
	return a.or(b)
}

// fold is evaluate for some arguments. A new object is nothing that the program writes down.
func fold(in *register.Instr, args []register.Value) constants {
	if slices.Contains(args, someObject) {
		switch {
		case in.Name != "eq":
			return nil
		case args[0] != args[1]:
			return literal(register.LitFalse)
		}
		return anyTruth
	}
	v, ok, err := register.Fold(in.Name, in.Type, args)
	if err != nil || !ok {
		return nil
	}
	return literal(v)
}
