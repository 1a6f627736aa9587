package register

import (
	"maps"
	"slices"
)

// EntriesOf is the site of an Unknown that is how many entries there are in the map that it is given, OthersOf
// that of those without a cell, and CountOf a function that says how many these are: no less than none.
// (No function of a program is called so.)
const (
	EntriesOf = "entries of"
	OthersOf  = "others of"
	CountOf   = "count of"
)

// CountsEntries reports whether an instruction says how many entries a map has.
func (in *Instr) CountsEntries() bool {
	return in.Op == Unknown && len(in.Args) == 1 && len(in.Dst) == 1 && in.Site() == EntriesOf
}

// Counted are the maps whose entries a program counts.
func Counted(p *Program) (maps []Operand) {
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.CountsEntries() && !slices.Contains(maps, in.Args[0]) {
				maps = append(maps, in.Args[0])
			}
		}
	}
	return maps
}

// CountEntries has a program that counts the entries of a map look, in the same step, at those that it has cells
// of:
//
//	m[k] = v
//	if len(m) == 0 { … } // never
//
// How many others there are nobody knows. Cells of one map are different entries.
func CountEntries(p *Program) {
	if len(Counted(p)) == 0 {
		return
	}
	n := Number(p)
	for _, blk := range p.Blocks {
		var instrs []Instr
		for _, in := range blk.Instrs {
			var cells []int
			if in.CountsEntries() {
				cells = CellsOf(p, n, in.Args[0])
			}
			if len(cells) == 0 {
				instrs = append(instrs, in)
				continue
			}
			instrs = append(instrs, counted(p, in, cells)...)
		}
		blk.Instrs = instrs
	}
}

// LookWhereCounted has a program that counts the entries of a guarded map, and writes to an entry in a later section because of
// what it has counted, look at another entry as well where it counts, any of them:
//
//	if s.Len() >= s.limit { … } // under a lock that is let go
//	s.put(k, v)
//
// Others who put that entry there in between have counted without this one.
func LookWhereCounted(p *Program) {
	if len(Counted(p)) == 0 {
		return
	}
	n, flow := Number(p), NewFlow(p)
	for b, blk := range p.Blocks {
		for i := 0; i < len(blk.Instrs); i++ {
			in := blk.Instrs[i]
			if !in.CountsEntries() || i > 0 && blk.Instrs[i-1].Op == Read {
				continue
			}
			like := p.writtenLater(n, flow, Ref{b, i})
			if like < 0 {
				continue
			}
			cell := p.Cells[like]
			key := p.NewLocal("key")
			cell.Map, cell.Key, cell.Label, cell.Counted = in.Args[0], L(key), "", true
			blk.Instrs = slices.Insert(blk.Instrs, i,
				Instr{Op: Unknown, Dst: []Local{key}, Name: CountedKey + in.Name[len(EntriesOf):], Args: in.Args, Pos: in.Pos},
				Instr{Op: Read, Dst: []Local{None, None}, Cell: len(p.Cells), Pos: in.Pos})
			p.Cells = append(p.Cells, cell)
			i += 2
		}
	}
}

// CountedKey is the site of an Unknown that is the key of one of the entries that are counted.
const CountedKey = "counted key"

// writtenLater is a cell of the map that is counted at a place, to which something is written in a section that begins later, if
// what was counted says so; negative if there is none, or if entries are touched where they are counted.
func (p *Program) writtenLater(n *Numbering, flow *Flow, at Ref) int {
	in := &p.Blocks[at.Block].Instrs[at.Instr]
	found, path := flow.From(in.Dst), n.Path(in.Args[0])
	same, later := p.sectionFrom(at), -1
	for b, blk := range p.Blocks {
		for i := range blk.Instrs {
			w := &blk.Instrs[i]
			if !w.IsBase() || p.Cells[w.Cell].Kind != Map || n.Path(p.Cells[w.Cell].Map) != path {
				continue
			}
			if same[Ref{b, i}] || p.sectionFrom(Ref{b, i})[at] {
				return -1
			}
			if found.Blocks[b] && w.Op == Write && w.Name != Every && w.Args[0] != Absent && p.Cells[w.Cell].Guarded {
				later = w.Cell
			}
		}
	}
	return later
}

