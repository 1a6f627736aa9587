package evidence

import (
	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
)

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
	j.Keeps, j.Apart = true, func(*rivals.Step) bool { return false }
	if j.Decide(f.Function, f.g).Verdict != absint.Verified {
		return ""
	}
	return "only the cache comes in between, which drops entries by itself"
}
