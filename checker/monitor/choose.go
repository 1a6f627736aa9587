package monitor

import "math"

// growth keeps account of the chains while sources are chosen.
type growth struct {
	// first and last of a chain, by the segment that it begins with.
	firstOf, lastOf []int64
	grown           []int32 // chains that something was added to, the latest last
}

// nearby bounds how far choose looks: along a chain, and back over what it
// has chosen. It chooses well or not so well; what it chose is checked.
const nearby = 64

// measure takes down the chains as they are without the choices.
func (c *cell) measure() {
	sortBlocks(c.backward, func(b *block) int64 { return b.last })
	c.firstOf, c.lastOf = resize(c.firstOf, c.segments), resize(c.lastOf, c.segments)
	c.grown = c.grown[:0]
	for segment, op := range c.begins {
		c.firstOf[segment], c.lastOf[segment] = math.MaxInt64, -1
		if op == initially {
			c.firstOf[segment] = -1
		}
	}
	for _, list := range [][]block{c.forward, c.backward} {
		for _, b := range list {
			if b.start >= 0 {
				c.firstOf[b.start], c.lastOf[b.start] = b.first, b.last
			}
		}
	}
}

// choose takes a source for an operation: of those whose chain can then be
// ordered with the others the one whose chain has to hold the cell for the
// least time, and of these the one that was called last. It reports whether
// there is one.
func (c *cell) choose(ch *choice) bool {
	own := int32(-1) // the chain that the operation begins now
	if m := c.makes[ch.op]; m >= 0 {
		own = m
	}
	best, bestFits, least := -1, false, int64(math.MaxInt64)
	var two []int32
	c.each(ch.op, ch.value, func(at int) bool {
		s := &c.sources[ch.value][at]
		if len(two) < 2 && s.op >= 0 {
			two = append(two, s.op)
		}
		if s.unusable || s.spent && own >= 0 {
			return true
		}
		first, last := c.grow(ch.op, s, own)
		fits := c.fits(ch.op, s.segment, own, first, last)
		if held := max(0, last-first); fits && !bestFits || fits == bestFits && held < least {
			best, bestFits, least = at, fits, held
		}
		return true
	})
	for len(two) < 2 {
		two = append(two, ch.op) // the initial value is no operation's
	}
	ch.a, ch.b = two[0], two[1]
	if best < 0 {
		return false
	}
	s := &c.sources[ch.value][best]
	start := c.startOf(s.segment)
	c.firstOf[start], c.lastOf[start] = c.grow(ch.op, s, own)
	c.grown = append(c.grown, start)
	c.assign(ch.op, s)
	if own >= 0 {
		c.ends[s.segment] = ch.op
		return true
	}
	c.looksFirst[s.segment] = min(c.looksFirst[s.segment], c.ret[ch.op])
	c.looksLast[s.segment] = max(c.looksLast[s.segment], c.call[ch.op])
	return true
}

// grow gives the first return and the last call in the chain of a source if
// op is added to it, with the chain that op begins.
func (c *cell) grow(op int32, s *source, own int32) (first, last int64) {
	start := c.startOf(s.segment)
	first, last = min(c.firstOf[start], s.ret, c.ret[op]), max(c.lastOf[start], s.call, c.call[op])
	if own >= 0 {
		first, last = min(first, c.firstOf[own]), max(last, c.lastOf[own])
	}
	return first, last
}

// fits reports whether op can stand in a segment, in a chain that is then
// from first to last.
func (c *cell) fits(op, segment, own int32, first, last int64) bool {
	if !c.fitsChain(op, segment) || own >= 0 && c.looksLast[segment] > c.ret[op] {
		return false
	}
	start := c.startOf(segment)
	if start == own {
		return false // it would find what it led to itself
	}
	same := func(other int32) bool {
		if other < 0 {
			return false
		}
		other = c.startOf(other)
		return other == start || other == own
	}
	for at := len(c.grown) - 1; at >= max(0, len(c.grown)-nearby); at-- {
		if g := c.startOf(c.grown[at]); !same(g) && c.firstOf[g] < last && first < c.lastOf[g] {
			return false
		}
	}
	return !c.inTheWay(first, last, same)
}

// fitsChain reports whether op can come after what is before it in a chain,
// and before what is after it, if it finds the value of a segment.
func (c *cell) fitsChain(op, segment int32) bool {
	at := segment
	for range nearby {
		by := c.begins[at]
		if by < 0 {
			break
		}
		if c.call[by] > c.ret[op] {
			return false
		}
		if at = c.finds[by]; at < 0 {
			break
		}
		if c.looksLast[at] > c.ret[op] {
			return false
		}
	}
	at = segment
	for range nearby {
		end := c.ends[at]
		if end < 0 {
			break
		}
		if at = c.makes[end]; c.ret[end] < c.call[op] || c.looksFirst[at] < c.call[op] {
			return false
		}
	}
	return true
}

// startOf gives the segment that a segment's chain begins with, or one in it
// if the chain is long.
func (c *cell) startOf(segment int32) int32 {
	for range nearby {
		op := c.begins[segment]
		if op < 0 || c.finds[op] < 0 {
			break
		}
		segment = c.finds[op]
	}
	return segment
}
