package reduce

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Region cuts the smallest single-entry part out of the program that holds the given
// accesses, which are on the cells given, and turns it into a program of its
// own, in region form:
//
//   - its parameters are the locals live on entry, the keys among them;
//   - where it is left, it returns: with the function's own results where all
//     that follows is to compute and return them, else with a label for the
//     place and the locals that live on there;
//   - operations on other cells are calls that cannot be predicted;
//   - what was asked before it of the values that it uses is asked again where it begins;
//   - a loop around the accesses belongs to it if their outcomes decide
//     whether to go round again (a retry loop) and the cell is the same each
//     time; otherwise each round is a region;
//   - what influences neither operations nor results is left out.
//
// The result shares nothing with the program. The place is where the region begins there.
func (w *Whole) Region(accesses []*register.Access, cells []int) (*register.Program, register.Ref, error) {
	p := w.p
	if len(accesses) == 0 {
		return nil, register.Ref{}, fmt.Errorf("region of %s: no operation", p.Name)
	}
	c := &cutter{p: p, whole: w, cells: cells, accesses: accesses, flow: w.flow(), places: map[int][]int{}}
	var outcome []register.Local
	for _, a := range accesses {
		outcome = append(outcome, a.Outcome...)
	}
	c.influence = c.flow.From(outcome)
	c.values = &slicer{p: p, published: published(p, cells...)}
	c.numbers = w.terms()
	c.roots = c.findRoots()
	c.open = w.open()
	c.enter()
	c.body()
	out := c.build()
	c.hoist(out).guard(out)
	c.startValues(out)
	register.Compact(out)
	pruneChecks(out) // of what is in other cells
	slice(out, c.retryBlocks())
	if err := register.Check(out); err != nil {
		return nil, register.Ref{}, fmt.Errorf("region of %s: %w", p.Name, err)
	}
	return out, c.start, nil
}

// cutter is the state of one Region.
type cutter struct {
	p         *register.Program
	whole     *Whole
	cells     []int
	accesses  []*register.Access
	flow      *register.Flow
	influence *register.Influence
	// values knows what can be in a cell.
	values  *slicer
	numbers *register.Numbering
	tree    []int // of dominators
	// roots are the locals that the cells are made of.
	roots []register.Local
	// open are the sections under Enter that each block begins in.
	open []register.EnterState

	start register.Ref
	// retry are the loops that belong to the region; rounds are the heads
	// of those of which the region is one round.
	retry  []register.Loop
	rounds map[int]bool
	// in are the blocks of the region, tail those after it that only
	// compute and return results.
	in, tail []bool
	// join is where all ways out meet, -1 if nowhere.
	join int
	// places are where the instructions of each block have gone in its copy.
	places map[int][]int
}

// enter finds the entry: the nearest common dominator of the accesses, or
// the head of the outermost retry loop around it.
func (c *cutter) enter() {
	c.tree = c.whole.tree()
	d := c.accesses[0].Start.Block
	for _, a := range c.accesses[1:] {
		for !register.Dominates(c.tree, d, a.Start.Block) {
			d = c.tree[d]
		}
	}
	c.start = register.Ref{Block: d, Instr: len(c.p.Blocks[d].Instrs)}
	for _, a := range c.accesses {
		if a.Start.Block == d && a.Start.Instr < c.start.Instr {
			c.start.Instr = a.Start.Instr
		}
	}
	c.rounds = map[int]bool{}
	for _, l := range c.whole.loops() {
		if !l.Contains(d) {
			continue
		}
		if c.isRetry(l) {
			c.retry = append(c.retry, l)
			if register.Dominates(c.tree, l.Head, c.start.Block) {
				c.start = register.Ref{Block: l.Head}
			}
		} else {
			c.rounds[l.Head] = true
		}
	}
}

