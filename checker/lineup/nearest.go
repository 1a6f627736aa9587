package lineup

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/internal/checker/values"
)

// maxNearest is how many serial histories are shown beside a failure.
const maxNearest = 3

// nearest gives the serial histories that differ least from one that has no
// witness: those that keep its order and disagree about the fewest results.
// Of those that agree about the same results, one is given. For a stuck
// history, blocked is the pending operation without a witness.
func (s *specification) nearest(r *record, blocked int) []*record {
	if blocked >= 0 {
		r = r.only(blocked)
	}
	type candidate struct {
		record *record
		differ int
		key    string
	}
	times := r.times(len(s.plan.ops))
	var all []candidate
	for _, serial := range s.records() {
		if times.keeps(serial.calls()) {
			all = append(all, candidate{serial, s.plan.differences(r, serial), s.plan.threadKey(serial)})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.differ, b.differ) })
	var near []*record
	seen := map[string]bool{}
	for _, c := range all {
		if len(near) < maxNearest && !seen[c.key] {
			seen[c.key] = true
			near = append(near, c.record)
		}
	}
	return near
}

// differences counts the operations that two histories disagree about: what
// they returned, whether they did, and whether they were called.
func (p *plan) differences(a, b *record) int {
	x, y := p.states(a), p.states(b)
	n := 0
	for op := range x {
		if x[op] != y[op] {
			n++
		}
	}
	return n
}

// states says of each operation what became of it.
func (p *plan) states(r *record) []string {
	pointers := values.Names{}
	all := make([]string, len(p.ops))
	for op, span := range r.times(len(p.ops)) {
		switch {
		case span.ret < len(r.marks):
			all[op] = pointers.Text(r.replies[op])
		case span.call < len(r.marks):
			all[op] = "blocked"
		}
	}
	return all
}

// inline is a history in one line: "Get() = 1, Inc() blocks".
func (p *plan) inline(r *record) string {
	h := p.history(r)
	words := make([]string, len(h.Operations))
	for i := range h.Operations {
		words[i] = h.Operations[i].String()
		if h.Operations[i].Pending() {
			words[i] += " blocks"
		}
	}
	return strings.Join(words, ", ")
}
