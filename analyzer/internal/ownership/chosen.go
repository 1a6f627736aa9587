package ownership

import (
	"slices"

	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// The map of a cell can be one of several values:
//
//	c := b.children[id]
//	if c == nil {
//		c = newChild(id)
//		b.children[id] = c
//	}
//	c.state.Store(s)
//
// Its lock is known if it is the same one for each of them. The object that is new
// counts as one that was found where it is stored.

// maxChosen bounds choices between choices.
const maxChosen = 3

// chosen lists what all the values that op can be were reached from, in the same
// way.
func (l *Lineage) chosen(op register.Operand, path string, depth int) []Ancestor {
	if depth > maxChosen {
		return nil
	}
	values := choices(l.Prog, l.N, op)
	var common []Ancestor
	for i, v := range values {
		from := l.reachedBy(v, path, true, depth)
		if len(from) == 1 {
			from = l.storedIn(v, path, depth)
		}
		if i == 0 {
			common = from
			continue
		}
		common = slices.DeleteFunc(common, func(a Ancestor) bool { return !slices.Contains(from, a) })
	}
	return common
}

// choices are the values other than nil that op can be; none if it is not a choice.
func choices(p *register.Program, n *register.Numbering, op register.Operand) []register.Operand {
	if op.IsLit() || op.IsNone() {
		return nil
	}
	var values []register.Operand
	add := func(v register.Operand) {
		if v = n.Source(v); !v.IsLit() || v.Lit != register.LitNil {
			values = append(values, v)
		}
	}
	if def, _ := n.Def(op); def != nil {
		if def.Name == "choose" {
			add(def.Args[1])
			add(def.Args[2])
		}
		return values
	}
	if slices.Contains(p.Params, op.Local) {
		return nil
	}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if !slices.Contains(in.Dst, op.Local) {
				continue
			}
			if in.Op != register.Copy {
				return nil
			}
			add(in.Args[0])
		}
	}
	return values
}

// storedIn lists what a new object is reached from, by the memory that it is
// stored in, if this keeps what is stored there.
func (l *Lineage) storedIn(op register.Operand, path string, depth int) []Ancestor {
	if op.IsLit() || !l.Prog.IsFresh(op.Local) {
		return nil
	}
	for _, blk := range l.Prog.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			step, at := extension.StoreStep(in)
			if step == "" || l.N.Source(in.Args[at]) != op {
				continue
			}
			root := step
			if step == extension.ElemStep {
				root = l.chain.of(in.Args[0], 0) + step
			}
			if l.owned[root] {
				return l.reachedBy(in.Args[0], step+">"+path, true, depth)
			}
		}
	}
	return nil
}
