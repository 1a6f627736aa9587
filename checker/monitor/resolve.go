package monitor

import (
	"slices"

	"github.com/mapatom/mapatom/checker/history"
)

// A resolver says which operation left the value that another one found,
// where several leave the same value: most often the deletes of a key, which
// all leave it absent.
//
// Two forms are exact. If nothing is blind and one value only comes again,
// everything else stands between two of its times, and who left it does not
// matter: it is the base of the chains. And if for each operation that finds
// the value time leaves one candidate, there is no choice. Elsewhere the
// resolver chooses, so that an order that fits is right all the same. If
// none fits, it forgets what it chose: without it the history has less to
// fulfil, so that what is wrong then was wrong before. The rest is ambiguous.
type resolver struct {
	several bool    // some value is made by several operations
	extra   []int32 // value of each segment that is not the first of its value

	sources map[int32][]source // by value, in order of call
	chosen  []choice
	growth
	// replaced is, of each operation that finds a value with sources, the
	// last call of an operation that returned before it was called and
	// leaves a value. What returned before that was replaced.
	replaced   []int64
	replacedBy []int32
}

// A source is an operation that may have left a value that comes again.
type source struct {
	op          int32 // or initially
	segment     int32
	call, ret   int64 // call may be later than the operation's: it takes no effect before
	first, last int64 // of the segment, as far as it is known
	spent       bool  // something takes the value away
	unusable    bool  // it did not return, and needs to find a value itself
	latest      int64 // return of it and all that were called before
}

// A choice is an operation whose source was chosen, with two that it could
// have been.
type choice struct {
	op, value int32
	a, b      int32
}

// valueOf gives the value of a segment.
func (c *cell) valueOf(segment int32) int32 {
	if int(segment) < c.ids.count {
		return segment
	}
	return c.extra[int(segment)-c.ids.count]
}

func (c *cell) newSegment(value int32) int32 {
	c.extra = append(c.extra, value)
	c.segments++
	return int32(c.segments - 1)
}

// resolve turns values into segments. It gives a core if an operation has
// no source.
func (c *cell) resolve() []int32 {
	c.segments, c.base = c.ids.count, -1
	c.extra, c.chosen, c.sources = c.extra[:0], c.chosen[:0], nil
	if !c.several {
		return nil
	}
	c.base = c.findBase()
	c.listSources()
	if len(c.sources) == 0 {
		return nil
	}
	c.findReplacements()
	var open []int32
	for i, f := range c.finds {
		if f < 0 || c.sources[f] == nil {
			continue
		}
		count, at := c.candidates(int32(i), f)
		switch {
		case count == 0:
			return c.noSource(int32(i), f)
		case count == 1 && !c.sources[f][at].unusable:
			c.assign(int32(i), &c.sources[f][at])
		default:
			open = append(open, int32(i))
		}
	}
	sortByCall(open, c.call)
	for _, i := range open {
		c.chosen = append(c.chosen, choice{op: i, value: c.finds[i]})
		c.finds[i] = -1
	}
	return nil
}

// findBase gives the one value that comes again and is found, if nothing is
// blind and no pending operation may leave it; else -1.
func (c *cell) findBase() int32 {
	base := int32(-1)
	if c.blind || c.additions {
		return -1
	}
	for id, count := range c.makers {
		if count > 1 && c.found[id] {
			if base >= 0 {
				return -1
			}
			base = int32(id)
		}
	}
	for _, i := range c.open {
		if _, m := c.openRole(i); m == base {
			return -1
		}
	}
	return base
}

// listSources gives every operation that leaves a value which comes again a
// segment, and lists those whose value is found.
func (c *cell) listSources() {
	c.sources = make(map[int32][]source)
	add := func(value int32, s source) {
		if c.found[value] {
			s.first, s.last = s.ret, s.call
			c.sources[value] = append(c.sources[value], s)
		}
	}
	maker := c.makersOfOne()
	first := c.ids.of(c.initial)
	used := make(map[int32]bool)
	if c.makers[first] > 1 && first != c.base {
		used[first] = c.found[first]
		add(first, source{op: initially, segment: first, call: -1, ret: -1})
	}
	for i, m := range c.makes {
		if m < 0 || m == c.base || c.makers[m] < 2 {
			continue
		}
		segment := m
		if used[m] {
			segment = c.newSegment(m)
		}
		used[m] = true
		c.makes[i] = segment
		add(m, source{op: int32(i), segment: segment, call: c.callWith(int32(i), maker), ret: c.ret[i]})
	}
	for _, i := range c.open {
		if c.isAddition(i) || c.makes[i] >= 0 {
			continue
		}
		if f, m := c.openRole(i); c.makers[m] > 1 && m != c.base && c.found[m] {
			add(m, source{op: i, segment: c.newSegment(m), call: c.call[i], ret: history.Pending, unusable: f >= 0})
		}
	}
	for _, list := range c.sources {
		slices.SortStableFunc(list, func(a, b source) int { return compare(a.call, b.call) })
		latest := int64(-1)
		for k := range list {
			latest = max(latest, list[k].ret)
			list[k].latest = latest
		}
	}
}

// makersOfOne gives the operation that leaves each value, where there is one
// only; -1 elsewhere.
func (c *cell) makersOfOne() []int32 {
	maker := fill[int32](nil, c.ids.count, -1)
	for i, m := range c.makes {
		if m >= 0 && c.makers[m] == 1 {
			maker[m] = int32(i)
		}
	}
	return maker
}

