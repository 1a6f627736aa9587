package rivals

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/mapatom/mapatom/reduce"
)

// birth is what a function stores in the map of an object that it has just
// made, or while the package is initialized: nobody else is there yet, so it is
// not a step of the environment, but what the others find at first. The map may be
// made by itself, and become a part of something then:
//
//	level := new(atomic.Int64)
//	level.Store(3)
//	return &Gauge{level: level}
type birth struct {
	cell  register.Cell
	value register.Value
}

// addBirths notes what accesses store. Of a value that is not a literal nothing
// is known.
func (w *World) addBirths(f *Function, accesses []*register.Access, root string) {
	for _, a := range accesses {
		for _, op := range a.Ops {
			in := &f.Prog.Blocks[op.Block].Instrs[op.Instr]
			if in.Op != register.Write && in.Op != register.CAS {
				continue
			}
			v := f.N.Source(in.Args[len(in.Args)-1])
			if v == register.Absent {
				continue
			}
			b := birth{f.Prog.Cells[in.Cell], absint.Anything}
			if v.IsLit() {
				b.value = register.Value(v.Lit)
			}
			w.births[root] = append(w.births[root], b)
		}
	}
}

// addNewborn notes what accesses store in a map that has no root yet: for all roots that it gets,
// or for whatever holds such a map, if it is not seen where it goes.
func (w *World) addNewborn(f *Function, g extension.Group) {
	homes, known := f.Homes(g.Cells[0])
	if !known {
		homes = []string{""}
	}
	for _, root := range homes {
		w.addBirths(f, g.Accesses, root)
	}
}

// Births are what constructors store in the maps of a root.
func (w *World) Births(root string) []birth {
	if !w.byPointer[root] {
		return w.births[root]
	}
	return slices.Concat(w.births[root], w.births[""])
}

// of reports whether the map in which it is stored can be one in which a cell is.
func (b birth) of(cell *register.Cell) bool {
	return b.cell.Kind == cell.Kind && !register.DifferentKeys(&b.cell, cell) && (b.cell.Type == cell.Type || b.cell.Guarded || cell.Guarded)
}

// Initial are the contents that the cells of a region can have at first besides
// what new ones hold, cell by cell; roots are the roots of their maps.
func (w *World) Initial(region *register.Program, roots []string) [][]register.Value {
	all := make([][]register.Value, len(region.Cells))
	for i, root := range roots {
		cell := &region.Cells[i]
		for _, b := range w.Births(root) {
			if b.of(cell) && !slices.Contains(all[i], b.value) {
				all[i] = append(all[i], b.value)
			}
		}
		slices.Sort(all[i])
	}
	return all
}

// addGuarded notes of the guarded memories that only the package changes them, and
// what constructors put there.
func (w *World) addGuarded(ps *ssaprog.Programs, roots map[string]bool) {
	for _, accesses := range ps.Res.Guarded() {
		for _, a := range accesses {
			root := reduce.MemoryName(a.Address())
			if !roots[root] {
				continue
			}
			delete(w.open, root)
			if st, ok := a.Instr.(*ssa.Store); ok {
				w.addStored(root, st.Val, a.Construction)
			}
		}
		if len(accesses) > 0 {
			w.addInitialized(accesses[0].Address(), roots)
		}
	}
}

// addStored notes what is in a memory where somebody stores a value there: a constructor,
// or whoever gives it another map, with the entries that it has.
func (w *World) addStored(root string, v ssa.Value, construction bool) {
	b := birth{register.Cell{Kind: register.Atomic, Key: register.NoOperand}, absint.Anything}
	isMap := ssaprog.IsMap(v.Type())
	switch c, isConst := v.(*ssa.Const); {
	case isMap && isEmpty(v), !isMap && !construction:
		return
	case isMap:
		b.cell.Kind = register.Map
	case isConst:
		b.value = reduce.ConstLiteral(c)
	}
	w.births[root] = append(w.births[root], b)
}

// addInitialized notes what the initialization of the package stores in a variable.
func (w *World) addInitialized(addr ssa.Value, roots map[string]bool) {
	g, ok := addr.(*ssa.Global)
	if !ok || !roots[reduce.MemoryName(g)] {
		return
	}
	for _, b := range g.Pkg.Func("init").Blocks {
		for _, instr := range b.Instrs {
			if st, ok := instr.(*ssa.Store); ok && st.Addr == g {
				w.addStored(reduce.MemoryName(g), st.Val, true)
			}
		}
	}
}

