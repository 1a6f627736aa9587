package monitor

import (
	"github.com/mapatom/mapatom/checker/history"
)

// queueAnswer decides the history of a queue. Values go in and come out in
// the same order, and that order is all there is to find: v has to be before
// w if v is in before the insertion of w is called, or if some operation that
// sees v in front returns before some such operation on w is called. A value
// that nothing else has to be before can be the first, and the rest be
// ordered without it.
func queueAnswer(l *history.Log, ev *events) answer {
	c, a := newContainer(l, ev)
	if c == nil {
		return a
	}
	grouped := c.groupPeeks()
	return c.decide(func() answer {
		e := epochs{c: c}
		found := e.findBeside()
		line := &line{c: c, seen: c.firstSeen(grouped)}
		core := line.sort()
		stuck, ok := found()
		switch {
		case core != nil:
			return c.coreOf(core, line.sights(core)...)
		case !ok:
			return stuck.core(c)
		}
		if !ev.wantOrder {
			return answer{ok: true}
		}
		return answer{ok: true, order: e.spread(line.merge(grouped))}
	})
}

// A line is the order in which the values of a queue go in and come out, as
// far as it is known. Two sweeps over the events find what can be next: the
// first looks at insertions, and stops at the instant at which the first
// value that is not in the order yet is in; the second looks at the other
// operations, and stops where the first of these has returned. Whose latest
// call a sweep has passed has nothing in its way on that side. Both only go
// forward, so all takes linear time.
type line struct {
	c    *container
	seen []int32 // instant at which the first peek or removal of each value returned; nil if there are no peeks

	order []int32
	ready []uint8 // of each value: the sweeps that let it be next, and whether it is in the order
	// waiting are values that can be next and are never removed. They are put
	// off as long as there are others: a removal that did not return can only
	// take what is before them.
	waiting []int32

	inserts int32 // event that the first sweep is at
	removes int32 // event that the second sweep is at
	// ahead is an event behind removes: a peek that returned is in nobody's
	// way but that of other values, so the sweep looks from there for the
	// latest call on the value that it stopped at.
	ahead int32
}

// Values of line.ready.
const (
	canGoIn uint8 = 1 << iota
	canComeOut
	inOrder
)

// firstSeen gives line.seen.
func (c *container) firstSeen(grouped *grouping) []int32 {
	if c.peeks == 0 {
		return nil
	}
	seen := make([]int32, len(c.stays))
	for v, s := range c.stays {
		seen[v] = s.ret
		for _, row := range grouped.of(int32(v)) {
			seen[v] = min(seen[v], c.ev.ret[row])
		}
	}
	return seen
}

func (q *line) firstSeen(v int32) int32 {
	if q.seen == nil {
		return q.c.stays[v].ret
	}
	return q.seen[v]
}

// sort orders the values. If it cannot, it gives up to three values each of
// which has to be before another one of them.
func (q *line) sort() (core []int32) {
	q.order = make([]int32, 0, q.c.present)
	q.ready = make([]uint8, len(q.c.stays))
	left := q.c.kept
	for len(q.order) < q.c.present {
		before := len(q.order)
		q.sweepInserts()
		q.sweepRemoves()
		if q.removes == q.c.end {
			for _, k := range left {
				if q.c.stays[k.value].out == q.c.end && !q.c.gone(k.value) {
					q.allow(k.value, canComeOut)
				}
			}
			left = nil
		}
		if len(q.order) > before {
			continue
		}
		if len(q.waiting) == 0 {
			return q.cycle()
		}
		for _, v := range q.waiting {
			q.append(v)
		}
		q.waiting = q.waiting[:0]
	}
	return nil
}

// allow notes that a value can be next as far as one sweep knows.
func (q *line) allow(v int32, sweep uint8) {
	if q.ready[v]&sweep != 0 {
		return
	}
	q.ready[v] |= sweep
	switch {
	case q.ready[v] != canGoIn|canComeOut:
	case q.c.stays[v].out == q.c.end:
		q.waiting = append(q.waiting, v)
	default:
		q.append(v)
	}
}

func (q *line) append(v int32) {
	q.ready[v] |= inOrder
	q.order = append(q.order, v)
}

