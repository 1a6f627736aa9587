package register

import "slices"

// The functions in this file see a program as a graph of blocks. They ask
// only that successors are in range (see Check); blocks that the entry
// cannot reach are in no relation to the others.

// Preds lists, for each block, the blocks that go to it, ascending and each
// once, whether they can be reached or not.
func Preds(p *Program) [][]int {
	preds, count, edges := make([][]int, len(p.Blocks)), make([]int, len(p.Blocks)), 0
	for _, blk := range p.Blocks {
		for i, s := range blk.Term.To {
			if i == 0 || s != blk.Term.To[0] {
				count[s]++
				edges++
			}
		}
	}
	all := make([]int, edges)
	for s, n := range count {
		if n > 0 { // a block that nobody goes to has none
			preds[s], all = all[:0:n], all[n:]
		}
	}
	for b, blk := range p.Blocks {
		for i, s := range blk.Term.To {
			if i == 0 || s != blk.Term.To[0] {
				preds[s] = append(preds[s], b)
			}
		}
	}
	return preds
}

// ReversePostorder lists the reachable blocks so that each comes before its
// successors, except along the edges that close a loop.
func ReversePostorder(p *Program) []int {
	if len(p.Blocks) == 0 {
		return nil
	}
	return postorderReversed(len(p.Blocks), 0, func(b int) []int { return p.Blocks[b].Term.To })
}

// Reachable says of each block whether the entry reaches it.
func Reachable(p *Program) []bool {
	seen := make([]bool, len(p.Blocks))
	if len(seen) == 0 {
		return seen
	}
	seen[0] = true
	for work := []int{0}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range p.Blocks[b].Term.To {
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return seen
}

// Size is the number of instructions.
func (p *Program) Size() int {
	n := 0
	for _, b := range p.Blocks {
		n += len(b.Instrs)
	}
	return n
}

// Prune drops the blocks that the entry cannot reach and renumbers the rest,
// which stay in order. It reports whether there were any.
func (p *Program) Prune() bool {
	reach := Reachable(p)
	number := make([]int, len(p.Blocks))
	var kept []*Block
	for b, blk := range p.Blocks {
		if reach[b] {
			number[b] = len(kept)
			kept = append(kept, blk)
		}
	}
	if len(kept) == len(p.Blocks) {
		return false
	}
	for _, blk := range kept {
		for i, s := range blk.Term.To {
			blk.Term.To[i] = number[s]
		}
	}
	p.Blocks = kept
	return true
}

// Dominators gives each block its immediate dominator, and -1 to the entry
// and to blocks that cannot be reached.
func Dominators(p *Program) []int {
	if len(p.Blocks) == 0 {
		return nil
	}
	return immediateDominators(blockSuccs(p), 0)
}

// Dominates reports whether a is b or above b in the tree that Dominators
// or PostDominators gave.
func Dominates(tree []int, a, b int) bool {
	for ; b >= 0; b = tree[b] {
		if a == b {
			return true
		}
	}
	return false
}

// PostDominators gives each block its immediate post-dominator: the nearest
// block on all its ways out. It is -1 where there is none, because the ways
// out have no block in common, and for blocks that cannot be reached.
//
// A loop that is never left counts as left from its head. So inside
//
//	for { if c { m.Delete(k) } }
//
// the head post-dominates both arms and the Delete still depends on c. If
// the loop were left from the Delete, it would post-dominate the branch; if
// from everywhere, each block would depend on each branch before it.
func PostDominators(p *Program) []int {
	n := len(p.Blocks)
	// Turned around, with node n as the exit that all exits lead to.
	back := Preds(p)
	back = append(back, exitBlocks(p))
	tree := immediateDominators(back, n)[:n]
	for b, d := range tree {
		if d == n {
			tree[b] = -1
		}
	}
	for b, ok := range Reachable(p) {
		if !ok {
			tree[b] = -1
		}
	}
	return tree
}

// ControlDeps lists, for each block, the blocks whose branch decides whether
// it runs: those with a way that must come to it and one that need not. A
// loop's head depends on the loop's own branch, possibly on itself. The
// relation is the direct one, not its closure; lists are ascending.
func ControlDeps(p *Program) [][]int {
	deps := make([][]int, len(p.Blocks))
	tree := PostDominators(p)
	reach := Reachable(p)
	for a, blk := range p.Blocks {
		if !reach[a] || blk.Term.Kind != Branch {
			continue
		}
		// What comes after s in every case, up to where a's ways meet.
		for _, s := range blk.Term.To {
			for b := s; b != tree[a]; b = tree[b] {
				if !slices.Contains(deps[b], a) {
					deps[b] = append(deps[b], a)
				}
			}
		}
	}
	return deps
}

// Loop is a natural loop.
type Loop struct {
	// Head is the one block through which the loop is entered.
	Head int
	// Back are the blocks that go back to Head, ascending.
	Back []int
	// Blocks are all blocks of the loop, Head included, ascending.
	Blocks []int
}

// Loops lists the natural loops by ascending head, one per head. A cycle with
// two entries has no head and is not listed.
func Loops(p *Program) []Loop {
	tree := Dominators(p)
	reach := Reachable(p)
	preds := Preds(p)
	var loops []Loop
	for h := range p.Blocks {
		var back []int
		for _, b := range preds[h] {
			if reach[b] && Dominates(tree, h, b) {
				back = append(back, b)
			}
		}
		if back != nil {
			loops = append(loops, Loop{Head: h, Back: back, Blocks: loopBlocks(preds, reach, h, back)})
		}
	}
	return loops
}

// loopBlocks walks backwards from the back edges until it meets the head.
func loopBlocks(preds [][]int, reach []bool, head int, back []int) []int {
	in := map[int]bool{head: true}
	work := slices.Clone(back)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !in[b] && reach[b] {
			in[b] = true
			work = append(work, preds[b]...)
		}
	}
	var blocks []int
	for b := range in {
		blocks = append(blocks, b)
	}
	slices.Sort(blocks)
	return blocks
}