// isEmpty reports whether a map has no entries where it becomes a part of something: it
// is nil, or was just made, and nothing was put in it.
func isEmpty(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.MakeMap:
		for _, ref := range *v.Referrers() {
			switch ref.(type) {
			case *ssa.Store, *ssa.DebugRef, *ssa.Return:
			default:
				return false
			}
		}
		return true
	}
	return false
}

// An atomic pointer begins as nil. Who puts in a map what comes out of one, and has not asked, puts a nil there
// as long as nobody has filled it:
//
//	m[key] = current.Load()
//
// Where a constructor fills it, nobody comes before that. Who puts in a map what he has looked up under another key puts a nil
// there as well, if there was no entry.

// addEmptied adds the steps that find such an atomic empty, or no such entry. All that constructors store has to be known.
func (w *World) addEmptied() {
	for r, steps := range w.Steps {
		w.Steps[r] = append(steps, w.emptied(steps)...)
	}
	w.wide = append(w.wide, w.emptied(w.wide)...)
}

func (w *World) emptied(steps []*Step) (out []*Step) {
	for _, s := range steps {
		prog := s.Step.Program.Clone()
		found := false
		for _, l := range w.outOfEmpty(s) {
			found = giveNil(prog, s.From.Prog.Names[l]) || found
		}
		if found {
			out = append(out, s.as(prog))
		}
	}
	return out
}

// outOfEmpty are the locals of a step's function that the step puts in maps, and that come out of atomics in which
// there may be nothing, or of entries of maps that may not be there, if nobody asks.
func (w *World) outOfEmpty(s *Step) (out []register.Local) {
	p := s.From.Prog
	for _, a := range s.Accesses {
		for _, op := range a.Ops {
			in := &p.Blocks[op.Block].Instrs[op.Instr]
			if in.Op == register.Read || p.Cells[in.Cell].Kind != register.Map {
				continue
			}
			v := s.From.N.Source(in.Args[len(in.Args)-1])
			def := p.OnlyDef(v.Local)
			if v.IsLit() || def == nil || def.Op != register.Read || register.AsksForNil(p, v.Local) {
				continue
			}
			if w.beginsEmpty(s.From, def.Cell) || s.From.findsNothing(def, op) {
				out = append(out, v.Local)
			}
		}
	}
	return out
}

// findsNothing reports whether a read looks something up in a map, which is nil where there is no entry, and what is there does not decide
// whether the operation is made that stores it. There is an entry under the key of a loop over the map, and where the function has put one; and under a
// constant there may be one that is always there.
func (f *Function) findsNothing(read *register.Instr, store register.Ref) bool {
	c := &f.Prog.Cells[read.Cell]
	if c.Kind != register.Map || c.Zero != register.LitNil || c.Key.IsLit() || f.visited(c.Key) {
		return false
	}
	for i, a := range f.Find.Accesses {
		if a.Cell == read.Cell && (f.Find.Influence(i).Blocks[store.Block] || slices.ContainsFunc(a.Ops, f.writesAt)) {
			return false
		}
	}
	return true
}

// beginsEmpty reports whether a cell is an atomic pointer that no constructor fills.
func (w *World) beginsEmpty(f *Function, cell int) bool {
	c, root := &f.Prog.Cells[cell], f.Root(cell)
	return c.Kind == register.Atomic && !c.Guarded && c.Type.Kind == register.Pointer && c.Zero == register.LitNil && root != "" && len(w.Births(root)) == 0
}

// giveNil has a local of a program be nil, which it is given, or finds in another entry or an atomic where it may not tell whether anything is there.
func giveNil(p *register.Program, name string) bool {
	l := register.Local(slices.Index(p.Names, name))
	if slices.Contains(p.Params, l) {
		give(p, l, register.LitNil)
		return true
	}
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			in := &b.Instrs[i]
			outside := in.Op == register.Unknown || in.Op == register.Read && p.Cells[in.Cell].Kind == register.Atomic
			if l < 0 || slices.Index(in.Dst, l) != 0 || !outside || in.Op == register.Read && slices.ContainsFunc(in.Dst[1:], isUsed) {
				continue
			}
			gives := func(to register.Local, text string) register.Instr {
				return register.Instr{Op: register.Copy, Dst: []register.Local{to}, Args: []register.Operand{register.Lit(text)}, Pos: in.Pos}
			}
			instead := []register.Instr{gives(l, register.LitNil)}
			for _, there := range slices.DeleteFunc(slices.Clone(in.Dst[1:]), func(l register.Local) bool { return !isUsed(l) }) {
				instead = append(instead, gives(there, register.LitFalse))
			}
			b.Instrs = slices.Replace(b.Instrs, i, i+1, instead...)
			return true
		}
	}
	return false
}

func isUsed(l register.Local) bool { return l != register.None }
