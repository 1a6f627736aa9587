package monitor

import (
	"slices"

	"github.com/mapatom/mapatom/checker/history"
)

// chains are the operations of a cell by what they must stand next to.
//
// A segment is the time in which the cell has a value that was put there
// once. An operation that finds the value of one segment and leaves another
// ties the two together. What is tied is a chain: it begins with a blind
// operation or with the initial value, and nothing can come between its
// segments. So a linearization is the chains one after the other, and a
// chain A can be before a chain B unless an operation of B returned before
// one of A was called: unless first(B) < last(A), where first is the first
// return in a chain and last the last call. Gibbons and Korach show that an
// order of all exists if every two can be ordered.
type chains struct {
	segments int
	begins   []int32 // operation that leaves the segment's value, or initially; -1 for none
	ends     []int32 // operation that finds it and leaves another one, or -1
	// First return and last call of those that only look.
	looksFirst, looksLast []int64

	// base is a value that everything begins and ends with, -1 if there is
	// none: see resolver.
	// There, the chain of another initial value counts as called at 0.
	base int32
	zones
}

// A block is a chain, or an operation that only looks at the base value.
type block struct {
	first, last int64
	start       int32 // segment that the chain begins with, or ^operation
}

// ever is the last call of a chain that ends with no base value, where all
// begin with one: nothing can come after it.
const ever = history.Pending

// gather sorts the operations into segments. It gives a core if some value
// is found that was never there, or is taken away twice.
func (c *cell) gather() []int32 {
	n := c.segments
	c.begins, c.ends = fill(c.begins, n, -1), fill(c.ends, n, -1)
	c.looksFirst, c.looksLast = fill(c.looksFirst, n, history.Pending), fill(c.looksLast, n, -1)
	c.begins[c.ids.of(c.initial)] = initially
	for i, m := range c.makes {
		if m >= 0 && m != c.base {
			c.begins[m] = int32(i)
		}
	}
	for i, f := range c.finds {
		if f < 0 || f == c.base {
			continue
		}
		switch {
		case c.begins[f] == -1:
			return []int32{int32(i)}
		case c.makes[i] < 0:
			c.looksFirst[f] = min(c.looksFirst[f], c.ret[i])
			c.looksLast[f] = max(c.looksLast[f], c.call[i])
		case c.ends[f] >= 0:
			return c.withMakers(f, c.ends[f], int32(i))
		default:
			c.ends[f] = int32(i)
		}
	}
	return nil
}

// withMakers gives operations together with all that led to the segment.
func (c *cell) withMakers(segment int32, ops ...int32) []int32 {
	seen := make(map[int32]bool)
	for _, op := range ops {
		seen[op] = true
	}
	for at := segment; at >= 0 && at != c.base; {
		op := c.begins[at]
		if op < 0 || seen[op] {
			break
		}
		seen[op] = true
		ops = append(ops, op)
		at = c.finds[op]
	}
	return ops
}

// link makes the chains. It gives a core if one of them is not in order by
// itself.
func (c *cell) link() []int32 {
	c.zones.reset(c.countBlocks())
	tied := 0
	for segment, op := range c.begins {
		switch {
		case op == -1:
			continue
		case op >= 0 && c.finds[op] >= 0 && c.finds[op] != c.base:
			tied++
			continue
		}
		b, count, core := c.follow(int32(segment))
		if core != nil {
			return core
		}
		tied -= count
		if b.last >= 0 {
			c.zones.add(b)
		}
	}
	if tied != 0 {
		return c.circle()
	}
	if c.base < 0 {
		return nil
	}
	for i, f := range c.finds {
		if f == c.base && c.makes[i] < 0 {
			c.zones.add(block{first: c.ret[i], last: c.call[i], start: ^int32(i)})
		}
	}
	return nil
}

// countBlocks counts what link can add.
func (c *cell) countBlocks() int {
	n := 0
	for _, op := range c.begins {
		if op == initially || op >= 0 && (c.finds[op] < 0 || c.finds[op] == c.base) {
			n++
		}
	}
	if c.base >= 0 {
		for _, f := range c.finds {
			if f == c.base {
				n++
			}
		}
	}
	return n
}

