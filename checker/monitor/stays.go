package monitor

import (
	"slices"

	"github.com/mapatom/mapatom/checker/history"
)

// A container is the log of a queue, stack or priority queue, seen by the
// values that went in. An instant is the rank of an event; gap g is the time
// between the events g and g+1, and an operation takes effect in one of the
// gaps from its call up to, but not including, its return. Operations that
// can all take effect in the same gap can do so in any order.
//
// Everything here rests on three facts. A container stays one if all
// operations of some values are left out, so what is said of some values of a
// history holds of the whole. A value that is never removed could as well be
// removed after everything else. And an operation that finds the container
// empty needs a gap in which no value has to be there; if there is one, all
// values can be moved to one side of it or the other.
type container struct {
	l  *history.Log
	ev *events
	// end is the gap after all events. The values left over go there, all at
	// once, so that no value has to be there in that gap.
	end     int32
	forever int32 // an instant after all others

	value   []int32 // each row's value; -1 if it has none, or cannot have mattered
	stays   []stay  // of each value
	insert  []int32 // row of each value's insertion
	remove  []int32 // row of each value's removal, -1 if there is none
	peeks   int     // rows of peeks that returned
	empties []int32 // rows that found nothing

	open    []int32    // rows of removals that did not return
	kept    []leftover // values without a removal that returned
	present int        // values that are in the container at some time
}

// A stay is when a value is in the container. It goes in between call and in,
// is there from in to out if in is less than out, and goes out between out
// and ret. A value is in before anything done to it returns, and stays until
// everything done to it was called; that is where in and out come from.
type stay struct{ call, in, out, ret int32 }

// A leftover is a value without a removal that returned, and the latest call
// of any operation on it.
type leftover struct{ value, used int32 }

// newContainer measures the stays of the values. If a value's own rows are
// already at odds with each other there is no container but an answer. The
// events are those of a log whose values are told apart.
func newContainer(l *history.Log, ev *events) (*container, answer) {
	c := &container{l: l, ev: ev, end: int32(len(ev.at)), forever: int32(2*ev.n + 1)}
	c.number()
	c.measure()
	if core := c.close(); core != nil {
		slices.Sort(core)
		return nil, answer{core: slices.Compact(core)}
	}
	return c, answer{}
}

// number gives the values, at the rows that put them in, the numbers 0, 1, 2 and so on in order of row. What
// is done about the same time then lies close together in memory, whatever
// the values are.
func (c *container) number() {
	c.value = make([]int32, c.ev.n)
	inserts := 0
	for _, m := range c.l.Method {
		if m == history.Insert {
			inserts++
		}
	}
	c.insert = make([]int32, 0, inserts)
	for row, m := range c.l.Method {
		if m == history.Insert {
			c.value[row] = int32(len(c.insert))
			c.insert = append(c.insert, int32(row))
		}
	}
}

// measure finds the value of each row, and the first and the last of the
// instants of each value.
func (c *container) measure() {
	c.stays, c.remove = make([]stay, len(c.insert)), make([]int32, len(c.insert))
	for v := range c.stays {
		c.stays[v] = stay{in: c.forever, ret: c.forever}
		c.remove[v] = -1
	}
	for i, m := range c.l.Method {
		row := int32(i)
		insert := c.ev.insertOf[row]
		if insert < 0 {
			c.value[row] = -1
			switch {
			case m == history.Remove:
				c.open = append(c.open, row)
			case c.isEmpty(row):
				c.empties = append(c.empties, row)
			}
			continue
		}
		v := c.value[insert]
		c.value[row] = v
		s := &c.stays[v]
		switch m {
		case history.Insert:
			s.call = c.ev.call[row]
		case history.Remove:
			c.remove[v], s.ret = row, c.ev.ret[row]
		case history.Peek:
			c.peeks++
		}
		s.out = max(s.out, c.ev.call[row])
		if !c.ev.pending(row) {
			s.in = min(s.in, c.ev.ret[row])
		}
	}
}

