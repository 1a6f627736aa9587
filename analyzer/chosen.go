package analyzer

import (
	"slices"
	"strings"

	"github.com/mapatom/mapatom/reduce"
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
func (la *lockAnalysis) chosen(op reduce.Operand, path string, depth int) []ancestor {
	if depth > maxChosen {
		return nil
	}
	values := choices(la.prog, la.n, op)
	var common []ancestor
	for i, v := range values {
		from := la.reachedBy(v, path, true, depth)
		if len(from) == 1 {
			from = la.storedIn(v, path, depth)
		}
		if i == 0 {
			common = from
			continue
		}
		common = slices.DeleteFunc(common, func(a ancestor) bool { return !slices.Contains(from, a) })
	}
	return common
}

// choices are the values other than nil that op can be; none if it is not a choice.
func choices(p *reduce.Program, n *reduce.Numbering, op reduce.Operand) []reduce.Operand {
	if op.IsLit() || op.IsNone() {
		return nil
	}
	var values []reduce.Operand
	add := func(v reduce.Operand) {
		if v = n.Source(v); !v.IsLit() || v.Lit != reduce.LitNil {
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
			if in.Op != reduce.Copy {
				return nil
			}
			add(in.Args[0])
		}
	}
	return values
}

// storedIn lists what a new object is reached from, by the memory that it is
// stored in, if this keeps what is stored there.
func (la *lockAnalysis) storedIn(op reduce.Operand, path string, depth int) []ancestor {
	if op.IsLit() || !la.prog.IsFresh(op.Local) {
		return nil
	}
	for _, blk := range la.prog.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			step, at := storeStep(in)
			if step == "" || la.n.Source(in.Args[at]) != op {
				continue
			}
			root := step
			if step == elemStep {
				root = la.chain.of(in.Args[0], 0) + step
			}
			if la.owned[root] {
				return la.reachedBy(in.Args[0], step+">"+path, true, depth)
			}
		}
	}
	return nil
}

// storeStep is the step to the memory that an instruction stores in, and which of
// its arguments is stored; "" for others.
func storeStep(in *reduce.Instr) (step string, value int) {
	if in.Op != reduce.Effect {
		return "", 0
	}
	field, ok := strings.CutPrefix(in.Name, "store ")
	switch {
	case (in.Name == "map assign" || in.Name == "store element") && len(in.Args) > 2:
		return elemStep, 2
	case ok && isFieldName(field) && !strings.HasPrefix(field, "struct.") && len(in.Args) > 1:
		return field, 1
	}
	return "", 0
}
