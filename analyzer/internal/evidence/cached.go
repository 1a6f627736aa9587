package evidence

import (
	"slices"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
)

// What is remembered may be forgotten. Whoever gets something out of a cache, or makes it
// and puts it there, has to live with two of it: the cache drops entries by itself, and
// the next one makes another.
//
//	if p, ok := c.parts.Get(n); ok { return p }
//	p := load(n)
//	c.parts.Add(n, p)
//
// That is no excuse for what is made of what was there, such as a count, nor for what is
// done once for each entry.

// cached is why a violation is not shown that loses an entry of a cache.
func (e *Weigher) cached(f *violation) string {
	drops := func(cell int) bool { return f.Prog.Cells[cell].Evicts }
	loses := losesOne(f) || f.x.Category == absint.StaleDelete
	if !loses || f.x.Category == absint.LostUpdate && f.derived() || !allCells(f, drops) || e.doneOnce(f) {
		return ""
	}
	return "the cache drops entries by itself as well"
}

// losesOne reports whether what is wrong is that one of two entries is lost.
func losesOne(f *violation) bool {
	return f.x.Category == absint.LostUpdate || f.x.Category == absint.DuplicateInstance
}

func allCells(f *violation, is func(int) bool) bool {
	return !slices.ContainsFunc(f.g.Cells, func(cell int) bool { return !is(cell) })
}

// doneOnce reports whether the call does something, or is told something, only if it
// found nothing.
func (e *Weigher) doneOnce(f *violation) bool {
	if !e.meetsItself(f) {
		return false
	}
	_, does := decidedEffect(f.x.Region, e.matters)
	_, told := decidedAnswer(f.x.Region)
	return does || told && !e.unread(f)
}

// dropped is why a violation is not shown that is none but for what the cache drops. That
// an entry has gone a moment later than it could have is nobody's mistake:
//
//	h.mu.Lock()
//	defer h.mu.Unlock()
//	n, _ := h.recent.Get(name) // goes away after an hour
//	h.recent.Set(name, n.(int)+1)
func (e *Weigher) dropped(f *violation) string {
	if !f.evicted() || f.x.Category == absint.Crash {
		return ""
	}
	j := *e.judge
	j.Unclassed, j.Keeps, j.Apart = true, true, func(*rivals.Step) bool { return false }
	if j.Decide(f.Function, f.g).Verdict != absint.Verified {
		return ""
	}
	return "only the cache comes in between, which drops entries by itself"
}