// isRetry reports whether an outcome decides about leaving the loop, and
// the loop does not go on to another cell each time. A loop that waits for others in
// each round, and does not try the same again, takes one job after the other.
func (c *cutter) isRetry(l register.Loop) bool {
	if c.waitsEachRound(l) && !c.tries(l) {
		return false
	}
	for _, b := range l.Blocks {
		for i := range c.p.Blocks[b].Instrs {
			if c.assignsCell(&c.p.Blocks[b].Instrs[i]) {
				return false
			}
		}
	}
	for _, b := range l.Blocks {
		t := &c.p.Blocks[b].Term
		if !c.flow.DecidedBy(c.influence, b) {
			continue
		}
		for _, s := range t.To {
			if !l.Contains(s) {
				return true
			}
		}
	}
	return false
}

// waitsEachRound reports whether every round of a loop waits for another goroutine.
func (c *cutter) waitsEachRound(l register.Loop) bool {
	return slices.ContainsFunc(l.Blocks, func(b int) bool {
		blk := c.p.Blocks[b]
		if !slices.ContainsFunc(blk.Instrs, func(in register.Instr) bool { return in.Op == register.Blocking }) {
			return false
		}
		return !slices.ContainsFunc(l.Back, func(from int) bool { return !register.Dominates(c.tree, b, from) })
	})
}

// tries reports whether an access in a loop can fail, so that it is made again.
func (c *cutter) tries(l register.Loop) bool {
	return slices.ContainsFunc(c.accesses, func(a *register.Access) bool {
		return slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
			return l.Contains(op.Block) && c.p.Blocks[op.Block].Instrs[op.Instr].Op == register.CAS
		})
	})
}

// assignsCell reports whether in assigns something that a key or a map of
// the region is made of.
func (c *cutter) assignsCell(in *register.Instr) bool {
	found := false
	in.Defs(func(l register.Local) { found = found || slices.Contains(c.roots, l) })
	return found
}

// findRoots sees through copies and pure functions of values that do not change.
func (c *cutter) findRoots() []register.Local {
	n := c.numbers
	var out []register.Local
	var visit func(o register.Operand, depth int)
	visit = func(o register.Operand, depth int) {
		o = n.Source(o)
		if o.Local == register.None || depth > 20 {
			return
		}
		def, _ := n.Def(o)
		if def == nil {
			out = append(out, o.Local)
			return
		}
		for _, a := range def.Args {
			visit(a, depth+1)
		}
	}
	for _, cell := range c.cells {
		visit(c.p.Cells[cell].Map, 0)
		visit(c.p.Cells[cell].Key, 0)
	}
	return out
}

// cut reports whether control that takes the edge leaves the region: it
// goes on to the next round of a loop.
func (c *cutter) cut(to int) bool { return c.rounds[to] }

// body finds the blocks between the entry and the accesses, and the tail.
func (c *cutter) body() {
	n := len(c.p.Blocks)
	forward := make([]bool, n)
	c.walk(c.start.Block, forward)
	c.in = make([]bool, n)
	preds := c.whole.preds()
	var back []int
	for _, a := range c.accesses {
		for _, op := range a.Ops {
			back = append(back, op.Block)
		}
	}
	for len(back) > 0 {
		b := back[len(back)-1]
		back = back[:len(back)-1]
		if c.in[b] || !forward[b] {
			continue
		}
		c.in[b] = true
		if b == c.start.Block && c.start.Instr > 0 || c.cut(b) {
			continue
		}
		back = append(back, preds[b]...)
	}
	c.in[c.start.Block] = true
	c.closeSections()
	c.tail, c.join = make([]bool, n), -1
	c.tails()
	c.absorbMoves()
	c.tails()
}

// tails adds what follows each exit.
func (c *cutter) tails() {
	exits := c.exits()
	c.findJoin(exits)
	for _, b := range exits {
		if !c.tail[b] {
			c.addTail(b)
		}
	}
}

