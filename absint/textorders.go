package absint

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/reduce"
)

// orders says what the call gives where it runs as one step.
func (d *drawing) orders() {
	d.paragraph("", "As one atomic step, the call would come either")
	width := 0
	for _, o := range d.w.Atomic {
		width = max(width, len(d.place(o.After)))
	}
	for _, o := range d.w.Atomic {
		place := fmt.Sprintf("  %-*s  ", width+1, d.place(o.After)+":")
		d.paragraph(place, "then "+d.differs(&o))
	}
}

// place names a place among the other goroutine's steps.
func (d *drawing) place(after int) string {
	switch n := d.others(); {
	case n == 0:
		return "alone"
	case n == 1 && after == 0:
		return "first"
	case n == 1:
		return "second"
	case after == 0:
		return "before 1"
	case after == n:
		return fmt.Sprintf("after %d", n)
	default:
		return fmt.Sprintf("between %d and %d", after, after+1)
	}
}

// differs says why an order is not what happened.
func (d *drawing) differs(o *Order) string {
	switch o.Differs {
	case "endless":
		return "it would never end"
	case "other":
		return d.otherDiffers(o.After)
	case "final":
		return d.finalDiffers(o)
	default:
		return d.resultDiffers(o)
	}
}

// resultDiffers compares effects where they differ, else results.
func (d *drawing) resultDiffers(o *Order) string {
	want, got := d.calls(&o.Result), d.calls(&d.w.Result)
	if want == got || o.Result.Panic != d.w.Result.Panic {
		want, got = d.ends(&o.Result, true), d.ends(&d.w.Result, true)
	}
	if d.w.Result.Panic && !o.Result.Panic {
		got = "panic"
	}
	if want == got {
		return "it would end in another place"
	}
	if verb, v, ok := strings.Cut(got, " "); ok && strings.HasPrefix(want, verb+" ") {
		got = v
	}
	return "it would " + want + ", not " + got
}

func (d *drawing) calls(e *Ending) string {
	if len(e.Effects) == 0 {
		return "call nothing"
	}
	return "call " + d.rename(strings.Join(e.Effects, ", "))
}

func (d *drawing) finalDiffers(o *Order) string {
	for i, b := range o.Final {
		if got := d.w.Final[i].Value; got != b.Value {
			return fmt.Sprintf("%s would be %s in the end, not %s", label(b.Name), d.name(b.Value), d.name(got))
		}
	}
	return "the cells would end otherwise"
}

// otherDiffers says what the other goroutine would not be shown. Before the
// call it is on its own, so that what it would find is known; of its steps
// after the call, any may be the one that differs.
func (d *drawing) otherDiffers(after int) string {
	cells := make([]reduce.Value, len(d.w.Initial))
	for i, b := range d.w.Initial {
		cells[i] = b.Value
	}
	others := d.otherEvents()
	for i, ev := range others[:after] {
		if would, ok := alone(ev, cells); ok && would != ev.Results[0] {
			return d.finder(i+1) + " would find " + d.name(would) + ", not " + d.name(ev.Results[0])
		}
	}
	rest := others[after:]
	switch {
	case len(rest) != 1:
		return "the other goroutine would see something else in " + cmp.Or(numbers(after+1, len(others)), "its steps")
	case rest[0].Op != "run":
		return d.finder(len(others)) + " would no longer find " + d.name(rest[0].Results[0])
	case len(rest[0].Results) == 0:
		return d.run(rest[0]) + " would not do what it does"
	default:
		return d.run(rest[0]) + " would no longer return " + d.list(rest[0].Results)
	}
}

// otherEvents are the other goroutine's steps.
func (d *drawing) otherEvents() []*Event {
	var out []*Event
	for i := range d.w.Events {
		if ev := &d.w.Events[i]; ev.Other {
			out = append(out, ev)
		}
	}
	return out
}

// others counts the other goroutine's steps.
func (d *drawing) others() int { return len(d.otherEvents()) }

// numbers lists the numbers of steps: "1 or 2".
func numbers(from, to int) string {
	var out []string
	for n := from; n <= to; n++ {
		out = append(out, strconv.Itoa(n))
	}
	return strings.Join(out, " or ")
}

// finder names who finds something in the other goroutine's step n.
func (d *drawing) finder(n int) string {
	if d.others() == 1 {
		return "the other goroutine"
	}
	return fmt.Sprintf("the other goroutine's step %d", n)
}

// alone plays a step on cells and returns what it finds there. After a step
// of the package nobody knows: it leaves them unknown.
func alone(ev *Event, cells []reduce.Value) (found reduce.Value, ok bool) {
	if ev.Op == "run" {
		clear(cells)
		return "", false
	}
	found = cells[ev.Cell]
	switch ev.Op {
	case "swap":
		cells[ev.Cell] = ev.Args[0]
	case "delete":
		cells[ev.Cell] = reduce.LitAbsent
	}
	return found, found != ""
}
