package monitor

import (
	"slices"
)

// A compare-and-swap that failed says only which value was not there. It is
// known to be wrong if the value must have been there from its call to its
// return; and it is known to be right if a linearization of the others has a
// place for it. In between it is the general search's.

// insideSegment looks for a failed compare-and-swap that lies between two
// operations with the value that it did not find, and gives them and it.
func (c *cell) insideSegment() []int32 {
	for i, v := range c.avoids {
		if v < 0 || c.makers[v] != 1 || c.begins[v] == -1 {
			continue
		}
		if c.firstSure(v) < c.call[i] && c.ret[i] < c.lastSure(v) {
			return c.around(v, int32(i))
		}
	}
	return nil
}

// firstSure gives the first return of an operation that shows that the
// segment has begun, lastSure the last call of one that shows that it has
// not ended.
func (c *cell) firstSure(segment int32) int64 {
	if c.begins[segment] == initially {
		return -1
	}
	return min(c.looksFirst[segment], c.ret[c.begins[segment]])
}

func (c *cell) lastSure(segment int32) int64 {
	if c.ends[segment] >= 0 {
		return max(c.looksLast[segment], c.call[c.ends[segment]])
	}
	return c.looksLast[segment]
}

// around gives the operations before and after op that keep the value of a
// segment there, with all that it takes to get it there.
func (c *cell) around(segment, op int32) []int32 {
	core := c.withMakers(segment, op)
	first, last := c.firstSure(segment), c.lastSure(segment)
	for i, f := range c.finds {
		if f == segment && (c.ret[i] == first || c.call[i] == last) {
			core = append(core, int32(i))
		}
	}
	return core
}

// placeAvoiders puts the failed compare-and-swaps into a linearization of
// the others, and gives one for which there is no place, or -1. The others
// take effect as early as they can in their order: one that failed because
// its value was replaced has the most room after the replacement.
func (c *cell) placeAvoiders(order []int32) ([]int32, int32) {
	times, states := c.replay(order)
	type place struct{ op, at int32 }
	var places []place
	for i, v := range c.avoids {
		if v < 0 {
			continue
		}
		at, _ := slices.BinarySearch(times, c.call[i])
		for ; states[at] == v; at++ {
			if at == len(order) || times[at] > c.ret[i] {
				return nil, int32(i)
			}
		}
		places = append(places, place{int32(i), int32(at)})
	}
	slices.SortStableFunc(places, func(a, b place) int {
		if a.at != b.at {
			return int(a.at - b.at)
		}
		return compare(c.call[a.op], c.call[b.op])
	})
	all := make([]int32, 0, len(order)+len(places))
	for at := range len(order) + 1 {
		for len(places) > 0 && int(places[0].at) == at {
			all, places = append(all, places[0].op), places[1:]
		}
		if at < len(order) {
			all = append(all, order[at])
		}
	}
	return all, -1
}

// replay gives the time at which each operation of a linearization takes
// effect, and the value before it, and the one at the end.
func (c *cell) replay(order []int32) (times []int64, states []int32) {
	times, states = make([]int64, len(order)), make([]int32, len(order)+1)
	now, state := int64(-1), c.ids.of(c.initial)
	for i, op := range order {
		now = max(now, c.call[op])
		times[i], states[i] = now, state
		if m := c.makes[op]; m >= 0 {
			state = c.valueOf(m)
		}
	}
	states[len(order)] = state
	return times, states
}
