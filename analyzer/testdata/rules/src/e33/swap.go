package e33

import (
	"net/http"
	"sync/atomic"
)

// Hosts looks up its hosts, one call at a time; Names and Lines do it whoever else does.
type Hosts struct {
	finding atomic.Bool
	due     atomic.Int64
	found   atomic.Pointer[handle]
	named   atomic.Pointer[handle]
	listed  atomic.Pointer[handle]
	shown   atomic.Pointer[handle]
}

func (h *Hosts) ServeHTTP(http.ResponseWriter, *http.Request) {
	if h.finding.CompareAndSwap(false, true) {
		h.hidden()
	}
	if h.finding.CompareAndSwap(false, true) {
		h.finding.Store(false)
		h.shownAfter()
	}
	if !h.finding.CompareAndSwap(false, true) {
		return
	}
	go func() {
		defer h.finding.Store(false)
		h.hiddenLater()
	}()
	h.HiddenDue(1)
	h.found.Load().use()
	h.named.Load().use()
	h.listed.Load().use()
	h.shown.Load().use()
}

// hidden is for who has set the flag.
func (h *Hosts) hidden() {
	defer h.finding.Store(false)
	if h.found.Load() == nil {
		h.found.Store(&handle{})
	}
}

// hiddenLater is the same in a goroutine.
func (h *Hosts) hiddenLater() {
	if h.named.Load() == nil {
		h.named.Store(&handle{})
	}
}

// HiddenDue is for one in each interval.
func (h *Hosts) HiddenDue(now int64) {
	due := h.due.Load()
	if now < due || !h.due.CompareAndSwap(due, now+1) {
		return
	}
	if h.listed.Load() == nil {
		h.listed.Store(&handle{})
	}
}

// shownAfter is called when the flag has been set back.
func (h *Hosts) shownAfter() {
	if h.shown.Load() == nil {
		h.shown.Store(&handle{}) // want "lost-update|duplicate-instance"
	}
}

// Upload takes parts, each of which comes once: who brings one keeps out nobody who brings another one.
type Upload struct {
	parts []atomic.Bool
	begun atomic.Bool
	come  atomic.Pointer[handle]
	first atomic.Pointer[handle]
}

func (u *Upload) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	u.PartShown(len(r.Host))
	u.HiddenBegin()
	u.come.Load().use()
	u.first.Load().use()
}

func (u *Upload) PartShown(n int) {
	if u.parts[n].CompareAndSwap(false, true) && u.come.Load() == nil {
		u.come.Store(&handle{}) // want "lost-update|duplicate-instance"
	}
}

// HiddenBegin has one flag for all.
func (u *Upload) HiddenBegin() {
	if u.begun.CompareAndSwap(false, true) && u.first.Load() == nil {
		u.first.Store(&handle{})
	}
}
