package extension

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Group is a set of accesses of one function that belong together: a
// later one, or what comes of it, depends on an earlier one.
type Group struct {
	Prog     *register.Program
	Accesses []*register.Access
	// Cells are the program's cells that the accesses are on.
	Cells []int
}

// finder groups the accesses of one program.
type finder struct {
	prog     *register.Program
	Accesses []*register.Access
	// influences are the answers of Influence, as far as it was asked, and flow what they
	// are found by.
	influences []*register.Influence
	flow       *register.Flow
	// reach are the answers of Reach by the first block, as far as it was asked, and ahead
	// those of reachAhead.
	reach, ahead [][]bool
	tree         []int
	n            *register.Numbering
	// receiver is the object of the method, if it is one, where Keeps asks for it.
	receiver register.Local
	// objects are the parameters that are given objects as something that has methods, as a net.Conn.
	objects map[register.Local]bool
	// told are the answers of onlyTold, asked those of dependent.
	told  []answer
	asked [][]answer
}

// answer is one of dependent.
type answer int8

const (
	unasked answer = iota
	no
	yes
)

func newFinder(p *register.Program, n *register.Numbering) *finder {
	f := &finder{prog: p, Accesses: register.Accesses(p), tree: register.Dominators(p), n: n}
	f.told, f.asked = make([]answer, len(f.Accesses)), make([][]answer, len(f.Accesses))
	f.Forget()
	return f
}

// Forget drops what can be found again: it is large, and most of it is asked for while a
// function is taken apart.
func (f *finder) Forget() {
	f.reach, f.ahead = make([][]bool, len(f.prog.Blocks)), make([][]bool, len(f.prog.Blocks))
	f.influences, f.flow = make([]*register.Influence, len(f.Accesses)), nil
}

// Influence is that of an access, by computation and by control.
func (f *finder) Influence(i int) *register.Influence {
	if f.influences[i] == nil {
		f.influences[i] = f.from(f.Accesses[i].Outcome)
	}
	return f.influences[i]
}

// Follows is the influence of a local that is no access's.
func (f *finder) Follows(l register.Local) *register.Influence { return f.from([]register.Local{l}) }

func (f *finder) from(locals []register.Local) *register.Influence {
	if f.flow == nil {
		f.flow = register.NewFlow(f.prog)
	}
	return f.flow.From(locals)
}

// components returns the groups of at least two dependent accesses on one
// cell, and the accesses that depend on no other.
func (f *finder) components() (groups []Group, lone []*register.Access) {
	for _, set := range f.grouped(func(i, j int) bool { return f.Accesses[i].Cell == f.Accesses[j].Cell && f.dependent(i, j) }) {
		if len(set) == 1 {
			lone = append(lone, set[0])
		} else {
			groups = append(groups, Group{Prog: f.prog, Accesses: set, Cells: []int{set[0].Cell}})
		}
	}
	return groups, lone
}

// grouped puts those accesses together that are linked, directly or through
// others, and the copies of each of them. The accesses of a group are in order.
func (f *finder) grouped(linked func(i, j int) bool) [][]*register.Access {
	group := make([]int, len(f.Accesses))
	for i := range group {
		group[i] = i
	}
	find := func(i int) int {
		for group[i] != i {
			i = group[i]
		}
		return i
	}
	for i := range f.Accesses {
		for j := range f.Accesses {
			if find(i) != find(j) && linked(i, j) {
				group[find(j)] = find(i)
			}
		}
	}
	size := make([]int, len(group))
	for i := range group {
		size[find(i)]++
	}
	for i := range f.Accesses {
		for j := range f.Accesses {
			if size[find(i)] > 1 && f.copies(i, j) {
				group[find(j)] = find(i)
			}
		}
	}
	members := map[int][]*register.Access{}
	for i, a := range f.Accesses {
		members[find(i)] = append(members[find(i)], a)
	}
	var groups [][]*register.Access
	for i := range f.Accesses {
		if set := members[i]; set != nil {
			groups = append(groups, set)
		}
	}
	return groups
}

