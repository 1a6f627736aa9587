package register

import (
	"slices"
	"strings"
)

// undef is the site of the value that a local has before it is assigned, for
// locals that are not assigned on every path to where they are read. These
// reads cannot happen (the flag of a defer guards them), but neither Check nor
// a reader can know. Number does not count it as an assignment.
const Undef = "undef"

// defineAll assigns such locals at the entry.
func DefineAll(p *Program) {
	if len(p.Names) == 0 {
		return
	}
	in := assignedOnEntry(p)
	missing := NewLocalSet(len(p.Names))
	for b, set := range in {
		if set == nil {
			continue
		}
		set = set.clone()
		use := func(l Local) {
			if !set.Has(l) {
				missing.Add(l)
			}
		}
		blk := p.Blocks[b]
		for i := range blk.Instrs {
			blk.Instrs[i].Uses(use)
			blk.Instrs[i].Defs(set.Add)
		}
		blk.Term.Uses(use)
	}
	if dst := missing.list(); len(dst) > 0 {
		entry := p.Blocks[0]
		entry.Instrs = append([]Instr{{Op: Unknown, Dst: dst, Name: Undef}}, entry.Instrs...)
	}
}

// assignedOnEntry gives each reachable block the locals that are assigned on
// all ways to it.
func assignedOnEntry(p *Program) []LocalSet {
	in := make([]LocalSet, len(p.Blocks))
	in[0] = NewLocalSet(len(p.Names))
	for _, l := range p.Params {
		in[0].Add(l)
	}
	order, out := ReversePostorder(p), NewLocalSet(len(p.Names))
	for changed := true; changed; {
		changed = false
		for _, b := range order {
			copy(out, in[b])
			for i := range p.Blocks[b].Instrs {
				p.Blocks[b].Instrs[i].Defs(out.Add)
			}
			for _, s := range p.Blocks[b].Term.To {
				if in[s] == nil {
					in[s], changed = out.clone(), true
				} else if in[s].intersect(out) {
					changed = true
				}
			}
		}
	}
	return in
}

// Finish has cells make one of the cells of a tidy program, and tidies what that leaves
// behind: only those in use count, and of what named the others, nothing is left.
func Finish(p *Program, cells func(*Program)) {
	before, params := slices.Clone(p.Cells), slices.Clone(p.Params)
	cells(p)
	if !slices.EqualFunc(before, p.Cells, sameCell) || !slices.Equal(params, p.Params) {
		Tidy(p)
	}
	Reorder(p)
	Renumber(p)
}

func sameCell(a, b Cell) bool { return a.Map == b.Map && a.Key == b.Key }

// reorder puts the blocks in an order in which they can be read: each after
// those that lead to it, but for loops.
func Reorder(p *Program) {
	succs := make([][]int, len(p.Blocks))
	for b, blk := range p.Blocks { // turned around: the first way comes first
		succs[b] = slices.Clone(blk.Term.To)
		slices.Reverse(succs[b])
	}
	order := reversePostorder(succs, 0)
	number := make([]int, len(p.Blocks))
	var blocks []*Block
	for i, b := range order {
		number[b] = i
		blocks = append(blocks, p.Blocks[b])
	}
	for _, blk := range blocks {
		for i, s := range blk.Term.To {
			blk.Term.To[i] = number[s]
		}
	}
	p.Blocks = blocks
}

// renumber drops the locals that are gone and numbers the others, and the
// names that several have, in the order in which they are found.
func Renumber(p *Program) {
	old, types := p.Names, Program{Types: p.Types}
	p.Names, p.Types = nil, nil
	n := NewNaming(p)
	number := make([]Local, len(old))
	for i := range number {
		number[i] = None
	}
	local := func(l *Local) {
		if *l == None {
			return
		}
		if number[*l] == None {
			number[*l] = n.Typed(withoutNumber(old[*l]), types.TypeOf(*l))
		}
		*l = number[*l]
	}
	for i := range p.Params {
		local(&p.Params[i])
	}
	eachOperand(p, func(o *Operand) { local(&o.Local) }, local)
	pack(p)
}

// Compact drops the locals that are mentioned nowhere, and leaves the others in order: many
// sets of locals are about to be made.
func Compact(p *Program) {
	used := NewLocalSet(len(p.Names))
	for _, l := range p.Params {
		used.Add(l)
	}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			blk.Instrs[i].Defs(used.Add)
			blk.Instrs[i].Uses(used.Add)
		}
		EachLocal(blk.Term.Vals, used.Add)
		if blk.Term.Kind == Branch {
			EachLocal([]Operand{blk.Term.Cond}, used.Add)
		}
	}
	for i := range p.Cells {
		EachLocal([]Operand{p.Cells[i].Map, p.Cells[i].Key}, used.Add)
	}
	rest := used.list()
	if len(rest) == len(p.Names) {
		return
	}
	old, types, number := p.Names, Program{Types: p.Types}, make([]Local, len(p.Names))
	p.Names, p.Types = make([]string, 0, len(rest)), nil
	for i, l := range rest {
		number[l] = Local(i)
		p.Names = append(p.Names, old[l])
		p.Declare(Local(i), types.TypeOf(l))
	}
	local := func(l *Local) {
		if *l != None {
			*l = number[*l]
		}
	}
	p.Params = slices.Clone(p.Params)
	for i := range p.Params {
		local(&p.Params[i])
	}
	eachOperand(p, func(o *Operand) { local(&o.Local) }, local)
}

