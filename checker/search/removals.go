package search

// A discipline says in which order a container gives back what was put in.
type discipline uint8

const (
	byValue discipline = iota
	firstInFirstOut
	lastInFirstOut
)

// content is what a row puts into a container or finds in it.
type content struct {
	value                int64
	puts, takes, watches bool // with takes of a pending row, value is not known
}

// removals look ahead to when values are taken out again. Rule R6: in a
// queue, there is no use in putting a value behind another one if it is
// known to be taken out first; in a stack, on top of another one if it is
// known to stay longer. Otherwise an order that was guessed wrong would show
// only when the values come out, and the search would have tried everything
// in between.
//
// The nth time that a value is taken out is not before the nth of the calls
// that take it, nor after the nth of their returns. A pending call may take
// any value, so that its call counts for all.
type removals struct {
	on         bool
	discipline discipline
	ids        map[int64]int32
	value      []int32   // of each operation that puts something in, else -1
	takes      []bool    // operations that take something out
	calls      [][]int32 // by value: events that call what takes it out
	returns    [][]int32 // by value: their returns
	puts       []int32   // by value: operations that put it in
	put        []int32   // by value: those of them that are taken out of the list
	watched    []bool    // by value: it is seen inside
	waiting    []int32   // events before the calls of pending operations that take something
	never      int32     // an event after all others
}

// forgets reports whether putting op's value in leaves the rest of the
// container out of reach for good. What is behind a value of a queue that
// never comes out, and what is below one of a stack, makes no difference to
// anything: states that differ there only are the same (rule R7). For a
// queue, the rest is what is put in from now on, and late is never.
func (r *removals) forgets(op int32, late int32) bool {
	if !r.on || r.value[op] < 0 {
		return false
	}
	switch r.discipline {
	case firstInFirstOut:
		return late == r.never
	case lastInFirstOut:
		return r.earliest(r.value[op], 1) == r.never
	}
	return false
}

// A bound is the return by which some value of a stack must be out: the
// least one of those that are inside.
type bound struct {
	event int32
	below *bound
}

// setRemovals collects when each value of the part is taken out.
func setRemovals[S any](g *engine[S]) {
	r := &g.removals
	r.on = g.sp.content != nil
	if !r.on {
		return
	}
	r.discipline, r.never = g.sp.discipline, g.last+1
	if r.ids == nil {
		r.ids = make(map[int64]int32)
	}
	clear(r.ids)
	r.calls, r.returns, r.puts, r.put, r.watched = r.calls[:0], r.returns[:0], r.puts[:0], r.put[:0], r.watched[:0]
	r.waiting = r.waiting[:0]
	r.value, r.takes = resize(r.value, len(g.rows)), resize(r.takes, len(g.rows))
	for op, row := range g.rows {
		isPending := g.isPending(int32(op))
		c := g.sp.content(row, isPending)
		r.value[op], r.takes[op] = -1, c.takes
		switch {
		case c.puts:
			r.value[op] = r.id(c.value)
			r.puts[r.value[op]]++
		// It may take any value, or find nothing.
		case c.takes && isPending:
			r.waiting = append(r.waiting, g.callAt[op])
		case c.takes:
			id := r.id(c.value)
			r.calls[id] = append(r.calls[id], g.callAt[op])
		case c.watches:
			r.watched[r.id(c.value)] = true
		}
	}
	for _, op := range g.byReturn {
		if r.takes[op] {
			id := r.id(g.sp.content(g.rows[op], false).value)
			r.returns[id] = append(r.returns[id], g.retAt[op])
		}
	}
}

// id numbers the values in the order in which they come up.
func (r *removals) id(v int64) int32 {
	id, ok := r.ids[v]
	if !ok {
		id = int32(len(r.puts))
		r.ids[v] = id
		r.calls, r.returns = append(r.calls, nil), append(r.returns, nil)
		r.puts, r.put, r.watched = append(r.puts, 0), append(r.put, 0), append(r.watched, false)
	}
	return id
}

// hopeless reports whether a value comes out more often than it goes in.
func (r *removals) hopeless() bool {
	for id, puts := range r.puts {
		if int(puts) < len(r.calls[id]) || r.watched[id] && puts == 0 {
			return true
		}
	}
	return false
}

// earliest gives the event before which the value cannot have been taken out
// n times: the nth of the calls that take it and of the pending ones.
func (r *removals) earliest(id, n int32) int32 {
	calls, least := r.calls[id], r.never
	for w := int32(0); w <= min(n, int32(len(r.waiting))); w++ {
		at, c := int32(0), n-w // w of the pending ones, c of the others
		if int(c) > len(calls) {
			continue
		}
		if c > 0 {
			at = calls[c-1]
		}
		if w > 0 {
			at = max(at, r.waiting[w-1])
		}
		least = min(least, at)
	}
	return least
}

// latest gives the event by which the value must have been taken out n times.
func (r *removals) latest(id, n int32) int32 {
	if int(n) > len(r.returns[id]) {
		return r.never
	}
	return r.returns[id][n-1]
}

// step counts op as out of the list, and reports whether it puts a value
// where it cannot come out in time.
func (r *removals) step(op int32, late *int32, bounds **bound) (dead bool) {
	if !r.on {
		return false
	}
	id := r.value[op]
	if id < 0 {
		if r.takes[op] && *bounds != nil {
			*bounds = (*bounds).below
		}
		return false
	}
	r.put[id]++
	switch r.discipline {
	case firstInFirstOut:
		n := r.put[id]
		dead = *late > r.latest(id, n)
		*late = max(*late, r.earliest(id, n))
	case lastInFirstOut:
		// Which of several that are the same comes out first is not known.
		by := r.never
		if n := int32(len(r.returns[id])); n >= r.puts[id] {
			by = r.latest(id, n)
		}
		if below := *bounds; below != nil {
			dead = r.earliest(id, 1) > below.event
			by = min(by, below.event)
		}
		*bounds = &bound{event: by, below: *bounds}
	}
	return dead
}

// unstep undoes the counting of step; the rest is in the configuration.
func (r *removals) unstep(op int32) {
	if r.on && r.value[op] >= 0 {
		r.put[r.value[op]]--
	}
}