// sectionFrom are the places that follow one before a lock is let go.
func (p *Program) sectionFrom(at Ref) map[Ref]bool {
	seen := map[Ref]bool{}
	for work := []Ref{at}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		blk := p.Blocks[at.Block]
		i := at.Instr
		for i < len(blk.Instrs) && !seen[Ref{at.Block, i}] && blk.Instrs[i].Op != Unlock {
			seen[Ref{at.Block, i}] = true
			i++
		}
		if i < len(blk.Instrs) {
			continue
		}
		for _, to := range blk.Term.To {
			if next := (Ref{to, 0}); !seen[next] {
				work = append(work, next)
			}
		}
	}
	return seen
}

// CellsOf are the cells of a map.
func CellsOf(p *Program, n *Numbering, of Operand) (cells []int) {
	path := n.Path(of)
	for i, c := range p.Cells {
		if c.Kind == Map && n.Path(c.Map) == path {
			cells = append(cells, i)
		}
	}
	return cells
}

// counted is how many entries a map has that has these cells.
func counted(p *Program, in Instr, cells []int) []Instr {
	local := func(hint string, kind TypeKind) Local {
		l := p.NewLocal(hint)
		p.Declare(l, Type{Kind: kind})
		return l
	}
	others, n := local("others", NoType), local("others", Int)
	out := []Instr{
		{Op: Enter, Pos: in.Pos},
		{Op: Unknown, Dst: []Local{others}, Name: OthersOf + in.Name[len(EntriesOf):], Args: in.Args, Pos: in.Pos},
		{Op: Pure, Dst: []Local{n}, Name: CountOf, Args: []Operand{L(others)}, Pos: in.Pos},
	}
	for i, cell := range cells {
		had, more, sum := local("had", Bool), local("more", Int), local("entries", Int)
		if i == len(cells)-1 {
			sum = in.Dst[0]
		}
		out = append(out,
			Instr{Op: Read, Dst: []Local{None, had}, Cell: cell, Pos: in.Pos},
			Instr{Op: Pure, Dst: []Local{more}, Name: "add", Type: Type{Kind: Int}, Args: []Operand{L(n), Lit("1")}, Pos: in.Pos},
			Instr{Op: Pure, Dst: []Local{sum}, Name: "choose", Args: []Operand{L(had), L(more), L(n)}, Pos: in.Pos})
		n = sum
	}
	return append(out, Instr{Op: Leave, Pos: in.Pos})
}

// OthersAsCells is a program whose other entries of maps are cells beside those that it has, after them: what a look at
// one of these finds stands for all that is in the map then. It is p itself where it counts none.
func OthersAsCells(p *Program) *Program {
	q, n := p.Clone(), Number(p)
	cells := map[string]int{} // by the map's path
	for _, blk := range q.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != Unknown || in.Site() != OthersOf {
				continue
			}
			path := n.Path(in.Args[0])
			cell, known := cells[path]
			if !known {
				cell = len(q.Cells)
				cells[path] = cell
				guarded := slices.ContainsFunc(CellsOf(p, n, in.Args[0]), func(c int) bool { return p.Cells[c].Guarded })
				q.Cells = append(q.Cells, Cell{Kind: Atomic, Map: in.Args[0], Zero: "nil", Guarded: guarded, Label: "the others in " + path})
			}
			*in = Instr{Op: Read, Dst: in.Dst, Cell: cell, Pos: in.Pos}
		}
	}
	if len(cells) == 0 {
		return p
	}
	return q
}

// CountCleared has a program that counts the entries of a map from which it has just taken all find none: nobody
// else puts one there before the lock is released.
//
//	clear(m)
//	if len(m) == 0 { … } // always
func CountCleared(p *Program) {
	if len(Counted(p)) == 0 || EveryCell(p) < 0 {
		return
	}
	c := &clearing{p: p, n: Number(p)}
	at := make([]map[string]bool, len(p.Blocks)) // the maps that are empty
	at[0] = map[string]bool{}
	for work := []int{0}; len(work) > 0; {
		b := work[0]
		work = work[1:]
		empty := maps.Clone(at[b])
		for i := range p.Blocks[b].Instrs {
			c.step(&p.Blocks[b].Instrs[i], empty)
		}
		for _, to := range p.Blocks[b].Term.To {
			if next, changed := meet(at[to], empty); changed {
				at[to] = next
				work = append(work, to)
			}
		}
	}
	for b, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if at[b] == nil {
				break
			}
			if in.CountsEntries() && at[b][c.n.Path(in.Args[0])] {
				*in = Instr{Op: Copy, Dst: in.Dst, Args: []Operand{Lit("0")}, Pos: in.Pos}
			}
			c.step(in, at[b])
		}
	}
}

