package snapshot

import "slices"

// missing stands for an action that there is none of.
const missing = -1

// A past is what there was of a simple history before the return of a scan
// that is wrong: indices of actions, missing where there is none.
type past struct {
	first [2]struct{ invoked, returned int } // F of each segment
	// ones has, for each segment, the invocation of the scan that was the
	// first to return 1, and when it did.
	ones [2]struct{ invoked, returned int }
	// alone has the invocation of a scan that returned 1 for the segment and 0
	// for the other.
	alone [2]int
	open  []int // the invocation of each process's last operation
}

// explain says why the scan that returns at an index is wrong. The cases are
// those of State.Scan.
func (h *Simple) explain(at int) *Violation {
	p := h.before(at)
	scan, got := p.open[h.Actions[at].Process], h.Actions[at].Values
	v := &Violation{At: at, Property: Appropriateness, Core: []int{scan}}
	if opposite := 3 &^ got; got == 1 || got == 2 {
		seen, other := int(got-1), int(opposite-1)
		switch first := p.first; {
		case p.alone[other] != missing:
			v.Property = NoInversion
			v.Core = append(v.Core, p.alone[other], first[seen].invoked, first[other].invoked)
		case first[other].returned != missing && first[seen].invoked > first[other].returned:
			v.Core = append(v.Core, first[seen].invoked, first[other].invoked)
		}
	}
	for l := range 2 {
		saw := got>>l&1 == 1
		switch {
		case len(v.Core) > 1:
		case !saw && p.ones[l].returned != missing && p.ones[l].returned < scan:
			v.Property = NonDecreasing
			v.Core = append(v.Core, p.ones[l].invoked, p.first[l].invoked)
		case !saw && p.first[l].returned != missing && p.first[l].returned < scan:
			v.Core = append(v.Core, p.first[l].invoked)
		}
	}
	// Values that the scans of the core saw come with the updates that wrote
	// them: without these they would be wrong for another reason.
	for _, op := range slices.Clone(v.Core) {
		for l := range 2 {
			if op != missing && h.Actions[op].Event == InvokeScan && h.gave(op, at)>>l&1 == 1 {
				v.Core = append(v.Core, p.first[l].invoked)
			}
		}
	}
	for l := range 2 {
		if got>>l&1 == 1 && p.first[l].invoked == missing {
			v.Core = append(v.Core, h.later(l, at)) // what was seen too early
		}
	}
	slices.Sort(v.Core)
	v.Core = slices.Compact(v.Core)
	if v.Core[0] == missing {
		v.Core = v.Core[1:]
	}
	return v
}

// later gives the first update to 1 of a segment after an index.
func (h *Simple) later(which, after int) int {
	for at := after + 1; at < len(h.Actions); at++ {
		if a := h.Actions[at]; a.Event == InvokeUpdate && a.Values == 1 && int(h.segment(a.Process)) == which+1 {
			return at
		}
	}
	return missing
}

// gave is what the scan that was invoked at an index returned, at last at the
// index end.
func (h *Simple) gave(invoked, end int) Values {
	for _, a := range h.Actions[invoked+1 : end+1] {
		if a.Process == h.Actions[invoked].Process {
			return a.Values
		}
	}
	return 0
}

// before collects what there was before an index.
func (h *Simple) before(end int) *past {
	p := &past{open: make([]int, h.Processes)}
	for l := range 2 {
		p.first[l].invoked, p.first[l].returned = missing, missing
		p.ones[l].invoked, p.ones[l].returned = missing, missing
		p.alone[l] = missing
	}
	for at, a := range h.Actions[:end] {
		which := int(h.segment(a.Process)) - 1
		switch a.Event {
		case InvokeScan, InvokeUpdate:
			p.open[a.Process] = at
			if a.Event == InvokeUpdate && a.Values == 1 && p.first[which].invoked == missing {
				p.first[which].invoked = at
			}
		case ReturnUpdate:
			if which >= 0 && p.open[a.Process] == p.first[which].invoked {
				p.first[which].returned = at
			}
		case ReturnScan:
			p.scan(at, a)
		}
	}
	return p
}

// scan takes up the return of a scan.
func (p *past) scan(at int, a Action) {
	for l := range 2 {
		if a.Values>>l&1 == 1 && p.ones[l].returned == missing {
			p.ones[l].invoked, p.ones[l].returned = p.open[a.Process], at
		}
		if int(a.Values) == l+1 && p.alone[l] == missing {
			p.alone[l] = p.open[a.Process]
		}
	}
}
