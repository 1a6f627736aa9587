package absint

import (
	"fmt"
	"slices"
)

// place names a place among the other goroutine's steps.
func (t *teller) place(after int) string {
	switch n := t.others(); {
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
func (t *teller) differs(o *Order) string {
	switch o.Differs {
	case "endless":
		return "it would never end"
	case "other":
		return t.otherDiffers(o)
	case "final":
		return t.finalDiffers(o)
	default:
		return t.resultDiffers(o)
	}
}

// resultDiffers compares effects where they differ, else results.
func (t *teller) resultDiffers(o *Order) string {
	if o.Result.Panic == t.w.Result.Panic && !slices.Equal(o.Result.Effects, t.w.Result.Effects) {
		return t.effectsDiffer(o.Result.Effects, t.w.Result.Effects)
	}
	verb, want := t.ends(&o.Result, true)
	otherwise, got := t.ends(&t.w.Result, true)
	switch {
	case t.w.Result.Panic && !o.Result.Panic:
		got = "panic"
	case verb != otherwise:
		got = phrase(otherwise, got)
	case want == got:
		return "it would end in another place"
	}
	return "it would " + phrase(verb, want) + ", not " + got
}

func (t *teller) finalDiffers(o *Order) string {
	for i, b := range o.Final {
		if got := t.w.Final[i].Value; got != b.Value {
			return fmt.Sprintf("%s would be %s in the end, not %s", label(b.Name), t.name(b.Value), t.name(got))
		}
	}
	return "the cells would end otherwise"
}

// otherDiffers says what the other goroutine would be shown instead.
func (t *teller) otherDiffers(o *Order) string {
	ev := t.otherEvents()[o.Step]
	would, did := t.list(o.Shown), t.list(ev.Results)
	if w, h := t.shown(o.Shown), t.shown(ev.Results); ev.Op == "run" && w != h {
		would, did = w, h
	}
	switch {
	case ev.Op != "run":
		return fmt.Sprintf("%s would find %s, not %s", t.finder(o.Step+1), would, did)
	case would == did:
		return t.run(ev) + " would not do what it does"
	case did == "":
		return t.run(ev) + " would also find " + would
	case would == "", len(o.Shown) != len(ev.Results): // it would panic, or leave elsewhere
		return t.run(ev) + " would not find " + did
	default:
		return fmt.Sprintf("%s would find %s, not %s", t.run(ev), would, did)
	}
}

// otherEvents are the other goroutine's steps.
func (t *teller) otherEvents() []*Event {
	var out []*Event
	for i := range t.w.Events {
		if ev := &t.w.Events[i]; ev.Other {
			out = append(out, ev)
		}
	}
	return out
}

// others counts the other goroutine's steps.
func (t *teller) others() int { return len(t.otherEvents()) }

// finder names who finds something in the other goroutine's step n.
func (t *teller) finder(n int) string {
	if t.others() == 1 {
		return "the other goroutine"
	}
	return fmt.Sprintf("the other goroutine's step %d", n)
}