// close completes the stays, and gives a core if a value is seen before it
// goes in or after it has gone out. An insertion that did not return and left
// no trace is forgotten: whatever can happen with it can happen without.
func (c *container) close() (core []int32) {
	for v := range c.stays {
		s := &c.stays[v]
		switch {
		case s.in == c.forever:
			c.value[c.insert[v]] = -1
			continue
		case s.in < s.call:
			return []int32{c.insert[v], ^c.ev.at[s.in]}
		case c.remove[v] < 0:
			c.kept = append(c.kept, leftover{int32(v), s.out})
			s.out = c.end
		case s.out > s.ret:
			return []int32{c.insert[v], c.remove[v], c.ev.at[s.out]}
		}
		c.present++
	}
	return nil
}

// isEmpty reports whether a row found nothing.
func (c *container) isEmpty(row int32) bool {
	m := c.l.Method[row]
	return m == history.RemoveEmpty || m == history.PeekEmpty
}

// gone reports whether a value was never in the container.
func (c *container) gone(v int32) bool { return c.stays[v].in == c.forever }

// A grouping has the rows of the peeks of each value, in order of call.
type grouping struct {
	start []int32 // the rows of value v are rows[start[v]:start[v+1]]
	rows  []int32
}

func (g *grouping) of(v int32) []int32 {
	if g.rows == nil {
		return nil
	}
	return g.rows[g.start[v]:g.start[v+1]]
}

// groupPeeks groups the peeks that returned.
func (c *container) groupPeeks() *grouping {
	if c.peeks == 0 {
		return &grouping{}
	}
	// Counted two places up, the starts are ready when all rows are placed.
	start := make([]int32, len(c.stays)+2)
	for i, m := range c.l.Method {
		if m == history.Peek && c.value[i] >= 0 {
			start[c.value[i]+2]++
		}
	}
	for v := 2; v < len(start); v++ {
		start[v] += start[v-1]
	}
	rows := make([]int32, c.peeks)
	for _, row := range c.ev.at {
		if row >= 0 && c.l.Method[row] == history.Peek && c.value[row] >= 0 {
			v := c.value[row] + 1
			rows[start[v]] = row
			start[v]++
		}
	}
	return &grouping{start: start, rows: rows}
}

// witnesses appends the rows that make the stay of a value what it is.
func (c *container) witnesses(core []int32, v int32) []int32 {
	s := c.stays[v]
	core = append(core, c.insert[v], ^c.ev.at[s.in])
	if s.out < c.end {
		core = append(core, c.ev.at[s.out])
	}
	if c.remove[v] >= 0 {
		core = append(core, c.remove[v])
	}
	return core
}

// coreOf is a core of the given rows and what witnesses the given values.
func (c *container) coreOf(values []int32, rows ...int32) answer {
	core := slices.Clone(rows)
	for _, v := range values {
		core = c.witnesses(core, v)
	}
	// What a removal that did not return took is our choice and no fact.
	core = slices.DeleteFunc(core, func(row int32) bool {
		return c.l.Method[row] == history.Remove && c.ev.pending(row)
	})
	slices.Sort(core)
	return answer{core: slices.Compact(core)}
}

// blockers gives values whose stays leave no gap from one instant up to
// another, with as few values as there can be. candidates are the values to
// choose from.
func (c *container) blockers(from, to int32, candidates []int32) []int32 {
	candidates = slices.DeleteFunc(slices.Clone(candidates), func(v int32) bool {
		s := c.stays[v]
		return c.gone(v) || s.in >= to || s.out <= from || s.in >= s.out
	})
	slices.SortFunc(candidates, func(a, b int32) int { return int(c.stays[a].in - c.stays[b].in) })
	var chain []int32
	for from < to {
		longest := int32(-1)
		for len(candidates) > 0 && c.stays[candidates[0]].in <= from {
			if longest < 0 || c.stays[candidates[0]].out > c.stays[longest].out {
				longest = candidates[0]
			}
			candidates = candidates[1:]
		}
		if longest < 0 || c.stays[longest].out <= from {
			return chain
		}
		chain = append(chain, longest)
		from = c.stays[longest].out
	}
	return chain
}

// valueAt gives the value of the operation that an event belongs to, -1 if it
// has none.
func (c *container) valueAt(instant int32) int32 {
	row := c.ev.at[instant]
	// The complement of a return is its row.
	return c.value[row^row>>31]
}
