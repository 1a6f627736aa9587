package monitor

import (
	"cmp"
	"slices"
)

// decide asks a monitor, which gives an answer for the stays as they are, and
// finds out what the removals that did not return may have taken.
//
// Such a removal can take any value that is left over, or nothing. To take
// one only ever helps, and an earlier call helps more than a later one. So
// the first question is what there is if they take nothing; and every core
// that comes back says that one of the values left over in it must be taken
// by a removal that was called earlier than the one it has. If there is one
// such value there is no choice; otherwise each is tried in turn.
func (c *container) decide(once func() answer) answer {
	a := once()
	if a.ok || len(c.open) == 0 || !slices.ContainsFunc(c.kept, func(k leftover) bool { return c.within(k, a.core) }) {
		return a
	}
	t := taker{c: c, once: once, questions: 64 + 2_000_000/c.ev.n}
	t.removals = slices.Clone(c.open)
	slices.SortFunc(t.removals, func(a, b int32) int { return cmp.Compare(c.ev.call[a], c.ev.call[b]) })
	if a = t.refine(a, nil); a.ok || a.reason != "" {
		return a
	}
	core := append(t.core, t.removals[:t.useful(t.core)]...)
	slices.Sort(core)
	return answer{core: slices.Compact(core)}
}

// within reports whether a value that is left over is in a core.
func (c *container) within(k leftover, core []int32) bool {
	_, ok := slices.BinarySearch(core, c.insert[k.value])
	return ok
}

// reasonOpen is why there is no answer if the number of questions that it
// takes gets too large.
const reasonOpen = "too many ways to tell what the pending removals took"

// A taker lets the removals that did not return take values.
type taker struct {
	c         *container
	once      func() answer
	removals  []int32 // those that did not return, in order of call
	questions int     // that may still be asked
	core      []int32 // all rows that were in the way
}

// A taking is a value that has to be taken by one of the first so many
// removals.
type taking struct {
	kept  int // index of the value in container.kept
	among int
}

// compare orders takings by the removal that is to take them: those that have
// to be taken first are first, and if that does not tell, those that went in
// first, which is a guess and often right.
func (k taking) compare(other taking) int {
	return cmp.Or(cmp.Compare(k.among, other.among), cmp.Compare(k.kept, other.kept))
}

// refine goes on from the answer for some takings, in order, that are not
// enough.
func (t *taker) refine(a answer, takings []taking) answer {
	t.core = append(t.core, a.core...)
	useful := t.useful(a.core)
	for i, k := range t.c.kept {
		if !t.c.within(k, a.core) {
			continue
		}
		if a := t.ask(without(takings, i), taking{i, min(useful, t.has(takings, i))}); a.ok || a.reason != "" {
			return a
		}
	}
	return answer{}
}

// useful gives how many removals were called before the last of the rows of a
// core returned. To be taken later is no help.
func (t *taker) useful(core []int32) int {
	last := int32(0)
	for _, row := range core {
		if !t.c.ev.pending(row) {
			last = max(last, t.c.ev.ret[row])
		}
	}
	return t.calledBefore(last)
}

func (t *taker) calledBefore(instant int32) int {
	i, _ := slices.BinarySearchFunc(t.removals, instant, func(row, instant int32) int {
		return cmp.Compare(t.c.ev.call[row], instant)
	})
	return i
}

// has gives the place of the removal that takes a value, which is that of the
// value in the takings.
func (t *taker) has(takings []taking, kept int) int {
	i := slices.IndexFunc(takings, func(k taking) bool { return k.kept == kept })
	if i < 0 {
		return len(t.removals)
	}
	return i
}

func without(takings []taking, kept int) []taking {
	return slices.DeleteFunc(slices.Clone(takings), func(k taking) bool { return k.kept == kept })
}

// ask asks with one more taking. The values that have to be taken earliest
// are taken by the earliest removals; if that is too late for one there is no
// way to do it.
func (t *taker) ask(takings []taking, one taking) answer {
	i, _ := slices.BinarySearchFunc(takings, one, taking.compare)
	takings = slices.Insert(takings, i, one)
	for i, k := range takings {
		if k.among <= i {
			return answer{}
		}
	}
	if t.questions--; t.questions < 0 {
		return answer{reason: reasonOpen}
	}
	t.take(takings)
	a := t.once()
	if !a.ok && a.reason == "" {
		return t.refine(a, takings)
	}
	return a
}

// take changes the stays to those with the given takings.
func (t *taker) take(takings []taking) {
	c := t.c
	for _, k := range c.kept {
		c.remove[k.value], c.stays[k.value].out = -1, c.end
	}
	for _, row := range t.removals {
		c.value[row] = -1
	}
	for i, k := range takings {
		row, left := t.removals[i], c.kept[k.kept]
		c.value[row], c.remove[left.value] = left.value, row
		c.stays[left.value].out = max(left.used, c.ev.call[row])
	}
}
