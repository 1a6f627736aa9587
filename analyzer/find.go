package analyzer

import (
	"slices"

	"github.com/mapatom/mapatom/reduce"
)

// component is a set of accesses of one function that belong together: a
// later one, or what comes of it, depends on an earlier one.
type component struct {
	prog     *reduce.Program
	accesses []*reduce.Access
	// cells are the program's cells that the accesses are on.
	cells []int
}

// finder groups the accesses of one program.
type finder struct {
	prog     *reduce.Program
	accesses []*reduce.Access
	flow     *reduce.Flow
	// data and all are the influence of each access: by computation alone,
	// and by control as well.
	all   []*reduce.Influence
	reach [][]bool
	tree  []int
	n     *reduce.Numbering
	// told are the accesses of which onlyTold is so, asked the pairs that
	// dependent was asked about.
	told  []bool
	asked map[[2]int]bool
}

func newFinder(p *reduce.Program) *finder {
	f := &finder{prog: p, accesses: reduce.Accesses(p), flow: reduce.NewFlow(p), tree: reduce.Dominators(p), n: reduce.Number(p), asked: map[[2]int]bool{}}
	for _, a := range f.accesses {
		f.all = append(f.all, f.flow.From(a.Outcome))
	}
	f.reach = reachability(p)
	for i := range f.accesses {
		f.told = append(f.told, f.onlyTold(i))
	}
	return f
}

// components returns the groups of at least two dependent accesses on one
// cell, and the accesses that depend on no other.
func (f *finder) components() (groups []component, lone []*reduce.Access) {
	for _, set := range f.grouped(f.dependent) {
		if len(set) == 1 {
			lone = append(lone, set[0])
		} else {
			groups = append(groups, component{prog: f.prog, accesses: set, cells: []int{set[0].Cell}})
		}
	}
	return groups, lone
}

// grouped puts those accesses together that are linked, directly or through
// others. The accesses of a group are in order.
func (f *finder) grouped(linked func(i, j int) bool) [][]*reduce.Access {
	group := make([]int, len(f.accesses))
	for i := range group {
		group[i] = i
	}
	find := func(i int) int {
		for group[i] != i {
			i = group[i]
		}
		return i
	}
	for i := range f.accesses {
		for j := range f.accesses {
			if i != j && linked(i, j) {
				group[find(j)] = find(i)
			}
		}
	}
	members := map[int][]*reduce.Access{}
	for i, a := range f.accesses {
		members[find(i)] = append(members[find(i)], a)
	}
	var groups [][]*reduce.Access
	for i := range f.accesses {
		if set := members[i]; set != nil {
			groups = append(groups, set)
		}
	}
	return groups
}

// dependent is depends for accesses on one cell, asked once for each pair.
func (f *finder) dependent(i, j int) bool {
	if f.accesses[i].Cell != f.accesses[j].Cell {
		return false
	}
	pair := [2]int{i, j}
	answer, known := f.asked[pair]
	if !known {
		answer = f.depends(i, j)
		f.asked[pair] = answer
	}
	return answer
}

// depends reports whether access j stands on what access i found:
//
//   - an argument of j, or whether it happens, depends on i's outcome, unless
//     j takes back what i put there: a lease that is given back, a counter
//     that is counted down again, is not meant to be invisible;
//   - i looked, the outcome is used for something, and j then writes;
//   - i wrote, and j then reads the cell back;
//   - both look, and something is made of both.
//
// The file protocol.go has what does not count.
func (f *finder) depends(i, j int) bool {
	a, b := f.accesses[i], f.accesses[j]
	if !f.precedes(a, b) || f.told[i] || f.told[j] {
		return false
	}
	byData, byControl := f.arguments(i, b), f.all[i].Blocks[b.Start.Block]
	switch {
	case f.settled(a, a) && f.settled(b, a):
		return false
	case byData:
		return true
	case f.settled(b, b), f.inReservation(i, j), f.staged(i, j):
		return false
	case byControl && f.takesBack(a, b):
		return false
	case byControl:
		return true
	}
	if f.blocksBetween(a, b) {
		return false
	}
	switch {
	case !a.Writes && b.Writes:
		return f.dominates(a, b) && f.used(i)
	case a.Writes && !b.Writes:
		return f.readsBack(i, j)
	case !f.dominates(a, b):
		return false
	case !a.Writes && !b.Writes:
		return f.joint(i, j)
	}
	return false
}

// arguments reports whether an operand of b is computed from i's outcome.
func (f *finder) arguments(i int, b *reduce.Access) bool {
	for _, op := range b.Ops {
		if f.all[i].Uses(&f.prog.Blocks[op.Block].Instrs[op.Instr]) {
			return true
		}
	}
	return false
}

// precedes reports whether b can happen after a.
func (f *finder) precedes(a, b *reduce.Access) bool {
	if a.Start.Block == b.Start.Block && a.Start.Instr < b.Start.Instr {
		return true
	}
	return f.reach[a.Start.Block][b.Start.Block]
}

func (f *finder) dominates(a, b *reduce.Access) bool {
	if a.Start.Block == b.Start.Block {
		return a.Start.Instr < b.Start.Instr
	}
	return reduce.Dominates(f.tree, a.Start.Block, b.Start.Block)
}

// blocksBetween reports whether the call waits for another goroutine on a
// way from a to b: then others are meant to act in between.
func (f *finder) blocksBetween(a, b *reduce.Access) bool {
	for n, blk := range f.prog.Blocks {
		for i := range blk.Instrs {
			if blk.Instrs[i].Op != reduce.Blocking {
				continue
			}
			at := &reduce.Access{Start: reduce.Ref{Block: n, Instr: i}}
			if f.precedes(a, at) && f.precedes(at, b) {
				return true
			}
		}
	}
	return false
}

// used reports whether something comes of i's outcome: a result, an effect,
// a call, or a decision.
func (f *finder) used(i int) bool {
	inf := f.all[i]
	for _, blk := range f.prog.Blocks {
		for k := range blk.Instrs {
			in := &blk.Instrs[k]
			if (in.Op == reduce.Effect || in.Op == reduce.Unknown || in.IsBase()) && inf.Uses(in) {
				return true
			}
		}
		found := false
		blk.Term.Uses(func(l reduce.Local) { found = found || inf.Locals[l] })
		if found {
			return true
		}
	}
	return false
}

// joint reports whether something is made of the outcomes of both i and j.
func (f *finder) joint(i, j int) bool {
	a, b := f.all[i], f.all[j]
	both := func(uses func(func(reduce.Local))) bool {
		x, y := false, false
		uses(func(l reduce.Local) { x, y = x || a.Locals[l], y || b.Locals[l] })
		return x && y
	}
	for _, blk := range f.prog.Blocks {
		for k := range blk.Instrs {
			if in := &blk.Instrs[k]; !in.IsBase() && both(in.Uses) {
				return true
			}
		}
		if both(blk.Term.Uses) {
			return true
		}
	}
	return false
}

// reachability says from which block which others can be reached, by at
// least one edge.
func reachability(p *reduce.Program) [][]bool {
	reach := make([][]bool, len(p.Blocks))
	for b := range p.Blocks {
		seen := make([]bool, len(p.Blocks))
		work := slices.Clone(p.Blocks[b].Term.To)
		for len(work) > 0 {
			n := work[len(work)-1]
			work = work[:len(work)-1]
			if !seen[n] {
				seen[n] = true
				work = append(work, p.Blocks[n].Term.To...)
			}
		}
		reach[b] = seen
	}
	return reach
}