// pack puts the instructions of all blocks next to each other, without room for more: it is
// how programs are kept.
func pack(p *Program) {
	n := 0
	for _, blk := range p.Blocks {
		n += len(blk.Instrs)
	}
	all := make([]Instr, 0, n)
	for _, blk := range p.Blocks {
		first := len(all)
		all = append(all, blk.Instrs...)
		blk.Instrs = all[first:len(all):len(all)]
	}
}

// withoutNumber is a name without what made it unique.
func withoutNumber(name string) string {
	for {
		base := strings.TrimRight(name, "0123456789")
		if len(base) < 2 || len(base) == len(name) || !strings.HasSuffix(base, "_") {
			return name
		}
		name = base[:len(base)-1]
	}
}

// eachOperand visits all operands and results, to change them. Instructions may
// share slices, so these are copied before.
func eachOperand(p *Program, operand func(*Operand), result func(*Local)) {
	args, dsts := 0, 0
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			args, dsts = args+len(blk.Instrs[i].Args), dsts+len(blk.Instrs[i].Dst)
		}
	}
	operands, locals := make([]Operand, 0, args), make([]Local, 0, dsts)
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			in.Args, in.Dst = cloneInto(&operands, in.Args), cloneInto(&locals, in.Dst)
			for j := range in.Args {
				operand(&in.Args[j])
			}
			for j := range in.Dst {
				result(&in.Dst[j])
			}
		}
		blk.Term.Vals = slices.Clone(blk.Term.Vals)
		for j := range blk.Term.Vals {
			operand(&blk.Term.Vals[j])
		}
		if blk.Term.Kind == Branch {
			operand(&blk.Term.Cond)
		}
	}
	for i := range p.Cells {
		operand(&p.Cells[i].Map)
		operand(&p.Cells[i].Key)
	}
}

// cloneInto is slices.Clone, with what is copied at the end of another slice that has
// room for it.
func cloneInto[T any](all *[]T, s []T) []T {
	if len(s) == 0 {
		return s[:0:0]
	}
	n := len(*all)
	*all = append(*all, s...)
	return (*all)[n:len(*all):len(*all)]
}

// tidy drops what the translation leaves behind: copies, results that nobody
// uses and what only computes these, unreachable and empty blocks, branches that
// go one way, and jumps to a block that nobody else goes to.
func Tidy(p *Program) {
	p.Prune()
	seeThrough(p)
	for changed := true; changed; {
		changed = propagate(p)
		changed = foldParts(p) || changed
		changed = splitChosen(p) || changed
		changed = dropDead(p) || changed
		changed = tidyBlocks(p) || changed
	}
}

// tidyBlocks is tidy for blocks and reports whether anything changed.
func tidyBlocks(p *Program) bool {
	any := false
	for changed := true; changed; any = any || changed {
		changed = false
		cut := false // some block may not be reached any more
		for b, blk := range p.Blocks {
			cut = straighten(&blk.Term) || cut
			for i, to := range blk.Term.To {
				if next := skipEmpty(p, to); next != to && next != b && next != 0 {
					blk.Term.To[i], changed = next, true
				}
			}
			cut = straighten(&blk.Term) || cut
		}
		changed = GoDecided(p) || changed
		changed = goByNil(p) || changed
		if cut || changed {
			changed = p.Prune() || changed
		}
		if mergeBlocks(p) {
			p.Prune()
			changed = true
		}
	}
	return any
}

// straighten turns a branch that goes one way into a jump and reports whether it is one.
func straighten(t *Term) bool {
	if t.Kind != Branch {
		return false
	}
	way := -1
	switch {
	case t.To[0] == t.To[1], t.Cond.Lit == LitTrue:
		way = 0
	case t.Cond.Lit == LitFalse:
		way = 1
	}
	if way >= 0 {
		*t = Term{Kind: Jump, To: []int{t.To[way]}, Pos: t.Pos}
	}
	return way >= 0
}

// skipEmpty is where a jump to b ends up, past empty blocks. Blocks that only
// jump to each other end up nowhere; of these it is always the same one.
func skipEmpty(p *Program, b int) int {
	if !isEmpty(p.Blocks[b]) {
		return b
	}
	seen := map[int]bool{}
	for isEmpty(p.Blocks[b]) && !seen[b] {
		seen[b] = true
		b = p.Blocks[b].Term.To[0]
	}
	if !seen[b] {
		return b
	}
	first := b
	for next := p.Blocks[b].Term.To[0]; next != b; next = p.Blocks[next].Term.To[0] {
		first = min(first, next)
	}
	return first
}

func isEmpty(b *Block) bool { return len(b.Instrs) == 0 && b.Term.Kind == Jump }

// mergeBlocks joins blocks that can only come one after the other.
func mergeBlocks(p *Program) bool {
	preds := Preds(p)
	gone := make([]bool, len(p.Blocks))
	merged := false
	for b, blk := range p.Blocks {
		for !gone[b] && blk.Term.Kind == Jump {
			next := blk.Term.To[0]
			if next == b || next == 0 || gone[next] || len(preds[next]) != 1 {
				break
			}
			blk.Instrs = append(blk.Instrs, p.Blocks[next].Instrs...)
			blk.Term = p.Blocks[next].Term
			gone[next], merged = true, true
			// It is unreachable now, and must not seem to lead anywhere.
			p.Blocks[next] = &Block{Term: Term{Kind: Return}}
		}
	}
	return merged
}
