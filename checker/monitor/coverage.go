package monitor

// A coverage knows how many values have to be on a stack at each peak, and
// which if there is one. Values can only go.
//
// Peaks are in blocks, whose counts a removal that touches a part of a block
// changes one by one. Above the blocks is a tree: a removal that touches all
// of a subtree is noted at its root only, and every node has the lowest count
// below it, so that what comes down to one is found from the top.
type coverage struct {
	from, to []int32 // the peaks that each value covers, from included, to not

	count []int32 // values at each peak, without what is noted above; done if it is one or none
	who   []int32 // exclusive or of their numbers, likewise

	nodes  []coverNode // node i is above 2i and 2i+1; the leaves are the blocks
	blocks int         // number of leaves, a power of two
}

type coverNode struct {
	lowest int32 // count below, with what is noted here but not above
	gone   int32 // values to be taken off every count below
	who    int32 // exclusive or of their numbers
}

const (
	blockBits = 5
	blockSize = 1 << blockBits
	// done is the count of a peak that need not be watched any more. No
	// number of removals makes it a small one.
	done = 1 << 30
)

func newCoverage(peaks, values int) *coverage {
	blocks := 1
	for blocks*blockSize < peaks {
		blocks *= 2
	}
	return &coverage{
		from: make([]int32, values), to: make([]int32, values),
		count: make([]int32, peaks), who: make([]int32, peaks),
		nodes: make([]coverNode, 2*blocks), blocks: blocks,
	}
}

// set gives a peak its first count.
func (c *coverage) set(peak, count, who int32) { c.count[peak], c.who[peak] = count, who }

// start completes the tree, after it has reported peaks with no value or one.
func (c *coverage) start(none func(peak int32), one func(peak, value int32)) {
	for peak, count := range c.count {
		switch count {
		case 0:
			c.count[peak] = done
			none(int32(peak))
		case 1:
			c.count[peak] = done
			one(int32(peak), c.who[peak])
		}
	}
	for block := range c.blocks {
		c.nodes[c.blocks+block].lowest = c.lowest(block)
	}
	for node := c.blocks - 1; node > 0; node-- {
		c.nodes[node].lowest = min(c.nodes[2*node].lowest, c.nodes[2*node+1].lowest)
	}
}

// block gives the peaks of a block.
func (c *coverage) block(block int) (from, to int) {
	from = min(block*blockSize, len(c.count))
	return from, min(from+blockSize, len(c.count))
}

// lowest gives the lowest count in a block.
func (c *coverage) lowest(block int) int32 {
	from, to := c.block(block)
	lowest := int32(done)
	for _, count := range c.count[from:to] {
		lowest = min(lowest, count)
	}
	return lowest
}

// remove takes a value away, and reports the peaks at which one is left.
func (c *coverage) remove(v int32, one func(peak, value int32)) {
	from, to := c.from[v], c.to[v]
	if from >= to {
		return
	}
	first, last := int(from>>blockBits), int((to-1)>>blockBits)
	if first == last {
		if c.removePart(first, from, to, v) {
			c.climb(c.blocks + first)
		}
	} else {
		c.removePart(first, from, int32(first+1)<<blockBits, v)
		c.removePart(last, int32(last)<<blockBits, to, v)
		c.removeBetween(c.blocks+first, c.blocks+last, v)
	}
	for c.nodes[1].lowest <= 1 {
		c.report(one)
	}
}

// removePart takes a value off the peaks of one block, and reports whether it
// changed any that is not done.
func (c *coverage) removePart(block int, from, to, v int32) (changed bool) {
	counts, who := c.count[from:to], c.who[from:to]
	for i := range counts {
		if counts[i] < done/2 {
			changed = true
			counts[i]--
			who[i] ^= v
		}
	}
	if changed {
		node := &c.nodes[c.blocks+block]
		node.lowest = c.lowest(block) - node.gone
	}
	return changed
}

// removeBetween takes a value off the blocks between two leaves, which have
// changed, and climbs from both.
func (c *coverage) removeBetween(left, right int, v int32) {
	for ; left^right != 1; left, right = c.up(left), c.up(right) {
		if left&1 == 0 {
			c.note(left+1, v)
		}
		if right&1 == 1 {
			c.note(right-1, v)
		}
	}
	c.climb(left)
}

func (c *coverage) note(node int, v int32) {
	n := &c.nodes[node]
	n.lowest--
	n.gone++
	n.who ^= v
}

// up goes to the node above, and makes its lowest count right.
func (c *coverage) up(node int) int {
	node /= 2
	n := &c.nodes[node]
	n.lowest = min(c.nodes[2*node].lowest, c.nodes[2*node+1].lowest) - n.gone
	return node
}

// climb makes the lowest counts above a node right.
func (c *coverage) climb(node int) {
	for node > 1 {
		before := c.nodes[node/2].lowest
		if node = c.up(node); c.nodes[node].lowest == before {
			return
		}
	}
}

// report reports the peaks with one value in a block that has one.
func (c *coverage) report(one func(peak, value int32)) {
	node, gone, who := 1, int32(0), int32(0)
	for {
		n := c.nodes[node]
		gone, who = gone+n.gone, who^n.who
		if node >= c.blocks {
			break
		}
		if node *= 2; c.nodes[node].lowest > c.nodes[node+1].lowest {
			node++
		}
	}
	from, to := c.block(node - c.blocks)
	for peak := from; peak < to; peak++ {
		if c.count[peak]-gone == 1 {
			c.count[peak] = done
			one(int32(peak), c.who[peak]^who)
		}
	}
	c.nodes[node].lowest = c.lowest(node-c.blocks) - c.nodes[node].gone
	c.climb(node)
}
