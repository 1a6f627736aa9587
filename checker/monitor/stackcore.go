package monitor

import (
	"slices"
	"sort"
)

// core gives a core when no value can be at the bottom: values each of which
// has an operation whose gaps are covered by the stays of the others. It
// starts with some value, and goes on to those that cover it and those that
// cover them until there are no new ones; of a few starts the one with the
// fewest values is taken.
func (d *digger) core() answer {
	rest := d.rest()
	var best []int32
	var bestRows []int32
	const starts = 64
	// All starts together look at no more values than there are, or little more.
	left := len(rest.values) + 1000
	for i := 0; i < len(rest.values) && left > 0; i += 1 + len(rest.values)/starts {
		values, rows := d.closed(rest, rest.values[i], best)
		if left -= len(values); best == nil || len(values) < len(best) {
			best, bestRows = values, rows
		}
	}
	return d.c.coreOf(best, bestRows...)
}

// closed goes on from one value to those that cover it. It stops as soon as it
// has as many values as there are in best, if that is not nil.
func (d *digger) closed(rest *leftOver, start int32, best []int32) (values, rows []int32) {
	values = []int32{start}
	seen := map[int32]bool{start: true}
	for i := 0; i < len(values); i++ {
		row, chain := d.stuck(rest, values[i], seen)
		if row >= 0 {
			rows = append(rows, row)
		}
		for _, v := range chain {
			if !seen[v] {
				seen[v] = true
				values = append(values, v)
			}
		}
		if best != nil && len(values) >= len(best) {
			break
		}
	}
	return values, rows
}

// stuck gives the values that cover an operation on v that is not free, those
// of the one with the fewest new ones if there are several. The row is that
// of a peek; for others it is -1.
func (d *digger) stuck(rest *leftOver, v int32, seen map[int32]bool) (row int32, chain []int32) {
	s, fewest := d.c.stays[v], -1
	try := func(r, from, to int32) {
		covering := rest.cover(d.c, v, from, to)
		fresh := 0
		for _, w := range covering {
			if !seen[w] {
				fresh++
			}
		}
		if fewest < 0 || fresh < fewest {
			fewest, row, chain = fresh, r, covering
		}
	}
	if d.freed[v]&insertFreed == 0 {
		try(-1, s.call, s.in)
	}
	if d.freed[v]&removeFreed == 0 {
		try(-1, s.out, s.ret)
	}
	if d.peeks.late != nil {
		for _, peek := range d.peeks.rest(v) {
			try(peek, d.c.ev.call[peek], d.c.ev.ret[peek])
		}
	}
	return row, chain
}

// leftOver are the values that could not be taken away and have to be there
// at some time, by the instant from which on they are.
type leftOver struct {
	values []int32
	in     []int32 // of those with a stay
	// longest and second are, up to each of in, the values that stay longest.
	longest, second []int32
}

func (d *digger) rest() *leftOver {
	c, r := d.c, &leftOver{}
	for v := range int32(len(c.stays)) {
		if !c.gone(v) && d.left[v] > 0 {
			r.values = append(r.values, v)
		}
	}
	byIn := slices.DeleteFunc(slices.Clone(r.values), func(v int32) bool { return c.stays[v].in > c.stays[v].out })
	slices.SortFunc(byIn, func(a, b int32) int { return int(c.stays[a].in - c.stays[b].in) })
	longest, second := int32(-1), int32(-1)
	stays := func(v int32) int32 {
		if v < 0 {
			return -1
		}
		return c.stays[v].out
	}
	for _, v := range byIn {
		switch {
		case stays(v) > stays(longest):
			longest, second = v, longest
		case stays(v) > stays(second):
			second = v
		}
		r.in = append(r.in, c.stays[v].in)
		r.longest, r.second = append(r.longest, longest), append(r.second, second)
	}
	return r
}

// cover gives values other than v that leave no gap from one instant up to
// another, the fewest that do.
func (r *leftOver) cover(c *container, v, from, to int32) (chain []int32) {
	for from < to {
		i := sort.Search(len(r.in), func(i int) bool { return r.in[i] > from }) - 1
		if i < 0 {
			return chain
		}
		w := r.longest[i]
		if w == v {
			w = r.second[i]
		}
		if w < 0 || c.stays[w].out <= from {
			return chain
		}
		chain = append(chain, w)
		from = c.stays[w].out
	}
	return chain
}