// copies reports whether two accesses are one operation of the source on two ways, such
// as a deferred one at two exits: what is a part of the extension at one of them is so at
// the other.
func (f *finder) copies(i, j int) bool {
	a, b := f.Accesses[i], f.Accesses[j]
	return i != j && a.Cell == b.Cell && !f.pos(a.Start).IsZero() && f.pos(a.Start) == f.pos(b.Start) && !f.Precedes(a, b) && !f.Precedes(b, a)
}

func (f *finder) pos(r register.Ref) register.Pos {
	return f.prog.Blocks[r.Block].Instrs[r.Instr].Pos
}

// dependent is depends, asked once for each pair.
func (f *finder) dependent(i, j int) bool {
	if f.asked[i] == nil {
		f.asked[i] = make([]answer, len(f.Accesses))
	}
	if f.asked[i][j] == unasked {
		f.asked[i][j] = no
		if f.depends(i, j) {
			f.asked[i][j] = yes
		}
	}
	return f.asked[i][j] == yes
}

// depends reports whether access j stands on what access i found: the first rule of
// the table that applies says so.
func (f *finder) depends(i, j int) bool {
	r := f.Rule(i, j)
	return r != nil && r.Together
}

// Rule is the first rule that says whether two accesses belong together; nil if none
// does.
func (f *finder) Rule(i, j int) *Rule {
	if !f.Precedes(f.Accesses[i], f.Accesses[j]) {
		return nil
	}
	for k := range rules {
		if rules[k].applies(f, i, j) {
			return &rules[k]
		}
	}
	return nil
}

// Arguments reports whether an operand of b is computed from i's outcome.
func (f *finder) Arguments(i int, b *register.Access) bool {
	for _, op := range b.Ops {
		if f.Influence(i).Uses(&f.prog.Blocks[op.Block].Instrs[op.Instr]) {
			return true
		}
	}
	return false
}

// Decides reports whether what a finds decides whether b happens.
func (f *finder) Decides(a, b *register.Access) bool {
	return f.Influence(slices.Index(f.Accesses, a)).Blocks[b.Start.Block]
}

// Precedes reports whether b can happen after a.
func (f *finder) Precedes(a, b *register.Access) bool {
	if a.Start.Block == b.Start.Block && a.Start.Instr < b.Start.Instr {
		return true
	}
	return f.Reach(a.Start.Block, b.Start.Block)
}

func (f *finder) Dominates(a, b *register.Access) bool {
	if a.Start.Block == b.Start.Block {
		return a.Start.Instr < b.Start.Instr
	}
	return register.Dominates(f.tree, a.Start.Block, b.Start.Block)
}

// blocksBetween reports whether the call waits for another goroutine on a
// way from a to b: then others are meant to act in between.
func (f *finder) blocksBetween(a, b *register.Access) bool {
	for n, blk := range f.prog.Blocks {
		for i := range blk.Instrs {
			if blk.Instrs[i].Op != register.Blocking {
				continue
			}
			at := &register.Access{Start: register.Ref{Block: n, Instr: i}}
			if f.Precedes(a, at) && f.Precedes(at, b) {
				return true
			}
		}
	}
	return false
}

// waitsAlways reports whether the call waits for another goroutine on every way from i
// to j, such as one through the next round of a loop that takes what is sent to it.
func (f *finder) waitsAlways(i, j int) bool {
	a, b := f.Accesses[i], f.Accesses[j]
	seen := make([]bool, len(f.prog.Blocks))
	work := []register.Ref{a.Ops[len(a.Ops)-1]}
	work[0].Instr++
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		blk, waits := f.prog.Blocks[at.Block], false
		for k := at.Instr; k < len(blk.Instrs) && !waits; k++ {
			if b.Start == (register.Ref{Block: at.Block, Instr: k}) {
				return false
			}
			waits = f.waitsForOthers(&blk.Instrs[k])
		}
		for _, to := range blk.Term.To {
			if !waits && !seen[to] {
				seen[to] = true
				work = append(work, register.Ref{Block: to})
			}
		}
	}
	return true
}