// follow goes along the chain that begins with a segment, and counts the
// operations that tie it together.
func (c *cell) follow(segment int32) (b block, tied int, core []int32) {
	b = block{first: history.Pending, last: -1, start: segment}
	for op := c.begins[segment]; ; op = c.ends[segment] {
		if op == initially {
			b.first = -1
			if c.base >= 0 && segment != c.base {
				b.last = 0 // the base value was not there from the start
			}
		} else if !b.include(c.call[op], c.ret[op]) {
			return b, tied, c.disorder(b.start, c.ret[op])
		} else if segment = c.makes[op]; segment == c.base {
			return b, tied, nil
		}
		if c.looksLast[segment] >= 0 && !b.includeLooks(c.looksFirst[segment], c.looksLast[segment]) {
			return b, tied, c.disorder(b.start, c.looksFirst[segment])
		}
		if c.ends[segment] < 0 {
			break
		}
		if c.makes[c.ends[segment]] != c.base {
			tied++
		}
	}
	if c.base >= 0 && b.last >= 0 {
		b.last = ever
	}
	return b, tied, nil
}

// include appends an operation to the block, and reports whether it can come
// after all that are in it.
func (b *block) include(call, ret int64) bool {
	if ret < b.last {
		return false
	}
	b.first, b.last = min(b.first, ret), max(b.last, call)
	return true
}

// includeLooks is include for several that are in no order.
func (b *block) includeLooks(first, last int64) bool {
	if first < b.last {
		return false
	}
	b.first, b.last = min(b.first, first), max(b.last, last)
	return true
}

// disorder gives the operations that show that a chain is not in order: up
// to one that returned at the given time and an earlier one of the chain
// that was called later.
func (c *cell) disorder(start int32, ret int64) []int32 {
	ops := c.chainOps(start)
	last := int64(-1)
	latest := int32(-1)
	for at, op := range ops {
		if c.ret[op] == ret && c.ret[op] < last {
			return c.needed(ops[:at+1], latest, op)
		}
		if c.call[op] > last {
			last, latest = c.call[op], op
		}
	}
	return ops
}

// needed leaves out of the operations of a chain those that only look, but
// for the given ones.
func (c *cell) needed(ops []int32, keep ...int32) []int32 {
	var some []int32
	for _, op := range ops {
		if c.makes[op] >= 0 || slices.Contains(keep, op) {
			some = append(some, op)
		}
	}
	return some
}

// chainOps gives the operations of a chain in order: of a segment, who makes
// its value, and those that look at it by their returns.
func (c *cell) chainOps(start int32) []int32 {
	looks := make(map[int32][]int32) // by segment
	for at := start; at >= 0; at = c.after(at) {
		looks[at] = nil
	}
	for i, f := range c.finds {
		if _, is := looks[f]; is && f >= 0 && c.makes[i] < 0 {
			looks[f] = append(looks[f], int32(i))
		}
	}
	var ops []int32
	if op := c.begins[start]; op >= 0 {
		ops = append(ops, op)
	}
	for at := start; at >= 0; at = c.after(at) {
		slices.SortFunc(looks[at], func(a, b int32) int { return compare(c.ret[a], c.ret[b]) })
		ops = append(ops, looks[at]...)
		if c.ends[at] >= 0 {
			ops = append(ops, c.ends[at])
		}
	}
	return ops
}

// after gives the next segment of a chain, -1 after the last.
func (c *cell) after(segment int32) int32 {
	if op := c.ends[segment]; op >= 0 && c.makes[op] != c.base {
		return c.makes[op]
	}
	return -1
}

// circle gives operations that each find what the one before left, and the
// first what the last left: none of them can be the first.
func (c *cell) circle() []int32 {
	inChain := make([]bool, c.segments)
	for segment, op := range c.begins {
		if op == initially || op >= 0 && (c.finds[op] < 0 || c.finds[op] == c.base) {
			for at := int32(segment); at >= 0; at = c.after(at) {
				inChain[at] = true
			}
		}
	}
	for segment, op := range c.begins {
		if op < 0 || inChain[segment] {
			continue
		}
		// What is in no chain goes back in circles, or comes out of one.
		at := c.finds[op]
		for range c.begins {
			at = c.finds[c.begins[at]]
		}
		core := []int32{c.begins[at]}
		for k := c.finds[c.begins[at]]; k != at; k = c.finds[c.begins[k]] {
			core = append(core, c.begins[k])
		}
		return core
	}
	return nil
}
