package register

import "slices"

// EveryCell is the cell of a write to each entry of a map; -1 if there is none.
func EveryCell(p *Program) int {
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.Op == Write && in.Name == Every {
				return in.Cell
			}
		}
	}
	return -1
}

// WriteEvery makes of each write to every entry of a map one to each of the cells, which
// are those of that map, in a program that nobody interrupts.
func WriteEvery(p *Program, cells []int) {
	for _, blk := range p.Blocks {
		var instrs []Instr
		for _, in := range blk.Instrs {
			if instrs = append(instrs, in); in.Op != Write || in.Name != Every || !slices.Contains(cells, in.Cell) {
				continue
			}
			for _, cell := range cells {
				if cell != in.Cell {
					more := in
					more.Dst, more.Cell = []Local{None, None}, cell
					instrs = append(instrs, more)
				}
			}
		}
		blk.Instrs = instrs
	}
}

// ForgetRefilled takes a write to every entry of a map for one to some of them where the map is
// filled again after that, under keys that are not known yet:
//
//	c.names = map[string]int{}
//	for _, x := range list() { c.names[x.name] = x.index }
//
// Of an entry that is there before and after, it cannot be said that it is taken away.
func ForgetRefilled(p *Program) {
	if EveryCell(p) < 0 {
		return
	}
	n, known := Number(p), knownAt(p)
	for b, blk := range p.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.Op == Write && in.Name == Every && refilled(p, n, known, Ref{Block: b, Instr: i}) {
				in.Name = ""
			}
		}
	}
}

// refilled reports whether something is put, after a write to every entry of a map, under a key that
// is not known there.
func refilled(p *Program, n *Numbering, known func(o Operand, block, instr int) bool, at Ref) bool {
	of := n.Path(p.Cells[p.Blocks[at.Block].Instrs[at.Instr].Cell].Map)
	fills := func(in Instr) bool {
		if in.Op != Write && in.Op != CAS || in.Args[len(in.Args)-1] == Absent {
			return false
		}
		c := p.Cells[in.Cell]
		return c.Kind == Map && n.Path(c.Map) == of && !known(c.Key, at.Block, at.Instr)
	}
	if slices.ContainsFunc(p.Blocks[at.Block].Instrs[at.Instr:], fills) {
		return true
	}
	for b, reached := range reachableFrom(blockSuccs(p), p.Blocks[at.Block].Term.To) {
		if reached && slices.ContainsFunc(p.Blocks[b].Instrs, fills) {
			return true
		}
	}
	return false
}

// ShareEvery has all writes to every entry of one map name the same one of those that nothing else is
// known of: what is not taken away by one of them is taken away by the next.
func ShareEvery(p *Program) {
	n, first := Number(p), map[string]Local{}
	unknowns := unknownLocals(p)
	hoisted := map[Local]bool{}
	for _, blk := range p.Blocks {
		for _, in := range blk.Instrs {
			if in.Op != Write || in.Name != Every {
				continue
			}
			c := &p.Cells[in.Cell]
			key := n.Source(c.Key).Local
			if !unknowns[key] {
				continue
			}
			shared, ok := first[n.Path(c.Map)]
			if !ok {
				first[n.Path(c.Map)] = key
				continue
			}
			c.Key, hoisted[shared] = L(shared), true
		}
	}
	hoist(p, hoisted)
}

// unknownLocals are the locals of whose value nothing is known, nor what it is asked about.
func unknownLocals(p *Program) map[Local]bool {
	out := map[Local]bool{}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.Op == Unknown && len(in.Dst) == 1 && len(in.Args) == 0 {
				out[in.Dst[0]] = true
			}
		}
	}
	return out
}

// hoist moves the instructions that define some locals, and use none, to where the program begins.
func hoist(p *Program, locals map[Local]bool) {
	if len(locals) == 0 {
		return
	}
	var moved []Instr
	for _, blk := range p.Blocks {
		blk.Instrs = slices.DeleteFunc(blk.Instrs, func(in Instr) bool {
			is := in.Op == Unknown && len(in.Dst) == 1 && locals[in.Dst[0]]
			if is {
				moved = append(moved, in)
			}
			return is
		})
	}
	p.Blocks[0].Instrs = append(moved, p.Blocks[0].Instrs...)
}

// SpreadEvery makes of each write to every entry of a map one to each cell of that map as
// well that is known there, in one step:
//
//	m.Store(k, v); m.Clear(); _, ok := m.Load(k)
//
// Else what is cleared would be another entry than that of k, and the two operations on that
// one would be a step in which nothing is cleared.
func SpreadEvery(p *Program) {
	if EveryCell(p) < 0 {
		return
	}
	n, known := Number(p), knownAt(p)
	for b, blk := range p.Blocks {
		var instrs []Instr
		for i, in := range blk.Instrs {
			var more []Instr
			if in.Op == Write && in.Name == Every {
				more = others(p, n, in, func(o Operand) bool { return known(o, b, i) })
				more = slices.DeleteFunc(more, func(o Instr) bool { return spread(blk.Instrs[i+1:], o) })
			}
			if len(more) == 0 {
				instrs = append(instrs, in)
				continue
			}
			instrs = append(append(instrs, Instr{Op: Enter, Pos: in.Pos}, in), more...)
			instrs = append(instrs, Instr{Op: Leave, Pos: in.Pos})
		}
		blk.Instrs = instrs
	}
}

// others are what a write to every entry of a map does to the other cells of that map of
// which the map and the key are known.
func others(p *Program, n *Numbering, in Instr, known func(Operand) bool) (more []Instr) {
	of := n.Path(p.Cells[in.Cell].Map)
	for k, c := range p.Cells {
		if k == in.Cell || c.Kind != Map || n.Path(c.Map) != of || !known(c.Key) {
			continue
		}
		o := in
		o.Name, o.Dst, o.Cell = "", []Local{None, None}, k
		more = append(more, o)
	}
	return more
}

// spread reports whether a write is already among those that follow one to every entry: it was
// spread in a function that was inlined.
func spread(after []Instr, o Instr) bool {
	for _, in := range after {
		if in.Op != Write || in.Pos != o.Pos {
			return false
		}
		if in.Cell == o.Cell {
			return true
		}
	}
	return false
}

// knownAt tells whether an operand has its only value at an instruction.
func knownAt(p *Program) func(o Operand, block, instr int) bool {
	tree, counts := Dominators(p), DefCounts(p)
	at := make([]Ref, len(p.Names))
	for b, blk := range p.Blocks {
		for i := range blk.Instrs {
			blk.Instrs[i].Defs(func(l Local) { at[l] = Ref{Block: b, Instr: i} })
		}
	}
	for _, l := range p.Params {
		at[l] = Ref{Block: -1}
	}
	return func(o Operand, block, instr int) bool {
		if o.Local == None {
			return true
		}
		def := at[o.Local]
		switch {
		case counts[o.Local] != 1:
			return false
		case def.Block == block:
			return def.Instr < instr
		}
		return def.Block < 0 || Dominates(tree, def.Block, block)
	}
}