// waitsForOthers reports whether an instruction waits for a goroutine that the call has
// not started: what it waits with was not made by it.
func (f *finder) waitsForOthers(in *register.Instr) bool {
	return in.Op == register.Blocking && !slices.ContainsFunc(in.Args, func(o register.Operand) bool {
		from := f.n.Source(o)
		return !from.IsLit() && f.prog.IsFresh(from.Local)
	})
}

// used reports whether something comes of i's outcome: a result, an effect, a call, or a
// decision. What a statement such as n++ writes there and then is what n has become, and not
// something that is done with what was found.
func (f *finder) used(i int) bool {
	inf := f.Influence(i)
	for _, blk := range f.prog.Blocks {
		for k := range blk.Instrs {
			in := &blk.Instrs[k]
			does := in.Op == register.Effect || in.Op == register.Unknown || in.IsBase() && !f.updates(i, in)
			if does && inf.Uses(in) {
				return true
			}
		}
		found := false
		blk.Term.Uses(func(l register.Local) { found = found || inf.Locals.Has(l) })
		if found {
			return true
		}
	}
	return false
}

// HandsOn reports whether what an access finds is given to a call, or returned.
func (f *finder) HandsOn(a *register.Access) bool {
	found := f.Influence(slices.Index(f.Accesses, a))
	return slices.ContainsFunc(f.prog.Blocks, func(blk *register.Block) bool {
		if blk.Term.Kind == register.Return && found.Reads(blk.Term.Vals) {
			return true
		}
		return slices.ContainsFunc(blk.Instrs, func(in register.Instr) bool {
			return (in.Op == register.Effect || in.Op == register.Unknown) && found.Reads(in.Args)
		})
	})
}

// updates reports whether an operation is the other half of the statement that i is a part of.
func (f *finder) updates(i int, in *register.Instr) bool {
	a := f.Accesses[i]
	pos := f.pos(a.Start)
	return in.Cell == a.Cell && in.Op != register.Read && !pos.IsZero() && in.Pos == pos
}

// joint reports whether something is made of the outcomes of both i and j.
func (f *finder) joint(i, j int) bool {
	a, b := f.Influence(i), f.Influence(j)
	both := func(ops []register.Operand) bool { return a.Reads(ops) && b.Reads(ops) }
	for _, blk := range f.prog.Blocks {
		for k := range blk.Instrs {
			if in := &blk.Instrs[k]; !in.IsBase() && both(in.Args) {
				return true
			}
		}
		if both(blk.Term.Reads()) {
			return true
		}
	}
	return false
}

// Reach reports whether a block can be reached from another one, by at least one edge.
func (f *finder) Reach(from, to int) bool {
	return f.reached(f.reach, from, func(int, int) bool { return true })[to]
}

// reachAhead is Reach in the same round of every loop: without the edges that lead back to
// where a loop begins.
func (f *finder) reachAhead(from, to int) bool {
	return f.reached(f.ahead, from, func(b, next int) bool { return b != next && !register.Dominates(f.tree, next, b) })[to]
}

// reached are the blocks that can be reached from one by the edges that are gone, kept
// in what is known.
func (f *finder) reached(known [][]bool, from int, goes func(b, next int) bool) []bool {
	if known[from] != nil {
		return known[from]
	}
	seen := make([]bool, len(f.prog.Blocks))
	for work := []int{from}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, next := range f.prog.Blocks[b].Term.To {
			if !seen[next] && goes(b, next) {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	known[from] = seen
	return seen
}

// inLaterRound reports whether b comes after a only in a later round of a loop.
func (f *finder) inLaterRound(a, b *register.Access) bool {
	return (a.Start.Block != b.Start.Block || a.Start.Instr >= b.Start.Instr) && !f.reachAhead(a.Start.Block, b.Start.Block)
}
