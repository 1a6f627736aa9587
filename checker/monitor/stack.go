package monitor

import (
	"slices"
	"sort"

	"github.com/mapatom/mapatom/checker/history"
)

// stackAnswer decides the history of a stack. A value can be at the bottom if
// each operation on it has a gap in which no other value has to be there: its
// operations then part the history, and every other value can be moved to one
// side of each. So values are taken away from the bottom up until none is
// left, or none can be at the bottom.
func stackAnswer(l *history.Log, ev *events) answer {
	c, a := newContainer(l, ev)
	if c == nil {
		return a
	}
	grouped := c.groupPeeks()
	return c.decide(func() answer {
		found := (&epochs{c: c}).findBeside()
		d := newDigger(c, grouped)
		d.dig()
		stuck, ok := found()
		switch {
		case len(d.order) < c.present:
			return d.core()
		case !ok:
			return stuck.core(c)
		}
		if !ev.wantOrder {
			return answer{ok: true}
		}
		p := placement{c: c, grouped: grouped, heights: d.order, strict: true}
		p.place()
		return answer{ok: true, order: p.order()}
	})
}

// A digger takes values away from the bottom of a stack. An operation is free
// once it has a gap that belongs to no value but its own. What was free stays
// free, so every operation is freed once, and a value whose operations are
// all free can be taken away.
//
// Of the gaps only the peaks matter, those between a call and a return: from
// any other gap there is a way to a peak on which operations are called and
// none returns, or the other way round, and no value begins to have to be
// there.
//
// A peak is open when no value has to be there, and frees the operations
// that it lies in. It is alone when one value has to be there, and frees that
// value's peeks; insertions and removals of a value never lie where it has to
// be. When the value is taken away the peak is open.
type digger struct {
	c       *container
	grouped *grouping
	peaks   []int32 // gap of each peak
	cover   *coverage
	found   []int32 // values that can be at the bottom and are still there
	order   []int32 // values taken away

	open *gapSet // the open peaks, by gap
	// alone heads the list of the peaks that a value is alone at; -1 ends it.
	alone, nextAlone []int32

	left  []int32 // operations of each value that are not free
	freed []uint8 // of each value: which of its ends are
	peeks peekTrees
}

// Values of digger.freed. An insertion is done between call and in of the
// stay, a removal between out and ret, whatever row it was that narrowed
// them; peeks that contain one of the two are free when it is.
const (
	insertFreed uint8 = 1 << iota
	removeFreed
)

func newDigger(c *container, grouped *grouping) *digger {
	values := len(c.stays)
	d := &digger{
		c: c, grouped: grouped,
		open:  newGapSet(int(c.end)+1, false),
		order: make([]int32, 0, c.present),
		alone: fill[int32](nil, values, -1),
		left:  make([]int32, values), freed: make([]uint8, values),
	}
	for v, s := range c.stays {
		d.left[v] = 2
		if s.ret == c.forever {
			// After everything else the removal is in nobody's way.
			d.left[v], d.freed[v] = 1, removeFreed
		}
	}
	d.peeks = newPeekTrees(c, grouped, d.left)
	d.measure()
	return d
}

// measure finds the peaks and what covers them.
func (d *digger) measure() {
	c, count := d.c, 0
	for g := range c.end {
		if c.isPeak(g) {
			count++
		}
	}
	d.peaks = make([]int32, 0, count)
	d.nextAlone = make([]int32, count)
	d.cover = newCoverage(count, len(c.stays))
	covered, who := int32(0), int32(0)
	for g := range c.end {
		if v := c.valueAt(g); v >= 0 && c.stays[v].in < c.stays[v].out {
			switch g {
			case c.stays[v].in:
				covered, who = covered+1, who^v
				d.cover.from[v] = int32(len(d.peaks))
			case c.stays[v].out:
				covered, who = covered-1, who^v
				d.cover.to[v] = int32(len(d.peaks))
			}
		}
		if c.isPeak(g) {
			d.cover.set(int32(len(d.peaks)), covered, who)
			d.peaks = append(d.peaks, g)
		}
	}
	for _, k := range c.kept {
		if s := c.stays[k.value]; s.out == c.end {
			d.cover.to[k.value] = int32(count)
		}
	}
}

// isPeak reports whether a gap is between a call and a return, or the end.
func (c *container) isPeak(g int32) bool {
	return c.ev.at[g] >= 0 && (g+1 == c.end || c.ev.at[g+1] < 0)
}

// dig takes away what can be taken.
func (d *digger) dig() {
	d.cover.start(d.openPeak, d.leaveAlone)
	for len(d.found) > 0 {
		v := d.found[len(d.found)-1]
		d.found = d.found[:len(d.found)-1]
		d.order = append(d.order, v)
		d.cover.remove(v, d.leaveAlone)
		for k := d.alone[v]; k >= 0; k = d.nextAlone[k] {
			d.openPeak(k)
		}
	}
}

// leaveAlone notes that v is the only value that has to be there at a peak.
func (d *digger) leaveAlone(peak, v int32) {
	d.nextAlone[peak], d.alone[v] = d.alone[v], peak
	for d.peeks.take(v, d.peaks[peak]) {
		d.free(v)
	}
}

func (d *digger) free(v int32) {
	if d.left[v]--; d.left[v] == 0 {
		d.found = append(d.found, v)
	}
}

// openPeak frees the operations that a peak lies in. All that are not free
// lie between the open peaks before and after it, so they are found by their
// calls from the one to it, or by their returns from it to the other. The
// shorter way is at most half of what the two are apart, so each event is
// passed a logarithmic number of times.
func (d *digger) openPeak(peak int32) {
	gap := d.peaks[peak]
	before, after := d.open.prev(gap), d.open.next(gap)
	if after < 0 {
		after = d.c.end - 1
	}
	d.open.add(gap)
	if gap-before <= after-gap {
		for instant := gap; instant > before; instant-- {
			if row := d.c.ev.at[instant]; row >= 0 {
				d.freeCalled(row, instant, gap)
			}
		}
		return
	}
	for instant := gap + 1; instant <= after; instant++ {
		if row := d.c.ev.at[instant]; row < 0 {
			d.freeReturned(^row, instant, gap)
		}
	}
}

// freeCalled frees the operation that was called at an instant, if the gap,
// which is later, lies in it.
func (d *digger) freeCalled(row, call, gap int32) {
	v := d.c.value[row]
	if v < 0 || d.left[v] == 0 {
		return
	}
	s := &d.c.stays[v]
	if call == s.call && gap < s.in {
		d.freeEnd(v, insertFreed)
	}
	if call == s.out && gap < s.ret {
		d.freeEnd(v, removeFreed)
	}
	if gap < d.c.ev.ret[row] && d.peeks.takeRow(row) {
		d.free(v)
	}
}

// freeReturned is freeCalled for an operation that returned at an instant
// after the gap.
func (d *digger) freeReturned(row, ret, gap int32) {
	v := d.c.value[row]
	if v < 0 || d.left[v] == 0 {
		return
	}
	s := &d.c.stays[v]
	if ret == s.in && s.call <= gap {
		d.freeEnd(v, insertFreed)
	}
	if ret == s.ret && s.out <= gap {
		d.freeEnd(v, removeFreed)
	}
	if d.c.ev.call[row] <= gap && d.peeks.takeRow(row) {
		d.free(v)
	}
}

func (d *digger) freeEnd(v int32, end uint8) {
	if d.freed[v]&end == 0 {
		d.freed[v] |= end
		d.free(v)
	}
}

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
