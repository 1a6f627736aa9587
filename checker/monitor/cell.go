package monitor

import (
	"fmt"
	"strings"

	"github.com/mapatom/mapatom/checker/history"
)

// A cell decides the history of a register, or of one key of a map. It is
// used for one key after the other, to use its memory again.
type cell struct {
	// Columns of the operations.
	method        []history.Method
	value, second []int64
	call, ret     []int64
	initial       int64
	wantOrder     bool

	ids numbering
	// What each operation finds and leaves: first numbers of values, later
	// of segments. -1 for nothing; an operation with none of the three has
	// no effect and no result, and is left out.
	finds, makes []int32
	avoids       []int32 // of failed compare-and-swaps; nil if there are none
	open         []int32 // pending operations that can change something

	// By value: whether a complete operation finds it, and how many
	// operations make it, counted up to 2.
	found  []bool
	makers []uint8

	blind      bool  // some operation that takes effect leaves a value whatever it finds
	additions  bool  // there are pending additions other than of 0
	impossible int32 // an operation that no register can have, or -1

	chains
	resolver
	walk walk
}

// valueText gives the value with a number for a message.
func (c *cell) valueText(l *history.Log, id int32) history.Value {
	for _, column := range [][]int64{c.value, c.second, {c.initial}} {
		for _, v := range column {
			if c.ids.of(v) == id {
				return l.NameOf(v)
			}
		}
	}
	return ""
}

// initially stands for the operation that made the initial value.
const initially int32 = -2

// A cellAnswer is an answer in positions of the cell's columns.
type cellAnswer struct {
	ok      bool
	order   []int32
	core    []int32
	unclear []int32 // two operations; then there is no answer
	why     string  // phrase about them; %s is the value
	value   int32
}

// decide decides the history in the columns.
func (c *cell) decide() cellAnswer {
	c.number()
	c.readRoles()
	if c.impossible >= 0 {
		return cellAnswer{core: []int32{c.impossible}}
	}
	if !c.blind && c.prepareWalk() {
		return c.walkAnswer()
	}
	c.usePending()
	return c.decideByValues()
}

// number numbers the values that the operations speak of.
func (c *cell) number() {
	var sums []int64
	for i, m := range c.method {
		if m == history.FetchAdd && c.second[i] > history.Unknowable {
			sums = append(sums, c.second[i]+c.value[i])
		}
	}
	c.ids.reset(c.value, c.second, sums, []int64{c.initial})
}

// readRoles finds out what each operation finds and leaves.
func (c *cell) readRoles() {
	n := len(c.method)
	c.finds, c.makes = resize(c.finds, n), resize(c.makes, n)
	c.avoids, c.open = nil, c.open[:0]
	c.found, c.makers = fill(c.found, c.ids.count, false), fill(c.makers, c.ids.count, 0)
	c.blind, c.additions, c.several, c.impossible = false, false, false, -1
	first := c.ids.of(c.initial)
	c.makers[first] = 1
	for i := range int32(n) {
		if c.ret[i] == history.Pending {
			c.finds[i], c.makes[i] = -1, -1
			if c.canChange(i) {
				c.open = append(c.open, i)
			}
			continue
		}
		f, m := c.role(i)
		c.finds[i], c.makes[i] = f, m
		if f >= 0 {
			c.found[f] = true
		}
		if m >= 0 {
			c.blind = c.blind || f < 0
			c.made(m)
		}
	}
}

func (c *cell) made(id int32) {
	if c.makers[id]++; c.makers[id] > 1 {
		c.makers[id], c.several = 2, true
	}
}

// role gives what an operation that returned finds and leaves. One that
// leaves what it found only looks.
func (c *cell) role(i int32) (finds, makes int32) {
	v := c.value[i]
	switch c.method[i] {
	case history.Write:
		return -1, c.ids.of(v)
	case history.Read:
		return c.ids.of(v), -1
	case history.CASFailed:
		if c.avoids == nil {
			c.avoids = fill[int32](nil, len(c.method), -1)
		}
		c.avoids[i] = c.ids.of(v)
		return -1, -1
	}
	w := c.second[i]
	switch c.method[i] {
	case history.CAS:
		finds, makes = c.ids.of(v), c.ids.of(w)
	case history.Swap:
		finds, makes = c.ids.of(w), c.ids.of(v)
	case history.FetchAdd:
		if w == history.Absent {
			c.impossible = i
			return -1, -1
		}
		finds, makes = c.ids.of(w), c.ids.of(w+v)
	case history.GetOrPut:
		finds, makes = c.ids.of(w), -1
		if w == history.Absent {
			makes = c.ids.of(v)
		}
	}
	if finds == makes {
		makes = -1
	}
	return finds, makes
}

