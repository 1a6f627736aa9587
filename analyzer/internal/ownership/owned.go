package ownership

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Function is a function that knows where its maps are kept.
type Function struct {
	*extension.Function
	// roots is made when it is asked for.
	roots *rootNames
	// owned is the memory whose pointers are nowhere else.
	owned map[string]bool
	// getters finds how results of calls were reached.
	getters *Gets
}

// New is a function of a package; owned is found later, of all of them.
func New(f *extension.Function, getters *Gets) *Function {
	return &Function{Function: f, getters: getters}
}

// SetOwned finds the memory whose pointers are nowhere else: all that is stored
// in it was made for it, and what is loaded from it is used and not kept. Who
// reaches an object through such memory reaches it through its only owner, whose
// lock can guard it:
//
//	for _, n := range f.counts { // map[string]*atomic.Int64
//		…
//	}
//
// The objects themselves may be as open as they like. Other memory whose objects
// have one owner is found by keeps.
func SetOwned(ps *ssaprog.Programs, fns []*Function) {
	memory := map[string]bool{}
	for _, f := range fns {
		for cell := range f.Prog.Cells {
			f.pointers(cell, memory)
		}
	}
	open := newEscapes(ps, memory)
	open.shallow = true
	open.find()
	owned := map[string]bool{}
	keepers := newKeepers(ps, memory)
	for r := range memory {
		// What nothing is stored in comes from somewhere that is not seen.
		_, is := open.open[r]
		kept, shared := keepers.keeps(r)
		if kept || !is && open.filled[r] && !shared {
			owned[r] = true
		}
	}
	for _, f := range fns {
		f.owned = owned
	}
}

// pointers notes the memory that pointers on the way to the map of a cell were
// loaded from.
func (f *Function) pointers(cell int, memory map[string]bool) {
	f.pointersTo(f.Prog.Cells[cell].Map, memory, 0)
}

func (f *Function) pointersTo(op register.Operand, memory map[string]bool, depth int) {
	for range maxRoot {
		op = f.N.Source(op)
		_, from, pointer, ok := f.names().step(op)
		if ok {
			if r := f.names().of(op, 0); pointer && r != "" {
				memory[r] = true
			}
			op = from
			continue
		}
		def, result := definition(f.Prog, op)
		w, arg, got := f.getters.got(def, result)
		if !got {
			break
		}
		for _, r := range w.memory {
			memory[r] = true
		}
		op = arg
	}
	if depth < maxChosen {
		for _, v := range choices(f.Prog, f.N, op) {
			f.pointersTo(v, memory, depth+1)
		}
	}
}

// Born reports whether the map belongs to an object that this function, or whoever calls it, has
// just made: nobody else can have it yet.
func (f *Function) Born(cell int) bool {
	op := f.Prog.Cells[cell].Map
	for range 12 {
		op = f.N.Source(op)
		if op.Local == register.None {
			return false
		}
		def := f.Prog.OnlyDef(op.Local)
		switch {
		case def == nil:
			return f.isNewborn(op.Local)
		case len(def.Args) == 0:
			return def.Op == register.Fresh
		case def.Op == register.Fresh:
			return true
		case def.Op != register.Pure && !looksUp(def), f.isCopied(def):
			return false
		}
		op = def.Args[0]
	}
	return false
}

// isNewborn reports whether a local is a parameter that is only given objects which nobody else has yet.
func (f *Function) isNewborn(l register.Local) bool {
	p, ok := f.Parameter(l).(*ssa.Parameter)
	return ok && f.getters != nil && f.getters.ps.Res.IsNewborn(p)
}

// isCopied reports whether an instruction looks up an element of a copy of a list, or of one that another package has
// made of what it was given: a copy of a list has the same objects in it.
func (f *Function) isCopied(def *register.Instr) bool {
	if m := def.Memory(); m.Kind != register.Element || m.Address {
		return false
	}
	list := f.Prog.OnlyDef(f.N.Source(def.Args[0]).Local)
	if list == nil || list.Op != register.Fresh {
		return false
	}
	return list.IsCopy() || strings.Contains(list.Name, register.MadeSite) && len(list.Args) > 0
}

// looksUp reports whether an instruction looks up a part of an object that may have
// changed in between.
func looksUp(in *register.Instr) bool {
	m := in.Memory()
	return in.Op == register.Unknown && !m.Address && (m.IsField() || m.Kind == register.Element)
}
