package reduce

import (
	"slices"

	"github.com/mapatom/mapatom/reduce/register"
)

// maxHoist bounds the instructions taken into a region from before it.
const maxHoist = 40

// hoist copies into the entry of the region what its values are made of
// before it begins: allocations that p makes in one place, and pure
// functions that lead to a value that the region stores. So a spare that is
// built early is an identity of this call, and a value computed from the key
// is known to be. Keys stay parameters; of a map, what it was reached from.
func (c *cutter) hoist(out *register.Program) {
	n := register.Number(c.p)
	h := &hoister{n: n, done: register.NewLocalSet(len(out.Names)), defined: register.NewLocalSet(len(out.Names))}
	for _, b := range out.Blocks {
		for i := range b.Instrs {
			b.Instrs[i].Defs(h.defined.Add)
		}
	}
	for _, cell := range out.Cells {
		register.EachLocal([]register.Operand{cell.Key}, h.done.Add)
	}
	for _, cell := range out.Cells {
		h.bring(c.p, cell.Map, true)
		register.EachLocal([]register.Operand{cell.Map}, h.done.Add)
	}
	for _, b := range out.Blocks {
		for i := range b.Instrs {
			in := &b.Instrs[i]
			if in.Op == register.Write || in.Op == register.CAS {
				for _, a := range in.Args {
					h.bring(c.p, a, true)
				}
			} else {
				in.Uses(func(l register.Local) { h.bring(c.p, register.L(l), false) })
			}
		}
	}
	out.Blocks[0].Instrs = append(h.instrs, out.Blocks[0].Instrs...)
}

type hoister struct {
	n       *register.Numbering
	done    register.LocalSet
	defined register.LocalSet
	instrs  []register.Instr
}

// bring copies the definition of o, after those of its operands. Without
// deep, only an allocation is copied.
func (h *hoister) bring(p *register.Program, o register.Operand, deep bool) {
	l := o.Local
	if l == register.None || h.defined.Has(l) || h.done.Has(l) || len(h.instrs) > maxHoist {
		return
	}
	h.done.Add(l)
	def := p.OnlyDef(l)
	if def == nil || def.Op != register.Fresh && !(deep && (def.Op == register.Pure || def.Op == register.Copy)) {
		return
	}
	for _, a := range def.Args {
		h.bring(p, a, deep)
	}
	in := *def
	in.Dst, in.Args = slices.Clone(def.Dst), slices.Clone(def.Args)
	for _, d := range in.Dst {
		if d != register.None && d != l && (h.defined.Has(d) || h.done.Has(d)) {
			return // another result of it is already there
		}
	}
	in.Defs(h.done.Add)
	h.instrs = append(h.instrs, in)
}
