package monitor

import "slices"

// zones are the chains of a cell by the time that they hold it.
type zones struct {
	store []block
	// forward blocks, at the front of store, cannot be in one instant: they
	// hold the cell from first to last. backward blocks, at the end of it,
	// can be at any time from last to first.
	forward, backward []block
}

// reset makes room for n blocks.
func (z *zones) reset(n int) {
	z.store = resize(z.store, n)
	z.forward, z.backward = z.store[:0], z.store[n:]
}

func (z *zones) add(b block) {
	if b.first < b.last {
		z.forward = append(z.forward, b)
		return
	}
	at := len(z.store) - len(z.backward) - 1
	z.store[at] = b
	z.backward = z.store[at:]
}

// order checks that every two blocks can be ordered. If two cannot, it gives
// them.
//
// Two forward blocks can be ordered if and only if they do not overlap; a
// backward block can be ordered with a forward one unless it is inside.
func (z *zones) order() []block {
	sortBlocks(z.forward, func(b *block) int64 { return b.first })
	for i := 1; i < len(z.forward); i++ {
		if z.forward[i].first < z.forward[i-1].last {
			return []block{z.forward[i-1], z.forward[i]}
		}
	}
	at := len(z.forward)
	for _, b := range z.backward {
		at = z.before(b.last, at)
		if at > 0 && b.first < z.forward[at-1].last {
			return []block{z.forward[at-1], b}
		}
	}
	return nil
}

// before gives the number of forward blocks that begin before a time. It
// looks near the hint first: blocks come in nearly the order of time.
func (z *zones) before(t int64, hint int) int {
	low, high, step := hint, hint, 1
	for low > 0 && z.forward[low-1].first >= t {
		high, low, step = low-1, max(0, low-step), 2*step
	}
	step = 1
	for high < len(z.forward) && z.forward[high].first < t {
		low, high, step = high+1, min(len(z.forward), high+step), 2*step
	}
	for low < high {
		if mid := (low + high) / 2; z.forward[mid].first < t {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// inTheWay reports whether some block that is not to be ignored cannot be
// ordered with one from first to last. The backward blocks must be sorted by
// last.
func (z *zones) inTheWay(first, last int64, ignore func(start int32) bool) bool {
	at := z.before(last, len(z.forward)/2) - 1
	for ; at >= 0 && z.forward[at].last > first; at-- {
		if !ignore(z.forward[at].start) {
			return true
		}
	}
	at, _ = slices.BinarySearchFunc(z.backward, first+1, func(k block, t int64) int { return compare(k.last, t) })
	for ; at < len(z.backward) && z.backward[at].last < last; at++ {
		if z.backward[at].first < last && !ignore(z.backward[at].start) {
			return true
		}
	}
	return false
}

// sequence gives all blocks in an order that is right if order found no
// fault, each as early as it can be. A backward block goes to its last call,
// or to the end of the forward block that this is in. At the same time
// backward blocks go first, since they need no time.
func (z *zones) sequence() []block {
	times := make([]int64, 0, len(z.forward)+len(z.backward))
	at := 0
	for i := range z.backward {
		when := z.backward[i].last
		if at = z.before(when, at); at > 0 {
			when = max(when, z.forward[at-1].last)
		}
		times = append(times, when+1)
	}
	for i := range z.forward {
		times = append(times, z.forward[i].first+1)
	}
	blocks := make([]block, 0, len(times))
	for _, i := range byTime(times) {
		if int(i) < len(z.backward) {
			blocks = append(blocks, z.backward[i])
		} else {
			blocks = append(blocks, z.forward[int(i)-len(z.backward)])
		}
	}
	return blocks
}

// sortBlocks sorts stably. Blocks that come in nearly the order of time, as
// they do, are moved to their places; others are sorted by radix.
func sortBlocks(blocks []block, key func(b *block) int64) {
	moves := 16 * len(blocks)
	for i := range blocks {
		b := blocks[i]
		k := i
		for ; k > 0 && key(&blocks[k-1]) > key(&b); k-- {
			blocks[k] = blocks[k-1]
			moves--
		}
		blocks[k] = b
		if moves < 0 {
			radixBlocks(blocks, key)
			return
		}
	}
}

func radixBlocks(blocks []block, key func(b *block) int64) {
	times := make([]int64, len(blocks))
	for i := range blocks {
		times[i] = key(&blocks[i]) + 1 // the initial value is there at -1
	}
	old := slices.Clone(blocks)
	for i, at := range byTime(times) {
		blocks[i] = old[at]
	}
}

// lay gives the operations of a sequence of blocks one after the other: of
// each segment who makes the value, those that look at it in order of call,
// and who takes it away.
func (c *cell) lay(blocks []block) []int32 {
	start := make([]int32, c.segments+1)
	for i, f := range c.finds {
		if f >= 0 && f != c.base && c.makes[i] < 0 {
			start[f+1]++
		}
	}
	for f := range c.segments {
		start[f+1] += start[f]
	}
	looks := make([]int32, start[c.segments])
	next := slices.Clone(start)
	for i, f := range c.finds {
		if f >= 0 && f != c.base && c.makes[i] < 0 {
			looks[next[f]] = int32(i)
			next[f]++
		}
	}
	order := make([]int32, 0, len(c.finds))
	for _, b := range blocks {
		if b.start < 0 {
			order = append(order, ^b.start)
			continue
		}
		if op := c.begins[b.start]; op >= 0 {
			order = append(order, op)
		}
		for at := b.start; at >= 0; at = c.after(at) {
			of := looks[start[at]:start[at+1]]
			sortByCall(of, c.call)
			order = append(order, of...)
			if c.ends[at] >= 0 {
				order = append(order, c.ends[at])
			}
		}
	}
	return order
}

func sortByCall(ops []int32, call []int64) {
	byCall := func(a, b int32) int { return compare(call[a], call[b]) }
	if !slices.IsSortedFunc(ops, byCall) {
		slices.SortStableFunc(ops, byCall)
	}
}

// conflict gives the operations that show that two blocks cannot be ordered:
// of each, the one that returned first and the one that was called last, and
// what makes their values.
func (c *cell) conflict(pair []block) []int32 {
	var core []int32
	for _, b := range pair {
		if b.start < 0 {
			core = append(core, ^b.start)
			continue
		}
		ops := c.chainOps(b.start)
		first, last, until := int32(-1), int32(-1), 0
		for at, op := range ops {
			if c.ret[op] == b.first && first < 0 {
				first, until = op, at
			}
			if c.call[op] == b.last && last < 0 {
				last, until = op, at
			}
		}
		if b.last == ever {
			until = len(ops) - 1
		}
		if len(ops) > 0 {
			core = append(core, c.needed(ops[:until+1], first, last)...)
		}
	}
	return core
}