// canChange reports whether a pending operation may change the state.
func (c *cell) canChange(i int32) bool {
	v := c.value[i]
	switch c.method[i].Called() {
	case history.Read:
		return false
	case history.CAS:
		return v != c.second[i]
	case history.FetchAdd:
		c.additions = c.additions || v != 0
		return v != 0
	case history.GetOrPut:
		return v != history.Absent
	}
	return true
}

// openRole is role for a pending operation that is no addition, if it takes
// effect.
func (c *cell) openRole(i int32) (finds, makes int32) {
	switch c.method[i].Called() {
	case history.CAS:
		return c.ids.of(c.value[i]), c.ids.of(c.second[i])
	case history.GetOrPut:
		return c.ids.of(history.Absent), c.ids.of(c.value[i])
	}
	return -1, c.ids.of(c.value[i]) // Write, and Swap whose result nobody knows
}

func (c *cell) isAddition(i int32) bool { return c.method[i] == history.FetchAdd }

// prepareWalk reports whether every state has one next state at most, so
// that a walk can decide, and sets it up. Nothing that returned is blind.
func (c *cell) prepareWalk() bool {
	next := fill[int32](nil, c.ids.count, -1)
	follow := func(finds, makes int32) bool {
		if next[finds] < 0 {
			next[finds] = makes
		}
		return next[finds] == makes
	}
	for i, m := range c.makes {
		if m >= 0 && !follow(c.finds[i], m) {
			return false
		}
	}
	w := &c.walk
	w.adds, w.by = w.adds[:0], 0
	for _, i := range c.open {
		if c.isAddition(i) {
			w.adds = append(w.adds, i)
			continue
		}
		f, m := c.openRole(i)
		if f < 0 {
			// A blind operation that did not return. If nobody finds what
			// it leaves, nothing that changes the state comes after it, and
			// it may as well be left out.
			if c.avoids != nil || c.found[m] || c.additions || c.foundOpen(m) {
				return false
			}
		} else if !follow(f, m) {
			return false
		}
	}
	if len(w.adds) > 0 && !c.onlyAdds(c.value[w.adds[0]]) {
		return false
	}
	c.fillWalk()
	return true
}

// foundOpen reports whether a pending operation can find a value.
func (c *cell) foundOpen(id int32) bool {
	for _, i := range c.open {
		if c.isAddition(i) {
			return true
		}
		if f, _ := c.openRole(i); f == id {
			return true
		}
	}
	return false
}

// onlyAdds reports whether the one thing that changes the cell is to add by.
func (c *cell) onlyAdds(by int64) bool {
	for i, m := range c.makes {
		if m >= 0 && !(c.isAddition(int32(i)) && c.value[i] == by) {
			return false
		}
	}
	for _, i := range c.open {
		if !c.isAddition(i) || c.value[i] != by {
			return false
		}
	}
	c.walk.by = by
	return true
}

func (c *cell) fillWalk() {
	w := &c.walk
	w.call, w.ret, w.finds, w.makes, w.avoids = c.call, c.ret, c.finds, c.makes, c.avoids
	w.states, w.initial, w.first = c.ids.count, c.ids.of(c.initial), c.initial
	w.ids, w.value = &c.ids, nil
	if len(w.adds) > 0 {
		sortByCall(w.adds, c.call)
		w.value = func(op int32) int64 { return c.second[op] + c.value[op] }
		return
	}
	for _, i := range c.open {
		if f, m := c.openRole(i); f >= 0 {
			w.finds[i], w.makes[i] = f, m
		}
	}
}

