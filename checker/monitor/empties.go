package monitor

import "sync"

// epochs are the parts of a history between the gaps in which a container is
// found empty. Every operation that finds it so needs a gap in which no value
// has to be there; then each value can be moved into one of the epochs whole.
type epochs struct {
	c     *container
	rows  []int32 // rows that found nothing, in order of their gaps
	gaps  []int32 // the gap of each
	epoch []int32 // of each value: how many of the rows are before it
}

// find gives every operation that found nothing the latest gap in which it
// can have done so. If there is none for one of them it gives that one.
func (e *epochs) find() (stuck stuckOp, ok bool) {
	c := e.c
	if len(c.empties) == 0 {
		return stuckOp{}, true
	}
	there, last := 0, int32(-1) // values there now, and the last gap in which there were none
	for rank := range c.end {
		row := c.ev.at[rank]
		if row < 0 {
			row = ^row
		}
		if v := c.value[row]; v >= 0 {
			there += c.stays[v].change(rank)
		} else if rank == c.ev.ret[row] && c.isEmpty(row) {
			if last < c.ev.call[row] {
				return stuckOp{row: row, value: -1, from: c.ev.call[row], to: rank, higher: c.all()}, false
			}
			e.rows, e.gaps = append(e.rows, row), append(e.gaps, last)
		}
		if there == 0 {
			last = rank
		}
	}
	return stuckOp{}, true
}

// findBeside begins find, and gives what waits for its answer. Nothing that find
// looks at may be changed until then. It is worth a goroutine where there is
// much to go through.
func (e *epochs) findBeside() func() (stuckOp, bool) {
	if len(e.c.empties) == 0 || e.c.ev.n < batch {
		return e.find
	}
	var stuck stuckOp
	var ok bool
	var finding sync.WaitGroup
	finding.Go(func() { stuck, ok = e.find() })
	return func() (stuckOp, bool) {
		finding.Wait()
		return stuck, ok
	}
}

// change gives by how much the number of values that have to be there changes
// with an event of the value.
func (s *stay) change(rank int32) int {
	switch {
	case s.in > s.out:
		return 0
	case rank == s.in:
		return 1
	case rank == s.out:
		return -1
	}
	return 0
}

// all gives the values.
func (c *container) all() []int32 {
	values := make([]int32, len(c.stays))
	for v := range values {
		values[v] = int32(v)
	}
	return values
}

// spread sorts a linearization of the other rows by epoch, and puts the rows
// that found nothing between the epochs.
func (e *epochs) spread(order []int32) []int32 {
	if len(e.rows) == 0 {
		return order
	}
	e.number()
	// Epoch k is at next[k] on; the row that found nothing and ends it is at
	// the end of its place.
	next := make([]int32, len(e.rows)+2)
	for _, row := range order {
		next[e.epoch[e.c.value[row]]+1]++
	}
	for k := range e.rows {
		next[k+1] += next[k] + 1
	}
	all := make([]int32, len(order)+len(e.rows))
	for _, row := range order {
		k := e.epoch[e.c.value[row]]
		all[next[k]] = row
		next[k]++
	}
	for k, row := range e.rows {
		all[next[k]] = row
	}
	return all
}

// number finds the epoch of every value. All operations on a value can take
// effect in the gap before it is in and in the one after the last call, and
// none of the gaps lies between these.
func (e *epochs) number() {
	c := e.c
	e.epoch = make([]int32, len(c.stays))
	k := int32(0)
	for rank := range c.end {
		for int(k) < len(e.gaps) && e.gaps[k] < rank {
			k++
		}
		if v := c.valueAt(rank); v >= 0 && rank == min(c.stays[v].in, c.stays[v].out) {
			e.epoch[v] = k
		}
	}
}
