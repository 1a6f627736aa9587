package reduce

import "slices"

// maxHoist bounds the instructions taken into a region from before it.
const maxHoist = 40

// hoist copies into the entry of the region what its values are made of
// before it begins: allocations that p makes in one place, and pure
// functions that lead to a value that the region stores. So a spare that is
// built early is an identity of this call, and a value computed from the key
// is known to be. Keys stay parameters; of a map, what it was reached from.
func (c *cutter) hoist(out *Program) {
	n := Number(c.p)
	h := &hoister{n: n, done: newLocalSet(len(out.Names)), defined: newLocalSet(len(out.Names))}
	for _, b := range out.Blocks {
		for i := range b.Instrs {
			b.Instrs[i].Defs(h.defined.add)
		}
	}
	for _, cell := range out.Cells {
		eachLocal([]Operand{cell.Key}, h.done.add)
	}
	for _, cell := range out.Cells {
		h.bring(c.p, cell.Map, true)
		eachLocal([]Operand{cell.Map}, h.done.add)
	}
	for _, b := range out.Blocks {
		for i := range b.Instrs {
			in := &b.Instrs[i]
			if in.Op == Write || in.Op == CAS {
				for _, a := range in.Args {
					h.bring(c.p, a, true)
				}
			} else {
				in.Uses(func(l Local) { h.bring(c.p, L(l), false) })
			}
		}
	}
	out.Blocks[0].Instrs = append(h.instrs, out.Blocks[0].Instrs...)
}

type hoister struct {
	n       *Numbering
	done    localSet
	defined localSet
	instrs  []Instr
}

// bring copies the definition of o, after those of its operands. Without
// deep, only an allocation is copied.
func (h *hoister) bring(p *Program, o Operand, deep bool) {
	l := o.Local
	if l == None || h.defined.has(l) || h.done.has(l) || len(h.instrs) > maxHoist {
		return
	}
	h.done.add(l)
	def := p.OnlyDef(l)
	if def == nil || def.Op != Fresh && !(deep && (def.Op == Pure || def.Op == Copy)) {
		return
	}
	for _, a := range def.Args {
		h.bring(p, a, deep)
	}
	in := *def
	in.Dst, in.Args = slices.Clone(def.Dst), slices.Clone(def.Args)
	for _, d := range in.Dst {
		if d != None && d != l && (h.defined.has(d) || h.done.has(d)) {
			return // another result of it is already there
		}
	}
	in.Defs(h.done.add)
	h.instrs = append(h.instrs, in)
}

// OnlyDef is the one instruction that assigns l; nil if there are more, or
// none.
func (p *Program) OnlyDef(l Local) *Instr {
	if slices.Contains(p.Params, l) {
		return nil
	}
	var def *Instr
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			if slices.Contains(b.Instrs[i].Dst, l) {
				if def != nil {
					return nil
				}
				def = &b.Instrs[i]
			}
		}
	}
	return def
}