// exitBlocks lists the reachable blocks that count as exits: those that end
// in Return or Panic, and the head of each loop that is never left.
func exitBlocks(p *Program) []int {
	succs, preds := blockSuccs(p), Preds(p)
	order := ReversePostorder(p)
	var exits []int
	for _, b := range order {
		if len(succs[b]) == 0 {
			exits = append(exits, b)
		}
	}
	for {
		leaves := reachableFrom(preds, exits)
		head := endlessHead(succs, order, leaves)
		if head < 0 {
			return exits
		}
		exits = append(exits, head)
	}
}

// endlessHead finds a loop that is never left, among the blocks that leaves
// does not contain, and gives its first block in order; -1 if there is none.
//
// What such a block reaches never leaves either. Where that is the fewest
// blocks, they all reach each other: otherwise one of them reached fewer.
func endlessHead(succs [][]int, order []int, leaves []bool) int {
	head, fewest := -1, len(succs)+1
	for _, b := range order {
		if leaves[b] {
			continue
		}
		size := 0
		for _, in := range reachableFrom(succs, []int{b}) {
			if in {
				size++
			}
		}
		if size < fewest {
			head, fewest = b, size
		}
	}
	return head
}

// blockSuccs is the graph as successor lists.
func blockSuccs(p *Program) [][]int {
	succs := make([][]int, len(p.Blocks))
	for b, blk := range p.Blocks {
		succs[b] = blk.Term.To
	}
	return succs
}

// Leads reports whether a way leads from one block to another one.
func Leads(p *Program, from, to int) bool { return reachableFrom(blockSuccs(p), []int{from})[to] }

// reachableFrom says which nodes can be reached from roots, roots included.
func reachableFrom(succs [][]int, roots []int) []bool {
	seen := make([]bool, len(succs))
	work := slices.Clone(roots)
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen[n] {
			seen[n] = true
			work = append(work, succs[n]...)
		}
	}
	return seen
}

// reversePostorder is the order of a depth-first walk from root.
func reversePostorder(succs [][]int, root int) []int {
	return postorderReversed(len(succs), root, func(n int) []int { return succs[n] })
}

// postorderReversed is reversePostorder of so many nodes. It keeps its own stack: after
// inlining, chains of blocks can be long.
func postorderReversed(nodes, root int, succs func(int) []int) []int {
	type frame struct{ node, next int32 }
	seen := make([]bool, nodes)
	seen[root] = true
	stack := append(make([]frame, 0, nodes), frame{node: int32(root)})
	order := make([]int, 0, nodes)
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		to := succs(int(top.node))
		if int(top.next) == len(to) {
			order = append(order, int(top.node))
			stack = stack[:len(stack)-1]
			continue
		}
		s := to[top.next]
		top.next++
		if !seen[s] {
			seen[s] = true
			stack = append(stack, frame{node: int32(s)})
		}
	}
	slices.Reverse(order)
	return order
}

// immediateDominators computes the dominator tree of the nodes that root
// reaches; all others, and root, get -1. It repeats, until nothing changes,
// "my dominator is where the dominators of my predecessors meet", in an order
// in which reducible graphs need two rounds.
func immediateDominators(succs [][]int, root int) []int {
	order := reversePostorder(succs, root)
	place := make([]int, len(succs)) // in order
	tree := make([]int, len(succs))
	preds := make([][]int, len(succs))
	for n := range tree {
		tree[n] = -1
	}
	for i, n := range order {
		place[n] = i
		for _, s := range succs[n] {
			preds[s] = append(preds[s], n)
		}
	}
	meet := func(a, b int) int {
		for a != b {
			if place[a] > place[b] {
				a = tree[a]
			} else {
				b = tree[b]
			}
		}
		return a
	}
	tree[root] = root // so that meet stops there
	for changed := true; changed; {
		changed = false
		for _, n := range order[1:] {
			d := -1
			for _, q := range preds[n] {
				switch {
				case tree[q] < 0: // not yet visited
				case d < 0:
					d = q
				default:
					d = meet(d, q)
				}
			}
			if d != tree[n] {
				tree[n], changed = d, true
			}
		}
	}
	tree[root] = -1
	return tree
}

func (l *Loop) Contains(b int) bool { return slices.Contains(l.Blocks, b) }
