package monitor

// A placement finds a gap for every operation, given the height of every
// value: an operation may take effect only where no higher value has to be
// in the container. That is all a priority queue asks for, with its values
// from the lowest to the highest priority; a stack asks it of insertions as
// well, with the values at the bottom lowest.
//
// Values are placed from the highest to the lowest, each as close to its own
// stay as it can. Then no lower value's operation ever falls strictly between
// the gaps in which a higher one goes in and out, since it would be in a gap
// that was free and nearer; and order can sort out the operations that share
// a gap, which are concurrent with each other.
type placement struct {
	c       *container
	grouped *grouping
	heights []int32 // the values, lowest first; may hold values that were never there
	strict  bool    // insertions too need a gap without higher values
	free    *gapSet // gaps in which no value placed so far has to be there
	gap     []int32 // of each row; nil if no linearization is asked for
}

// place places everything. If some operation has no gap left it gives the
// row, its value (-1 if it found nothing) and the instants its gaps lie
// between.
func (p *placement) place() (stuck stuckOp, ok bool) {
	if p.grouped == nil {
		p.grouped = p.c.groupPeeks()
	}
	p.free = newGapSet(int(p.c.end)+1, true)
	if p.c.ev.wantOrder {
		p.gap = make([]int32, p.c.ev.n)
	}
	for top := len(p.heights); top > 0; top -= atOnce {
		if stuck, ok = p.placeBatch(max(0, top-atOnce), top); !ok {
			return stuck, false
		}
	}
	for _, row := range p.c.empties {
		call, ret := p.c.ev.call[row], p.c.ev.ret[row]
		gap := p.free.next(call)
		if gap >= ret {
			return stuckOp{row, -1, call, ret, p.heights}, false
		}
		p.put(row, gap)
	}
	return stuckOp{}, true
}

// atOnce is how many stays are read at once: from all over the memory, that is
// much faster than to wait for one after the other.
const atOnce = 64

// placeBatch places the values with heights from low up to, but not including,
// high.
func (p *placement) placeBatch(low, high int) (stuck stuckOp, ok bool) {
	var stays [atOnce]stay
	for i, v := range p.heights[low:high] {
		stays[i] = p.c.stays[v]
	}
	for i := high - 1; i >= low; i-- {
		s := &stays[i-low]
		if s.in == p.c.forever {
			continue
		}
		if stuck, ok = p.placeValue(p.heights[i], s); !ok {
			stuck.higher = p.heights[i+1:]
			return stuck, false
		}
		if s.in < s.out {
			p.free.take(s.in, s.out)
		}
	}
	return stuckOp{}, true
}

// A stuckOp is an operation that cannot take effect, since from one instant
// to another the higher values leave it no gap.
type stuckOp struct {
	row, value int32
	from, to   int32
	higher     []int32
}

// core gives the rows that keep the operation from taking effect.
func (s *stuckOp) core(c *container) answer {
	values := c.blockers(s.from, s.to, s.higher)
	if s.value >= 0 {
		values = append(values, s.value)
	}
	return c.coreOf(values, s.row)
}

// placeValue places the operations on one value. A peek that cannot go where
// its value goes out goes into the latest free gap it has. If that is before
// the value's stay it is the same gap for all such peeks, and for the
// insertion of a stack: the last free one before the stay.
func (p *placement) placeValue(v int32, s *stay) (stuck stuckOp, ok bool) {
	ev := p.c.ev
	out := p.free.next(s.out)
	if out >= s.ret {
		return stuckOp{row: p.c.remove[v], value: v, from: s.out, to: s.ret}, false
	}
	in := min(s.in-1, out)
	if p.strict {
		if in = p.free.prev(s.in - 1); in < s.call {
			return stuckOp{row: p.c.insert[v], value: v, from: s.call, to: s.in}, false
		}
		in = min(in, out)
	}
	for _, row := range p.grouped.of(v) {
		if ev.ret[row] > out {
			p.put(row, out)
			continue
		}
		call := max(ev.call[row], s.call)
		gap := p.free.prev(ev.ret[row] - 1)
		if gap < call {
			return stuckOp{row: row, value: v, from: call, to: ev.ret[row]}, false
		}
		p.put(row, gap)
		in = min(in, gap)
	}
	if p.gap != nil {
		p.gap[p.c.insert[v]] = in
		if p.c.remove[v] >= 0 {
			p.gap[p.c.remove[v]] = out
		}
	}
	return stuckOp{}, true
}

func (p *placement) put(row, gap int32) {
	if p.gap != nil {
		p.gap[row] = gap
	}
}

// order gives the linearization. What shares a gap is in three parts: values
// that were there before leave, the highest first, with those that go in and
// out in the gap among them; the container is then empty for all whose gap
// this is; and values that stay go in, the lowest first.
func (p *placement) order() []int32 {
	w := p.newWriter()
	for i := len(p.heights) - 1; i >= 0; i-- {
		if v := p.heights[i]; !p.c.gone(v) {
			p.leave(w, v)
		}
	}
	for _, row := range p.c.empties {
		w.write(row, p.gap[row])
	}
	for _, v := range p.heights {
		if !p.c.gone(v) {
			p.enter(w, v)
		}
	}
	// What was counted and not written is in the last gap, and so behind.
	return w.rows[:w.next[p.c.end]]
}

// gaps gives the gaps in which a value goes in and out.
func (p *placement) gaps(v int32) (in, out int32) {
	in, out = p.gap[p.c.insert[v]], p.c.end
	if p.c.remove[v] >= 0 {
		out = p.gap[p.c.remove[v]]
	}
	return in, out
}

// leave writes the operations on a value after the gap in which it goes in,
// and all of them if it goes out in the same one.
func (p *placement) leave(w *writer, v int32) {
	in, out := p.gaps(v)
	if in == out {
		w.write(p.c.insert[v], in)
	}
	for _, row := range p.grouped.of(v) {
		if p.gap[row] > in || in == out {
			w.write(row, p.gap[row])
		}
	}
	// A removal that did not return, and is no earlier than everything that
	// is left over, need not have taken place.
	if out < p.c.end {
		w.write(p.c.remove[v], out)
	}
}

// enter writes the operations that leave does not.
func (p *placement) enter(w *writer, v int32) {
	in, out := p.gaps(v)
	if in == out {
		return
	}
	w.write(p.c.insert[v], in)
	for _, row := range p.grouped.of(v) {
		if p.gap[row] == in {
			w.write(row, in)
		}
	}
}

// A writer sorts rows by gap as they come.
type writer struct {
	next []int32 // place of the next row of each gap
	rows []int32
}

// newWriter counts the rows that order writes.
func (p *placement) newWriter() *writer {
	w := &writer{next: make([]int32, p.c.end+2)}
	for row, v := range p.c.value {
		if v >= 0 || p.c.isEmpty(int32(row)) {
			w.next[p.gap[row]+1]++
		}
	}
	for gap := range p.c.end + 1 {
		w.next[gap+1] += w.next[gap]
	}
	w.rows = make([]int32, w.next[p.c.end+1])
	return w
}

func (w *writer) write(row, gap int32) {
	w.rows[w.next[gap]] = row
	w.next[gap]++
}