// exits are the blocks that control can leave the region to.
func (c *cutter) exits() []int {
	var out []int
	for b := range c.p.Blocks {
		if !c.in[b] {
			continue
		}
		for _, s := range c.p.Blocks[b].Term.To {
			if !c.in[s] && !c.cut(s) && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}

// closeSections adds the blocks up to the Leave of each Enter inside. A section that only begins
// after the last access, or after the end of the section that it is in, is none of the region's.
func (c *cutter) closeSections() {
	beyond := make([]bool, len(c.p.Blocks))
	for b := range c.p.Blocks {
		beyond[b] = c.in[b] && c.lastAccess(b) >= 0 && c.leavesSection(b)
	}
	for changed := true; changed; {
		changed = false
		for b := range c.p.Blocks {
			if !c.in[b] || beyond[b] {
				continue
			}
			for _, s := range c.p.Blocks[b].Term.To {
				if !c.in[s] && c.open[s].Depth > 0 && !c.cut(s) {
					c.in[s], changed = true, true
					beyond[s] = c.leavesSection(s)
				}
			}
		}
	}
}

// leavesSection reports whether no access follows the end of block b within the region, and
// whatever is open at its last access, or where it begins, is left in it.
func (c *cutter) leavesSection(b int) bool {
	return !c.goesOn(b) && c.afterSection(b, c.lastAccess(b)+1) >= 0
}

// walk marks what is reachable from b without going round a cut loop.
func (c *cutter) walk(b int, seen []bool) {
	if seen[b] {
		return
	}
	seen[b] = true
	for _, s := range c.p.Blocks[b].Term.To {
		if !c.cut(s) {
			c.walk(s, seen)
		}
	}
}

// retryBlocks are the blocks, in the new numbering, of retry loops.
func (c *cutter) retryBlocks() map[int]bool {
	out := map[int]bool{}
	index := c.index()
	for _, l := range c.retry {
		for _, b := range l.Blocks {
			if i, ok := index[b]; ok {
				out[i] = true
			}
		}
	}
	return out
}

// index numbers the blocks of the region and its tail. The new entry is a
// block of its own, in front of the old one.
func (c *cutter) index() map[int]int {
	index := map[int]int{}
	n := 1
	for b := range c.p.Blocks {
		if c.in[b] || c.tail[b] {
			index[b] = n
			n++
		}
	}
	return index
}

// build copies the region into a program of its own.
func (c *cutter) build() *register.Program {
	out := &register.Program{Name: c.p.Name, Names: slices.Clone(c.p.Names), Types: slices.Clone(c.p.Types), Blocks: []*register.Block{{}}, Settled: true}
	cell := map[int]int{}
	for i, old := range c.cells {
		cell[old] = i
		out.Cells = append(out.Cells, c.p.Cells[old])
	}
	c.declareFound(out, cell)
	index := c.index()
	for b := range c.p.Blocks {
		if _, ok := index[b]; ok {
			out.Blocks = append(out.Blocks, c.copyBlock(b, cell))
		}
	}
	live := c.whole.live()
	defined := c.defined()
	c.endEarly(out, index, live, defined)
	stubs := map[int]int{}
	var left []int // the places of the stubs
	for _, b := range out.Blocks[1:] {
		for i, s := range b.Term.To {
			to, ok := index[s]
			if !ok || c.cut(s) || s == c.start.Block && c.start.Instr > 0 {
				to, ok = stubs[s]
				if !ok {
					to = len(out.Blocks)
					stubs[s] = to
					exit := c.exit(s, len(stubs), live, defined)
					for _, before := range left {
						first := out.Blocks[stubs[before]].Term
						if vals, is := c.follows(before, s, first.Vals, defined); is {
							exit.Term.Label, exit.Term.Vals = first.Label, vals
							break
						}
					}
					left = append(left, s)
					out.Blocks = append(out.Blocks, exit)
				}
			}
			b.Term.To[i] = to
		}
	}
	for range c.openAtStart() { // it begins before the region does
		out.Blocks[0].Instrs = append(out.Blocks[0].Instrs, register.Instr{Op: register.Enter})
	}
	out.Blocks[0].Term = register.Term{Kind: register.Jump, To: []int{index[c.start.Block]}}
	return out
}

// declareFound gives what operations on other cells find the types that these cells say: it is
// an argument of the region, or anything, and a truth value all the same.
func (c *cutter) declareFound(out *register.Program, cell map[int]int) {
	for _, b := range c.p.Blocks {
		for i := range b.Instrs {
			in := &b.Instrs[i]
			if _, ours := cell[in.Cell]; !in.IsBase() || ours {
				continue
			}
			for k, typ := range []register.Type{c.p.Cells[in.Cell].Type, {Kind: register.Bool}} {
				if k < len(in.Dst) && in.Dst[k] != register.None && out.TypeOf(in.Dst[k]) == (register.Type{}) {
					out.Declare(in.Dst[k], typ)
				}
			}
		}
	}
}

// openAtStart is how many sections are open where the region begins: they are about
// something else, and end in it.
func (c *cutter) openAtStart() int {
	open := c.open[c.start.Block]
	for i := range c.start.Instr {
		at := register.Ref{Block: c.start.Block, Instr: i}
		open = register.StepEnter(open, &c.p.Blocks[at.Block].Instrs[i], at)
	}
	return open.Depth
}

// goesOn reports whether an access can follow the end of block b within the
// region.
func (c *cutter) goesOn(b int) bool {
	for _, s := range c.p.Blocks[b].Term.To {
		if c.in[s] && !c.cut(s) {
			return true
		}
	}
	return false
}

// copyBlock copies a block, from the entry's first operation on.
func (c *cutter) copyBlock(b int, cell map[int]int) *register.Block {
	old := c.p.Blocks[b]
	first := 0
	if b == c.start.Block {
		first = c.start.Instr
	}
	blk := &register.Block{Term: old.Term}
	blk.Term.To, blk.Term.Vals = slices.Clone(old.Term.To), slices.Clone(old.Term.Vals)
	tail := c.tailFrom(b)
	open := c.open[b]
	for i := range first {
		open = register.StepEnter(open, &old.Instrs[i], register.Ref{Block: b, Instr: i})
	}
	places := make([]int, len(old.Instrs)+1)
	c.places[b] = places
	for i := first; i < len(old.Instrs); i++ {
		places[i] = len(blk.Instrs)
		in := old.Instrs[i]
		in.Dst, in.Args = slices.Clone(in.Dst), slices.Clone(in.Args)
		before := open
		open = register.StepEnter(open, &in, register.Ref{Block: b, Instr: i})
		if in.IsBase() {
			to, ours := cell[in.Cell]
			if !ours {
				blk.Instrs = append(blk.Instrs, c.elsewhere(in, strconv.Itoa(b)+"."+strconv.Itoa(i), i >= tail)...)
				continue
			}
			in.Cell = to
		} else if i >= tail && (in.Op == register.Enter && c.inTail(open) || in.Op == register.Leave && c.inTail(before)) {
			continue // nobody tells the parts of what follows apart
		} else if in.Op == register.Effect && i >= tail && (!c.tracks(&in) || found(c.p, &in)) {
			in = c.then(in)
		}
		blk.Instrs = append(blk.Instrs, in)
	}
	places[len(old.Instrs)] = len(blk.Instrs)
	return blk
}

// inTail reports whether the open section began in the tail. One that began before
// has an operation in it, and ends in the tail.
func (c *cutter) inTail(s register.EnterState) bool {
	at := s.Outer()
	return c.tail[at.Block] || at.Instr >= c.tailFrom(at.Block)
}

// defined are the locals that the region can assign.
func (c *cutter) defined() []bool {
	def := make([]bool, len(c.p.Names))
	for b, blk := range c.p.Blocks {
		if !c.in[b] && !c.tail[b] {
			continue
		}
		for i := range blk.Instrs {
			if b != c.start.Block || i >= c.start.Instr {
				blk.Instrs[i].Defs(func(l register.Local) { def[l] = true })
			}
		}
	}
	return def
}

// exit is the block that stands for leaving the region towards b.
func (c *cutter) exit(b, number int, live *register.Liveness, defined []bool) *register.Block {
	t, idle := c.idleEnd(b)
	if !idle {
		t = register.Term{Kind: register.Return, Label: "exit" + strconv.Itoa(number)}
		for _, l := range live.In(b, 0) {
			if defined[l] {
				t.Vals = append(t.Vals, register.L(l))
			}
		}
	}
	blk := &register.Block{Term: t}
	if open := c.open[b]; open.Depth > 0 && !c.inTail(open) { // one that begins in the tail is none there
		for range open.Depth { // the rest of the section is no part of the region
			blk.Instrs = append(blk.Instrs, register.Instr{Op: register.Leave})
		}
	}
	return blk
}
