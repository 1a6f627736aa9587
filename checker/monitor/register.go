package monitor

import (
	"fmt"
	"strings"

	"github.com/mapatom/mapatom/checker/history"
)

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
