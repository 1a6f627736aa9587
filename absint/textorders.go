package absint

import (
	"fmt"
	"slices"
	"strings"
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
		return d.otherDiffers(o)
	case "final":
		return d.finalDiffers(o)
	default:
		return d.resultDiffers(o)
	}
}

// resultDiffers compares effects where they differ, else results.
func (d *drawing) resultDiffers(o *Order) string {
	if o.Result.Panic == d.w.Result.Panic && !slices.Equal(o.Result.Effects, d.w.Result.Effects) {
		return d.effectsDiffer(o.Result.Effects, d.w.Result.Effects)
	}
	want, got := d.ends(&o.Result, true), d.ends(&d.w.Result, true)
	if d.w.Result.Panic && !o.Result.Panic {
		got = "panic"
	}
	if want == got {
		return "it would end in another place"
	}
	for _, verb := range []string{"go on with ", "return ", "panic "} {
		if v, ok := strings.CutPrefix(got, verb); ok && strings.HasPrefix(want, verb) {
			got = v
		}
	}
	return "it would " + want + ", not " + got
}

func (d *drawing) finalDiffers(o *Order) string {
	for i, b := range o.Final {
		if got := d.w.Final[i].Value; got != b.Value {
			return fmt.Sprintf("%s would be %s in the end, not %s", label(b.Name), d.name(b.Value), d.name(got))
		}
	}
	return "the cells would end otherwise"
}

// otherDiffers says what the other goroutine would be shown instead.
func (d *drawing) otherDiffers(o *Order) string {
	ev := d.otherEvents()[o.Step]
	would, did := d.list(o.Shown), d.list(ev.Results)
	if w, h := d.shown(o.Shown), d.shown(ev.Results); ev.Op == "run" && w != h {
		would, did = w, h
	}
	switch {
	case ev.Op != "run":
		return fmt.Sprintf("%s would find %s, not %s", d.finder(o.Step+1), would, did)
	case would == did:
		return d.run(ev) + " would not do what it does"
	case did == "":
		return d.run(ev) + " would also find " + would
	case would == "", len(o.Shown) != len(ev.Results): // it would panic, or leave elsewhere
		return d.run(ev) + " would not find " + did
	default:
		return fmt.Sprintf("%s would find %s, not %s", d.run(ev), would, did)
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

// finder names who finds something in the other goroutine's step n.
func (d *drawing) finder(n int) string {
	if d.others() == 1 {
		return "the other goroutine"
	}
	return fmt.Sprintf("the other goroutine's step %d", n)
}