func (c *cell) walkAnswer() cellAnswer {
	w := &c.walk
	if w.run() {
		return cellAnswer{ok: true, order: w.order}
	}
	return cellAnswer{core: w.core()}
}

// usePending gives the pending operations whose values are found the roles
// that they must have had. The others are left out: their values are gone
// before anybody looks. Additions, and operations that are not the only ones
// to make a value, are left to the resolver.
func (c *cell) usePending() {
	if len(c.open) == 0 {
		return
	}
	by := make(map[int32][]int32, len(c.open)) // pending operations by the value they make
	for _, i := range c.open {
		if c.isAddition(i) {
			continue
		}
		_, m := c.openRole(i)
		by[m] = append(by[m], i)
		c.made(m)
	}
	var use func(i int32)
	use = func(i int32) {
		f, m := c.openRole(i)
		if c.makes[i] >= 0 || !c.found[m] || c.makers[m] > 1 {
			return
		}
		c.finds[i], c.makes[i] = f, m
		c.blind = c.blind || f < 0
		if f >= 0 && !c.found[f] {
			c.found[f] = true
			for _, k := range by[f] {
				use(k)
			}
		}
	}
	for _, i := range c.open {
		if !c.isAddition(i) {
			use(i)
		}
	}
}

// registerAnswer decides the history of a register.
func registerAnswer(l *history.Log, o Options) answer {
	c := &o.cellsFor(1)[0]
	c.method, c.value, c.second, c.call, c.ret = l.Method, l.Value, l.Second, l.Call, l.Return
	c.initial, c.wantOrder = l.Initial, o.Order
	return c.answer(l, nil)
}

// mapAnswer decides the history of a map. Each key is a register that
// begins with the value Absent, which every delete leaves.
func mapAnswer(l *history.Log, o Options) answer {
	p := split(l.Key)
	cells := o.cellsFor(workersFor(o.Workers, l.Len()))
	answers := make([]answer, p.len())
	p.each(o.Workers, func(worker, from, to int) {
		c := &cells[worker]
		for part := from; part < to; part++ {
			rows := p.of(part)
			if len(rows) == 0 {
				answers[part].ok = true
				continue
			}
			c.load(l, rows)
			c.wantOrder = o.Order
			answers[part] = c.answer(l, rows)
		}
	})
	return joinParts(l, p, answers, o)
}

// joinParts is the answer of parts that have one each: no if one of them is
// not linearizable, and else open where one of them is.
func joinParts(l *history.Log, p *parts, answers []answer, o Options) answer {
	all := answer{ok: true}
	for part := range answers {
		a := &answers[part]
		switch {
		case a.reason != "":
			all.open = append(all.open, openPart{rows: p.of(part), answer: *a})
		case !a.ok:
			return answer{core: a.core}
		case o.Order:
			all.orders = append(all.orders, a.order)
		}
	}
	if len(all.open) > 0 {
		all.reason, all.unclear = all.open[0].reason, all.open[0].unclear
	} else if o.Order {
		all.order = merge(l, all.orders)
	}
	return all
}

// load copies the columns of some rows.
func (c *cell) load(l *history.Log, rows []int32) {
	n := len(rows)
	c.method, c.value, c.second = resize(c.method, n), resize(c.value, n), resize(c.second, n)
	c.call, c.ret = resize(c.call, n), resize(c.ret, n)
	c.initial = history.Absent
	for i, row := range rows {
		c.method[i], c.value[i] = l.Method[row], l.Value[row]
		c.call[i], c.ret[i] = l.Call[row], l.Return[row]
		c.second[i] = history.Absent
		if l.Second != nil {
			c.second[i] = l.Second[row]
		}
	}
}

// answer turns positions into rows; nil rows are all.
func (c *cell) answer(l *history.Log, rows []int32) answer {
	a := c.decide()
	if rows != nil {
		a.order, a.core, a.unclear = pick(rows, a.order), pick(rows, a.core), pick(rows, a.unclear)
	}
	b := answer{ok: a.ok, order: a.order, core: a.core, unclear: a.unclear, reason: a.why}
	if strings.Contains(a.why, "%s") {
		b.reason = fmt.Sprintf(a.why, c.valueText(l, a.value))
	}
	return b
}