func (q *line) sweepInserts() {
	for ; q.inserts < q.c.end; q.inserts++ {
		v := q.c.valueAt(q.inserts)
		if v < 0 {
			continue
		}
		switch q.inserts {
		case q.c.stays[v].call:
			q.allow(v, canGoIn)
		case q.c.stays[v].in:
			if q.ready[v]&inOrder == 0 {
				return
			}
		}
	}
}

func (q *line) sweepRemoves() {
	for ; q.removes < q.c.end; q.removes++ {
		v := q.c.valueAt(q.removes)
		if v < 0 {
			continue
		}
		switch q.removes {
		case q.c.stays[v].out:
			q.allow(v, canComeOut)
		case q.firstSeen(v):
			q.lookAhead(v)
			if q.ready[v]&inOrder == 0 {
				return
			}
		}
	}
}

// lookAhead goes on from where the second sweep has stopped at v until all
// operations on v were called, or another value that is not in the order yet
// was seen.
func (q *line) lookAhead(v int32) {
	if q.ready[v]&canComeOut != 0 {
		return
	}
	out := q.c.stays[v].out
	for q.ahead = max(q.ahead, q.removes+1); q.ahead < out; q.ahead++ {
		w := q.c.valueAt(q.ahead)
		if w >= 0 && w != v && q.ready[w]&inOrder == 0 && q.firstSeen(w) == q.ahead {
			return
		}
	}
	q.allow(v, canComeOut)
}

// cycle gives values that have to be before each other when no value can be
// next. The value that the first sweep stopped at can go in, so the second
// does not let it come out: first, where that one stopped, or if it is the
// same value, second, where it looked ahead to, has to be before it. Going on
// from there leads back to one of the three.
func (q *line) cycle() []int32 {
	first, second := q.c.valueAt(q.removes), int32(-1)
	if q.ready[first]&canComeOut == 0 {
		second = q.c.valueAt(q.ahead)
	}
	if q.inserts == q.c.end {
		return []int32{first, second}
	}
	in := q.c.valueAt(q.inserts)
	switch {
	case in == first:
		return []int32{first, second}
	case second < 0 || q.ready[first]&canGoIn == 0:
		return []int32{first, in}
	case q.ready[second]&canComeOut == 0:
		return []int32{first, second}
	}
	return []int32{first, second, in}
}

// sights gives the rows that see values first.
func (q *line) sights(values []int32) (rows []int32) {
	for _, v := range values {
		if seen := q.firstSeen(v); seen < q.c.end {
			rows = append(rows, ^q.c.ev.at[seen])
		}
	}
	return rows
}

// merge gives the linearization that belongs to the order, operations that
// found nothing left out. Insertions are in that order, and so are the other
// operations; each takes effect as early as it then can.
func (q *line) merge(grouped *grouping) []int32 {
	c := q.c
	m := merger{line: q, rows: make([]int32, 0, c.ev.n)}
	for i, v := range q.order {
		now := max(m.now, c.stays[v].call)
		for _, row := range grouped.of(v) {
			now = max(now, c.ev.call[row])
			m.put(row, now)
		}
		if c.remove[v] < 0 {
			// What removals that did not return could take is before, if
			// anything depends on it.
			c.leave(q.order[i+1:])
			break
		}
		m.put(c.remove[v], max(now, c.stays[v].out))
	}
	m.insertUntil(c.end)
	return m.rows
}

// leave lets no removal take the given values.
func (c *container) leave(values []int32) {
	for _, v := range values {
		if row := c.remove[v]; row >= 0 {
			c.remove[v], c.value[row], c.stays[v].out = -1, -1, c.end
		}
	}
}

// A merger merges the insertions into the other operations.
type merger struct {
	line     *line
	rows     []int32
	now      int32 // instant after which the last of the other operations takes effect
	inserted int   // how many values are in
	insert   int32 // instant after which the last of them went in
}

// put appends a row that takes effect right after an instant.
func (m *merger) put(row, instant int32) {
	m.insertUntil(instant)
	m.rows, m.now = append(m.rows, row), instant
}

// insertUntil appends the insertions that take effect up to an instant.
func (m *merger) insertUntil(instant int32) {
	for order := m.line.order; m.inserted < len(order); m.inserted++ {
		v := order[m.inserted]
		if m.insert = max(m.insert, m.line.c.stays[v].call); m.insert > instant {
			return
		}
		m.rows = append(m.rows, m.line.c.insert[v])
	}
}