// clearing knows which maps are empty.
type clearing struct {
	p *Program
	n *Numbering
}

func (c *clearing) step(in *Instr, empty map[string]bool) {
	switch in.Op {
	case Lock, Unlock, Blocking, Omit:
		clear(empty)
	case Write, CAS:
		cell := c.p.Cells[in.Cell]
		switch path := c.n.Path(cell.Map); {
		case in.Name == Every && in.Args[0] == Absent && cell.Guarded:
			empty[path] = true
		case in.Args[len(in.Args)-1] != Absent:
			delete(empty, path)
		}
	}
}

// meet are the maps that are empty on two ways, and whether these are fewer than on the first; nil is no way.
func meet(a, b map[string]bool) (both map[string]bool, changed bool) {
	if a == nil {
		return maps.Clone(b), true
	}
	both = maps.Clone(a)
	maps.DeleteFunc(both, func(path string, _ bool) bool { return !b[path] })
	return both, len(both) < len(a)
}

// Removal is the write that takes away what a look finds there, in the same section and for no other
// reason than that something is there:
//
//	if s, ok := m[key]; ok {
//		delete(m, key)
//	}
//
// is a removal of whatever there is, as one that does not look.
func Removal(p *Program, n *Numbering, look Ref) (write Ref, ok bool) {
	in := &p.Blocks[look.Block].Instrs[look.Instr]
	if in.Op != Read || p.Cells[in.Cell].Kind != Map || !enclosed(p, look) {
		return Ref{}, false
	}
	at := Ref{Block: look.Block, Instr: look.Instr + 1}
	for range p.Blocks {
		blk := p.Blocks[at.Block]
		for ; at.Instr < len(blk.Instrs); at.Instr++ {
			switch next := &blk.Instrs[at.Instr]; {
			case next.Op == Leave:
				return Ref{}, false
			case next.IsBase() && next.Cell == in.Cell:
				return at, next.Op == Write && next.Args[0] == Absent
			}
		}
		way, known := n.ifThere(&blk.Term, in.Dst)
		if !known {
			return Ref{}, false
		}
		at = Ref{Block: way}
	}
	return Ref{}, false
}

// enclosed reports whether an instruction is in a section.
func enclosed(p *Program, at Ref) bool {
	open := OpenEnters(p)[at.Block]
	for i := range at.Instr {
		open = StepEnter(open, &p.Blocks[at.Block].Instrs[i], Ref{Block: at.Block, Instr: i})
	}
	return open.Depth > 0
}

// ifThere is where a block goes on to if a look has found something, if that decides it.
func (n *Numbering) ifThere(t *Term, look []Local) (block int, known bool) {
	switch t.Kind {
	case Jump:
		return t.To[0], true
	case Branch:
		truth, known := n.saysThere(t.Cond, look, maxPresence)
		if truth {
			return t.To[0], known
		}
		return t.To[1], known
	}
	return 0, false
}

// maxPresence bounds the instructions by which a condition asks whether there is something.
const maxPresence = 8

// saysThere is what a condition is if a look has found something, if nothing else decides it.
func (n *Numbering) saysThere(cond Operand, look []Local, depth int) (truth, known bool) {
	cond = n.Source(cond)
	if cond.IsLit() || depth == 0 {
		return false, false
	}
	if cond.Local == look[1] {
		return true, true
	}
	def, _ := n.Def(cond)
	switch {
	case def == nil:
		return false, false
	case def.Name == "not":
		truth, known = n.saysThere(def.Args[0], look, depth-1)
		return !truth, known
	case def.Name == "eq" && slices.Contains(def.Args, Lit(LitNil)):
		return false, slices.ContainsFunc(def.Args, func(o Operand) bool {
			o = n.Source(o)
			return !o.IsLit() && o.Local == look[0]
		})
	}
	return false, false
}
