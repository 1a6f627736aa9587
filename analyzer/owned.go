package analyzer

import "github.com/mapatom/mapatom/reduce"

// setOwned finds the memory whose pointers are nowhere else: all that is stored
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
func (c *checked) setOwned() {
	memory := map[string]bool{}
	for _, f := range c.infos {
		for cell := range f.prog.Cells {
			f.pointers(cell, memory)
		}
	}
	open := newEscapes(c.pkg, c.ps, memory)
	open.shallow = true
	open.find()
	owned := map[string]bool{}
	keepers := c.newKeepers(memory)
	for r := range memory {
		// What nothing is stored in comes from somewhere that is not seen.
		_, is := open.open[r]
		kept, shared := keepers.keeps(r)
		if kept || !is && open.filled[r] && !shared {
			owned[r] = true
		}
	}
	for _, f := range c.infos {
		f.owned = owned
	}
}

// pointers notes the memory that pointers on the way to the map of a cell were
// loaded from.
func (f *funcInfo) pointers(cell int, memory map[string]bool) {
	f.pointersTo(f.prog.Cells[cell].Map, memory, 0)
}

func (f *funcInfo) pointersTo(op reduce.Operand, memory map[string]bool, depth int) {
	for range maxRoot {
		op = f.n.Source(op)
		_, from, pointer, ok := f.names().step(op)
		if ok {
			if r := f.names().of(op, 0); pointer && r != "" {
				memory[r] = true
			}
			op = from
			continue
		}
		def, result := definition(f.prog, op)
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
		for _, v := range choices(f.prog, f.n, op) {
			f.pointersTo(v, memory, depth+1)
		}
	}
}

// others are the steps that are not taken by the only goroutine that makes some
// operations: it does not interrupt itself.
func (w *worlds) others(steps []*worldStep, positions []reduce.Pos) []*worldStep {
	self := w.soloOf(positions)
	if self == nil {
		return steps
	}
	var out []*worldStep
	for _, s := range steps {
		if w.soloOf(s.positions) != self {
			out = append(out, s)
		}
	}
	return out
}
