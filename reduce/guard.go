package reduce

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// maxGuards bounds the questions before a step that are asked in it again.
const maxGuards = 8

// guard is a branch on the way to a region, and the answer that leads there.
type guard struct {
	cond   register.Operand
	answer int // index into the branch's successors
}

// guard has the region ask again what was asked before it of the values that it uses:
//
//	if n == 3 {
//		m.Store(k, n)
//	}
//
// stores nothing but a 3. Where the answer is another one, nothing is done.
func (h *hoister) guard(out *register.Program) {
	guards := h.relevant(out, h.c.guards())
	if len(guards) == 0 {
		return
	}
	for _, g := range guards {
		h.bring(g.cond)
	}
	entry := out.Blocks[0]
	entry.Instrs = append(entry.Instrs, h.instrs...)
	h.instrs = nil
	body, past := entry.Term, len(out.Blocks)
	out.Blocks = append(out.Blocks, &register.Block{Term: register.Term{Kind: register.Return, Label: "past"}})
	at := entry
	for _, g := range guards {
		next := len(out.Blocks)
		out.Blocks = append(out.Blocks, &register.Block{})
		to := []int{past, past}
		to[g.answer] = next
		at.Term = register.Term{Kind: register.Branch, Cond: g.cond, To: to}
		at = out.Blocks[next]
	}
	at.Term = body
}

// guards are the branches that every way to the region takes, the outermost one
// first.
func (c *cutter) guards() (out []guard) {
	preds := c.whole.preds()
	for b := c.start.Block; c.tree[b] >= 0 && c.tree[b] != b; b = c.tree[b] {
		d := c.tree[b]
		t := c.p.Blocks[d].Term
		if t.Kind != register.Branch || t.To[0] == t.To[1] {
			continue
		}
		for answer, s := range t.To {
			only := !slices.ContainsFunc(preds[s], func(p int) bool { return p != d && !register.Dominates(c.tree, s, p) })
			if only && register.Dominates(c.tree, s, c.start.Block) {
				out = append(out, guard{t.Cond, answer})
			}
		}
	}
	slices.Reverse(out)
	return out
}

// relevant are the guards that ask about a value that the region uses, other than its
// keys and maps, or that another one asks about, and those that compare its keys.
func (h *hoister) relevant(out *register.Program, guards []guard) (rest []guard) {
	used := register.NewLocalSet(len(out.Names))
	for _, b := range out.Blocks {
		for i := range b.Instrs {
			b.Instrs[i].Uses(used.Add)
		}
		b.Term.Uses(used.Add)
	}
	keys := register.NewLocalSet(len(out.Names))
	for _, cell := range out.Cells {
		register.EachLocal([]register.Operand{cell.Key, cell.Map}, keys.Add)
	}
	taken := make([]bool, len(guards))
	for changed := true; changed; {
		changed = false
		for i, g := range guards {
			var asked []register.Local
			if taken[i] || !h.asks(g.cond, &asked) {
				continue
			}
			value := func(l register.Local) bool { return used.Has(l) && !keys.Has(l) }
			if slices.ContainsFunc(asked, value) || comparesKeys(out, asked) {
				for _, l := range asked {
					used.Add(l)
				}
				taken[i], changed = true, true
			}
		}
	}
	for i := len(guards) - 1; i >= 0 && len(rest) < maxGuards; i-- {
		if taken[i] {
			rest = append(rest, guards[i])
		}
	}
	slices.Reverse(rest)
	return rest
}

// comparesKeys reports whether two keys of a region are among some values.
func comparesKeys(out *register.Program, values []register.Local) bool {
	first := register.None
	return slices.ContainsFunc(out.Cells, func(c register.Cell) bool {
		l := c.Key.Local
		if c.Kind != register.Map || !slices.Contains(values, l) {
			return false
		}
		if first == register.None {
			first = l
		}
		return l != first
	})
}

// asks notes the values that an operand is computed from by operators; it reports
// whether they are still what they were when they were asked about.
func (h *hoister) asks(o register.Operand, values *[]register.Local) bool {
	l := o.Local
	if l == register.None || slices.Contains(*values, l) {
		return true
	}
	if h.defs.count[l] > 1 {
		return false
	}
	*values = append(*values, l)
	def := h.defs.in[l]
	if def == nil || def.Op != register.Copy && (def.Op != register.Pure || !register.Interpreted[def.Name]) {
		return true
	}
	if !h.current(l, def) {
		return false
	}
	for _, a := range def.Args {
		if a.Local != register.None && h.defs.count[a.Local] > 1 {
			*values = append(*values, a.Local) // which is settled, or def was not current
		} else if !h.asks(a, values) {
			return false
		}
	}
	return true
}