// callWith gives the first time at which an operation can have taken effect:
// not before what left the value that it found was called.
func (c *cell) callWith(op int32, maker []int32) int64 {
	call := c.call[op]
	for range nearby {
		f := c.finds[op]
		if f < 0 || maker[f] < 0 {
			break
		}
		op = maker[f]
		call = max(call, c.call[op])
	}
	return call
}

// findReplacements goes through the events and notes, at the call of each
// operation that needs a source, which one that returned was called last.
func (c *cell) findReplacements() {
	c.replaced, c.replacedBy = fill(c.replaced, len(c.finds), -1), fill(c.replacedBy, len(c.finds), -1)
	last, by := int64(-1), int32(-1)
	for _, e := range rank(c.call, c.ret).at {
		if e >= 0 {
			c.replaced[e], c.replacedBy[e] = last, by
		} else if op := ^e; c.makes[op] >= 0 && c.call[op] > last {
			last, by = c.call[op], op
		}
	}
}

// each calls do with the sources that can be those of op, the one that was
// called last first, until it returns false. A source cannot be called after
// op returned, nor have been replaced before op was called.
func (c *cell) each(op, value int32, do func(at int) bool) {
	list := c.sources[value]
	at, _ := slices.BinarySearchFunc(list, c.ret[op], func(s source, t int64) int {
		if s.call <= t {
			return -1
		}
		return 1
	})
	for at--; at >= 0 && list[at].latest >= c.replaced[op]; at-- {
		if list[at].ret >= c.replaced[op] && list[at].op != op && !do(at) {
			return
		}
	}
}

// candidates counts the sources that an operation can have, up to two, and
// gives one.
func (c *cell) candidates(op, value int32) (count, one int) {
	c.each(op, value, func(at int) bool {
		count, one = count+1, at
		return count < 2
	})
	return count, one
}

// noSource gives the operations that show that a value cannot be found: the
// one that found it, the one that had replaced it, and those before; or all,
// if some of these need others.
func (c *cell) noSource(op, value int32) []int32 {
	core := []int32{op}
	if by := c.replacedBy[op]; by >= 0 {
		core = append(core, by)
	}
	for _, s := range c.sources[value] {
		if s.op >= 0 && s.call <= c.ret[op] && s.op != op {
			core = append(core, s.op)
		}
	}
	for _, i := range core[1:] {
		if c.finds[i] >= 0 || c.makes[i] < 0 {
			return c.everything()
		}
	}
	return core
}

func (c *cell) everything() []int32 {
	all := make([]int32, len(c.finds))
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

// assign makes an operation find the value that a source left.
func (c *cell) assign(op int32, s *source) {
	c.finds[op] = s.segment
	if s.op >= 0 && c.makes[s.op] < 0 {
		c.makes[s.op] = s.segment // it did not return, but must have taken effect
	}
	s.first, s.last = min(s.first, c.ret[op]), max(s.last, c.call[op])
	s.spent = s.spent || c.makes[op] >= 0
}

// decideByValues decides by the order of chains. What has a choice of
// sources is left out first: what only looks is not there, and what leaves
// another value does so whatever it finds. So the history has less to
// fulfil, and what is wrong is wrong.
func (c *cell) decideByValues() cellAnswer {
	if core := c.resolve(); core != nil {
		return c.no(core)
	}
	core, pair := c.check()
	switch {
	case core == nil && pair == nil && len(c.chosen) == 0:
		return c.yes()
	case core != nil || pair != nil:
		if len(c.chosen) > 0 {
			core = c.everything() // what was left out may be needed
		} else if pair != nil {
			core = c.conflict(pair)
		}
		return c.no(core)
	}
	c.measure()
	for i := range c.chosen {
		if ch := &c.chosen[i]; !c.choose(ch) {
			return c.unclear(ch)
		}
	}
	if core, pair := c.check(); core == nil && pair == nil {
		return c.yes()
	}
	return c.unclear(&c.chosen[0])
}

func (c *cell) unclear(ch *choice) cellAnswer {
	return cellAnswer{unclear: []int32{ch.a, ch.b}, value: ch.value, why: "either may have left the value %s"}
}

// check looks for a fault in the segments as they are: operations, or two
// blocks.
func (c *cell) check() (core []int32, pair []block) {
	if core = c.gather(); core != nil {
		return core, nil
	}
	if core = c.link(); core != nil {
		return core, nil
	}
	if c.avoids != nil {
		if core = c.insideSegment(); core != nil {
			return core, nil
		}
	}
	return nil, c.order()
}

// no is the answer where something is wrong, unless a pending addition may
// put it right.
func (c *cell) no(core []int32) cellAnswer {
	if !c.additions {
		return cellAnswer{core: core}
	}
	var two []int32
	for _, i := range c.open {
		if c.isAddition(i) && len(two) == 0 {
			two = append(two, i)
		}
	}
	for _, i := range core {
		if i != two[0] && len(two) == 1 {
			two = append(two, i)
		}
	}
	return cellAnswer{unclear: two, why: "the first did not return, and may have left any value"}
}

// yes is the answer where every two blocks can be ordered, if failed
// compare-and-swaps fit in.
func (c *cell) yes() cellAnswer {
	a := cellAnswer{ok: true}
	if !c.wantOrder && c.avoids == nil {
		return a
	}
	a.order = c.lay(c.sequence())
	if c.avoids == nil {
		return a
	}
	all, misfit := c.placeAvoiders(a.order)
	if misfit >= 0 {
		by := c.begins[c.avoids[misfit]]
		if by < 0 {
			by = misfit
		}
		return cellAnswer{unclear: []int32{by, misfit}, why: "the value of the first may or may not have been there when the second failed"}
	}
	a.order = all
	return a
}
